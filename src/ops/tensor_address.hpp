#pragma once

#include <cstdint>

#include "ops/tensor.hpp"

namespace aclvk::ops {

// A program may plan an operator on tensors that have no address yet, and give them one before it is launched. Until
// then such a tensor has a placeholder: an address where no memory is, far from those of all other tensors, so that
// what looks at addresses (overlaps, alignment, the choice of kernels) needs no special case.

/// The tensor as operators are planned with it: itself, or a copy with its placeholder where it has elements and no
/// address.
TensorPtr with_placeholder(TensorPtr tensor);

/// The placeholder of a tensor of the program. Those of other tensors are 256 GiB away.
void* placeholder_of(const Tensor& tensor);
bool is_in_placeholder(const Tensor& tensor, const void* address);

bool has_placeholder(const Tensor& tensor);
/// The address as the program knows it: NULL instead of a placeholder.
inline void* program_address(const Tensor& tensor) { return has_placeholder(tensor) ? nullptr : tensor.data; }

/// Gives a tensor of the program another address; nothing happens when the handle is not live.
void set_address(const void* handle, void* address);
/// Grows with each set_address(): while it stands, no tensor has moved.
std::uint64_t address_changes();

/// The number for a new description of a tensor.
std::uint64_t new_description();

}  // namespace aclvk::ops
