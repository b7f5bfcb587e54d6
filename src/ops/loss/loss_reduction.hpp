#pragma once

#include <cstdint>

#include "ops/executor/operator.hpp"

namespace aclvk::ops {

// The attribute `reduction` of losses.

/// The reduction of a loss; enumerators have the attribute's values.
enum class LossReduction : std::int64_t { kNone = 0, kMean = 1, kSum = 2 };

/// Returns the reduction; 161002 for other values.
LossReduction checked_reduction(std::int64_t reduction);

/// 161002 unless the output has the elements' shape (no reduction), or one element.
void check_loss_shape(const Tensor& out, const char* name, const Shape& elements, LossReduction reduction);

}  // namespace aclvk::ops
