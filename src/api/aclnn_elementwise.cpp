#include "api/aclnn_pointwise.hpp"
#include "ops/elementwise/composed.hpp"
#include "ops/elementwise/copy.hpp"
#include "ops/elementwise/folded.hpp"

// The public prototypes: a definition below that differs does not compile.
#include "aclnnop_all.h"

using aclvk::api::of;
using aclvk::ops::BinaryOp;
using aclvk::ops::BitwiseOp;
using aclvk::ops::LogarithmOp;
using aclvk::ops::PowerOp;

// The forms of ops/elementwise/binary.def. For the row Add they define aclnnAdd, aclnnAdds, aclnnInplaceAdd and
// aclnnInplaceAdds with their GetWorkspaceSize functions.
// clang-format off
#define TENSORS of(NAMED(self), NAMED(other))
#define REF_TENSORS of(NAMED(selfRef), NAMED(other)).in_place()

#define OWN(op, name)
#define TENSOR(op, name) ROW_OF(aclnn##name, op, TENSORS.to(NAMED(out)), SELF OTHER OUT)
#define TENSOR_INPLACE(op, name)                                                                                        \
  TENSOR(op, name)                                                                                                      \
  ROW_OF(aclnnInplace##name, op, REF_TENSORS, SELF_REF(aclnnInplace##name) OTHER_OF(aclnnInplace##name))
#define SCALAR_FORMS(op, name)                                                                                          \
  ROW_OF(aclnn##name, op, TENSORS.to(NAMED(out)), SELF SCALAR_OTHER OUT)                                                \
  ROW_OF(aclnnInplace##name, op, REF_TENSORS, SELF_REF(aclnnInplace##name) SCALAR_OTHER)
#define TENSOR_AND_S(op, name)                                                                                          \
  TENSOR_INPLACE(op, name)                                                                                              \
  SCALAR_FORMS(op, name##s)
#define TENSOR_AND_SCALAR(op, name)                                                                                     \
  TENSOR_INPLACE(op, name##Tensor)                                                                                      \
  SCALAR_FORMS(op, name##Scalar)
#define ALPHA(op, name)                                                                                                 \
  ROW_OF(aclnn##name, op, TENSORS.with(NAMED(alpha)).to(NAMED(out)), SELF OTHER WITH_ALPHA OUT)                         \
  ROW_OF(aclnn##name##s, op, TENSORS.with(NAMED(alpha)).to(NAMED(out)), SELF SCALAR_OTHER WITH_ALPHA OUT)
#define ALPHA_INPLACE(op, name)                                                                                         \
  ALPHA(op, name)                                                                                                       \
  ROW_OF(aclnnInplace##name, op, REF_TENSORS.with(NAMED(alpha)),                                                        \
         SELF_REF(aclnnInplace##name) OTHER WITH_ALPHA)                                                                 \
  ROW_OF(aclnnInplace##name##s, op, REF_TENSORS.with(NAMED(alpha)),                                                     \
         SELF_REF(aclnnInplace##name##s) SCALAR_OTHER WITH_ALPHA)

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

#define MODE (int, mode)
#define DIV_MOD(function, arguments, parameters) \
  PLAN(function, aclvk::ops::plan_div_mod(#function, mode, arguments), parameters)
DIV_MOD(aclnnDivMod, TENSORS.to(NAMED(out)), SELF OTHER MODE OUT)
DIV_MOD(aclnnDivMods, TENSORS.to(NAMED(out)), SELF SCALAR_OTHER MODE OUT)
DIV_MOD(aclnnInplaceDivMod, REF_TENSORS, SELF_REF(aclnnInplaceDivMod) OTHER MODE)
DIV_MOD(aclnnInplaceDivMods, REF_TENSORS, SELF_REF(aclnnInplaceDivMods) SCALAR_OTHER MODE)

#define PLAIN_ALPHA (aclScalar*, alpha)
ROW_OF(aclnnAddRelu, BinaryOp::kAddRelu, TENSORS.with(NAMED(alpha)).to(NAMED(out)), SELF OTHER PLAIN_ALPHA OUT)
ROW_OF(aclnnInplaceAddRelu, BinaryOp::kAddRelu, REF_TENSORS.with(NAMED(alpha)),
       SELF_REF(aclnnInplaceAddRelu) OTHER PLAIN_ALPHA)
ROW_OF(aclnnAddV3, BinaryOp::kAddV3, TENSORS.with(NAMED(alpha)).to(NAMED(out)), SCALAR_SELF OTHER WITH_ALPHA OUT)
ROW_OF(aclnnInplaceAddV3, BinaryOp::kAddV3, of(NAMED(selfRef), NAMED(other)).with(NAMED(alpha)).to(NAMED(other)),
       (const aclScalar*, selfRef) OTHER WITH_ALPHA)

#define BOUND(name) (const aclTensor*, name)
ROW_OF(aclnnClampMaxTensor, BinaryOp::kClampMax, of(NAMED(self), NAMED(max)).to(NAMED(out)), SELF BOUND(max) OUT)
ROW_OF(aclnnInplaceClampMaxTensor, BinaryOp::kClampMax, of(NAMED(selfRef), NAMED(max)).in_place(),
       SELF_REF(aclnnInplaceClampMaxTensor) BOUND(max))
ROW_OF(aclnnClampMinTensor, BinaryOp::kClampMin, of(NAMED(self), NAMED(clipValueMin)).to(NAMED(out)),
       SELF BOUND(clipValueMin) OUT)
ROW_OF(aclnnInplaceClampMinTensor, BinaryOp::kClampMin, of(NAMED(selfRef), NAMED(clipValueMin)).in_place(),
       SELF_REF(aclnnInplaceClampMinTensor) BOUND(clipValueMin))

ROW_OF(aclnnHeaviside, BinaryOp::kHeaviside, of(NAMED(input), NAMED(values)).to(NAMED(out)),
       (const aclTensor*, input)(const aclTensor*, values) OUT)
ROW_OF(aclnnMaskedScale, BinaryOp::kMaskedScale, of(NAMED(self), NAMED(mask)).with(NAMED(scale)).to(NAMED(out)),
       SELF (const aclTensor*, mask)(float, scale) OUT)
PLAN(aclnnPrelu, aclvk::ops::plan_prelu("aclnnPrelu", of(NAMED(self), NAMED(weight)).to(NAMED(out))),
     SELF (const aclTensor*, weight) OUT)
PLAN(aclnnEqual, aclvk::ops::plan_equal("aclnnEqual", TENSORS.to(NAMED(out))), SELF OTHER OUT)
ROW_OF(aclnnIsClose, equalNan ? BinaryOp::kIsCloseOrNan : BinaryOp::kIsClose,
       TENSORS.with(NAMED(rtol)).with(NAMED(atol)).to(NAMED(out)), SELF OTHER (double, rtol)(double, atol)(bool, equalNan) OUT)

ROW_OF(aclnnBitwiseAndTensorOut, BitwiseOp::kBitwiseAnd, TENSORS.to(NAMED(out)), SELF OTHER OUT)
ROW_OF(aclnnInplaceBitwiseAndTensorOut, BitwiseOp::kBitwiseAnd, TENSORS.in_place(), SELF OTHER)
#define SHIFT_BITS (const aclTensor*, shiftBits)
ROW_OF(aclnnLeftShift, BitwiseOp::kLeftShift, of(NAMED(self), NAMED(shiftBits)).to(NAMED(out)), SELF SHIFT_BITS OUT)
ROW_OF(aclnnLeftShifts, BitwiseOp::kLeftShift, of(NAMED(self), NAMED(shiftBits)).to(NAMED(out)),
       SELF (const aclScalar*, shiftBits) OUT)
ROW_OF(aclnnRightShift, BitwiseOp::kRightShift, of(NAMED(input), NAMED(shiftBits)).to(NAMED(out)),
       (const aclTensor*, input) SHIFT_BITS OUT)

ROW_OF(aclnnRemainderTensorTensor, PowerOp::kRemainder, TENSORS.to(NAMED(out)), SELF OTHER OUT)
ROW_OF(aclnnRemainderTensorScalar, PowerOp::kRemainder, TENSORS.to(NAMED(out)), SELF SCALAR_OTHER OUT)
ROW_OF(aclnnRemainderScalarTensor, PowerOp::kRemainder, TENSORS.to(NAMED(out)), SCALAR_SELF OTHER OUT)
ROW_OF(aclnnInplaceRemainderTensorTensor, PowerOp::kRemainder, REF_TENSORS,
       SELF_REF(aclnnInplaceRemainderTensorTensor) OTHER)
ROW_OF(aclnnInplaceRemainderTensorScalar, PowerOp::kRemainder, REF_TENSORS,
       SELF_REF(aclnnInplaceRemainderTensorScalar) SCALAR_OTHER)

#define POWERS of(NAMED(self), NAMED(exponent))
#define POW(function, arguments, parameters) \
  PLAN(function, aclvk::ops::plan_power(#function, arguments), parameters)
#define EXPONENT (const aclTensor*, exponent)
#define SCALAR_EXPONENT (const aclScalar*, exponent)
#define CONST_OUT (const aclTensor*, out)
POW(aclnnPowTensorTensor, POWERS.to(NAMED(out)), SELF EXPONENT OUT)
POW(aclnnPowTensorScalar, POWERS.to(NAMED(out)), SELF SCALAR_EXPONENT CONST_OUT)
POW(aclnnPowScalarTensor, POWERS.to(NAMED(out)), SCALAR_SELF EXPONENT CONST_OUT)
POW(aclnnInplacePowTensorTensor, POWERS.in_place(), SELF EXPONENT)
POW(aclnnInplacePowTensorScalar, POWERS.in_place(), SELF SCALAR_EXPONENT)

ROW_OF(aclnnXLogYTensor, LogarithmOp::kXLogY, TENSORS.to(NAMED(out)), SELF OTHER OUT)
ROW_OF(aclnnXLogYScalarOther, LogarithmOp::kXLogY, TENSORS.to(NAMED(out)), SELF SCALAR_OTHER OUT)
ROW_OF(aclnnXLogYScalarSelf, LogarithmOp::kXLogY, TENSORS.to(NAMED(out)), SCALAR_SELF OTHER OUT)
ROW_OF(aclnnInplaceXLogYTensor, LogarithmOp::kXLogY, REF_TENSORS, SELF_REF(aclnnInplaceXLogYTensor) OTHER)
ROW_OF(aclnnInplaceXLogYScalarOther, LogarithmOp::kXLogY, REF_TENSORS,
       SELF_REF(aclnnInplaceXLogYScalarOther) SCALAR_OTHER)
ROW_OF(aclnnXlog1py, LogarithmOp::kXlog1py, of(NAMED(x), NAMED(y)).to(NAMED(z)),
       (const aclTensor*, x)(const aclTensor*, y)(const aclTensor*, z))

PLAN(aclnnCast, aclvk::ops::plan_cast(self, dtype, out), SELF (const aclDataType, dtype) OUT)
PLAN(aclnnInplaceCopy, aclvk::ops::plan_inplace_copy(selfRef, src), SELF_REF(aclnnInplaceCopy)(const aclTensor*, src))

}  // extern "C"
// clang-format on
