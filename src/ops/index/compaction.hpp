#pragma once

#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

// What a condition leaves over, one after the other in row-major order. How many there are the device finds out
// (ops/lengths.hpp).

/// aclnnMaskedSelect: the elements of self where the mask is true. Both broadcast.
std::shared_ptr<Executor> plan_masked_select(const void* self, const void* mask, const void* out);

/// aclnnNonzero, and aclnnNonzeroV2 (`by_dim`): where elements are not 0. An element is a row of the result, or a
/// column.
std::shared_ptr<Executor> plan_nonzero(const char* name, const void* self, bool by_dim, const void* out);

}  // namespace aclvk::ops
