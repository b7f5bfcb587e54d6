#include "api/aclnn_phases.hpp"
#include "ops/elementwise/unary.hpp"

// The parameters of every operator as the tables have them, and the public prototypes: a definition below that differs
// does not compile.
#include "aclnn_parameters.inc"
#include "aclnnop_all.h"

using aclvk::ops::plan_clamp;
using aclvk::ops::plan_gelu;
using aclvk::ops::plan_log_sigmoid_forward;
using aclvk::ops::plan_round_decimals;
using aclvk::ops::plan_unary;
using aclvk::ops::UnaryArgument;
using aclvk::ops::UnaryOp;

namespace {

UnaryArgument argument(const char* name, const aclTensor* value) {
  return {name, UnaryArgument::Kind::kTensor, value, 0};
}
/// An optional scalar that is NULL stands for 1.
UnaryArgument argument(const char* name, const aclScalar* value) {
  return {name, UnaryArgument::Kind::kScalar, value, 1};
}
template <typename Number, typename = std::enable_if_t<std::is_arithmetic_v<Number>>>
UnaryArgument argument(const char* name, Number value) {
  return {name, UnaryArgument::Kind::kNumber, nullptr, static_cast<double>(value)};
}

}  // namespace

// The forms of ops/elementwise/unary.def.
// clang-format off
#define OPERATOR(function, make) PLAN(function, make, ACLVK_PARAMETERS_##function)
#define ARGUMENTS(function) {ACLVK_LIST(ACLVK_PARAMETERS_##function)}
#define OUT(name) OPERATOR(aclnn##name, plan_unary("aclnn" #name, UnaryOp::k##name, ARGUMENTS(aclnn##name)))
#define BOTH(name) \
  OUT(name)        \
  OPERATOR(aclnnInplace##name, plan_unary("aclnnInplace" #name, UnaryOp::k##name, ARGUMENTS(aclnnInplace##name)))
#define NONE(name)
#define UNARY(topic, forms, name, rule, value) forms(name)

extern "C" {

#include "ops/elementwise/unary.def"

OPERATOR(aclnnClamp, plan_clamp("aclnnClamp", ARGUMENTS(aclnnClamp)))
OPERATOR(aclnnGeluV2, plan_gelu("aclnnGeluV2", ARGUMENTS(aclnnGeluV2)))
OPERATOR(aclnnRoundDecimals, plan_round_decimals("aclnnRoundDecimals", ARGUMENTS(aclnnRoundDecimals)))
OPERATOR(aclnnInplaceRoundDecimals, plan_round_decimals("aclnnInplaceRoundDecimals", ARGUMENTS(aclnnInplaceRoundDecimals)))
OPERATOR(aclnnLogSigmoidForward, plan_log_sigmoid_forward("aclnnLogSigmoidForward", self, out, buffer))

}  // extern "C"
// clang-format on
