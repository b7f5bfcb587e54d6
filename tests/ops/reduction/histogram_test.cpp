#include "aclnnop/aclnn_bincount.h"
#include "aclnnop/aclnn_histc.h"
#include "support/op_fixture.hpp"

namespace aclvk::test {
namespace {

class Histograms : public OpTest {
 protected:
  static void check(const OpTensor& self, std::int64_t bins, Real low, Real high) {
    SCOPED_TRACE("dtype " + std::to_string(self.type()));
    const OpScalar min(ACL_FLOAT, low);
    const OpScalar max(ACL_FLOAT, high);
    const OpTensor out(self.type(), {bins});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnHistcGetWorkspaceSize(self.get(), bins, min.get(), max.get(), out.get(), n, e);
        },
        aclnnHistc, {&self}, out);
    if (low == high) {
      low = high = self.before(0).real();
      for (std::int64_t i = 0; i < self.count(); ++i) {
        low = std::min(low, self.before(i).real());
        high = std::max(high, self.before(i).real());
      }
    }
    std::vector<Real> counts(static_cast<std::size_t>(bins));
    for (std::int64_t i = 0; i < self.count(); ++i) {
      const Real x = self.before(i).real();
      if (!(x >= low && x <= high)) continue;
      const auto bin = static_cast<std::int64_t>(std::floor((x - low) * static_cast<Real>(bins) / (high - low)));
      ++counts[static_cast<std::size_t>(std::min(bin, bins - 1))];
    }
    expect_elements(
        out, bytes, [&](std::int64_t i) { return counts[static_cast<std::size_t>(i)]; }, true);
  }
};

TEST_F(Histograms, CountElementsInBins) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT64, ACL_INT16, ACL_INT8, ACL_UINT8}) {
    OpTensor self(type, {3, 37}, {{1, 4}, 2});
    self.fill([&](std::int64_t i) { return is_integer(type) ? Real(i * 7 % 60) : Real(i * 7 % 64) / 4 + 0.125L; });
    check(self, 8, 0, 16);
    check(self, 5, 4, 44);
    check(self, 6, 0, 0);
  }
}

TEST_F(Histograms, CountManyElements) {
  OpTensor self(ACL_FLOAT, {30011});
  self.fill([](std::int64_t i) { return Real(i % 1024) / 4 + 0.125L; });
  check(self, 64, 0, 256);
}

TEST_F(Histograms, LeaveOutNoNumbers) {
  OpTensor self(ACL_FLOAT, {8});
  const Real x[] = {std::numeric_limits<Real>::quiet_NaN(), 1, 2, -1, 4, 3.5L,
                    std::numeric_limits<Real>::infinity(),  0};
  self.fill([&](std::int64_t i) { return x[i]; });
  check(self, 4, 0, 4);
}

TEST_F(Histograms, CountNumbers) {
  for (const aclDataType type : {ACL_INT32, ACL_INT64, ACL_INT16, ACL_INT8, ACL_UINT8}) {
    for (const aclDataType result : {ACL_INT32, ACL_INT64, ACL_FLOAT, ACL_DOUBLE}) {
      OpTensor self(type, {1501}, {{2}, 1});
      self.fill([](std::int64_t i) { return Real(i * i % 37); });
      const OpTensor out(result, {41});
      const auto bytes = run(
          [&](auto* n, auto** e) { return aclnnBincountGetWorkspaceSize(self.get(), nullptr, 41, out.get(), n, e); },
          aclnnBincount, {&self}, out);
      Real counts[41] = {};
      for (std::int64_t i = 0; i < 1501; ++i) ++counts[static_cast<std::size_t>(self.before(i).real())];
      expect_elements(
          out, bytes, [&](std::int64_t i) { return counts[i]; }, true);
    }
  }
}

TEST_F(Histograms, SumWeightsOfNumbers) {
  struct Case {
    aclDataType weights, out;
  };
  for (const Case& c : {Case{ACL_FLOAT, ACL_FLOAT}, Case{ACL_DOUBLE, ACL_DOUBLE}, Case{ACL_INT32, ACL_DOUBLE}}) {
    OpTensor self(ACL_INT64, {997});
    OpTensor weights(c.weights, {997});
    self.fill([](std::int64_t i) { return Real(i * i % 23); });
    weights.fill_random(1);
    const OpTensor out(c.out, {25});
    const auto bytes = run(
        [&](auto* n, auto** e) { return aclnnBincountGetWorkspaceSize(self.get(), weights.get(), 0, out.get(), n, e); },
        aclnnBincount, {&self, &weights}, out);
    Real sums[25] = {};
    for (std::int64_t i = 0; i < 997; ++i)
      sums[static_cast<std::size_t>(self.before(i).real())] += weights.before(i).real();
    expect_elements(
        out, bytes, [&](std::int64_t i) { return sums[i]; }, false);
  }
}

TEST_F(Histograms, OfNothingAreZero) {
  const OpTensor self(ACL_INT32, {0});
  const OpTensor out(ACL_INT64, {3});
  const auto bytes =
      run([&](auto* n, auto** e) { return aclnnBincountGetWorkspaceSize(self.get(), nullptr, 3, out.get(), n, e); },
          aclnnBincount, {&self}, out);
  expect_elements(
      out, bytes, [](std::int64_t) { return 0; }, true);
}

TEST_F(Histograms, RefuseWhatDoesNotFit) {
  const OpTensor self(ACL_FLOAT, {9});
  const OpTensor whole(ACL_INT32, {9});
  const OpTensor matrix(ACL_INT32, {3, 3});
  const OpTensor out(ACL_FLOAT, {4});
  const OpScalar low(ACL_FLOAT, 1);
  const OpScalar high(ACL_FLOAT, 2);
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  const auto histc = [&](const aclTensor* x, std::int64_t bins, const aclScalar* min, const aclScalar* max) {
    return aclnnHistcGetWorkspaceSize(x, bins, min, max, out.get(), &n, &e);
  };
  EXPECT_EQ(histc(nullptr, 4, low.get(), high.get()), 161001);
  EXPECT_EQ(histc(self.get(), 4, nullptr, high.get()), 161001);
  EXPECT_EQ(histc(self.get(), 0, low.get(), high.get()), 161002);
  EXPECT_EQ(histc(self.get(), 5, low.get(), high.get()), 161002);
  EXPECT_EQ(histc(self.get(), 4, high.get(), low.get()), 161002);
  EXPECT_EQ(aclnnBincountGetWorkspaceSize(nullptr, nullptr, 4, out.get(), &n, &e), 161001);
  EXPECT_EQ(aclnnBincountGetWorkspaceSize(self.get(), nullptr, 4, out.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnBincountGetWorkspaceSize(matrix.get(), nullptr, 4, out.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnBincountGetWorkspaceSize(whole.get(), nullptr, 5, out.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnBincountGetWorkspaceSize(whole.get(), nullptr, -1, out.get(), &n, &e), 161002);
}

}  // namespace
}  // namespace aclvk::test
