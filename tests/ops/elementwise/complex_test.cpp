// Complex numbers made of two real tensors, and those whose functions overflow.
#include <limits>
#include <vector>

#include "aclnnop/aclnn_complex.h"
#include "aclnnop/aclnn_cos.h"
#include "aclnnop/aclnn_exp.h"
#include "aclnnop/aclnn_log.h"
#include "aclnnop/aclnn_polar.h"
#include "aclnnop/aclnn_sin.h"
#include "aclnnop/aclnn_sinh.h"
#include "aclnnop/aclnn_sqrt.h"
#include "aclnnop/aclnn_tan.h"
#include "support/op_fixture.hpp"

namespace aclvk::test {
namespace {

class ComplexOps : public OpTest {};

TEST_F(ComplexOps, JoinParts) {
  struct Case {
    aclDataType part, whole;
  };
  for (const Case& c :
       {Case{ACL_FLOAT, ACL_COMPLEX64}, Case{ACL_FLOAT16, ACL_COMPLEX32}, Case{ACL_DOUBLE, ACL_COMPLEX128}}) {
    OpTensor real(c.part, {5, 1, 7});
    OpTensor imag(c.part, {3, 7}, {{1, 3}, 2});
    real.fill_random(71);
    imag.fill_random(72);
    const OpTensor out(c.whole, {5, 3, 7});
    const auto bytes =
        run([&](auto* n, auto** e) { return aclnnComplexGetWorkspaceSize(real.get(), imag.get(), out.get(), n, e); },
            aclnnComplex, {&real, &imag}, out);
    const auto joined = [&](std::int64_t i) {
      return Number(real.before(source_of(i, out.shape(), real.shape())).real(),
                    imag.before(source_of(i, out.shape(), imag.shape())).real());
    };
    expect_elements(out, bytes, joined, true);
  }
}

TEST_F(ComplexOps, RotateLengthsByAngles) {
  OpTensor length(ACL_FLOAT, {89});
  OpTensor angle(ACL_FLOAT, {89});
  length.fill_random(73);
  angle.fill_random(74);
  const OpTensor out(ACL_COMPLEX64, {89});
  const auto bytes =
      run([&](auto* n, auto** e) { return aclnnPolarGetWorkspaceSize(length.get(), angle.get(), out.get(), n, e); },
          aclnnPolar, {&length, &angle}, out);
  const auto rotated = [&](std::int64_t i) {
    const Real r = length.before(i).real();
    const Real a = angle.before(i).real();
    return Number(r * std::cos(a), r * std::sin(a));
  };
  expect_elements(out, bytes, rotated, false);
}

TEST_F(ComplexOps, CosinesOfImaginaryNumbersAreReal) {
  constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
  const std::vector<Real> heights = {1000, -1000, kInfinity, -kInfinity};
  for (const aclDataType type : {ACL_COMPLEX64, ACL_COMPLEX128}) {
    OpTensor x(type, {4});
    x.fill([&](std::int64_t i) { return Number(0, heights[static_cast<std::size_t>(i)]); });
    const OpTensor out(type, {4});
    const auto bytes =
        run([&](auto* n, auto** e) { return aclnnCosGetWorkspaceSize(x.get(), out.get(), n, e); }, aclnnCos, {&x}, out);
    expect_elements(
        out, bytes, [](std::int64_t) { return Number(kInfinity, 0); }, true);
  }
}

TEST_F(ComplexOps, LogarithmsSeeNoNumberAndNoOverflow) {
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  for (const aclDataType type : {ACL_COMPLEX64, ACL_COMPLEX128}) {
    const Real large = type == ACL_COMPLEX64 ? 3e38L : 1.5e308L;
    const std::vector<std::pair<Number, Number>> cases = {{{nan, 1}, {nan, nan}},
                                                          {{1, nan}, {nan, nan}},
                                                          {{-1.5, nan}, {nan, nan}},
                                                          {{large, large}, std::log(Number(large, large))},
                                                          {{-large, large}, std::log(Number(-large, large))}};
    const auto count = static_cast<std::int64_t>(cases.size());
    OpTensor x(type, {count});
    x.fill([&](std::int64_t i) { return cases[static_cast<std::size_t>(i)].first; });
    const OpTensor out(type, {count});
    const auto bytes =
        run([&](auto* n, auto** e) { return aclnnLogGetWorkspaceSize(x.get(), out.get(), n, e); }, aclnnLog, {&x}, out);
    expect_elements(
        out, bytes, [&](std::int64_t i) { return cases[static_cast<std::size_t>(i)].second; }, false);
  }
}

/// What a function is at a number.
struct AtNumber {
  Number x;
  Number result;
};

TEST_F(ComplexOps, OnlyWhatHasNoLimitIsNoNumber) {
  constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  const Number corner(kInfinity, kInfinity);
  const auto check = [&](const char* name, const std::vector<AtNumber>& cases, auto plan, auto launch) {
    SCOPED_TRACE(name);
    for (const aclDataType type : {ACL_COMPLEX64, ACL_COMPLEX128}) {
      const auto count = static_cast<std::int64_t>(cases.size());
      OpTensor x(type, {count});
      x.fill([&](std::int64_t i) { return cases[static_cast<std::size_t>(i)].x; });
      const OpTensor out(type, {count});
      const auto bytes = run([&](auto* n, auto** e) { return plan(x.get(), out.get(), n, e); }, launch, {&x}, out);
      expect_elements(
          out, bytes, [&](std::int64_t i) { return cases[static_cast<std::size_t>(i)].result; }, false);
    }
  };
  check("sine", {{{kInfinity, 0}, {nan, 0}}, {{nan, 0}, {nan, 0}}, {corner, {nan, kInfinity}}},
        aclnnSinGetWorkspaceSize, aclnnSin);
  check("cosine", {{{kInfinity, 0}, {nan, 0}}, {{nan, 0}, {nan, 0}}, {corner, {kInfinity, nan}}},
        aclnnCosGetWorkspaceSize, aclnnCos);
  check("tangent", {{{kInfinity, 0}, {nan, 0}}, {{kInfinity, 30}, {nan, nan}}, {corner, {0, 1}}},
        aclnnTanGetWorkspaceSize, aclnnTan);
  check("hyperbolic sine",
        {{{0, kInfinity}, {0, nan}}, {corner, {kInfinity, nan}}, {{-kInfinity, nan}, {-kInfinity, nan}}},
        aclnnSinhGetWorkspaceSize, aclnnSinh);
  check("root", {{{kInfinity, nan}, {kInfinity, nan}}, {{kInfinity, 1}, {kInfinity, 0}}}, aclnnSqrtGetWorkspaceSize,
        aclnnSqrt);
}

/// Powers of e that overflow, times cosines so small that their product does not.
TEST_F(ComplexOps, FactorsMayOverflowWhereProductsDoNot) {
  const auto check = [](const std::vector<Number>& numbers, aclDataType type, auto meaning, auto plan, auto launch) {
    const auto count = static_cast<std::int64_t>(numbers.size());
    OpTensor x(type, {count});
    x.fill([&](std::int64_t i) { return numbers[static_cast<std::size_t>(i)]; });
    const OpTensor out(type, {count});
    const auto bytes = run([&](auto* n, auto** e) { return plan(x.get(), out.get(), n, e); }, launch, {&x}, out);
    expect_elements(
        out, bytes, [&](std::int64_t i) { return rounded(meaning(x.before(i)), type); }, false);
  };
  const auto exponential = [](const Number& x) { return std::exp(x); };
  const auto sine = [](const Number& x) { return std::sin(x); };
  const auto cosine = [](const Number& x) { return std::cos(x); };
  const auto hyperbolic = [](const Number& x) { return std::sinh(x); };
  const std::vector<Number> high = {{88.73L, 1}, {89, -1}, {89.5L, 1.25L}};
  const std::vector<Number> higher = {{709.79L, 1}, {710, -1}, {710.5L, 1.25L}};
  check(high, ACL_COMPLEX64, exponential, aclnnExpGetWorkspaceSize, aclnnExp);
  check(higher, ACL_COMPLEX128, exponential, aclnnExpGetWorkspaceSize, aclnnExp);
  const std::vector<Number> beside = {{1e-20L, -103.9L}, {1e-12L, 95}, {1e-30L, 104.5L}};
  const std::vector<Number> far = {{1e-20L, -745}, {1e-12L, 720}, {1e-30L, 744}};
  check(beside, ACL_COMPLEX64, sine, aclnnSinGetWorkspaceSize, aclnnSin);
  check(far, ACL_COMPLEX128, sine, aclnnSinGetWorkspaceSize, aclnnSin);
  check(beside, ACL_COMPLEX64, cosine, aclnnCosGetWorkspaceSize, aclnnCos);
  check(far, ACL_COMPLEX128, cosine, aclnnCosGetWorkspaceSize, aclnnCos);
  const std::vector<Number> along = {{-103.9L, 1e-20L}, {95, 1e-12L}, {104.5L, 1e-30L}};
  check(along, ACL_COMPLEX64, hyperbolic, aclnnSinhGetWorkspaceSize, aclnnSinh);
}

TEST_F(ComplexOps, RefuseWhatDoesNotFit) {
  const OpTensor floats(ACL_FLOAT, {3});
  const OpTensor doubles(ACL_DOUBLE, {3});
  const OpTensor four(ACL_FLOAT, {4});
  const OpTensor out(ACL_COMPLEX64, {3});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* real, const aclTensor* imag, aclTensor* result) {
    return aclnnComplexGetWorkspaceSize(real, imag, result, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, floats.get(), out.get()), 161001);
  EXPECT_EQ(plan(floats.get(), nullptr, out.get()), 161001);
  EXPECT_EQ(plan(floats.get(), floats.get(), nullptr), 161001);
  EXPECT_EQ(plan(floats.get(), doubles.get(), out.get()), 161002);
  EXPECT_EQ(plan(floats.get(), floats.get(), floats.get()), 161002);
  EXPECT_EQ(plan(floats.get(), four.get(), out.get()), 161002);
  EXPECT_EQ(aclnnPolarGetWorkspaceSize(doubles.get(), doubles.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(executor, nullptr);
}

TEST_F(ComplexOps, MayLieOverTheirParts) {
  // The storage of the numbers begins with their real parts.
  OpTensor storage(ACL_COMPLEX64, {37});
  OpTensor imag(ACL_FLOAT, {37});
  imag.fill_random(76);
  storage.fill([](std::int64_t i) { return Number(Real(2 * i) + 0.5L, Real(2 * i + 1) - 0.25L); });
  const std::int64_t count = 37;
  const std::int64_t room = 74;
  aclTensor* real = aclCreateTensor(&count, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &room, 1, storage.memory());
  const auto plan = [&](auto* n, auto** e) {
    return aclnnComplexGetWorkspaceSize(real, imag.get(), storage.get(), n, e);
  };
  imag.upload();
  storage.upload();
  enqueue(plan, aclnnComplex);
  EXPECT_EQ(aclrtSynchronizeStream(stream()), 0) << aclGetRecentErrMsg();
  const auto bytes = storage.download();
  const auto joined = [&](std::int64_t i) {
    const Number whole = storage.before(i / 2);
    return Number(i % 2 ? whole.imag() : whole.real(), imag.before(i).real());
  };
  expect_elements(storage, bytes, joined, true);

  // A plan that has not seen that they overlap has no workspace for a copy.
  std::uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  storage.place(nullptr);
  ASSERT_EQ(plan(&size, &executor), 0) << aclGetRecentErrMsg();
  storage.place(storage.memory());
  EXPECT_EQ(aclnnComplex(nullptr, size, executor, stream()), 161002);
  aclDestroyTensor(real);
}

}  // namespace
}  // namespace aclvk::test
