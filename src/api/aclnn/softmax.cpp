// Softmax, log-softmax and their gradients (ops/softmax).
#include "ops/softmax/softmax.hpp"

#include "api/aclnn/operator.hpp"
#include "ops/softmax/masked.hpp"

using aclvk::ops::plan_scaled_masked_softmax;
using aclvk::ops::plan_scaled_masked_softmax_gradient;
using aclvk::ops::plan_softmax;
using aclvk::ops::plan_softmax_backward;
using aclvk::ops::plan_softmax_with_bias;
using aclvk::ops::Softmax;

#define SOFTMAX(name, kind) OPERATOR(aclnn##name, plan_softmax("aclnn" #name, kind, self, dim, out))
#define SOFTMAX_BACKWARD(name, kind) \
  OPERATOR(aclnn##name, plan_softmax_backward("aclnn" #name, kind, gradOutput, output, dim, out))

extern "C" {

SOFTMAX(Softmax, Softmax::kPlain)
SOFTMAX(LogSoftmax, Softmax::kLog)
SOFTMAX_BACKWARD(SoftmaxBackward, Softmax::kPlain)
SOFTMAX_BACKWARD(LogSoftmaxBackward, Softmax::kLog)

OPERATOR(aclnnScaledMaskedSoftmax, plan_scaled_masked_softmax(x, mask, scale, fixedTriuMask, y))
OPERATOR(aclnnScaledMaskedSoftmaxBackward,
         plan_scaled_masked_softmax_gradient(gradOutput, y, mask, scale, fixTriuMask, out))
OPERATOR(aclnnMaskedSoftmaxWithRelPosBias,
         plan_softmax_with_bias(x, attenMaskOptional, relativePosBias, scaleValue, innerPrecisionMode, out))

}  // extern "C"
