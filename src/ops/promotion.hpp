#pragma once

#include <optional>

#include "ops/dtype.hpp"

namespace aclvk::ops {

/// The dtype in which two tensors are combined (torch's table), or nothing when they cannot be.
std::optional<DType> promote(DType first, DType second);

/// The same for a tensor and a scalar: the tensor's dtype wins inside a category.
std::optional<DType> promote_scalar(DType tensor, DType scalar);

/// Whether a result may be stored as another dtype without being asked to: never complex -> real, floating -> integral
/// or anything -> bool. aclnnCast and aclnnInplaceCopy convert on request and do not ask.
bool can_cast(DType from, DType to);

}  // namespace aclvk::ops
