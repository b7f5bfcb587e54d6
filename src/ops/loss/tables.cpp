#include "ops/loss/tables.hpp"

namespace aclvk::ops {
namespace {

constexpr ClassShaders kLossShaders = {"loss/loss_f32", {}, {}, {}, {}, {}, {}};
constexpr ClassShaders kGradientShaders = {"loss/gradient_f32", {}, {}, {}, {}, {}, {}};
constexpr ClassShaders kWeightedShaders = {"loss/weighted_f32", {}, {}, {}, {}, {}, {}};

}  // namespace

PointwiseRow row_of(LossOp op) { return {static_cast<std::uint32_t>(op), 2, {}, &kLossShaders}; }
PointwiseRow row_of(LossGradientOp op) { return {static_cast<std::uint32_t>(op), 3, {}, &kGradientShaders}; }
PointwiseRow row_of(WeightedLossOp op) { return {static_cast<std::uint32_t>(op), 4, {}, &kWeightedShaders}; }

}  // namespace aclvk::ops
