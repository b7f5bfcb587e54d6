// The operators of this folder.
#include <memory>

#include "ops/args/resample.hpp"
#include "ops/resample/grid_sample.hpp"
#include "ops/resample/pad_gradient.hpp"
#include "ops/resample/upsample.hpp"

namespace aclvk::ops {
namespace {

LineOrigin centres_or_corners(bool align_corners) {
  return align_corners ? LineOrigin::kAlignCorners : LineOrigin::kHalfPixel;
}

// Operators whose arguments differ in their type alone.

template <typename Args>
std::shared_ptr<Executor> plan_bilinear_backward(const Args& args) {
  return plan_upsample_gradient(
      {args.kOperator, 2, LineMap::kLinear, centres_or_corners(args.alignCorners), {args.scalesH, args.scalesW}},
      {args.gradOut, args.outputSize, args.inputSize, args.out});
}

}  // namespace

std::shared_ptr<Executor> plan(const UpsampleLinear1dArgs& args) {
  return plan_upsample({args.kOperator, 1, LineMap::kLinear, centres_or_corners(args.alignCorners), {args.scale}},
                       args.self, args.outputSize, args.out);
}
std::shared_ptr<Executor> plan(const UpsampleBilinear2dArgs& args) {
  return plan_upsample(
      {args.kOperator, 2, LineMap::kLinear, centres_or_corners(args.alignCorners), {args.scalesH, args.scalesW}},
      args.self, args.outputSize, args.out);
}
std::shared_ptr<Executor> plan(const UpsampleTrilinear3dArgs& args) {
  return plan_upsample({args.kOperator,
                        3,
                        LineMap::kLinear,
                        centres_or_corners(args.alignCorners),
                        {args.scalesD, args.scalesH, args.scalesW}},
                       args.self, args.outputSize, args.out);
}
std::shared_ptr<Executor> plan(const UpsampleBicubic2dArgs& args) {
  return plan_upsample(
      {args.kOperator, 2, LineMap::kCubic, centres_or_corners(args.alignCorners), {args.scalesH, args.scalesW}},
      args.self, args.outputSize, args.out);
}
std::shared_ptr<Executor> plan(const UpsampleBilinear2dAAArgs& args) {
  return plan_upsample({args.kOperator,
                        2,
                        LineMap::kAntialiasLinear,
                        centres_or_corners(args.alignCorners),
                        {args.scalesH, args.scalesW}},
                       args.input, args.outputSize, args.out);
}
std::shared_ptr<Executor> plan(const UpsampleBicubic2dAAArgs& args) {
  return plan_upsample({args.kOperator,
                        2,
                        LineMap::kAntialiasCubic,
                        centres_or_corners(args.alignCorners),
                        {args.scalesH, args.scalesW}},
                       args.x, args.outputSize, args.out);
}
std::shared_ptr<Executor> plan(const UpsampleNearest1dBackwardArgs& args) {
  return plan_upsample_gradient({args.kOperator, 1, LineMap::kNearest, LineOrigin::kAsymmetric, {args.scales}},
                                {args.gradOut, args.outputSize, args.inputSize, args.out});
}
std::shared_ptr<Executor> plan(const UpsampleNearest2dBackwardArgs& args) {
  return plan_upsample_gradient(
      {args.kOperator, 2, LineMap::kNearest, LineOrigin::kAsymmetric, {args.scalesH, args.scalesW}},
      {args.gradOut, args.outputSize, args.inputSize, args.gradInput});
}
std::shared_ptr<Executor> plan(const UpsampleNearest3dBackwardArgs& args) {
  return plan_upsample_gradient(
      {args.kOperator, 3, LineMap::kNearest, LineOrigin::kAsymmetric, {args.scalesD, args.scalesH, args.scalesW}},
      {args.gradOut, args.outputSize, args.inputSize, args.gradInput});
}
std::shared_ptr<Executor> plan(const UpsampleNearestExact1dBackwardArgs& args) {
  return plan_upsample_gradient({args.kOperator, 1, LineMap::kNearest, LineOrigin::kHalfPixel, {args.scales}},
                                {args.gradOutput, args.outputSize, args.inputSize, args.out});
}
std::shared_ptr<Executor> plan(const UpsampleNearestExact2dBackwardArgs& args) {
  return plan_upsample_gradient(
      {args.kOperator, 2, LineMap::kNearest, LineOrigin::kHalfPixel, {args.scalesH, args.scalesW}},
      {args.gradOutput, args.outputSize, args.inputSize, args.out});
}
std::shared_ptr<Executor> plan(const UpsampleNearestExact3dBackwardArgs& args) {
  return plan_upsample_gradient(
      {args.kOperator, 3, LineMap::kNearest, LineOrigin::kHalfPixel, {args.scalesD, args.scalesH, args.scalesW}},
      {args.gradOut, args.outputSize, args.inputSize, args.gradInput});
}
std::shared_ptr<Executor> plan(const UpsampleLinear1dBackwardArgs& args) {
  return plan_upsample_gradient(
      {args.kOperator, 1, LineMap::kLinear, centres_or_corners(args.alignCorners), {args.scales}},
      {args.gradOut, args.outputSize, args.inputSize, args.out});
}
std::shared_ptr<Executor> plan(const UpsampleBilinear2dBackwardArgs& args) { return plan_bilinear_backward(args); }
std::shared_ptr<Executor> plan(const UpsampleBilinear2dBackwardV2Args& args) { return plan_bilinear_backward(args); }
std::shared_ptr<Executor> plan(const UpsampleTrilinear3dBackwardArgs& args) {
  return plan_upsample_gradient({args.kOperator,
                                 3,
                                 LineMap::kLinear,
                                 centres_or_corners(args.alignCorners),
                                 {args.scalesD, args.scalesH, args.scalesW}},
                                {args.gradOut, args.outputSize, args.inputSize, args.gradInput});
}
std::shared_ptr<Executor> plan(const UpsampleBicubic2dBackwardArgs& args) {
  return plan_upsample_gradient(
      {args.kOperator, 2, LineMap::kCubic, centres_or_corners(args.alignCorners), {args.scalesH, args.scalesW}},
      {args.gradOut, args.outputSize, args.inputSize, args.gradInput});
}
std::shared_ptr<Executor> plan(const UpsampleBilinear2dAABackwardArgs& args) {
  return plan_upsample_gradient({args.kOperator,
                                 2,
                                 LineMap::kAntialiasLinear,
                                 centres_or_corners(args.alignCorners),
                                 {args.scalesH, args.scalesW}},
                                {args.gradOutput, args.outputSize, args.inputSize, args.out});
}
std::shared_ptr<Executor> plan(const UpsampleBicubic2dAAGradArgs& args) {
  return plan_upsample_gradient({args.kOperator,
                                 2,
                                 LineMap::kAntialiasCubic,
                                 centres_or_corners(args.alignCorners),
                                 {args.scalesH, args.scalesW}},
                                {args.gradOutput, args.outputSize, args.inputSize, args.out});
}
std::shared_ptr<Executor> plan(const ReflectionPad1dBackwardArgs& args) {
  return plan_pad_gradient(
      {args.kOperator, 1, LineMap::kReflect, args.gradOutput, args.self, args.padding, args.gradInput});
}
std::shared_ptr<Executor> plan(const ReflectionPad2dBackwardArgs& args) {
  return plan_pad_gradient(
      {args.kOperator, 2, LineMap::kReflect, args.gradOutput, args.self, args.padding, args.gradInput});
}
std::shared_ptr<Executor> plan(const ReflectionPad3dBackwardArgs& args) {
  return plan_pad_gradient(
      {args.kOperator, 3, LineMap::kReflect, args.gradOutput, args.self, args.padding, args.gradInput});
}
std::shared_ptr<Executor> plan(const ReplicationPad1dBackwardArgs& args) {
  return plan_pad_gradient(
      {args.kOperator, 1, LineMap::kReplicate, args.gradOutput, args.self, args.padding, args.gradInput});
}
std::shared_ptr<Executor> plan(const ReplicationPad2dBackwardArgs& args) {
  return plan_pad_gradient(
      {args.kOperator, 2, LineMap::kReplicate, args.gradOutput, args.self, args.padding, args.gradInput});
}
std::shared_ptr<Executor> plan(const ReplicationPad3dBackwardArgs& args) {
  return plan_pad_gradient(
      {args.kOperator, 3, LineMap::kReplicate, args.gradOutput, args.self, args.padding, args.gradInput});
}
std::shared_ptr<Executor> plan(const CircularPad2dBackwardArgs& args) {
  return plan_pad_gradient(
      {args.kOperator, 2, LineMap::kCircular, args.gradOutput, args.self, args.padding, args.gradInput});
}
std::shared_ptr<Executor> plan(const CircularPad3dBackwardArgs& args) {
  return plan_pad_gradient(
      {args.kOperator, 3, LineMap::kCircular, args.gradOutput, args.self, args.padding, args.gradInput});
}
std::shared_ptr<Executor> plan(const GridSampler2DArgs& args) {
  return plan_grid_sample(GridSample{args.kOperator, 2, args.interpolationMode, args.paddingMode, args.alignCorners},
                          args.input, args.grid, args.out);
}
std::shared_ptr<Executor> plan(const GridSampler3DArgs& args) {
  return plan_grid_sample(GridSample{args.kOperator, 3, args.interpolationMode, args.paddingMode, args.alignCorners},
                          args.input, args.grid, args.out);
}
std::shared_ptr<Executor> plan(const GridSampler2DBackwardArgs& args) {
  return plan_grid_gradients(GridSample{args.kOperator, 2, args.interpolationMode, args.paddingMode, args.alignCorners},
                             {args.gradOutput, args.input, args.grid, args.outputMask, args.inputGrad, args.gridGrad});
}
std::shared_ptr<Executor> plan(const GridSampler3DBackwardArgs& args) {
  return plan_grid_gradients(GridSample{args.kOperator, 3, args.interpolationMode, args.paddingMode, args.alignCorners},
                             {args.gradOutput, args.input, args.grid, args.outputMask, args.inputGrad, args.gridGrad});
}

}  // namespace aclvk::ops
