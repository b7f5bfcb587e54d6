#include "api/aclnn_operator.hpp"
#include "ops/pooling/pooling.hpp"

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
OPERATOR(aclnnAdaptiveMaxPool2d,
         plan_adaptive_pool(Pool::kMaximum, VALUES_AND_INDICES(aclnnAdaptiveMaxPool2d, 2, outputOut, indicesOut),
                            outputSize))
OPERATOR(aclnnAdaptiveMaxPool3d,
         plan_adaptive_pool(Pool::kMaximum, VALUES_AND_INDICES(aclnnAdaptiveMaxPool3d, 3, outputOut, indicesOut),
                            outputSize))
OPERATOR(aclnnGlobalMaxPool, plan_global_pool(Pool::kMaximum, VALUES(aclnnGlobalMaxPool, 0)))

}  // extern "C"
