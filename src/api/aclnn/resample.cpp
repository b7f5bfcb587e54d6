// Interpolations, grids, paddings and their gradients (ops/resample).
#include "api/aclnn/operator.hpp"
#include "ops/resample/columns_gradient.hpp"
#include "ops/resample/grid_sample.hpp"
#include "ops/resample/pad_gradient.hpp"
#include "ops/resample/upsample.hpp"

using namespace aclvk::ops;

namespace {

LineOrigin centres_or_corners(bool align_corners) {
  return align_corners ? LineOrigin::kAlignCorners : LineOrigin::kHalfPixel;
}

}  // namespace

extern "C" {

#define UPSAMPLE(function, dims, map, align_corners, input, ...)                                                      \
  OPERATOR(function, plan_upsample({#function, dims, LineMap::map, centres_or_corners(align_corners), {__VA_ARGS__}}, \
                                   #input, input, outputSize, out))
UPSAMPLE(aclnnUpsampleLinear1d, 1, kLinear, alignCorners, self, scale)
UPSAMPLE(aclnnUpsampleBilinear2d, 2, kLinear, alignCorners, self, scalesH, scalesW)
UPSAMPLE(aclnnUpsampleTrilinear3d, 3, kLinear, alignCorners, self, scalesD, scalesH, scalesW)
UPSAMPLE(aclnnUpsampleBicubic2d, 2, kCubic, alignCorners, self, scalesH, scalesW)
UPSAMPLE(aclnnUpsampleBilinear2dAA, 2, kAntialiasLinear, alignCorners, input, scalesH, scalesW)
UPSAMPLE(aclnnUpsampleBicubic2dAA, 2, kAntialiasCubic, alignCorners, x, scalesH, scalesW)

#define UPSAMPLE_GRADIENT(function, dims, map, origin, gradient, result, ...)                       \
  OPERATOR(function, plan_upsample_gradient({#function, dims, LineMap::map, origin, {__VA_ARGS__}}, \
                                            {#gradient, gradient, outputSize, inputSize, #result, result}))
#define NEAREST_GRADIENT(function, dims, origin, gradient, result, ...) \
  UPSAMPLE_GRADIENT(function, dims, kNearest, LineOrigin::origin, gradient, result, __VA_ARGS__)
NEAREST_GRADIENT(aclnnUpsampleNearest1dBackward, 1, kAsymmetric, gradOut, out, scales)
NEAREST_GRADIENT(aclnnUpsampleNearest2dBackward, 2, kAsymmetric, gradOut, gradInput, scalesH, scalesW)
NEAREST_GRADIENT(aclnnUpsampleNearest3dBackward, 3, kAsymmetric, gradOut, gradInput, scalesD, scalesH, scalesW)
NEAREST_GRADIENT(aclnnUpsampleNearestExact1dBackward, 1, kHalfPixel, gradOutput, out, scales)
NEAREST_GRADIENT(aclnnUpsampleNearestExact2dBackward, 2, kHalfPixel, gradOutput, out, scalesH, scalesW)
NEAREST_GRADIENT(aclnnUpsampleNearestExact3dBackward, 3, kHalfPixel, gradOut, gradInput, scalesD, scalesH, scalesW)

#define SMOOTH_GRADIENT(function, dims, map, gradient, result, ...) \
  UPSAMPLE_GRADIENT(function, dims, map, centres_or_corners(alignCorners), gradient, result, __VA_ARGS__)
SMOOTH_GRADIENT(aclnnUpsampleLinear1dBackward, 1, kLinear, gradOut, out, scales)
SMOOTH_GRADIENT(aclnnUpsampleBilinear2dBackward, 2, kLinear, gradOut, out, scalesH, scalesW)
SMOOTH_GRADIENT(aclnnUpsampleBilinear2dBackwardV2, 2, kLinear, gradOut, out, scalesH, scalesW)
SMOOTH_GRADIENT(aclnnUpsampleTrilinear3dBackward, 3, kLinear, gradOut, gradInput, scalesD, scalesH, scalesW)
SMOOTH_GRADIENT(aclnnUpsampleBicubic2dBackward, 2, kCubic, gradOut, gradInput, scalesH, scalesW)
SMOOTH_GRADIENT(aclnnUpsampleBilinear2dAABackward, 2, kAntialiasLinear, gradOutput, out, scalesH, scalesW)
SMOOTH_GRADIENT(aclnnUpsampleBicubic2dAAGrad, 2, kAntialiasCubic, gradOutput, out, scalesH, scalesW)

#define PAD_GRADIENT(function, dims, map) \
  OPERATOR(function, plan_pad_gradient({#function, dims, LineMap::map, gradOutput, self, padding, gradInput}))
PAD_GRADIENT(aclnnReflectionPad1dBackward, 1, kReflect)
PAD_GRADIENT(aclnnReflectionPad2dBackward, 2, kReflect)
PAD_GRADIENT(aclnnReflectionPad3dBackward, 3, kReflect)
PAD_GRADIENT(aclnnReplicationPad1dBackward, 1, kReplicate)
PAD_GRADIENT(aclnnReplicationPad2dBackward, 2, kReplicate)
PAD_GRADIENT(aclnnReplicationPad3dBackward, 3, kReplicate)
PAD_GRADIENT(aclnnCircularPad2dBackward, 2, kCircular)
PAD_GRADIENT(aclnnCircularPad3dBackward, 3, kCircular)

OPERATOR(aclnnIm2colBackward, plan_columns_gradient({"aclnnIm2colBackward", gradOutput, inputSize, kernelSize, dilation,
                                                     padding, stride, out}))
OPERATOR(aclnnUnfoldGrad, plan_unfold_gradient(gradOut, inputSizes, dim, size, step, gradIn))

#define GRID(function, dims) \
  GridSample { #function, dims, interpolationMode, paddingMode, alignCorners }
OPERATOR(aclnnGridSampler2D, plan_grid_sample(GRID(aclnnGridSampler2D, 2), input, grid, out))
OPERATOR(aclnnGridSampler3D, plan_grid_sample(GRID(aclnnGridSampler3D, 3), input, grid, out))
OPERATOR(aclnnGridSampler2DBackward, plan_grid_gradients(GRID(aclnnGridSampler2DBackward, 2),
                                                         {gradOutput, input, grid, outputMask, inputGrad, gridGrad}))
OPERATOR(aclnnGridSampler3DBackward, plan_grid_gradients(GRID(aclnnGridSampler3DBackward, 3),
                                                         {gradOutput, input, grid, outputMask, inputGrad, gridGrad}))

}  // extern "C"
