#pragma once

#include <cstdint>
#include <memory>

#include "ops/dtype_sets.hpp"
#include "ops/executor.hpp"
#include "ops/operator.hpp"
#include "ops/staging.hpp"

namespace aclvk::ops {

// What a condition leaves over, one after the other in row-major order. How many there are the device finds out
// (ops/dynamic_length.hpp).

/// aclnnMaskedSelect: the elements of self where the mask is true. Both broadcast.
std::shared_ptr<Executor> plan_masked_select(const void* self, const void* mask, const void* out);

/// aclnnNonzero, and aclnnNonzeroV2 (`by_dim`): where elements are not 0. An element is a row of the result, or a
/// column.
std::shared_ptr<Executor> plan_nonzero(const char* name, const void* self, bool by_dim, const void* out);

// Masks, which other operators have, too.

constexpr DTypeSet kMasks = kBools.with({DType::kUint8});
/// A UINT8 mask is true where it is not 0, as BOOL is.
Tensor as_bool(Tensor mask);
/// 161002 for more elements than can be counted.
void check_countable(std::int64_t elements, const char* name);
/// How many of the elements up to each one are true (INT32, a vector). Their number is not 0.
Tensor sums_of(Kernels& kernels, const char* name, const Tensor& flags, Staging& staging);

}  // namespace aclvk::ops
