#pragma once

#include <cstddef>
#include <cstdint>

#include "ops/tensor/tensor.hpp"

namespace aclvk::ops {

// A program may plan an operator on tensors whose address is still NULL, and set it before the launch (docs/adr/0026).
// Until then such a tensor has a placeholder: an address without memory, far from those of all other tensors. So checks
// of overlaps and alignment, and the choice of kernels, need no special case.

/// Returns the tensor itself, or a copy with its placeholder when it has elements and a NULL address.
TensorPtr with_placeholder(TensorPtr tensor);

/// The placeholder of a tensor of the program. Placeholders of different tensors are 256 GiB apart.
void* placeholder_of(const Tensor& tensor);
/// Returns a copy in a placeholder of its own, which no live tensor is expected to have: copies with different numbers
/// share no memory.
Tensor in_own_placeholder(Tensor tensor, std::size_t number);
/// The address is only compared: it may be outside of any memory.
bool is_in_placeholder(const Tensor& tensor, const void* address);

bool has_placeholder(const Tensor& tensor);
/// The address that the program has set: NULL instead of a placeholder.
inline void* program_address(const Tensor& tensor) { return has_placeholder(tensor) ? nullptr : tensor.data; }

/// Sets the address of a tensor of the program. Does nothing when the handle is not live, which a cast could not tell.
void set_address(const void* handle, void* address);
/// The number of set_address() calls so far, so that executors notice changes without looking up each tensor.
std::uint64_t address_changes();

/// Returns a new value for Tensor::description.
std::uint64_t new_description();

}  // namespace aclvk::ops
