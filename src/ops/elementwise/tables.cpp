#include "ops/elementwise/tables.hpp"

#include "ops/tensor/dtype_sets.hpp"

namespace aclvk::ops {
namespace {

using P = Promotion;
using R = Result;
using A = Attributes;

constexpr DTypeSet kNoOrder = kComplexes.with({DType::kComplex32});
constexpr DTypeSet kWhole = kIntegers.with(kBools);

// The rules of unary.def.
constexpr PointwiseRule kKeeps{P::kAll, R::kComputed, A::kConvert};
constexpr PointwiseRule kKeepsNotZero{P::kAll, R::kComputed, A::kConvert, {}, Limit::kNotZero};
constexpr PointwiseRule kKeepsPositive{P::kAll, R::kComputed, A::kConvert, {}, Limit::kNotNegative};
constexpr PointwiseRule kWithScalars{P::kAll, R::kComputed, A::kPromote};
constexpr PointwiseRule kPart{P::kAll, R::kPart};
constexpr PointwiseRule kInFloatPart{P::kRealOfAll, R::kPart};
constexpr PointwiseRule kTruth{P::kAll, R::kTruth};

// The rules of the other tables.
constexpr PointwiseRule kAny{};
constexpr PointwiseRule kNumeric{P::kAll, R::kComputed, A::kFit, kBools};
constexpr PointwiseRule kComparable{P::kAll, R::kComputed, A::kFit, kNoOrder};
constexpr PointwiseRule kDivisible{P::kAll, R::kComputed, A::kFit, kNoOrder.with(kBools)};
constexpr PointwiseRule kInFloat{P::kRealOfAll};
constexpr PointwiseRule kInFloatAndBack{P::kRealOfAll, R::kInput};
constexpr PointwiseRule kPower{P::kAll, R::kComputed, A::kFit, {}, Limit::kWholePower};
constexpr PointwiseRule kRounding{P::kAll, R::kComputed, A::kFit, {}, Limit::kRoundingMode};
constexpr PointwiseRule kOrder{P::kAll, R::kTruth, A::kFit, kNoOrder};
constexpr PointwiseRule kCloseness{P::kRealOfAll, R::kTruth, A::kConvert};

constexpr DTypeSet kByteMasks = kBools.with({DType::kInt8, DType::kUint8});
constexpr PointwiseRule kMaskedScale{
    P::kFirst, R::kComputed, A::kFit, kWhole, Limit::kNone, 1, kFloats.with(kByteMasks)};
constexpr PointwiseRule kWhere{P::kAll, R::kComputed, A::kFit, {}, Limit::kNone, 0, kBools.with({DType::kUint8})};
constexpr PointwiseRule kMaskedFill{P::kFirst, R::kComputed, A::kFit, {}, Limit::kNone, 1, kBools.with({DType::kInt8})};

// The name for a class that a shader does not have.
#define NO_CLASS std::string_view()
#define REALS(stem) stem "_f32", stem "_f64", NO_CLASS, NO_CLASS, NO_CLASS, NO_CLASS, NO_CLASS
#define INTEGERS(stem) NO_CLASS, NO_CLASS, stem "_i32", stem "_i64", stem "_i64f", NO_CLASS, NO_CLASS
#define REALS_AND_COMPLEX(stem) stem "_f32", stem "_f64", NO_CLASS, NO_CLASS, NO_CLASS, stem "_c64", stem "_c128"
#define REALS_AND_INTEGERS(stem) stem "_f32", stem "_f64", stem "_i32", stem "_i64", stem "_i64f", NO_CLASS, NO_CLASS

constexpr ClassShaders ALGEBRAIC = ACLVK_CLASS_SHADERS("elementwise/unary_algebraic");
constexpr ClassShaders STEPWISE = {REALS_AND_INTEGERS("elementwise/unary_stepwise")};
constexpr ClassShaders EXPONENTIAL = {REALS_AND_COMPLEX("elementwise/unary_exponential")};
constexpr ClassShaders HYPERBOLIC = {REALS("elementwise/unary_hyperbolic")};
constexpr ClassShaders ACTIVATION = {REALS("elementwise/unary_activation")};
constexpr ClassShaders TRIGONOMETRIC = {REALS_AND_COMPLEX("elementwise/unary_trigonometric")};
constexpr ClassShaders INVERSE = {REALS("elementwise/unary_inverse")};
constexpr ClassShaders SPECIAL = {REALS("elementwise/unary_special")};
constexpr ClassShaders kBinaryShaders = ACLVK_CLASS_SHADERS("elementwise/binary");
constexpr ClassShaders kBitwiseShaders = {INTEGERS("elementwise/bitwise")};
constexpr ClassShaders kPowerShaders = ACLVK_CLASS_SHADERS("elementwise/power");
constexpr ClassShaders kGradientShaders = {REALS("elementwise/gradient")};
constexpr ClassShaders kLogarithmShaders = {REALS("elementwise/logarithm")};
constexpr ClassShaders kTernaryShaders = ACLVK_CLASS_SHADERS("elementwise/ternary");

#define UNARY(topic, forms, name, rule, value) &topic,
constexpr const ClassShaders* kUnaryShaders[] = {
#include "ops/elementwise/unary.def"
};
#undef UNARY
#define UNARY(topic, forms, name, rule, value) &rule,
#define ROW(forms, name, rule, value) &rule,
constexpr const PointwiseRule* kUnaryRules[] = {
#include "ops/elementwise/unary.def"
};
constexpr const PointwiseRule* kBinaryRules[] = {
#include "ops/elementwise/binary.def"
};
constexpr const PointwiseRule* kBitwiseRules[] = {
#include "ops/elementwise/bitwise.def"
};
constexpr const PointwiseRule* kPowerRules[] = {
#include "ops/elementwise/power.def"
};
constexpr const PointwiseRule* kGradientRules[] = {
#include "ops/elementwise/gradient.def"
};
constexpr const PointwiseRule* kLogarithmRules[] = {
#include "ops/elementwise/logarithm.def"
};
constexpr const PointwiseRule* kTernaryRules[] = {
#include "ops/elementwise/ternary.def"
};

template <typename Op>
PointwiseRow row_in(const PointwiseRule* const* rules, const ClassShaders& shaders, std::size_t inputs, Op op) {
  const auto number = static_cast<std::uint32_t>(op);
  return {number, inputs, *rules[number], &shaders};
}

}  // namespace

PointwiseRow row_of(UnaryOp op) { return row_in(kUnaryRules, *kUnaryShaders[static_cast<std::size_t>(op)], 1, op); }
PointwiseRow row_of(BinaryOp op) { return row_in(kBinaryRules, kBinaryShaders, 2, op); }
PointwiseRow row_of(BitwiseOp op) { return row_in(kBitwiseRules, kBitwiseShaders, 2, op); }
PointwiseRow row_of(PowerOp op) { return row_in(kPowerRules, kPowerShaders, 2, op); }
PointwiseRow row_of(GradientOp op) { return row_in(kGradientRules, kGradientShaders, 2, op); }
PointwiseRow row_of(LogarithmOp op) { return row_in(kLogarithmRules, kLogarithmShaders, 2, op); }
PointwiseRow row_of(TernaryOp op) { return row_in(kTernaryRules, kTernaryShaders, 3, op); }

Kernels converting_copy_kernels(const char* name, const Tensor& from, DType promoted, const Tensor& to) {
  return pointwise_kernels(name, row_of(BinaryOp::kMaximumOf), promoted, {&from, &from}, to);
}

}  // namespace aclvk::ops
