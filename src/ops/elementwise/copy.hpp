#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "ops/executor.hpp"
#include "ops/operator.hpp"

namespace aclvk::ops {

/// Writes `input`, broadcast, into `out`: the bits where the dtypes agree, else converted as aclnnCast does.
Kernels copy_kernels(std::string_view name, const Tensor& out, const Tensor& input);

/// aclnnCast: any dtype to any other. Floats lose their fraction when they become integers; what does not fit saturates
/// and NaN becomes 0; a complex number becomes its real part; anything but zero becomes true.
std::shared_ptr<Executor> plan_cast(const void* self, int dtype, const void* out);

/// aclnnInplaceCopy: writes src, broadcast and converted, into selfRef.
std::shared_ptr<Executor> plan_inplace_copy(const void* self, const void* src);

}  // namespace aclvk::ops
