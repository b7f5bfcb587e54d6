// The table of the operators on one tensor: what each takes and means, from the specification and from torch. A test of
// the references themselves is at the end.
#include "ops/elementwise/unary_reference.hpp"

#include "aclnnop/aclnn_abs.h"
#include "aclnnop/aclnn_acos.h"
#include "aclnnop/aclnn_acosh.h"
#include "aclnnop/aclnn_angle_v2.h"
#include "aclnnop/aclnn_asin.h"
#include "aclnnop/aclnn_asinh.h"
#include "aclnnop/aclnn_atan.h"
#include "aclnnop/aclnn_atanh.h"
#include "aclnnop/aclnn_bitwise_not.h"
#include "aclnnop/aclnn_ceil.h"
#include "aclnnop/aclnn_celu.h"
#include "aclnnop/aclnn_clamp.h"
#include "aclnnop/aclnn_cos.h"
#include "aclnnop/aclnn_cosh.h"
#include "aclnnop/aclnn_digamma.h"
#include "aclnnop/aclnn_elu.h"
#include "aclnnop/aclnn_erf.h"
#include "aclnnop/aclnn_erfc.h"
#include "aclnnop/aclnn_erfinv.h"
#include "aclnnop/aclnn_exp.h"
#include "aclnnop/aclnn_exp2.h"
#include "aclnnop/aclnn_expm1.h"
#include "aclnnop/aclnn_fast_gelu.h"
#include "aclnnop/aclnn_floor.h"
#include "aclnnop/aclnn_frac.h"
#include "aclnnop/aclnn_gelu.h"
#include "aclnnop/aclnn_gelu_v2.h"
#include "aclnnop/aclnn_hardshrink.h"
#include "aclnnop/aclnn_hardsigmoid.h"
#include "aclnnop/aclnn_hardswish.h"
#include "aclnnop/aclnn_hardtanh.h"
#include "aclnnop/aclnn_is_inf.h"
#include "aclnnop/aclnn_isfinite.h"
#include "aclnnop/aclnn_isneginf.h"
#include "aclnnop/aclnn_isposinf.h"
#include "aclnnop/aclnn_leaky_relu.h"
#include "aclnnop/aclnn_lgamma.h"
#include "aclnnop/aclnn_log.h"
#include "aclnnop/aclnn_log10.h"
#include "aclnnop/aclnn_log1p.h"
#include "aclnnop/aclnn_log2.h"
#include "aclnnop/aclnn_logical_not.h"
#include "aclnnop/aclnn_logsigmoid.h"
#include "aclnnop/aclnn_mish.h"
#include "aclnnop/aclnn_nan_to_num.h"
#include "aclnnop/aclnn_ndtri.h"
#include "aclnnop/aclnn_neg.h"
#include "aclnnop/aclnn_real.h"
#include "aclnnop/aclnn_reciprocal.h"
#include "aclnnop/aclnn_relu.h"
#include "aclnnop/aclnn_round.h"
#include "aclnnop/aclnn_rsqrt.h"
#include "aclnnop/aclnn_selu.h"
#include "aclnnop/aclnn_shrink.h"
#include "aclnnop/aclnn_sigmoid.h"
#include "aclnnop/aclnn_sign.h"
#include "aclnnop/aclnn_signbit.h"
#include "aclnnop/aclnn_silu.h"
#include "aclnnop/aclnn_sin.h"
#include "aclnnop/aclnn_sinc.h"
#include "aclnnop/aclnn_sinh.h"
#include "aclnnop/aclnn_softplus.h"
#include "aclnnop/aclnn_softshrink.h"
#include "aclnnop/aclnn_sqrt.h"
#include "aclnnop/aclnn_square.h"
#include "aclnnop/aclnn_squared_relu.h"
#include "aclnnop/aclnn_swish.h"
#include "aclnnop/aclnn_tan.h"
#include "aclnnop/aclnn_tanh.h"
#include "aclnnop/aclnn_threshold.h"
#include "aclnnop/aclnn_trunc.h"

namespace aclvk::test {
namespace {

using In = const aclTensor*;
using Out = aclTensor*;
using Size = uint64_t*;
using Executor = aclOpExecutor**;

// The values of scalars in the table; all dtypes hold them.
struct Float : OpScalar {
  explicit Float(Real value) : OpScalar(ACL_FLOAT, value) {}
};

// One line an operator: its name; the dtypes of operands and results; its meaning, of x.
#define REAL(value) [](Real x) -> Real { return value; }
#define COMPLEX(value) [](Number x) -> Number { return value; }
#define PLAN(name) \
  [](In x, Out z, Size n, Executor e) { return aclnn##name##GetWorkspaceSize(x, z, n, e); }, aclnn##name
#define IN_PLACE(name) \
  [](Out x, Size n, Executor e) { return aclnnInplace##name##GetWorkspaceSize(x, n, e); }, aclnnInplace##name
#define OUT(name, result, types, value)                               \
  {                                                                   \
#name, Result::result, types, REAL(value), {}, PLAN(name), {}, {} \
  }
#define BOTH(name, result, types, value) \
  { #name, Result::result, types, REAL(value), {}, PLAN(name), IN_PLACE(name) }
#define OUT_COMPLEX(name, result, types, value, complex)                            \
  {                                                                                 \
#name, Result::result, types, REAL(value), COMPLEX(complex), PLAN(name), {}, {} \
  }
#define BOTH_COMPLEX(name, result, types, value) \
  { #name, Result::result, types, REAL(value), COMPLEX(value), PLAN(name), IN_PLACE(name) }
// The same for operators with attributes, which are written out as the arguments between operand and result.
#define PLAN_WITH(name, ...) \
  [](In x, Out z, Size n, Executor e) { return aclnn##name##GetWorkspaceSize(x, __VA_ARGS__, z, n, e); }, aclnn##name
#define IN_PLACE_WITH(name, ...)                                                                        \
  [](Out x, Size n, Executor e) { return aclnnInplace##name##GetWorkspaceSize(x, __VA_ARGS__, n, e); }, \
      aclnnInplace##name
#define OUT_WITH(name, result, types, value, ...)                                       \
  {                                                                                     \
#name, Result::result, types, REAL(value), {}, PLAN_WITH(name, __VA_ARGS__), {}, {} \
  }
#define BOTH_WITH(name, result, types, value, ...) \
  { #name, Result::result, types, REAL(value), {}, PLAN_WITH(name, __VA_ARGS__), IN_PLACE_WITH(name, __VA_ARGS__) }
#define SCALAR(value) Float(value).get()

std::vector<UnaryOp> make_ops() {
  return {
      BOTH_COMPLEX(Neg, kSame, "FHBD148cz2u", -x),
      OUT(Abs, kSame, "FHBD1248u?", std::fabs(x)),
      {"AbsComplex", Result::kPart, "hc", {}, COMPLEX(std::abs(x)), PLAN(Abs), {}, {}},
      OUT_COMPLEX(Sign, kSame, "FHBD48?cz12u", Real((x > 0) - (x < 0)), reference_sign(x)),
      OUT(Square, kSame, "FHB48D12u", x * x),
      OUT_COMPLEX(Real, kPart, "FHhcz", x, x.real()),
      BOTH(Floor, kSame, "FHD1248uvwxB", std::floor(x)),
      BOTH(Ceil, kSame, "FHBD1248u", std::ceil(x)),
      BOTH(Round, kSame, "FHBD4812u", std::nearbyint(x)),
      BOTH(Trunc, kSame, "FHBD1248u", std::trunc(x)),
      BOTH(Frac, kSame, "FHB1248uD", x - std::trunc(x)),
      OUT(BitwiseNot, kSame, "1248u", -x - 1),
      {"BitwiseNotBool", Result::kSame, "?", REAL(1 - x), {}, PLAN(BitwiseNot), {}, {}},
      BOTH(LogicalNot, kTruth, "FHBD1248u?", x == 0),
      OUT(IsFinite, kTruth, "FHBD1248u?", std::isfinite(x)),
      OUT(IsInf, kTruth, "FHBD1248u?", std::isinf(x)),
      OUT(IsNegInf, kTruth, "FHBD1248u?", std::isinf(x) && x < 0),
      OUT(IsPosInf, kTruth, "FHBD1248u?", std::isinf(x) && x > 0),
      OUT(Signbit, kTruth, "FHBD1248u?vwx", std::signbit(x)),
      BOTH_WITH(NanToNum, kSame, "FHB1248u?D",
                std::isnan(x)   ? 1.5L
                : std::isinf(x) ? (x > 0 ? 7 : -9)
                                : x,
                1.5F, 7.0F, -9.0F),
      OUT_WITH(Clamp, kSame, "FHBD1248u", reference_clamp(x, 1, 3), OpScalar(ACL_INT8, 1).get(),
               OpScalar(ACL_INT8, 3).get()),
      OUT_WITH(ClampMin, kSame, "FHBD1248u", std::isnan(x) ? x : std::max(x, Real{2}), OpScalar(ACL_INT8, 2).get()),
      BOTH_WITH(ClampMax, kSame, "FHBD1248u", std::isnan(x) ? x : std::min(x, Real{2}), OpScalar(ACL_INT8, 2).get()),
      OUT_WITH(Hardtanh, kSame, "FHBD1248u", reference_clamp(x, -2, 3), SCALAR(-2), SCALAR(3)),
      BOTH_WITH(Hardtanh, kSame, "FHB48D12u", reference_clamp(x, -2, 3), SCALAR(-2), SCALAR(3)),
      BOTH_WITH(Threshold, kSame, "FHB1248uD", x <= 1 ? 7 : x, SCALAR(1), SCALAR(7)),
      BOTH(Relu, kSame, "FHB148D2u", x <= 0 ? 0 : x),
      BOTH_WITH(LeakyRelu, kSame, "FHBD", x > 0 ? x : x * 0.25L, SCALAR(0.25L)),
      OUT(SquaredRelu, kSame, "FHB", x <= 0 ? 0 : x * x),
      OUT_WITH(Hardshrink, kSame, "FHBD", std::fabs(x) <= 0.75L ? 0 : x, SCALAR(0.75L)),
      OUT_WITH(Softshrink, kSame, "FHBD",
               x > 0.75L    ? x - 0.75L
               : x < -0.75L ? x + 0.75L
                            : x * 0,
               SCALAR(0.75L)),
      OUT_WITH(Shrink, kSame, "FHBD",
               x > 0.75L    ? x - 0.5L
               : x < -0.75L ? x + 0.5L
                            : x * 0,
               SCALAR(0.75L), SCALAR(0.5L)),
      BOTH(Hardsigmoid, kSame, "FHB4", reference_clamp(x + 3, 0, 6) / 6),
      BOTH(Hardswish, kSame, "FHB", x * (reference_clamp(x + 3, 0, 6) / 6)),

      BOTH_COMPLEX(Sqrt, kFloat, "FHBD1248u?cz", std::sqrt(x)),
      BOTH_COMPLEX(Rsqrt, kFloat, "FHBD1248u?cz", Real{1} / std::sqrt(x)),
      BOTH_COMPLEX(Reciprocal, kFloat, "FHBD1248u?cz", Real{1} / x),
      BOTH_COMPLEX(Exp, kFloat, "FHBD8?cz124u", std::exp(x)),
      BOTH_COMPLEX(Log, kFloat, "FHBD1248u?cz", std::log(x)),
      {"Log2", Result::kFloat, "FHBD1248u?cz", REAL(std::log2(x)), COMPLEX(std::log(x) / std::log(Real{2})), PLAN(Log2),
       IN_PLACE(Log2)},
      BOTH_COMPLEX(Log10, kFloat, "FHBD1248u?cz", std::log10(x)),
      BOTH_COMPLEX(Sinh, kFloat, "FHBD1248u?cz", std::sinh(x)),
      BOTH_COMPLEX(Sigmoid, kFloat, "FHBD1248u?cz", Real{1} / (Real{1} + std::exp(-x))),
      BOTH(Exp2, kFloat, "FHBD1248u?", std::exp2(x)),
      BOTH(Expm1, kFloat, "FHB8?D124u", std::expm1(x)),
      BOTH(Log1p, kFloat, "FHBD1248u?", std::log1p(x)),
      BOTH(Cosh, kFloat, "FHDB1248u?", std::cosh(x)),
      BOTH(Tanh, kFloat, "FHB1248u?D", std::tanh(x)),
      BOTH(Acosh, kFloat, "FHDB1248u?", std::acosh(x)),
      BOTH(Asinh, kFloat, "FHD1248u?B", std::asinh(x)),
      BOTH(Atanh, kFloat, "FHD1248u?B", std::atanh(x)),

      BOTH_WITH(Elu, kSame, "FHB", reference_elu(x, 1.5L, 0.75L, 1.25L), SCALAR(1.5L), SCALAR(0.75L), SCALAR(1.25L)),
      BOTH_WITH(Celu, kSame, "FHB", reference_elu(x, 2, 1, 0.5L), SCALAR(2)),
      BOTH(Selu, kSame, "FHB14", reference_elu(x, 1.67326324235437728481704L, 1.05070098735548049341933L, 1)),
      OUT_WITH(Softplus, kSame, "FHB", 2 * x > 15 ? x : std::log1p(std::exp(2 * x)) / 2, SCALAR(2), SCALAR(15)),
      BOTH(Mish, kSame, "FHB", x > 50 ? x : x * std::tanh(std::log1p(std::exp(x)))),
      OUT(Silu, kSame, "FHB", x / (1 + std::exp(-x))),
      OUT_WITH(Swish, kSame, "FHB", x / (1 + std::exp(-1.5L * x)), SCALAR(1.5L)),
      {"SwishOfNull", Result::kSame, "FHB", REAL(x / (1 + std::exp(-x))), {}, PLAN_WITH(Swish, nullptr), {}, {}},
      OUT(FastGelu, kSame, "FHB", x / (1 + std::exp(-1.702L * x))),
      OUT(LogSigmoid, kSame, "FHB", reference_log_sigmoid(x)),
      OUT(Gelu, kSame, "FHB", x * (std::erfc(-x / std::sqrt(Real{2})) / 2)),
      {"GeluV2None",
       Result::kSame,
       "FHB",
       REAL(x * (std::erfc(-x / std::sqrt(Real{2})) / 2)),
       {},
       PLAN_WITH(GeluV2, 0),
       {},
       {}},
      {"GeluV2Tanh",
       Result::kSame,
       "FHB",
       REAL(x / (1 + std::exp(-2 * std::sqrt(2 / kReferencePi) * (x + 0.044715L * x * x * x)))),
       {},
       PLAN_WITH(GeluV2, 1),
       {},
       {}},

      BOTH_COMPLEX(Sin, kFloat, "FHBD1248u?cz", std::sin(x)),
      BOTH_COMPLEX(Cos, kFloat, "FHBD1248u?cz", std::cos(x)),
      BOTH_COMPLEX(Tan, kFloat, "FHBD1248u?cz", std::tan(x)),
      OUT_COMPLEX(AngleV2, kPart, "FHB1248u?c",
                  std::isnan(x) ? x
                  : x < 0       ? kReferencePi
                                : 0,
                  std::arg(x)),
      BOTH(Asin, kFloat, "FHD1248u?B", std::asin(x)),
      BOTH(Acos, kFloat, "FHD1248u?B", std::acos(x)),
      BOTH(Atan, kFloat, "FHBD1248u?", std::atan(x)),
      BOTH(Sinc, kFloat, "FHBD1248u?", reference_sinc(x)),
      BOTH(Erf, kFloat, "FHD8?B124u", std::erf(x)),
      BOTH(Erfc, kFloat, "FHD8?B124u", std::erfc(x)),
      BOTH(Erfinv, kFloat, "FHB1248u?", reference_erfinv(x)),
      OUT(Ndtri, kSame, "FHB", reference_ndtri(x)),
      OUT(Lgamma, kFloat, "FHDB1248u?", std::lgamma(x)),
      OUT(Digamma, kFloat, "FHDB1248u?", reference_digamma(x)),
  };
}

}  // namespace

const std::vector<UnaryOp>& unary_ops() {
  static const std::vector<UnaryOp> ops = make_ops();
  return ops;
}

const UnaryOp& unary_op(const std::string& name) {
  return *std::find_if(unary_ops().begin(), unary_ops().end(), [&](const UnaryOp& op) { return op.name == name; });
}

TEST(UnaryReference, KnowsValuesOfTables) {
  EXPECT_NEAR(static_cast<double>(reference_digamma(1)), -0.57721566490153286, 1e-16);
  EXPECT_NEAR(static_cast<double>(reference_digamma(-0.5L)), 0.03648997397857652, 1e-16);
  EXPECT_NEAR(static_cast<double>(reference_erfinv(0.5L)), 0.47693627620446987, 1e-16);
  EXPECT_NEAR(static_cast<double>(reference_ndtri(0.975L)), 1.959963984540054, 1e-15);
  EXPECT_NEAR(static_cast<double>(reference_sinc(0.5L)), 0.63661977236758134, 1e-16);
}

}  // namespace aclvk::test
