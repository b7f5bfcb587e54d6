// The operators that are rows of the tables in this folder, or variants of them. docs/adr/0029 says what reads these
// definitions.
#include <memory>

#include "ops/args/elementwise.hpp"
#include "ops/elementwise/composed.hpp"
#include "ops/elementwise/pointwise_args.hpp"

namespace aclvk::ops {

// The forms of the tables: for the row Add of binary.def, aclnnAdd, aclnnAdds, aclnnInplaceAdd and aclnnInplaceAdds.
#define OWN(op, name)
#define PLAN(op, name) \
  std::shared_ptr<Executor> plan(const name##Args& args) { return plan_row(op, args); }
#define TENSOR(op, name) PLAN(op, name)
#define TENSOR_INPLACE(op, name) PLAN(op, name) PLAN(op, Inplace##name)
#define TENSOR_AND_S(op, name) TENSOR_INPLACE(op, name) TENSOR_INPLACE(op, name##s)
#define TENSOR_AND_SCALAR(op, name) TENSOR_INPLACE(op, name##Tensor) TENSOR_INPLACE(op, name##Scalar)
#define TENSOR_AND_S_OUT(op, name) PLAN(op, name) PLAN(op, name##s)
#define OUT(op, name) PLAN(op, name)
#define BOTH(op, name) TENSOR_INPLACE(op, name)
#define NONE(op, name)
#define GRADIENT(op, name) PLAN(op, name##Backward)

#define UNARY(topic, forms, name, rule, value) forms(UnaryOp::k##name, name)
#include "ops/elementwise/unary.def"
#define ROW(forms, name, rule, value) forms(BinaryOp::k##name, name)
#include "ops/elementwise/binary.def"
#undef ROW
#define ROW(forms, name, rule, value) forms(BitwiseOp::k##name, name)
#include "ops/elementwise/bitwise.def"
#undef ROW
#define ROW(forms, name, rule, value) forms(PowerOp::k##name, name)
#include "ops/elementwise/power.def"
#undef ROW
#define ROW(forms, name, rule, value) forms(LogarithmOp::k##name, name)
#include "ops/elementwise/logarithm.def"
#undef ROW
#define ROW(forms, name, rule, value) forms(GradientOp::k##name, name)
#include "ops/elementwise/gradient.def"
#undef ROW

std::shared_ptr<Executor> plan(const DivArgs& args) { return plan_with(plan_div, args); }
std::shared_ptr<Executor> plan(const DivsArgs& args) { return plan_with(plan_div, args); }
std::shared_ptr<Executor> plan(const InplaceDivArgs& args) { return plan_with(plan_div, args); }
std::shared_ptr<Executor> plan(const InplaceDivsArgs& args) { return plan_with(plan_div, args); }
std::shared_ptr<Executor> plan(const DivModArgs& args) { return plan_with(plan_div_mod, args); }
std::shared_ptr<Executor> plan(const DivModsArgs& args) { return plan_with(plan_div_mod, args); }
std::shared_ptr<Executor> plan(const InplaceDivModArgs& args) { return plan_with(plan_div_mod, args); }
std::shared_ptr<Executor> plan(const InplaceDivModsArgs& args) { return plan_with(plan_div_mod, args); }
std::shared_ptr<Executor> plan(const PowTensorTensorArgs& args) { return plan_row(PowerOp::kPow, args); }
std::shared_ptr<Executor> plan(const PowTensorScalarArgs& args) { return plan_row(PowerOp::kPow, args); }
std::shared_ptr<Executor> plan(const PowScalarTensorArgs& args) { return plan_row(PowerOp::kPow, args); }
std::shared_ptr<Executor> plan(const InplacePowTensorTensorArgs& args) { return plan_row(PowerOp::kPow, args); }
std::shared_ptr<Executor> plan(const InplacePowTensorScalarArgs& args) { return plan_row(PowerOp::kPow, args); }
std::shared_ptr<Executor> plan(const PreluArgs& args) { return plan_with(plan_prelu, args); }
std::shared_ptr<Executor> plan(const AddReluArgs& args) { return plan_row(BinaryOp::kAddRelu, args); }
std::shared_ptr<Executor> plan(const InplaceAddReluArgs& args) { return plan_row(BinaryOp::kAddRelu, args); }
std::shared_ptr<Executor> plan(const AddV3Args& args) { return plan_row(BinaryOp::kAddV3, args); }
std::shared_ptr<Executor> plan(const InplaceAddV3Args& args) { return plan_row(BinaryOp::kAddV3, args); }
std::shared_ptr<Executor> plan(const ClampMaxTensorArgs& args) { return plan_row(BinaryOp::kClampMax, args); }
std::shared_ptr<Executor> plan(const InplaceClampMaxTensorArgs& args) { return plan_row(BinaryOp::kClampMax, args); }
std::shared_ptr<Executor> plan(const ClampMinTensorArgs& args) { return plan_row(BinaryOp::kClampMin, args); }
std::shared_ptr<Executor> plan(const InplaceClampMinTensorArgs& args) { return plan_row(BinaryOp::kClampMin, args); }
std::shared_ptr<Executor> plan(const HeavisideArgs& args) { return plan_row(BinaryOp::kHeaviside, args); }
std::shared_ptr<Executor> plan(const MaskedScaleArgs& args) { return plan_row(BinaryOp::kMaskedScale, args); }
std::shared_ptr<Executor> plan(const IsCloseArgs& args) {
  return plan_row(args.equalNan ? BinaryOp::kIsCloseOrNan : BinaryOp::kIsClose, args);
}
std::shared_ptr<Executor> plan(const BitwiseAndTensorOutArgs& args) { return plan_row(BitwiseOp::kBitwiseAnd, args); }
std::shared_ptr<Executor> plan(const InplaceBitwiseAndTensorOutArgs& args) {
  return plan_row(BitwiseOp::kBitwiseAnd, args);
}
std::shared_ptr<Executor> plan(const LeftShiftArgs& args) { return plan_row(BitwiseOp::kLeftShift, args); }
std::shared_ptr<Executor> plan(const LeftShiftsArgs& args) { return plan_row(BitwiseOp::kLeftShift, args); }
std::shared_ptr<Executor> plan(const RightShiftArgs& args) { return plan_row(BitwiseOp::kRightShift, args); }
std::shared_ptr<Executor> plan(const RemainderTensorTensorArgs& args) { return plan_row(PowerOp::kRemainder, args); }
std::shared_ptr<Executor> plan(const RemainderTensorScalarArgs& args) { return plan_row(PowerOp::kRemainder, args); }
std::shared_ptr<Executor> plan(const RemainderScalarTensorArgs& args) { return plan_row(PowerOp::kRemainder, args); }
std::shared_ptr<Executor> plan(const InplaceRemainderTensorTensorArgs& args) {
  return plan_row(PowerOp::kRemainder, args);
}
std::shared_ptr<Executor> plan(const InplaceRemainderTensorScalarArgs& args) {
  return plan_row(PowerOp::kRemainder, args);
}
std::shared_ptr<Executor> plan(const XLogYTensorArgs& args) { return plan_row(LogarithmOp::kXLogY, args); }
std::shared_ptr<Executor> plan(const XLogYScalarOtherArgs& args) { return plan_row(LogarithmOp::kXLogY, args); }
std::shared_ptr<Executor> plan(const XLogYScalarSelfArgs& args) { return plan_row(LogarithmOp::kXLogY, args); }
std::shared_ptr<Executor> plan(const InplaceXLogYTensorArgs& args) { return plan_row(LogarithmOp::kXLogY, args); }
std::shared_ptr<Executor> plan(const InplaceXLogYScalarOtherArgs& args) { return plan_row(LogarithmOp::kXLogY, args); }
std::shared_ptr<Executor> plan(const Xlog1pyArgs& args) { return plan_row(LogarithmOp::kXlog1py, args); }

std::shared_ptr<Executor> plan(const ClampArgs& args) { return plan_with(plan_clamp, args); }
std::shared_ptr<Executor> plan(const GeluV2Args& args) { return plan_with(plan_gelu, args); }
std::shared_ptr<Executor> plan(const RoundDecimalsArgs& args) { return plan_with(plan_round_decimals, args); }
std::shared_ptr<Executor> plan(const InplaceRoundDecimalsArgs& args) { return plan_with(plan_round_decimals, args); }

std::shared_ptr<Executor> plan(const AddcmulArgs& args) { return plan_row(TernaryOp::kAddcmul, args); }
std::shared_ptr<Executor> plan(const InplaceAddcmulArgs& args) { return plan_row(TernaryOp::kAddcmul, args); }
std::shared_ptr<Executor> plan(const AddcdivArgs& args) { return plan_row(TernaryOp::kAddcdiv, args); }
std::shared_ptr<Executor> plan(const InplaceAddcdivArgs& args) { return plan_row(TernaryOp::kAddcdiv, args); }
std::shared_ptr<Executor> plan(const ClampTensorArgs& args) { return plan_with(plan_clamp_tensor, args); }
std::shared_ptr<Executor> plan(const LerpArgs& args) { return plan_row(TernaryOp::kLerp, args); }
std::shared_ptr<Executor> plan(const LerpsArgs& args) { return plan_row(TernaryOp::kLerp, args); }
std::shared_ptr<Executor> plan(const InplaceLerpArgs& args) { return plan_row(TernaryOp::kLerp, args); }
std::shared_ptr<Executor> plan(const InplaceLerpsArgs& args) { return plan_row(TernaryOp::kLerp, args); }
std::shared_ptr<Executor> plan(const SWhereArgs& args) { return plan_row(TernaryOp::kWhere, args); }
std::shared_ptr<Executor> plan(const MaxPoolingGradArgs& args) { return plan_row(TernaryOp::kMaxPoolingGrad, args); }
std::shared_ptr<Executor> plan(const InplaceMaskedFillTensorArgs& args) {
  return plan_row(TernaryOp::kMaskedFill, args);
}
std::shared_ptr<Executor> plan(const InplaceMaskedFillScalarArgs& args) {
  return plan_row(TernaryOp::kMaskedFill, args);
}

std::shared_ptr<Executor> plan(const HardswishBackwardV2Args& args) { return plan_row(GradientOp::kHardswishV2, args); }
std::shared_ptr<Executor> plan(const HardshrinkBackwardArgs& args) { return plan_row(GradientOp::kShrink, args); }
std::shared_ptr<Executor> plan(const SoftshrinkBackwardArgs& args) { return plan_row(GradientOp::kShrink, args); }
std::shared_ptr<Executor> plan(const HardtanhBackwardArgs& args) { return plan_row(GradientOp::kHardtanh, args); }
std::shared_ptr<Executor> plan(const SigmoidBackwardArgs& args) { return plan_row(BinaryOp::kSigmoidSlope, args); }
std::shared_ptr<Executor> plan(const ThresholdBackwardArgs& args) { return plan_row(BinaryOp::kThresholdSlope, args); }
std::shared_ptr<Executor> plan(const SoftplusBackwardArgs& args) { return plan_row(GradientOp::kSoftplus, args); }
std::shared_ptr<Executor> plan(const SwishBackwardArgs& args) { return plan_row(GradientOp::kSwish, args); }
std::shared_ptr<Executor> plan(const GeluBackwardArgs& args) { return plan_row(GradientOp::kGelu, args); }

}  // namespace aclvk::ops
