#include <cmath>
#include <limits>

#include "aclnnop/aclnn_foreach_a_cos_inplace.h"
#include "aclnnop/aclnn_foreach_abs.h"
#include "aclnnop/aclnn_foreach_acos.h"
#include "aclnnop/aclnn_foreach_add_list.h"
#include "aclnnop/aclnn_foreach_add_list_inplace.h"
#include "aclnnop/aclnn_foreach_add_list_v2.h"
#include "aclnnop/aclnn_foreach_add_scalar.h"
#include "aclnnop/aclnn_foreach_add_scalar_list.h"
#include "aclnnop/aclnn_foreach_add_scalar_v2.h"
#include "aclnnop/aclnn_foreach_addcdiv_list.h"
#include "aclnnop/aclnn_foreach_addcdiv_scalar.h"
#include "aclnnop/aclnn_foreach_addcdiv_scalar_list.h"
#include "aclnnop/aclnn_foreach_addcdiv_scalar_v2.h"
#include "aclnnop/aclnn_foreach_addcmul_list.h"
#include "aclnnop/aclnn_foreach_addcmul_scalar.h"
#include "aclnnop/aclnn_foreach_addcmul_scalar_list.h"
#include "aclnnop/aclnn_foreach_addcmul_scalar_v2.h"
#include "aclnnop/aclnn_foreach_asin.h"
#include "aclnnop/aclnn_foreach_atan.h"
#include "aclnnop/aclnn_foreach_copy.h"
#include "aclnnop/aclnn_foreach_cos.h"
#include "aclnnop/aclnn_foreach_cosh.h"
#include "aclnnop/aclnn_foreach_div_list.h"
#include "aclnnop/aclnn_foreach_div_list_inplace.h"
#include "aclnnop/aclnn_foreach_div_scalar.h"
#include "aclnnop/aclnn_foreach_div_scalar_list.h"
#include "aclnnop/aclnn_foreach_div_scalar_v2.h"
#include "aclnnop/aclnn_foreach_erf.h"
#include "aclnnop/aclnn_foreach_erfc.h"
#include "aclnnop/aclnn_foreach_exp.h"
#include "aclnnop/aclnn_foreach_expm1.h"
#include "aclnnop/aclnn_foreach_lerp_list.h"
#include "aclnnop/aclnn_foreach_lerp_scalar.h"
#include "aclnnop/aclnn_foreach_log.h"
#include "aclnnop/aclnn_foreach_log10.h"
#include "aclnnop/aclnn_foreach_log1p.h"
#include "aclnnop/aclnn_foreach_log2.h"
#include "aclnnop/aclnn_foreach_log_inplace.h"
#include "aclnnop/aclnn_foreach_maximum_list.h"
#include "aclnnop/aclnn_foreach_maximum_scalar.h"
#include "aclnnop/aclnn_foreach_maximum_scalar_list.h"
#include "aclnnop/aclnn_foreach_maximum_scalar_v2.h"
#include "aclnnop/aclnn_foreach_minimum_list.h"
#include "aclnnop/aclnn_foreach_minimum_scalar.h"
#include "aclnnop/aclnn_foreach_minimum_scalar_list.h"
#include "aclnnop/aclnn_foreach_minimum_scalar_v2.h"
#include "aclnnop/aclnn_foreach_mul_list.h"
#include "aclnnop/aclnn_foreach_mul_list_inplace.h"
#include "aclnnop/aclnn_foreach_mul_scalar.h"
#include "aclnnop/aclnn_foreach_mul_scalar_inplace.h"
#include "aclnnop/aclnn_foreach_mul_scalar_list.h"
#include "aclnnop/aclnn_foreach_mul_scalar_v2.h"
#include "aclnnop/aclnn_foreach_neg.h"
#include "aclnnop/aclnn_foreach_non_finite_check_and_unscale.h"
#include "aclnnop/aclnn_foreach_norm.h"
#include "aclnnop/aclnn_foreach_pow_list.h"
#include "aclnnop/aclnn_foreach_pow_scalar.h"
#include "aclnnop/aclnn_foreach_pow_scalar_and_tensor.h"
#include "aclnnop/aclnn_foreach_pow_scalar_list.h"
#include "aclnnop/aclnn_foreach_pow_scalar_v2.h"
#include "aclnnop/aclnn_foreach_reciprocal.h"
#include "aclnnop/aclnn_foreach_round_off_number.h"
#include "aclnnop/aclnn_foreach_round_off_number_v2.h"
#include "aclnnop/aclnn_foreach_sigmoid.h"
#include "aclnnop/aclnn_foreach_sign.h"
#include "aclnnop/aclnn_foreach_sin.h"
#include "aclnnop/aclnn_foreach_sinh.h"
#include "aclnnop/aclnn_foreach_sqrt.h"
#include "aclnnop/aclnn_foreach_sub_list.h"
#include "aclnnop/aclnn_foreach_sub_list_inplace.h"
#include "aclnnop/aclnn_foreach_sub_list_v2.h"
#include "aclnnop/aclnn_foreach_sub_scalar.h"
#include "aclnnop/aclnn_foreach_sub_scalar_inplace.h"
#include "aclnnop/aclnn_foreach_sub_scalar_list.h"
#include "aclnnop/aclnn_foreach_sub_scalar_v2.h"
#include "aclnnop/aclnn_foreach_tan.h"
#include "aclnnop/aclnn_foreach_tanh.h"
#include "aclnnop/aclnn_foreach_zero_inplace.h"
#include "ops/foreach/list_fixture.hpp"

// Operators on lists of tensors, against meanings on the host.

namespace aclvk::test {
namespace {

constexpr int kInvalid = 161002;
constexpr int kNull = 161001;

/// What calls are made of. `s` is the scalar in each of its forms.
struct Inputs {
  aclTensorList* x1;
  aclTensorList* x2;
  aclTensorList* x3;
  aclScalar* scalar;
  aclScalarList* scalars;
  aclTensor* tensor;   ///< the scalar as a tensor
  aclTensor* tensors;  ///< as many as the lists have members
  aclTensorList* out;
};

using InputsPlan = aclnnStatus (*)(const Inputs&, uint64_t*, aclOpExecutor**);
using Meaning = Real (*)(Real x, Real y, Real z, Real s);

/// Whether members have scalars of their own.
enum class Factors { kOne, kEach };

struct ListOp {
  const char* name;
  InputsPlan plan;
  Launch launch;
  Meaning meaning;
  Factors factors = Factors::kOne;
  bool in_place = false;
};

#define CALL(name, ...)                                      \
#name, [](const Inputs& g, uint64_t* n, aclOpExecutor** e) \
              -> aclnnStatus { return aclnnForeach##name##GetWorkspaceSize(__VA_ARGS__, n, e); }, aclnnForeach##name
#define MEANS(value) [](Real x, Real y, Real z, Real s) -> Real { return (void)x, (void)y, (void)z, (void)s, value; }
#define UNARY(name, value) \
  ListOp { CALL(name, g.x1, g.out), MEANS(value) }

const Real kNan = std::numeric_limits<Real>::quiet_NaN();

std::vector<ListOp> unary_ops() {
  return {UNARY(Abs, std::fabs(x)),
          UNARY(Acos, std::acos(x)),
          UNARY(Asin, std::asin(x)),
          UNARY(Atan, std::atan(x)),
          UNARY(Cos, std::cos(x)),
          UNARY(Cosh, std::cosh(x)),
          UNARY(Erf, std::erf(x)),
          UNARY(Erfc, std::erfc(x)),
          UNARY(Exp, std::exp(x)),
          UNARY(Expm1, std::expm1(x)),
          UNARY(Log, std::log(x)),
          UNARY(Log10, std::log10(x)),
          UNARY(Log1p, std::log1p(x)),
          UNARY(Log2, std::log2(x)),
          UNARY(Neg, -x),
          UNARY(Reciprocal, 1 / x),
          UNARY(Sigmoid, 1 / (1 + std::exp(-x))),
          UNARY(Sign, Real((x > 0) - (x < 0))),
          UNARY(Sin, std::sin(x)),
          UNARY(Sinh, std::sinh(x)),
          UNARY(Sqrt, std::sqrt(x)),
          UNARY(Tan, std::tan(x)),
          UNARY(Tanh, std::tanh(x)),
          UNARY(Copy, x),
          ListOp{CALL(ACosInplace, g.x1), MEANS(std::acos(x)), Factors::kOne, true},
          ListOp{CALL(LogInplace, g.x1), MEANS(std::log(x)), Factors::kOne, true},
          ListOp{CALL(ZeroInplace, g.x1), MEANS(Real(0)), Factors::kOne, true}};
}

#define LISTS(name, value) \
  ListOp { CALL(name, g.x1, g.x2, g.out), MEANS(value) }
#define ALPHA(name, alpha, value) \
  ListOp { CALL(name, g.x1, g.x2, g.alpha, g.out), MEANS(value) }
#define SCALAR(name, form, value) \
  ListOp { CALL(name, g.x1, g.form, g.out), MEANS(value) }
#define EACH(name, value) \
  ListOp { CALL(name, g.x1, g.scalars, g.out), MEANS(value), Factors::kEach }
#define SCALARS(name, value) \
  SCALAR(name##Scalar, tensor, value), SCALAR(name##ScalarV2, scalar, value), EACH(name##ScalarList, value)

/// Those that integers have as well.
std::vector<ListOp> arithmetic_ops() {
  return {ALPHA(AddList, tensor, x + s * y),
          ALPHA(AddListV2, scalar, x + s * y),
          ListOp{CALL(AddListInplace, g.x1, g.x2, g.tensor), MEANS(x + s * y), Factors::kOne, true},
          SCALARS(Add, x + s),
          ALPHA(SubList, tensor, x - s * y),
          ALPHA(SubListV2, scalar, x - s * y),
          ListOp{CALL(SubListInplace, g.x1, g.x2, g.tensor), MEANS(x - s * y), Factors::kOne, true},
          ListOp{CALL(SubScalarInplace, g.x1, g.tensor), MEANS(x - s), Factors::kOne, true},
          SCALARS(Sub, x - s),
          LISTS(MulList, x * y),
          ListOp{CALL(MulListInplace, g.x1, g.x2), MEANS(x * y), Factors::kOne, true},
          ListOp{CALL(MulScalarInplace, g.x1, g.tensor), MEANS(x * s), Factors::kOne, true},
          SCALARS(Mul, x * s),
          LISTS(MaximumList, std::max(x, y)),
          SCALARS(Maximum, std::max(x, s)),
          LISTS(MinimumList, std::min(x, y)),
          SCALARS(Minimum, std::min(x, s)),
          ListOp{CALL(AddcmulList, g.x1, g.x2, g.x3, g.tensors, g.out), MEANS(x + s * y * z), Factors::kEach},
          ListOp{CALL(AddcmulScalar, g.x1, g.x2, g.x3, g.tensor, g.out), MEANS(x + s * y * z)},
          ListOp{CALL(AddcmulScalarV2, g.x1, g.x2, g.x3, g.scalar, g.out), MEANS(x + s * y * z)},
          ListOp{CALL(AddcmulScalarList, g.x1, g.x2, g.x3, g.tensors, g.out), MEANS(x + s * y * z), Factors::kEach}};
}

std::vector<ListOp> float_ops() {
  return {LISTS(DivList, x / y),
          ListOp{CALL(DivListInplace, g.x1, g.x2), MEANS(x / y), Factors::kOne, true},
          SCALARS(Div, x / s),
          LISTS(PowList, std::pow(x, y)),
          SCALARS(Pow, std::pow(x, s)),
          ListOp{CALL(PowScalarAndTensor, g.scalar, g.x1, g.out), MEANS(std::pow(s, x))},
          ListOp{CALL(AddcdivList, g.x1, g.x2, g.x3, g.tensors, g.out), MEANS(x + s * y / z), Factors::kEach},
          ListOp{CALL(AddcdivScalar, g.x1, g.x2, g.x3, g.tensor, g.out), MEANS(x + s * y / z)},
          ListOp{CALL(AddcdivScalarV2, g.x1, g.x2, g.x3, g.scalar, g.out), MEANS(x + s * y / z)},
          ListOp{CALL(AddcdivScalarList, g.x1, g.x2, g.x3, g.tensors, g.out), MEANS(x + s * y / z), Factors::kEach},
          ListOp{CALL(LerpList, g.x1, g.x2, g.x3, g.out), MEANS(x + z * (y - x))},
          ListOp{CALL(LerpScalar, g.x1, g.x2, g.scalar, g.out), MEANS(x + s * (y - x))}};
}

class Foreach : public ListTest {
 protected:
  static void check(const ListOp& op, aclDataType type) {
    const std::vector<Member>& members = type == ACL_FLOAT ? mixed_members() : few_members();
    const Real first = op.factors == Factors::kEach ? 1 : 2;
    const OpTensorList x1(type, members, 1);
    const OpTensorList x2(type, members, 101);
    const OpTensorList x3(type, members, 201);
    const OpTensorList out(type, members, 301);
    const OpScalar scalar(type, first);
    const OpScalars scalars(type, first, members.size());
    OpTensor tensor(type, {1});
    OpTensor tensors(type, {static_cast<std::int64_t>(members.size())});
    tensor.fill([&](std::int64_t) { return first; });
    tensors.fill([&](std::int64_t i) { return first + Real(i); });
    const Inputs given{x1.get(),      x2.get(),     x3.get(),      scalar.get(),
                       scalars.get(), tensor.get(), tensors.get(), out.get()};
    std::vector<const OpTensor*> inputs{&tensor, &tensors};
    for (const OpTensorList* list : {&x1, &x2, &x3}) list->add_to(inputs);
    const auto expected = [&](std::size_t m, std::int64_t i) -> Number {
      const Real s = op.factors == Factors::kEach ? first + Real(m) : first;
      return op.meaning(x1[m].before(i).real(), x2[m].before(i).real(), x3[m].before(i).real(), s);
    };
    expect(
        op.name, [&](auto* n, auto** e) { return op.plan(given, n, e); }, op.launch, inputs, op.in_place ? x1 : out,
        expected, false);
  }
};

// Suites of their own, because each kind of view of each operator is a pipeline for the driver to compile.
class ForeachUnary : public Foreach {};
class ForeachArithmetic : public Foreach {};
class ForeachFloats : public Foreach {};
class ForeachIntegers : public Foreach {};

TEST_F(ForeachUnary, ComputesOperatorsOnOneTensor) {
  for (const ListOp& op : unary_ops()) {
    for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) check(op, type);
  }
}

TEST_F(ForeachArithmetic, IsComputed) {
  for (const ListOp& op : arithmetic_ops()) {
    for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32}) check(op, type);
  }
}

TEST_F(ForeachFloats, DivisionsPowersAndMixturesAreComputed) {
  for (const ListOp& op : float_ops()) {
    for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) check(op, type);
  }
}

TEST_F(ForeachIntegers, OfOtherWidthsAreComputed) {
  const auto named = [](const std::vector<ListOp>& ops, const std::string& name) {
    return *std::find_if(ops.begin(), ops.end(), [&](const ListOp& op) { return op.name == name; });
  };
  for (const aclDataType type : {ACL_INT16, ACL_INT32}) {
    check(named(arithmetic_ops(), "AddListV2"), type);
    check(named(unary_ops(), "Neg"), type);
    check(named(unary_ops(), "ZeroInplace"), type);
  }
  for (const aclDataType type : {ACL_INT8, ACL_INT32, ACL_INT64}) check(named(unary_ops(), "Sign"), type);
  for (const aclDataType type :
       {ACL_INT8, ACL_UINT8, ACL_INT16, ACL_UINT16, ACL_INT32, ACL_UINT32, ACL_INT64, ACL_DOUBLE, ACL_BOOL}) {
    check(named(unary_ops(), "Copy"), type);
  }
  const OpTensorList x(ACL_INT8, {{{37}}, {{3, 5}}});
  const OpTensorList out(ACL_FLOAT, {{{37}}, {{3, 5}}});
  std::vector<const OpTensor*> inputs;
  x.add_to(inputs);
  expect(
      "Exp of int8", [&](auto* n, auto** e) { return aclnnForeachExpGetWorkspaceSize(x.get(), out.get(), n, e); },
      aclnnForeachExp, inputs, out, [&](auto m, auto i) { return std::exp(x[m].before(i).real()); }, false);
}

TEST_F(Foreach, RoundsInSevenWays) {
  const Real kModes = 7;
  const std::vector<Member> members = {{{23}}, {{5, 3}, {{1, 5}, 2}}, {{64}}};
  for (Real mode = 1; mode <= kModes; ++mode) {
    for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
      const OpTensorList x(type, members);
      const OpTensorList out(type, members, 9);
      for (std::size_t m = 0; m < x.size(); ++m) x[m].fill([](std::int64_t i) { return Real(i - 9) / 2; });
      const OpScalar scalar(ACL_INT8, mode);
      OpTensor tensor(ACL_INT8, {1});
      tensor.fill([&](std::int64_t) { return mode; });
      std::vector<const OpTensor*> inputs{&tensor};
      x.add_to(inputs);
      const auto expected = [&](std::size_t m, std::int64_t i) -> Number {
        const Real v = x[m].before(i).real();
        const Real below = std::floor(v);
        switch (static_cast<int>(mode)) {
          case 1: return std::nearbyint(v);
          case 2: return below;
          case 3: return std::ceil(v);
          case 4: return std::round(v);
          case 5: return std::trunc(v);
          case 6: return below == v || std::fmod(below, 2) != 0 ? below : below + 1;
          default: return v - std::trunc(v);
        }
      };
      expect(
          "RoundOffNumberV2",
          [&](auto* n, auto** e) {
            return aclnnForeachRoundOffNumberV2GetWorkspaceSize(x.get(), scalar.get(), out.get(), n, e);
          },
          aclnnForeachRoundOffNumberV2, inputs, out, expected, true);
      expect(
          "RoundOffNumber",
          [&](auto* n, auto** e) {
            return aclnnForeachRoundOffNumberGetWorkspaceSize(x.get(), tensor.get(), out.get(), n, e);
          },
          aclnnForeachRoundOffNumber, inputs, out, expected, true);
    }
  }
}

TEST_F(Foreach, ScalarsOfTensorsAreNotRoundedToHalves) {
  const std::vector<Member> members = {{{37}}, {{64}}};
  const OpTensorList x(ACL_FLOAT16, members);
  const OpTensorList out(ACL_FLOAT16, members, 9);
  OpTensor third(ACL_FLOAT, {});
  third.fill([](std::int64_t) { return Real(1) / 3; });
  const Real factor = third.before(0).real();
  std::vector<const OpTensor*> inputs{&third};
  x.add_to(inputs);
  expect(
      "MulScalar",
      [&](auto* n, auto** e) { return aclnnForeachMulScalarGetWorkspaceSize(x.get(), third.get(), out.get(), n, e); },
      aclnnForeachMulScalar, inputs, out, [&](auto m, auto i) { return x[m].before(i).real() * factor; }, true);
}

TEST_F(Foreach, NumbersOfMembersHaveAnyShapeOfAsManyElements) {
  const std::vector<Member> members = {{{37}}, {{5, 3}}, {{64}}, {{7}}};
  const OpTensorList x1(ACL_FLOAT, members, 1), x2(ACL_FLOAT, members, 2), x3(ACL_FLOAT, members, 3);
  const OpTensorList out(ACL_FLOAT, members, 9);
  for (const Shape& shape : {Shape{1, 4}, Shape{4, 1}, Shape{2, 2}}) {
    OpTensor numbers(ACL_FLOAT, shape, shape[0] == 2 ? View{{1, 3}, 2} : View{});
    numbers.fill([](std::int64_t i) { return Real(1) + Real(i); });
    std::vector<const OpTensor*> inputs{&numbers};
    for (const OpTensorList* list : {&x1, &x2, &x3}) list->add_to(inputs);
    expect(
        "AddcmulList",
        [&](auto* n, auto** e) {
          return aclnnForeachAddcmulListGetWorkspaceSize(x1.get(), x2.get(), x3.get(), numbers.get(), out.get(), n, e);
        },
        aclnnForeachAddcmulList, inputs, out,
        [&](auto m, auto i) {
          return x1[m].before(i).real() + (1 + Real(m)) * x2[m].before(i).real() * x3[m].before(i).real();
        },
        false);
  }
}

TEST_F(Foreach, NormsOfEachOrder) {
  const std::vector<Member> members = {{{5, 7}}, {{1009}}, {{0, 3}}, {{}}, {{7, 11}, {{1, 7}, 3}}};
  const Real infinity = std::numeric_limits<Real>::infinity();
  for (const Real order : {Real(0), Real(1), Real(2), Real(3), infinity}) {
    for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
      const OpTensorList x(type, members);
      const OpTensorList out(type, std::vector<Member>(members.size()), 9);
      const OpScalar scalar(ACL_FLOAT, order);
      std::vector<const OpTensor*> inputs;
      x.add_to(inputs);
      const auto expected = [&](std::size_t m, std::int64_t) -> Number {
        Real sum = 0;
        for (std::int64_t i = 0; i < x[m].count(); ++i) {
          const Real v = std::fabs(x[m].before(i).real());
          sum = order == 0 ? sum + Real(v != 0) : std::isinf(order) ? std::max(sum, v) : sum + std::pow(v, order);
        }
        return order == 0 || std::isinf(order) ? sum : std::pow(sum, 1 / order);
      };
      expect(
          "Norm",
          [&](auto* n, auto** e) { return aclnnForeachNormGetWorkspaceSize(x.get(), scalar.get(), out.get(), n, e); },
          aclnnForeachNorm, inputs, out, expected, false);
    }
  }
}

TEST_F(Foreach, UnscalesGradientsAndFindsWhatIsNotFinite) {
  const Real infinity = std::numeric_limits<Real>::infinity();
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const Real bad : {Real(1), infinity, -infinity, kNan}) {
      const OpTensorList grads(type, mixed_members());
      const Real kBadPlace = 1002;
      grads[1].fill([&](std::int64_t i) { return Real(i) == kBadPlace ? bad : Real(i % 7); });
      OpTensor found(ACL_FLOAT, {1});
      OpTensor inv_scale(ACL_FLOAT, {1});
      found.fill([](std::int64_t) { return 0; });
      inv_scale.fill([](std::int64_t) { return 0.25; });
      const std::vector<const OpTensor*> inputs{&found, &inv_scale};
      expect(
          "NonFiniteCheckAndUnscale",
          [&](auto* n, auto** e) {
            return aclnnForeachNonFiniteCheckAndUnscaleGetWorkspaceSize(grads.get(), found.get(), inv_scale.get(), n,
                                                                        e);
          },
          aclnnForeachNonFiniteCheckAndUnscale, inputs, grads,
          [&](auto m, auto i) { return grads[m].before(i).real() * 0.25L; }, false);
      EXPECT_EQ(found.in(found.download(), 0).real(), std::isfinite(bad) ? 0 : 1);
    }
  }
}

TEST_F(Foreach, RefusesWhatDoesNotFit) {
  const std::vector<Member> members = {{{4}}, {{5}}};
  const OpTensorList x(ACL_FLOAT, members);
  const OpTensorList fewer(ACL_FLOAT, {{{4}}});
  const OpTensorList other_shapes(ACL_FLOAT, {{{4}}, {{6}}});
  const OpTensorList whole(ACL_INT32, members);
  const OpTensorList wide(ACL_DOUBLE, members);
  const OpTensorList none(ACL_FLOAT, {});
  const OpTensorList out(ACL_FLOAT, members);
  const OpScalar one(ACL_FLOAT, 1);
  const OpScalar complex(ACL_COMPLEX64, 1);
  const OpScalar mode(ACL_INT8, 8);
  const OpScalars three(ACL_FLOAT, 1, 3);
  const OpTensor two_elements(ACL_FLOAT, {2});
  const OpTensor real(ACL_FLOAT, {1});
  const OpTensor half(ACL_FLOAT16, {1});
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  const auto add = [&](const auto& a, const auto& b, const auto& c) {
    return aclnnForeachAddListV2GetWorkspaceSize(a.get(), b.get(), one.get(), c.get(), &n, &e);
  };
  EXPECT_EQ(aclnnForeachAbsGetWorkspaceSize(nullptr, out.get(), &n, &e), kNull);
  EXPECT_EQ(aclnnForeachAbsGetWorkspaceSize(x.get(), nullptr, &n, &e), kNull);
  EXPECT_EQ(aclnnForeachAbsGetWorkspaceSize(x.get(), out.get(), nullptr, &e), kNull);
  EXPECT_EQ(aclnnForeachAbsGetWorkspaceSize(x.get(), out.get(), &n, nullptr), kNull);
  EXPECT_EQ(aclnnForeachAddScalarV2GetWorkspaceSize(x.get(), nullptr, out.get(), &n, &e), kNull);
  EXPECT_EQ(aclnnForeachAddScalarGetWorkspaceSize(x.get(), nullptr, out.get(), &n, &e), kNull);
  EXPECT_EQ(aclnnForeachAddScalarListGetWorkspaceSize(x.get(), nullptr, out.get(), &n, &e), kNull);
  EXPECT_EQ(add(x, fewer, out), kInvalid);
  EXPECT_EQ(add(fewer, fewer, out), kInvalid);
  EXPECT_EQ(add(none, none, none), kInvalid);
  EXPECT_EQ(add(x, other_shapes, out), kInvalid);
  EXPECT_EQ(add(x, x, other_shapes), kInvalid);
  EXPECT_EQ(add(wide, wide, wide), kInvalid);
  EXPECT_EQ(add(x, x, whole), kInvalid);
  EXPECT_EQ(aclnnForeachAbsGetWorkspaceSize(whole.get(), whole.get(), &n, &e), kInvalid);
  EXPECT_EQ(aclnnForeachAddScalarV2GetWorkspaceSize(x.get(), complex.get(), out.get(), &n, &e), kInvalid);
  EXPECT_EQ(aclnnForeachAddScalarV2GetWorkspaceSize(whole.get(), one.get(), whole.get(), &n, &e), kInvalid);
  EXPECT_EQ(aclnnForeachAddScalarListGetWorkspaceSize(x.get(), three.get(), out.get(), &n, &e), kInvalid);
  EXPECT_EQ(aclnnForeachAddcmulScalarListGetWorkspaceSize(fewer.get(), fewer.get(), fewer.get(), two_elements.get(),
                                                          fewer.get(), &n, &e),
            kInvalid);
  EXPECT_EQ(aclnnForeachRoundOffNumberV2GetWorkspaceSize(x.get(), mode.get(), out.get(), &n, &e), kInvalid);
  EXPECT_EQ(aclnnForeachNormGetWorkspaceSize(x.get(), complex.get(), out.get(), &n, &e), kInvalid);
  EXPECT_EQ(aclnnForeachNormGetWorkspaceSize(x.get(), one.get(), out.get(), &n, &e), kInvalid) << "not one element";
  EXPECT_EQ(aclnnForeachNonFiniteCheckAndUnscaleGetWorkspaceSize(x.get(), half.get(), real.get(), &n, &e), kInvalid);
  EXPECT_EQ(aclnnForeachNonFiniteCheckAndUnscaleGetWorkspaceSize(x.get(), two_elements.get(), real.get(), &n, &e),
            kInvalid);
  EXPECT_EQ(add(x, x, out), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclDestroyAclOpExecutor(e), 0);
}

}  // namespace
}  // namespace aclvk::test
