#include "api/aclnn_phases.hpp"
#include "ops/softmax/softmax.hpp"

// The public prototypes: a definition below that differs does not compile.
#include "aclnnop_all.h"

using aclvk::ops::plan_softmax;
using aclvk::ops::plan_softmax_backward;
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

}  // extern "C"
// clang-format on
