#include "api/aclnn/pointwise.hpp"
#include "ops/elementwise/cast.hpp"
#include "ops/elementwise/composed.hpp"
#include "ops/elementwise/tree_reduction.hpp"

using aclvk::api::argument;
using aclvk::ops::BinaryOp;
using aclvk::ops::BitwiseOp;
using aclvk::ops::LogarithmOp;
using aclvk::ops::PowerOp;

// The forms of ops/elementwise/binary.def. For the row Add they define aclnnAdd, aclnnAdds, aclnnInplaceAdd and
// aclnnInplaceAdds with their GetWorkspaceSize functions.
// clang-format off
#define OWN(op, name)
#define TENSOR(op, name) ROW_OF(aclnn##name, op)
#define TENSOR_INPLACE(op, name)   \
  ROW_OF(aclnn##name, op)          \
  ROW_OF(aclnnInplace##name, op)
#define TENSOR_AND_S(op, name)     \
  TENSOR_INPLACE(op, name)         \
  TENSOR_INPLACE(op, name##s)
#define TENSOR_AND_SCALAR(op, name) \
  TENSOR_INPLACE(op, name##Tensor)  \
  TENSOR_INPLACE(op, name##Scalar)
#define TENSOR_AND_S_OUT(op, name) \
  ROW_OF(aclnn##name, op)          \
  ROW_OF(aclnn##name##s, op)

extern "C" {

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

PLANNED(aclnnDiv, plan_div)
PLANNED(aclnnDivs, plan_div)
PLANNED(aclnnInplaceDiv, plan_div)
PLANNED(aclnnInplaceDivs, plan_div)
PLANNED(aclnnDivMod, plan_div_mod)
PLANNED(aclnnDivMods, plan_div_mod)
PLANNED(aclnnInplaceDivMod, plan_div_mod)
PLANNED(aclnnInplaceDivMods, plan_div_mod)
ROW_OF(aclnnPowTensorTensor, PowerOp::kPow)
ROW_OF(aclnnPowTensorScalar, PowerOp::kPow)
ROW_OF(aclnnPowScalarTensor, PowerOp::kPow)
ROW_OF(aclnnInplacePowTensorTensor, PowerOp::kPow)
ROW_OF(aclnnInplacePowTensorScalar, PowerOp::kPow)
PLANNED(aclnnPrelu, plan_prelu)
PLANNED(aclnnEqual, plan_equal)

ROW_OF(aclnnAddRelu, BinaryOp::kAddRelu)
ROW_OF(aclnnInplaceAddRelu, BinaryOp::kAddRelu)
ROW_OF(aclnnAddV3, BinaryOp::kAddV3)
ROW_OF(aclnnInplaceAddV3, BinaryOp::kAddV3)
ROW_OF(aclnnClampMaxTensor, BinaryOp::kClampMax)
ROW_OF(aclnnInplaceClampMaxTensor, BinaryOp::kClampMax)
ROW_OF(aclnnClampMinTensor, BinaryOp::kClampMin)
ROW_OF(aclnnInplaceClampMinTensor, BinaryOp::kClampMin)
ROW_OF(aclnnHeaviside, BinaryOp::kHeaviside)
ROW_OF(aclnnMaskedScale, BinaryOp::kMaskedScale)
ROW_OF(aclnnIsClose, equalNan ? BinaryOp::kIsCloseOrNan : BinaryOp::kIsClose)

ROW_OF(aclnnBitwiseAndTensorOut, BitwiseOp::kBitwiseAnd)
ROW_OF(aclnnInplaceBitwiseAndTensorOut, BitwiseOp::kBitwiseAnd)
ROW_OF(aclnnLeftShift, BitwiseOp::kLeftShift)
ROW_OF(aclnnLeftShifts, BitwiseOp::kLeftShift)
ROW_OF(aclnnRightShift, BitwiseOp::kRightShift)

ROW_OF(aclnnRemainderTensorTensor, PowerOp::kRemainder)
ROW_OF(aclnnRemainderTensorScalar, PowerOp::kRemainder)
ROW_OF(aclnnRemainderScalarTensor, PowerOp::kRemainder)
ROW_OF(aclnnInplaceRemainderTensorTensor, PowerOp::kRemainder)
ROW_OF(aclnnInplaceRemainderTensorScalar, PowerOp::kRemainder)

ROW_OF(aclnnXLogYTensor, LogarithmOp::kXLogY)
ROW_OF(aclnnXLogYScalarOther, LogarithmOp::kXLogY)
ROW_OF(aclnnXLogYScalarSelf, LogarithmOp::kXLogY)
ROW_OF(aclnnInplaceXLogYTensor, LogarithmOp::kXLogY)
ROW_OF(aclnnInplaceXLogYScalarOther, LogarithmOp::kXLogY)
ROW_OF(aclnnXlog1py, LogarithmOp::kXlog1py)

OPERATOR(aclnnCast, aclvk::ops::plan_cast(self, dtype, out))
OPERATOR(aclnnInplaceCopy, aclvk::ops::plan_inplace_copy(selfRef, src))

}  // extern "C"
// clang-format on
