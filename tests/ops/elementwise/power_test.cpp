#include "aclnnop/aclnn_fmod_scalar.h"
#include "aclnnop/aclnn_fmod_tensor.h"
#include "aclnnop/aclnn_pow.h"
#include "aclnnop/aclnn_pow_tensor_tensor.h"
#include "aclnnop/aclnn_remainder.h"
#include "ops/elementwise/pointwise_fixture.hpp"

// Remainders, which are exact, and powers, which are within two units in the last place.

namespace aclvk::test {
namespace {

constexpr aclDataType kFloats[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE};
const Real kInf = std::numeric_limits<Real>::infinity();
const Real kNan = std::numeric_limits<Real>::quiet_NaN();

Real remainder_of(Real x, Real y) {
  const Real rest = std::fmod(x, y);
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

Wide whole_remainder(Wide x, Wide y, bool sign_of_divisor) {
  if (y == 0) return x;
  const Wide rest = x % y;
  return sign_of_divisor && rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

Real power_of(Wide x, Wide y, aclDataType type) {
  if (y < 0) return x == 1 ? 1 : x == -1 ? (y % 2 ? -1 : 1) : 0;
  Wide result = 1;
  for (Wide i = 0; i < y; ++i) result = static_cast<Wide>(wrap(result * x, ACL_INT64));
  return wrap(result, type);
}

/// An operator on (tensor, tensor), (tensor, scalar) and (scalar, tensor).
class Powers : public PointwiseTest {
 protected:
  static void check(const TwoTensorOp& op, const OpTensor& self, const OpTensor& other, const OpTensor& out,
                    const ElementMeaning& meaning, bool exact = true) {
    expect(
        op.name + " of dtype " + std::to_string(self.type()),
        [&](auto* n, auto** e) { return op.plan(self.get(), other.get(), out.get(), n, e); }, op.launch,
        {&self, &other}, out, meaning, exact);
  }

  /// The largest error of a power in units of the result's last place.
  static Real worst_power(aclDataType type, const std::function<Number(std::int64_t)>& x,
                          const std::function<Number(std::int64_t)>& y) {
    constexpr std::int64_t kCount = 20011;
    OpTensor self(type, {kCount});
    OpTensor exponent(type, {kCount});
    const OpTensor out(type, {kCount});
    self.fill(x);
    exponent.fill(y);
    const auto bytes =
        run([&](auto* n,
                auto** e) { return aclnnPowTensorTensorGetWorkspaceSize(self.get(), exponent.get(), out.get(), n, e); },
            aclnnPowTensorTensor, {&self, &exponent}, out);
    Real worst = 0;
    for (std::int64_t i = 0; i < kCount; ++i) {
      const Real want = std::pow(self.before(i).real(), exponent.before(i).real());
      worst = std::max(worst, ulp_distance(out.in(bytes, i).real(), want, type));
    }
    return worst;
  }

  static Real ulp_distance(Real got, Real want, aclDataType type) {
    const Real largest =
        type == ACL_DOUBLE ? Real(std::numeric_limits<double>::max()) : Real(std::numeric_limits<float>::max());
    const int digits = type == ACL_DOUBLE ? 53 : 24;
    const int lowest = type == ACL_DOUBLE ? -1022 : -126;
    if (std::fabs(want) > largest) return std::isinf(got) ? 0 : kInf;
    if (std::fabs(want) < std::ldexp(Real{1}, lowest)) return std::fabs(got) <= std::ldexp(Real{1}, lowest) ? 0 : kInf;
    return std::fabs(got - want) / std::ldexp(Real{1}, std::ilogb(want) - digits + 1);
  }
};

TEST_F(Powers, LeaveExactRemainders) {
  for (const aclDataType type : kFloats) {
    OpTensor self(type, {11, 7});
    OpTensor other(type, {11, 7});
    const OpTensor out(type, {11, 7});
    self.fill_random(1);
    other.fill_random(2);
    check(TWO_TENSORS(FmodTensor), self, other, out,
          [](const Elements& e) { return std::fmod(e[0].real(), e[1].real()); });
    check(TWO_TENSORS(RemainderTensorTensor), self, other, out,
          [&](const Elements& e) { return round_real(remainder_of(e[0].real(), e[1].real()), type); });
  }
}

TEST_F(Powers, LeaveExactRemaindersOfHugeQuotients) {
  for (const aclDataType type : {ACL_FLOAT, ACL_DOUBLE}) {
    OpTensor self(type, {10});
    OpTensor other(type, {10});
    const OpTensor out(type, {10});
    fill_from(self, {1e38L, 1e38L, -3e37L, 123456789, 1e30L, 7, -7, 5.5L, 16777215, 1e20L});
    fill_from(other, {3, 0.1L, 7e-30L, 1e-10L, -1e-37L, 7, 7, -2.25L, 0.3L, 1e19L});
    check(TWO_TENSORS(FmodTensor), self, other, out,
          [](const Elements& e) { return std::fmod(e[0].real(), e[1].real()); });
  }
}

TEST_F(Powers, LeaveNanWhereThereIsNoRemainder) {
  for (const aclDataType type : kFloats) {
    OpTensor self(type, {8});
    OpTensor other(type, {8});
    const OpTensor out(type, {8});
    fill_from(self, {1, kInf, -kInf, kNan, 1, 5, -5, 0});
    fill_from(other, {0, 2, 3, 1, kNan, kInf, kInf, 3});
    check(TWO_TENSORS(FmodTensor), self, other, out,
          [](const Elements& e) { return std::fmod(e[0].real(), e[1].real()); });
    check(TWO_TENSORS(RemainderTensorTensor), self, other, out,
          [](const Elements& e) { return remainder_of(e[0].real(), e[1].real()); });
  }
}

TEST_F(Powers, LeaveRemaindersOfIntegers) {
  for (const aclDataType type : {ACL_INT32, ACL_INT64, ACL_INT8, ACL_UINT8}) {
    OpTensor self(type, {89});
    OpTensor other(type, {89});
    const OpTensor out(type, {89});
    self.fill_random(3);
    fill_meeting(other, 9);
    const auto meaning = [&](bool sign_of_divisor) {
      return [=](const Elements& e) {
        return wrap(whole_remainder(static_cast<Wide>(e[0].real()), static_cast<Wide>(e[1].real()), sign_of_divisor),
                    type);
      };
    };
    check(TWO_TENSORS(FmodTensor), self, other, out, meaning(false));
    if (type == ACL_INT32 || type == ACL_INT64) {
      check(TWO_TENSORS(RemainderTensorTensor), self, other, out, meaning(true));
    }
  }
}

TEST_F(Powers, TakeScalarsOnBothSidesAndWriteInPlace) {
  OpTensor self(ACL_FLOAT, {5, 7}, {{1, 5}, 2});
  self.fill_random(4);
  const OpTensor out(ACL_FLOAT, {5, 7});
  const OpScalar scalar(ACL_FLOAT, 2.5L);
  const auto* s = scalar.get();
  auto* x = self.get();
  const Real y = scalar.value().real();
  expect(
      "FmodScalar", [&](auto* n, auto** e) { return aclnnFmodScalarGetWorkspaceSize(x, s, out.get(), n, e); },
      aclnnFmodScalar, {&self}, out, [&](const Elements& e) { return std::fmod(e[0].real(), y); }, true);
  expect(
      "RemainderTensorScalar",
      [&](auto* n, auto** e) { return aclnnRemainderTensorScalarGetWorkspaceSize(x, s, out.get(), n, e); },
      aclnnRemainderTensorScalar, {&self}, out,
      [&](const Elements& e) { return round_real(remainder_of(e[0].real(), y), ACL_FLOAT); }, true);
  expect(
      "RemainderScalarTensor",
      [&](auto* n, auto** e) { return aclnnRemainderScalarTensorGetWorkspaceSize(s, x, out.get(), n, e); },
      aclnnRemainderScalarTensor, {&self}, out,
      [&](const Elements& e) { return round_real(remainder_of(y, e[0].real()), ACL_FLOAT); }, true);
  expect(
      "PowScalarTensor", [&](auto* n, auto** e) { return aclnnPowScalarTensorGetWorkspaceSize(s, x, out.get(), n, e); },
      aclnnPowScalarTensor, {&self}, out, [&](const Elements& e) { return std::pow(y, e[0].real()); }, false);
  expect(
      "InplaceFmodScalar", [&](auto* n, auto** e) { return aclnnInplaceFmodScalarGetWorkspaceSize(x, s, n, e); },
      aclnnInplaceFmodScalar, {&self}, self, [&](const Elements& e) { return std::fmod(e[0].real(), y); }, true);
  expect(
      "InplaceRemainderTensorScalar",
      [&](auto* n, auto** e) { return aclnnInplaceRemainderTensorScalarGetWorkspaceSize(x, s, n, e); },
      aclnnInplaceRemainderTensorScalar, {&self}, self,
      [&](const Elements& e) { return round_real(remainder_of(e[0].real(), y), ACL_FLOAT); }, true);
  const OpScalar three(ACL_INT32, 3);
  expect(
      "InplacePowTensorScalar",
      [&](auto* n, auto** e) { return aclnnInplacePowTensorScalarGetWorkspaceSize(x, three.get(), n, e); },
      aclnnInplacePowTensorScalar, {&self}, self, [&](const Elements& e) { return e[0] * e[0] * e[0]; }, false);
}

TEST_F(Powers, WriteTensorsInPlace) {
  OpTensor self(ACL_FLOAT, {37});
  OpTensor other(ACL_FLOAT, {37});
  self.fill([](std::int64_t i) { return Real(i + 1) / 4; });
  other.fill_random(5);
  auto* x = self.get();
  const auto* y = other.get();
  expect(
      "InplaceFmodTensor", [&](auto* n, auto** e) { return aclnnInplaceFmodTensorGetWorkspaceSize(x, y, n, e); },
      aclnnInplaceFmodTensor, {&self, &other}, self,
      [](const Elements& e) { return std::fmod(e[0].real(), e[1].real()); }, true);
  expect(
      "InplaceRemainderTensorTensor",
      [&](auto* n, auto** e) { return aclnnInplaceRemainderTensorTensorGetWorkspaceSize(x, y, n, e); },
      aclnnInplaceRemainderTensorTensor, {&self, &other}, self,
      [](const Elements& e) { return round_real(remainder_of(e[0].real(), e[1].real()), ACL_FLOAT); }, true);
  expect(
      "InplacePowTensorTensor",
      [&](auto* n, auto** e) { return aclnnInplacePowTensorTensorGetWorkspaceSize(x, y, n, e); },
      aclnnInplacePowTensorTensor, {&self, &other}, self,
      [](const Elements& e) { return std::pow(e[0].real(), e[1].real()); }, false);
}

TEST_F(Powers, AreWithinTwoUnits) {
  for (const aclDataType type : {ACL_FLOAT, ACL_DOUBLE}) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> exponent(-20, 20);
    std::uniform_real_distribution<double> small(-5, 5);
    const Real range = type == ACL_DOUBLE ? 1000 : 120;
    const auto any_y = [&](std::int64_t) { return Real(small(random)); };
    const Real usual = worst_power(
        type, [&](std::int64_t) { return std::fabs(Real(small(random))); }, any_y);
    const Real wide = worst_power(
        type, [&](std::int64_t) { return std::exp2(Real(exponent(random))); }, any_y);
    const Real near_one = worst_power(
        type, [&](std::int64_t) { return 1 + Real(small(random)) / 1000; },
        [&](std::int64_t) { return Real(small(random)) * range * 30; });
    const Real whole = worst_power(
        type, [&](std::int64_t) { return Real(small(random)); }, [&](std::int64_t i) { return Real(i % 41 - 20); });
    const Real worst = std::max({usual, wide, near_one, whole});
    EXPECT_LE(worst, 2) << "dtype " << type << ": usual " << usual << ", wide " << wide << ", near one " << near_one
                        << ", whole " << whole;
    RecordProperty(type == ACL_DOUBLE ? "units_of_double" : "units_of_float", std::to_string(worst));
  }
}

TEST_F(Powers, OfHalves) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    OpTensor self(type, {13, 7});
    OpTensor other(type, {7});
    self.fill([](std::int64_t i) { return Real(i % 17 + 1) / 4; });
    other.fill_random(6);
    check(
        TWO_TENSORS(PowTensorTensor), self, other, OpTensor(type, {13, 7}),
        [](const Elements& e) { return std::pow(e[0].real(), e[1].real()); }, false);
  }
}

TEST_F(Powers, OfSpecialNumbers) {
  const std::vector<Real> special = {0, -0.0L, 1, -1, 2, -2, 0.5L, -0.5L, 3, -3, kInf, -kInf, kNan, 1e30L, 2.5L, -2.5L};
  const auto count = static_cast<std::int64_t>(special.size());
  for (const aclDataType type : {ACL_FLOAT, ACL_DOUBLE, ACL_FLOAT16}) {
    OpTensor self(type, {count, 1});
    OpTensor other(type, {count});
    fill_from(self, special);
    fill_from(other, special);
    check(
        TWO_TENSORS(PowTensorTensor), self, other, OpTensor(type, {count, count}),
        [](const Elements& e) { return std::pow(e[0].real(), e[1].real()); }, false);
  }
}

TEST_F(Powers, OfIntegers) {
  for (const aclDataType type : {ACL_INT8, ACL_UINT8, ACL_INT16, ACL_INT32, ACL_INT64}) {
    const bool is_signed = facts_of(type).is_signed;
    OpTensor self(type, {11, 1});
    OpTensor other(type, {13});
    self.fill([&](std::int64_t i) { return Real(is_signed ? i - 5 : i); });
    other.fill([&](std::int64_t i) { return Real(is_signed ? i - 3 : i); });
    check(TWO_TENSORS(PowTensorTensor), self, other, OpTensor(type, {11, 13}), [&](const Elements& e) {
      return power_of(static_cast<Wide>(e[0].real()), static_cast<Wide>(e[1].real()), type);
    });
  }
}

TEST_F(Powers, OfIntegersWithFloats) {
  OpTensor self(ACL_INT32, {9});
  self.fill([](std::int64_t i) { return Real(i + 1); });
  const OpScalar root(ACL_FLOAT, 0.5L);
  const OpTensor out(ACL_FLOAT, {9});
  const ScalarOp op = TENSOR_SCALAR(PowTensorScalar);
  expect(
      op.name, [&](auto* n, auto** e) { return op.plan(self.get(), root.get(), out.get(), n, e); }, op.launch, {&self},
      out, [](const Elements& e) { return std::sqrt(e[0].real()); }, false);
}

TEST_F(Powers, OfComplexNumbers) {
  for (const aclDataType type : {ACL_COMPLEX64, ACL_COMPLEX128}) {
    OpTensor self(type, {37});
    OpTensor other(type, {37});
    self.fill_random(8);
    other.fill([](std::int64_t i) { return Number(Real(i % 7 - 3) / 2, Real(i % 5 - 2) / 4); });
    check(
        TWO_TENSORS(PowTensorTensor), self, other, OpTensor(type, {37}),
        [](const Elements& e) { return std::pow(e[0], e[1]); }, false);
    OpTensor zero(type, {2});
    OpTensor exponent(type, {2});
    fill_from(zero, {0});
    fill_from(exponent, {0, 2});
    check(
        TWO_TENSORS(PowTensorTensor), zero, exponent, OpTensor(type, {2}),
        [](const Elements& e) { return Number(e[1] == Number(0)); }, true);
  }
}

TEST_F(Powers, RefuseWhatHasNoResult) {
  constexpr int kInvalid = 161002;
  const OpTensor whole(ACL_INT32, {3});
  const OpTensor real(ACL_FLOAT, {3});
  const OpScalar negative(ACL_INT32, -1);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnPowTensorScalarGetWorkspaceSize(whole.get(), negative.get(), whole.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnPowTensorScalarGetWorkspaceSize(real.get(), negative.get(), real.get(), &size, &executor), 0);
  EXPECT_EQ(aclnnPowTensorTensorGetWorkspaceSize(real.get(), real.get(), whole.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnPowTensorTensorGetWorkspaceSize(nullptr, real.get(), real.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnPowScalarTensorGetWorkspaceSize(nullptr, real.get(), real.get(), &size, &executor), 161001);
  const OpTensor flags(ACL_BOOL, {3});
  EXPECT_EQ(aclnnFmodTensorGetWorkspaceSize(flags.get(), flags.get(), flags.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnRemainderTensorTensorGetWorkspaceSize(flags.get(), whole.get(), whole.get(), &size, &executor),
            kInvalid);
}

}  // namespace
}  // namespace aclvk::test
