#pragma once

#include <cstdint>

#include "ops/elementwise/tables.hpp"

namespace aclvk::ops {

// The enumerations of the loss tables, like those of ops/elementwise/tables.hpp. All rows compute in float.
#define ROW(forms, name, rule, value) k##name,
enum class LossOp : std::uint32_t {
#include "ops/loss/loss.def"
};
enum class LossGradientOp : std::uint32_t {
#include "ops/loss/gradient.def"
};
enum class WeightedLossOp : std::uint32_t {
#include "ops/loss/weighted.def"
};
#undef ROW

PointwiseRow row_of(LossOp op);
PointwiseRow row_of(LossGradientOp op);
PointwiseRow row_of(WeightedLossOp op);

}  // namespace aclvk::ops
