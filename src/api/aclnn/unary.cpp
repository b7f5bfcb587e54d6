#include "api/aclnn/pointwise.hpp"
#include "ops/elementwise/composed.hpp"

using aclvk::api::argument;
using aclvk::ops::UnaryOp;

// The forms of ops/elementwise/unary.def.
// clang-format off
#define OUT(name) ROW_OF(aclnn##name, UnaryOp::k##name)
#define BOTH(name) \
  OUT(name)        \
  ROW_OF(aclnnInplace##name, UnaryOp::k##name)
#define NONE(name)
#define UNARY(topic, forms, name, rule, value) forms(name)

extern "C" {

#include "ops/elementwise/unary.def"

PLANNED(aclnnClamp, plan_clamp)
PLANNED(aclnnGeluV2, plan_gelu)
PLANNED(aclnnRoundDecimals, plan_round_decimals)
PLANNED(aclnnInplaceRoundDecimals, plan_round_decimals)
OPERATOR(aclnnLogSigmoidForward,
         aclvk::ops::plan_log_sigmoid_forward("aclnnLogSigmoidForward", NAMED(self), NAMED(out), NAMED(buffer)))

}  // extern "C"
// clang-format on
