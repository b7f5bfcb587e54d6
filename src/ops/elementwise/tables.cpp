#include "ops/elementwise/tables.hpp"

namespace aclvk::ops {
namespace {

constexpr DTypeSet kHalves = {DType::kFloat16, DType::kBfloat16};
constexpr DTypeSet kFloats = kHalves.with({DType::kFloat});
constexpr DTypeSet kReals = kFloats.with({DType::kDouble});
constexpr DTypeSet kSigned = {DType::kInt8, DType::kInt16, DType::kInt32, DType::kInt64};
constexpr DTypeSet kWhole = kSigned.with({DType::kUint8});
constexpr DTypeSet kUnsigned = {DType::kUint16, DType::kUint32, DType::kUint64};
constexpr DTypeSet kBool = {DType::kBool};
constexpr DTypeSet kNumbers = kReals.with(kWhole).with(kBool);
constexpr DTypeSet kAll = kNumbers.with({DType::kComplex64, DType::kComplex128});
constexpr DTypeSet kStorable = kAll.with(kUnsigned);
constexpr DTypeSet kHalfComplex = {DType::kComplex32};
constexpr DTypeSet kComputable = kStorable.with(kHalfComplex);
constexpr DTypeSet kComplexes = {DType::kComplex32, DType::kComplex64, DType::kComplex128};

/// A rule whose inputs, output and computation have the same dtypes.
constexpr PointwiseRule only(DTypeSet dtypes) { return {dtypes, dtypes, dtypes}; }
constexpr PointwiseRule truth_of(DTypeSet inputs, DTypeSet promoted) {
  return {inputs, kStorable, promoted, Promotion::kAll, true};
}
constexpr PointwiseRule masked(DTypeSet dtypes, Promotion promotion, int mask, DTypeSet masks) {
  return {dtypes, dtypes, dtypes, promotion, false, false, mask, masks};
}

constexpr PointwiseRule kArithmetic{kAll, kAll, kAll.with(kHalfComplex)};
constexpr PointwiseRule kNumeric{kAll, kAll, kAll.with(kHalfComplex).without(kBool)};
constexpr PointwiseRule kReversed{kAll.without(kBool), kAll.without(kBool), kAll.with(kHalfComplex)};
constexpr PointwiseRule kTrueDivision{kAll, kAll, kAll.with(kHalfComplex), Promotion::kRealOfAll};
constexpr PointwiseRule kOrdered{kAll, kAll, kReals.with(kWhole)};
constexpr PointwiseRule kFloorDivide{kNumbers, kAll, kNumbers};
constexpr PointwiseRule kComparable = only(kNumbers);
constexpr PointwiseRule kSumOf = only(kFloats.with({DType::kInt32, DType::kInt64}));
constexpr PointwiseRule kMaximumOf = only(kFloats.with({DType::kInt8, DType::kUint8, DType::kInt32, DType::kInt64}));
constexpr PointwiseRule kRelu = only(kFloats.with(kWhole));
constexpr PointwiseRule kScalarFirst = only(kFloats.with({DType::kInt32, DType::kInt8}));
constexpr PointwiseRule kHalfOrSingle = only(kFloats);
constexpr PointwiseRule kMaskedScale =
    masked(kFloats, Promotion::kFirst, 1, kFloats.with({DType::kUint8, DType::kInt8, DType::kBool}));
constexpr PointwiseRule kEquality = truth_of(kStorable, kComputable);
constexpr PointwiseRule kOrder = truth_of(kNumbers.with(kUnsigned), kNumbers.with(kUnsigned));
constexpr PointwiseRule kLogical = truth_of(kAll, kAll);
constexpr PointwiseRule kCloseness{kNumbers, kStorable, kReals, Promotion::kRealOfAll, true};

constexpr PointwiseRule kBits{kWhole.with(kUnsigned).with(kBool), kStorable, kWhole.with(kUnsigned).with(kBool)};
constexpr PointwiseRule kShift = only(kWhole.with(kUnsigned));
constexpr PointwiseRule kGcd{kWhole, kWhole.with(kUnsigned), kWhole};

constexpr DTypeSet kFmodTypes = kReals.with({DType::kInt32, DType::kInt64, DType::kInt8, DType::kUint8});
constexpr PointwiseRule kFmod{kFmodTypes, kFmodTypes, kReals.with(kWhole)};
constexpr DTypeSet kRemainderTypes = kReals.with({DType::kInt32, DType::kInt64});
constexpr PointwiseRule kRemainder{kRemainderTypes, kAll.without(kBool), kRemainderTypes};
constexpr PointwiseRule kPower{kAll, kStorable, kAll.with(kHalfComplex)};
constexpr PointwiseRule kLogarithm{kNumbers.with(kUnsigned), kReals, kReals, Promotion::kRealOfAll};

constexpr PointwiseRule kGradient = only(kFloats);
constexpr PointwiseRule kGradientDouble = only(kReals);
constexpr PointwiseRule kGradientComplex = only(kReals.with({DType::kComplex64, DType::kComplex128}));
constexpr PointwiseRule kGradientWhole =
    only(kFloats.with({DType::kInt32, DType::kInt8, DType::kUint8, DType::kInt64, DType::kInt16}));
constexpr PointwiseRule kGradientSoft{kNumbers, kReals, kReals, Promotion::kRealOfAll};
constexpr DTypeSet kSeluTypes = kFloats.with({DType::kInt32, DType::kInt8});
constexpr PointwiseRule kGradientCast{kSeluTypes, kSeluTypes, kFloats, Promotion::kRealOfAll, false, true};

constexpr DTypeSet kAddcmulTypes = kReals.with({DType::kInt32, DType::kInt64, DType::kInt8, DType::kUint8});
constexpr PointwiseRule kAddcmul{kAddcmulTypes, kAddcmulTypes, kReals.with(kWhole)};
constexpr PointwiseRule kAddcdiv = only(kReals.with({DType::kInt64}));
constexpr PointwiseRule kLerp{kFloats, kReals, kFloats};
constexpr PointwiseRule kWhere = masked(kStorable, Promotion::kAll, 0, kBool.with({DType::kUint8}));
constexpr PointwiseRule kMaskedFill = masked(kFloats.with(kBool).with({DType::kInt8, DType::kInt32, DType::kInt64}),
                                             Promotion::kFirst, 1, kBool.with({DType::kInt8}));

constexpr ClassShaders kBinaryShaders = ACLVK_CLASS_SHADERS("elementwise/binary");
constexpr ClassShaders kPowerShaders = ACLVK_CLASS_SHADERS("elementwise/power");
constexpr ClassShaders kTernaryShaders = ACLVK_CLASS_SHADERS("elementwise/ternary");
// Their rules exclude the classes that are missing here.
constexpr ClassShaders kBitwiseShaders = {
    "", "", "elementwise/bitwise_i32", "elementwise/bitwise_i64", "elementwise/bitwise_i64f", "", ""};
constexpr ClassShaders kGradientShaders = {"elementwise/gradient_f32", "elementwise/gradient_f64", "", "", "", "", ""};

constexpr ClassShaders kLogarithmShaders = {
    "elementwise/logarithm_f32", "elementwise/logarithm_f64", "", "", "", "", ""};

template <std::size_t kRows, typename Op>
PointwiseRow row_in(const PointwiseRule* const (&rules)[kRows], const ClassShaders& shaders, Op op) {
  const auto number = static_cast<std::uint32_t>(op);
  return {number, *rules[number], shaders};
}

}  // namespace

#define ROW(forms, name, rule, value) &rule,

PointwiseRow row_of(BinaryOp op) {
  static constexpr const PointwiseRule* kRules[] = {
#include "ops/elementwise/binary.def"
  };
  return row_in(kRules, kBinaryShaders, op);
}

PointwiseRow row_of(BitwiseOp op) {
  static constexpr const PointwiseRule* kRules[] = {
#include "ops/elementwise/bitwise.def"
  };
  return row_in(kRules, kBitwiseShaders, op);
}

PointwiseRow row_of(PowerOp op) {
  static constexpr const PointwiseRule* kRules[] = {
#include "ops/elementwise/power.def"
  };
  return row_in(kRules, kPowerShaders, op);
}

PointwiseRow row_of(GradientOp op) {
  static constexpr const PointwiseRule* kRules[] = {
#include "ops/elementwise/gradient.def"
  };
  return row_in(kRules, kGradientShaders, op);
}

PointwiseRow row_of(LogarithmOp op) {
  static constexpr const PointwiseRule* kRules[] = {
#include "ops/elementwise/logarithm.def"
  };
  return row_in(kRules, kLogarithmShaders, op);
}

PointwiseRow row_of(TernaryOp op) {
  static constexpr const PointwiseRule* kRules[] = {
#include "ops/elementwise/ternary.def"
  };
  return row_in(kRules, kTernaryShaders, op);
}

}  // namespace aclvk::ops
