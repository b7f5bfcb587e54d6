#pragma once

#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnCast, between any dtypes. Floats are truncated to integers, values out of range saturate, and NaN becomes 0; a
/// complex number becomes its real part; nonzero values become true.
std::shared_ptr<Executor> plan_cast(const void* self, int dtype, const void* out);

/// aclnnInplaceCopy: copies src, broadcast and converted, to selfRef.
std::shared_ptr<Executor> plan_inplace_copy(const void* self, const void* src);

}  // namespace aclvk::ops
