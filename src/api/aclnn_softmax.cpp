#include "api/aclnn_phases.hpp"
#include "ops/softmax/masked.hpp"
#include "ops/softmax/softmax.hpp"

// The public prototypes: a definition below that differs does not compile.
#include "aclnnop_all.h"

using aclvk::ops::plan_scaled_masked_softmax;
using aclvk::ops::plan_scaled_masked_softmax_gradient;
using aclvk::ops::plan_softmax;
using aclvk::ops::plan_softmax_backward;
using aclvk::ops::plan_softmax_with_bias;
using aclvk::ops::Softmax;

// clang-format off
#define SOFTMAX(name, kind)                                             \
  PLAN(aclnn##name, plan_softmax("aclnn" #name, kind, self, dim, out), \
       (const aclTensor*, self)(int64_t, dim)(aclTensor*, out))
#define SOFTMAX_BACKWARD(name, kind)                                                        \
  PLAN(aclnn##name, plan_softmax_backward("aclnn" #name, kind, gradOutput, output, dim, out), \
       (const aclTensor*, gradOutput)(const aclTensor*, output)(int64_t, dim)(aclTensor*, out))

extern "C" {

SOFTMAX(Softmax, Softmax::kPlain)
SOFTMAX(LogSoftmax, Softmax::kLog)
SOFTMAX_BACKWARD(SoftmaxBackward, Softmax::kPlain)
SOFTMAX_BACKWARD(LogSoftmaxBackward, Softmax::kLog)

PLAN(aclnnScaledMaskedSoftmax, plan_scaled_masked_softmax(x, mask, scale, fixedTriuMask, y),
     (const aclTensor*, x)(const aclTensor*, mask)(double, scale)(bool, fixedTriuMask)(aclTensor*, y))
PLAN(aclnnScaledMaskedSoftmaxBackward,
     plan_scaled_masked_softmax_gradient(gradOutput, y, mask, scale, fixTriuMask, out),
     (const aclTensor*, gradOutput)(const aclTensor*, y)(const aclTensor*, mask)(double, scale)(bool, fixTriuMask)
     (aclTensor*, out))
PLAN(aclnnMaskedSoftmaxWithRelPosBias,
     plan_softmax_with_bias(x, attenMaskOptional, relativePosBias, scaleValue, innerPrecisionMode, out),
     (const aclTensor*, x)(const aclTensor*, attenMaskOptional)(const aclTensor*, relativePosBias)(double, scaleValue)
     (int64_t, innerPrecisionMode)(const aclTensor*, out))

}  // extern "C"
// clang-format on
