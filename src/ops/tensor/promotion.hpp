#pragma once

#include <optional>

#include "ops/tensor/dtype.hpp"

namespace aclvk::ops {

/// The common dtype of two tensors, as torch.promote_types has it. Returns nothing when there is none.
std::optional<DType> promote(DType first, DType second);

/// The common dtype of a tensor and a scalar. The tensor's dtype wins unless the scalar's category is higher, as in
/// torch.result_type.
std::optional<DType> promote_scalar(DType tensor, DType scalar);

/// Returns whether a result may be stored as another dtype implicitly, as torch.can_cast has it: complex -> real,
/// floating -> integer and anything -> bool are refused. aclnnCast and aclnnInplaceCopy convert explicitly and do not
/// use this check.
bool can_cast(DType from, DType to);

}  // namespace aclvk::ops
