#include "aclnnop/aclnn_linalg_vector_norm.h"
#include "aclnnop/aclnn_logsumexp.h"
#include "aclnnop/aclnn_norm.h"
#include "aclnnop/aclnn_renorm.h"
#include "aclnnop/aclnn_std.h"
#include "aclnnop/aclnn_std_mean_correction.h"
#include "aclnnop/aclnn_trace.h"
#include "aclnnop/aclnn_var.h"
#include "aclnnop/aclnn_var_mean.h"
#include "support/reduced.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kFloats[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
const Real kInf = std::numeric_limits<Real>::infinity();
const Real kNan = std::numeric_limits<Real>::quiet_NaN();

class Moments : public OpTest {
 protected:
  using Of = std::function<Real(const std::vector<Real>&)>;

  static Real mean_of(const std::vector<Real>& x) {
    Real sum = 0;
    for (const Real value : x) sum += value;
    return sum / static_cast<Real>(x.size());
  }

  static Real variance_of(const std::vector<Real>& x, Real correction) {
    const Real mean = mean_of(x);
    Real sum = 0;
    for (const Real value : x) sum += (value - mean) * (value - mean);
    return sum / std::max(static_cast<Real>(x.size()) - correction, Real{0});
  }

  static std::function<Number(std::int64_t)> expected(const OpTensor& self, const Reduced& reduced, const Of& of) {
    return [&self, sources = reduced.sources(), of](std::int64_t i) -> Number {
      std::vector<Real> x;
      for (const std::int64_t source : sources[static_cast<std::size_t>(i)]) x.push_back(self.before(source).real());
      return of(x);
    };
  }

  /// An operator with one output.
  static void check(const OpTensor& self, const Shape& dims, bool keep, aclDataType type, const Of& of,
                    const std::function<aclnnStatus(const aclIntArray*, aclTensor*, uint64_t*, aclOpExecutor**)>& plan,
                    Launch launch) {
    const Reduced reduced(self.shape(), dims);
    const OpInts ints(dims);
    const OpTensor out(type, reduced.result(keep));
    const auto bytes = run([&](auto* n, auto** e) { return plan(ints.get(), out.get(), n, e); }, launch, {&self}, out);
    expect_elements(out, bytes, expected(self, reduced, of), false);
  }
};

TEST_F(Moments, AreThoseOfAnyDims) {
  for (const aclDataType type : kFloats) {
    OpTensor self(type, {7, 5, 33}, {{170, 34, 1}, 3});
    self.fill_random(1);
    for (const Shape& dims : {Shape{2}, Shape{0, 2}, Shape{}}) {
      SCOPED_TRACE("dtype " + std::to_string(type) + ", " + std::to_string(dims.size()) + " dims");
      check(
          self, dims, false, type, [](const auto& x) { return variance_of(x, 1); },
          [&](auto* d, auto* out, auto* n, auto** e) {
            return aclnnVarGetWorkspaceSize(self.get(), d, true, false, out, n, e);
          },
          aclnnVar);
      check(
          self, dims, true, type, [](const auto& x) { return variance_of(x, 3); },
          [&](auto* d, auto* out, auto* n, auto** e) {
            return aclnnVarCorrectionGetWorkspaceSize(self.get(), d, 3, true, out, n, e);
          },
          aclnnVarCorrection);
      check(
          self, dims, false, type, [](const auto& x) { return std::sqrt(variance_of(x, 0)); },
          [&](auto* d, auto* out, auto* n, auto** e) {
            return aclnnStdGetWorkspaceSize(self.get(), d, 0, false, out, n, e);
          },
          aclnnStd);
    }
  }
}

TEST_F(Moments, ComeWithTheMean) {
  for (const aclDataType type : kFloats) {
    OpTensor self(type, {4, 1031});
    self.fill_random(2);
    const Reduced reduced(self.shape(), {1});
    const OpInts dims({1});
    const OpTensor out(type, {4});
    const OpTensor mean(type, {4});
    const auto variance = run(
        [&](auto* n, auto** e) {
          return aclnnVarMeanGetWorkspaceSize(self.get(), dims.get(), 1, false, out.get(), mean.get(), n, e);
        },
        aclnnVarMean, {&self, &mean}, out);
    expect_elements(out, variance, expected(self, reduced, [](const auto& x) { return variance_of(x, 1); }), false);
    expect_elements(mean, mean.download(), expected(self, reduced, mean_of), false);
    const auto deviation = run(
        [&](auto* n, auto** e) {
          return aclnnStdMeanCorrectionGetWorkspaceSize(self.get(), dims.get(), 0, false, out.get(), mean.get(), n, e);
        },
        aclnnStdMeanCorrection, {&self, &mean}, out);
    expect_elements(out, deviation, expected(self, reduced, [](const auto& x) { return std::sqrt(variance_of(x, 0)); }),
                    false);
    expect_elements(mean, mean.download(), expected(self, reduced, mean_of), false);
  }
}

TEST_F(Moments, KeepTheirDigitsFarFromZero) {
  OpTensor self(ACL_FLOAT, {100'003});
  self.fill([](std::int64_t i) { return Real(10000 + i % 7); });
  check(
      self, {0}, false, ACL_FLOAT, [](const auto& x) { return variance_of(x, 1); },
      [&](auto* d, auto* out, auto* n, auto** e) {
        return aclnnVarGetWorkspaceSize(self.get(), d, true, false, out, n, e);
      },
      aclnnVar);
}

TEST_F(Moments, OfTooFewElementsAreNoNumber) {
  OpTensor self(ACL_FLOAT, {3, 1});
  self.fill_random(3);
  const OpTensor empty(ACL_FLOAT, {3, 0});
  for (const OpTensor* x : {&std::as_const(self), &empty}) {
    const OpInts dims({1});
    const OpTensor out(ACL_FLOAT, {3});
    const auto bytes = run(
        [&](auto* n, auto** e) { return aclnnVarGetWorkspaceSize(x->get(), dims.get(), true, false, out.get(), n, e); },
        aclnnVar, {x}, out);
    expect_elements(
        out, bytes, [](std::int64_t) { return kNan; }, true);
  }
}

/// Also where more than there is, or less than nothing, is taken off their number.
TEST_F(Moments, OfNoElementsAreNoNumber) {
  const OpTensor empty(ACL_FLOAT, {3, 0});
  const OpInts dims({1});
  for (const std::int64_t correction : {-3, -1, 0, 5}) {
    SCOPED_TRACE(testing::Message() << "correction " << correction);
    const OpTensor out(ACL_FLOAT, {3});
    const OpTensor mean(ACL_FLOAT, {3});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnVarMeanGetWorkspaceSize(empty.get(), dims.get(), correction, false, out.get(), mean.get(), n, e);
        },
        aclnnVarMean, {&empty, &mean}, out);
    expect_elements(
        out, bytes, [](std::int64_t) { return kNan; }, true);
    expect_elements(
        mean, mean.download(), [](std::int64_t) { return kNan; }, true);
  }
}

TEST_F(Moments, LogSumExpOverflowsOnlyWhereTheResultDoes) {
  const auto log_sum_exp = [](const std::vector<Real>& x) {
    Real highest = -kInf;
    Real sum = 0;
    for (const Real value : x) highest = std::isnan(value) ? value : std::max(highest, value);
    for (const Real value : x) sum += value == highest ? Real{1} : std::exp(value - highest);
    return highest + std::log(sum);
  };
  const auto check_row = [&](const OpTensor& self, const Shape& dims, aclDataType type) {
    check(
        self, dims, false, type, log_sum_exp,
        [&](auto* d, auto* out, auto* n, auto** e) {
          return aclnnLogSumExpGetWorkspaceSize(self.get(), d, false, out, n, e);
        },
        aclnnLogSumExp);
  };
  for (const aclDataType type :
       {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_INT64, ACL_INT8, ACL_UINT8, ACL_BOOL}) {
    OpTensor self(type, {5, 3, 71});
    self.fill_random(4);
    check_row(self, {2}, is_integer(type) ? ACL_FLOAT : type);
    check_row(self, {0, 2}, is_integer(type) ? ACL_FLOAT : type);
  }
  const Real x[] = {1000, 1000, -kInf, -kInf, kInf, 1, kNan, 2, -1000, -1001};
  OpTensor self(ACL_FLOAT, {5, 2});
  self.fill([&](std::int64_t i) { return x[i]; });
  check_row(self, {1}, ACL_FLOAT);
  OpTensor longer(ACL_FLOAT, {2, 20011});
  check_row(longer.fill_random(5), {1}, ACL_FLOAT);
}

TEST_F(Moments, TraceSumsTheDiagonal) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_COMPLEX64, ACL_INT32, ACL_INT8, ACL_BOOL}) {
    OpTensor self(type, {7, 11});
    self.fill_random(6);
    const OpTensor out(is_integer(type) ? ACL_INT64 : type, {});
    Number sum = 0;
    for (std::int64_t i = 0; i < 7; ++i) sum += self.before(12 * i);
    const auto bytes = run([&](auto* n, auto** e) { return aclnnTraceGetWorkspaceSize(self.get(), out.get(), n, e); },
                           aclnnTrace, {&self}, out);
    expect_elements(
        out, bytes, [&](std::int64_t) { return sum; }, is_integer(type));
  }
}

Real norm_of(const std::vector<Real>& x, Real p) {
  Real sum = 0;
  Real most = 0;
  Real least = kInf;
  for (const Real value : x) {
    const Real magnitude = std::fabs(value);
    most = std::max(most, magnitude);
    least = std::min(least, magnitude);
    sum += p == 0 ? Real(value != 0) : std::pow(magnitude, p);
  }
  if (std::isinf(p)) return p > 0 ? most : least;
  return p == 0 ? sum : std::pow(sum, 1 / p);
}

TEST_F(Moments, NormsHaveAnyExponent) {
  for (const aclDataType type : kFloats) {
    OpTensor self(type, {3, 5, 41});
    self.fill_random(7);
    for (const Real p : {Real{0}, Real{1}, Real{2}, Real{3}, Real{0.5}, Real{-1}, kInf, -kInf}) {
      SCOPED_TRACE("dtype " + std::to_string(type) + ", exponent " + std::to_string(p));
      const OpScalar exponent(ACL_FLOAT, p);
      check(
          self, {2}, true, type, [&](const auto& x) { return norm_of(x, p); },
          [&](auto* d, auto* out, auto* n, auto** e) {
            return aclnnNormGetWorkspaceSize(self.get(), exponent.get(), d, true, out, n, e);
          },
          aclnnNorm);
      check(
          self, {0, 1}, false, ACL_FLOAT, [&](const auto& x) { return norm_of(x, p); },
          [&](auto* d, auto* out, auto* n, auto** e) {
            return aclnnLinalgVectorNormGetWorkspaceSize(self.get(), exponent.get(), d, false, ACL_FLOAT, out, n, e);
          },
          aclnnLinalgVectorNorm);
    }
  }
}

TEST_F(Moments, RenormScalesLongSlices) {
  for (const aclDataType type : kFloats) {
    OpTensor self(type, {6, 4, 7});
    self.fill([](std::int64_t i) { return Real((i % 28 + 1) * (i / 28 + 1)) / 64; });
    const OpScalar p(ACL_FLOAT, 2);
    const OpScalar most(ACL_FLOAT, 4);
    const auto expected_element = [&](std::int64_t i) {
      std::vector<Real> slice;
      for (std::int64_t k = 0; k < 28; ++k) slice.push_back(self.before(i / 28 * 28 + k).real());
      const Real norm = norm_of(slice, 2);
      return self.before(i) * Number(norm > 4 ? 4 / (norm + 1e-7L) : 1);
    };
    const OpTensor out(type, {6, 4, 7}, {{1, 6, 24}, 0});
    const auto bytes =
        run([&](auto* n,
                auto** e) { return aclnnRenormGetWorkspaceSize(self.get(), p.get(), 0, most.get(), out.get(), n, e); },
            aclnnRenorm, {&self}, out);
    expect_elements(out, bytes, expected_element, false);
    const auto in_place =
        run([&](auto* n,
                auto** e) { return aclnnInplaceRenormGetWorkspaceSize(self.get(), p.get(), -3, most.get(), n, e); },
            aclnnInplaceRenorm, {}, self);
    expect_elements(self, in_place, expected_element, false);
  }
}

TEST_F(Moments, RenormCountsWhatIsNotZero) {
  OpTensor self(ACL_FLOAT, {3, 7});
  self.fill([](std::int64_t i) { return Number(i % 7 < i / 7 * 3 ? Real(i + 1) : 0); });
  const OpScalar zero(ACL_FLOAT, 0);
  const OpScalar most(ACL_FLOAT, 4);
  const OpTensor out(ACL_FLOAT, {3, 7});
  const auto bytes =
      run([&](auto* n,
              auto** e) { return aclnnRenormGetWorkspaceSize(self.get(), zero.get(), 0, most.get(), out.get(), n, e); },
          aclnnRenorm, {&self}, out);
  const auto expected = [&](std::int64_t i) {
    return self.before(i) * Number(i / 7 == 2 ? 4 / (6 + 1e-7L) : 1);  // rows have 0, 3 and 6 elements
  };
  expect_elements(out, bytes, expected, false);
}

TEST_F(Moments, RefuseWhatDoesNotFit) {
  const OpTensor self(ACL_FLOAT, {3, 7});
  const OpTensor wide(ACL_DOUBLE, {3, 7});
  const OpTensor out(ACL_FLOAT, {3});
  const OpInts dims({1});
  const OpInts outside({-3});
  const OpScalar two(ACL_FLOAT, 2);
  const OpScalar minus(ACL_FLOAT, -1);
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  EXPECT_EQ(aclnnVarGetWorkspaceSize(nullptr, dims.get(), true, false, out.get(), &n, &e), 161001);
  EXPECT_EQ(aclnnVarGetWorkspaceSize(self.get(), nullptr, true, false, out.get(), &n, &e), 161001);
  EXPECT_EQ(aclnnVarGetWorkspaceSize(wide.get(), dims.get(), true, false, out.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnVarGetWorkspaceSize(self.get(), outside.get(), true, false, out.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnVarMeanGetWorkspaceSize(self.get(), dims.get(), 1, false, out.get(), nullptr, &n, &e), 161001);
  EXPECT_EQ(aclnnLogSumExpGetWorkspaceSize(wide.get(), dims.get(), false, out.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnTraceGetWorkspaceSize(out.get(), out.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnNormGetWorkspaceSize(self.get(), nullptr, dims.get(), false, out.get(), &n, &e), 161001);
  EXPECT_EQ(aclnnNormGetWorkspaceSize(self.get(), two.get(), dims.get(), true, out.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnRenormGetWorkspaceSize(self.get(), minus.get(), 0, two.get(), self.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnRenormGetWorkspaceSize(self.get(), two.get(), 0, minus.get(), self.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnRenormGetWorkspaceSize(out.get(), two.get(), 0, two.get(), out.get(), &n, &e), 161002);
}

}  // namespace
}  // namespace aclvk::test
