// Poolings and their gradients (ops/pooling).
#include "ops/pooling/pooling.hpp"

#include "api/aclnn/operator.hpp"
#include "ops/pooling/indexed.hpp"
#include "ops/pooling/mean_gradient.hpp"

using namespace aclvk::ops;

#define VALUES(name, dims) \
  { #name, dims, self, out }
#define VALUES_AND_INDICES(name, dims, out, indices) \
  { #name, dims, self, out, #out, true, indices, #indices }
#define WINDOW(kernel, stride, padding) kernel, #kernel, stride, #stride, padding, #padding

extern "C" {

OPERATOR(aclnnAvgPool2d, plan_avg_pool(VALUES(aclnnAvgPool2d, 2), {WINDOW(kernelSize, strides, paddings), ceilMode},
                                       {countIncludePad, divisorOverride}, cubeMathType))
OPERATOR(aclnnAvgPool3d, plan_avg_pool(VALUES(aclnnAvgPool3d, 3), {WINDOW(kernelSize, stride, padding), ceilMode},
                                       {countIncludePad, divisorOverride}))
OPERATOR(aclnnAdaptiveAvgPool2d, plan_adaptive_pool(Pool::kMean, VALUES(aclnnAdaptiveAvgPool2d, 2), outputSize))
OPERATOR(aclnnAdaptiveAvgPool3d, plan_adaptive_pool(Pool::kMean, VALUES(aclnnAdaptiveAvgPool3d, 3), outputSize))
#define MEAN(name, dims, out) \
  MeanGradient { #name, dims, gradOutput, self, out, #out }
OPERATOR(aclnnAvgPool2dBackward, plan_avg_pool_gradient(MEAN(aclnnAvgPool2dBackward, 2, gradInput),
                                                        {WINDOW(kernelSize, stride, padding), ceilMode},
                                                        {countIncludePad, divisorOverride}, cubeMathType))
OPERATOR(aclnnAvgPool3dBackward,
         plan_avg_pool_gradient(MEAN(aclnnAvgPool3dBackward, 3, output),
                                {WINDOW(kernelSize, stride, padding), ceilMode}, {countIncludePad, divisorOverride}))
OPERATOR(aclnnAdaptiveAvgPool2dBackward, plan_adaptive_mean_gradient(MEAN(aclnnAdaptiveAvgPool2dBackward, 2, out)))
OPERATOR(aclnnAdaptiveAvgPool3dBackward, plan_adaptive_mean_gradient(MEAN(aclnnAdaptiveAvgPool3dBackward, 3, out)))
OPERATOR(aclnnGlobalAveragePool, plan_global_pool(Pool::kMean, VALUES(aclnnGlobalAveragePool, 0)))

OPERATOR(aclnnMaxPool,
         plan_onnx_max_pool(VALUES(aclnnMaxPool, 2),
                            {WINDOW(kernelShape, strides, pads), ceilMode != 0, true, dilations, "dilations"}, autoPad,
                            ceilMode))
OPERATOR(aclnnMaxPool2dWithIndices, plan_max_pool(VALUES_AND_INDICES(aclnnMaxPool2dWithIndices, 2, out, indices),
                                                  {WINDOW(kernelSize, stride, padding), ceilMode, true, dilation}))
OPERATOR(aclnnMaxPool3dWithArgmax, plan_max_pool(VALUES_AND_INDICES(aclnnMaxPool3dWithArgmax, 3, out, indices),
                                                 {WINDOW(kernelSize, stride, padding), ceilMode, true, dilation}))
OPERATOR(aclnnMaxPool2dWithMask, plan_masked_max_pool(VALUES_AND_INDICES(aclnnMaxPool2dWithMask, 2, out, indices),
                                                      {WINDOW(kernelSize, stride, padding), ceilMode, true, dilation}))
OPERATOR(aclnnMaxPool2dWithMaskBackward,
         plan_masked_gradient(VALUES_AND_INDICES(aclnnMaxPool2dWithMaskBackward, 2, gradInput, indices), gradOutput,
                              {WINDOW(kernelSize, stride, padding), ceilMode, true, dilation}))
#define INDEXED(name, dims) \
  IndexedGradient { #name, dims, gradOutput, self, indices, gradInput }
OPERATOR(aclnnMaxPool2dWithIndicesBackward,
         plan_max_pool_gradient(INDEXED(aclnnMaxPool2dWithIndicesBackward, 2),
                                {WINDOW(kernelSize, stride, padding), ceilMode, true, dilation}))
OPERATOR(aclnnMaxPool3dWithArgmaxBackward,
         plan_max_pool_gradient(INDEXED(aclnnMaxPool3dWithArgmaxBackward, 3),
                                {WINDOW(kernelSize, stride, padding), ceilMode, true, dilation}))
OPERATOR(aclnnAdaptiveMaxPool2dBackward, plan_adaptive_max_gradient(INDEXED(aclnnAdaptiveMaxPool2dBackward, 2)))
OPERATOR(aclnnAdaptiveMaxPool3dBackward, plan_adaptive_max_gradient(INDEXED(aclnnAdaptiveMaxPool3dBackward, 3)))
OPERATOR(aclnnMaxUnpool2d, plan_unpool({"aclnnMaxUnpool2d", 2, self, indices, outputSize, out, "out"}))
OPERATOR(aclnnMaxUnpool2dBackward,
         plan_unpool_gradient({"aclnnMaxUnpool2dBackward", 2, self, indices, outputSize, out, "out"}, gradOutput))
OPERATOR(aclnnMaxUnpool3d,
         plan_unpool({"aclnnMaxUnpool3d", 3, self, indices, outputSize, outRef, "outRef", true, stride, padding}))
OPERATOR(aclnnMaxUnpool3dBackward, plan_unpool_gradient({"aclnnMaxUnpool3dBackward", 3, self, indices, outputSize, out,
                                                         "out", true, stride, padding},
                                                        gradOutput))
OPERATOR(aclnnAdaptiveMaxPool2d,
         plan_adaptive_pool(Pool::kMaximum, VALUES_AND_INDICES(aclnnAdaptiveMaxPool2d, 2, outputOut, indicesOut),
                            outputSize))
OPERATOR(aclnnAdaptiveMaxPool3d,
         plan_adaptive_pool(Pool::kMaximum, VALUES_AND_INDICES(aclnnAdaptiveMaxPool3d, 3, outputOut, indicesOut),
                            outputSize))
OPERATOR(aclnnGlobalMaxPool, plan_global_pool(Pool::kMaximum, VALUES(aclnnGlobalMaxPool, 0)))

}  // extern "C"
