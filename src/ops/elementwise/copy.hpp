#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "ops/executor.hpp"
#include "ops/operator.hpp"

namespace aclvk::ops {

/// Copies `input`, broadcast, to `out`: bit by bit when the dtypes agree, else converted as aclnnCast does.
Kernels copy_kernels(std::string_view name, const Tensor& out, const Tensor& input);

/// aclnnCast, between any dtypes. Floats are truncated to integers, values out of range saturate, and NaN becomes 0; a
/// complex number becomes its real part; nonzero values become true.
std::shared_ptr<Executor> plan_cast(const void* self, int dtype, const void* out);

/// aclnnInplaceCopy: copies src, broadcast and converted, to selfRef.
std::shared_ptr<Executor> plan_inplace_copy(const void* self, const void* src);

}  // namespace aclvk::ops
