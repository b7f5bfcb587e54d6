#include "aclnnop/aclnn_cdist.h"
#include "aclnnop/aclnn_pdist.h"
#include "aclnnop/aclnn_pdist_forward.h"
#include "ops/reduction/distance_reference.hpp"

namespace aclvk::test {
namespace {

class Distance : public OpTest {
 protected:
  static Plan plan_cdist(const OpTensor& x1, const OpTensor& x2, double p, const OpTensor& out) {
    return [&, p](auto* n, auto** e) {
      return aclnnCdistGetWorkspaceSize(x1.get(), x2.get(), static_cast<float>(p), 1, out.get(), n, e);
    };
  }

  static void check_cdist(const OpTensor& x1, const OpTensor& x2, double p, const OpTensor& out) {
    SCOPED_TRACE("p " + std::to_string(p) + ", dtype " + std::to_string(x1.type()));
    const auto bytes = run(plan_cdist(x1, x2, p, out), aclnnCdist, {&x1, &x2}, out);
    const RowPairs pairs(x1.shape(), x2.shape());
    const auto expected = [&](std::int64_t i) -> Number {
      const RowPair pair = pairs.of(i);
      return rounded(distance_of(p, x1, pair.first, x2, pair.second, x1.shape().back()), out.type());
    };
    expect_elements(out, bytes, expected, p == 0);
  }

  static void check_random(aclDataType type, const Shape& first, const Shape& second, double p,
                           const View& first_view = {}, const View& second_view = {}, const View& out_view = {}) {
    OpTensor x1(type, first, first_view);
    OpTensor x2(type, second, second_view);
    x1.fill_random(3);
    x2.fill_random(5);
    const OpTensor out(type, RowPairs(first, second).shape(), out_view);
    check_cdist(x1, x2, p, out);
  }

  /// Pairs of rows in the order (0, 1), (0, 2), ... (1, 2), ...
  static std::vector<RowPair> pairs_of(std::int64_t points) {
    std::vector<RowPair> pairs;
    for (std::int64_t i = 0; i < points; ++i) {
      for (std::int64_t j = i + 1; j < points; ++j) pairs.push_back({i, j});
    }
    return pairs;
  }

  static void check_pdist(const OpTensor& self, double p, const View& out_view = {}) {
    SCOPED_TRACE("p " + std::to_string(p) + ", dtype " + std::to_string(self.type()));
    const auto pairs = pairs_of(self.shape()[0]);
    const OpTensor out(self.type(), {static_cast<std::int64_t>(pairs.size())}, out_view);
    const auto bytes =
        run([&](auto* n,
                auto** e) { return aclnnPdistGetWorkspaceSize(self.get(), static_cast<float>(p), out.get(), n, e); },
            aclnnPdist, {&self}, out);
    const auto expected = [&](std::int64_t i) -> Number {
      const RowPair pair = pairs[static_cast<std::size_t>(i)];
      return rounded(distance_of(p, self, pair.first, self, pair.second, self.shape()[1]), out.type());
    };
    expect_elements(out, bytes, expected, false);
    const OpScalar exponent(ACL_FLOAT, Real(p));
    const auto same =
        run([&](auto* n,
                auto** e) { return aclnnPdistForwardGetWorkspaceSize(self.get(), exponent.get(), out.get(), n, e); },
            aclnnPdistForward, {&self}, out);
    EXPECT_TRUE(same == bytes) << "aclnnPdistForward has another result";
  }

  static void check_random_pdist(aclDataType type, const Shape& shape, double p, const View& view = {},
                                 const View& out_view = {}) {
    OpTensor self(type, shape, view);
    self.fill_random(7);
    check_pdist(self, p, out_view);
  }
};

TEST_F(Distance, IsTheNormOfDifferences) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const double p : kExponents) check_random(type, {5, 13}, {7, 13}, p);
  }
  check_random(ACL_FLOAT, {1, 1}, {1, 1}, 2);
  check_random(ACL_FLOAT, {1, 257}, {3, 257}, 3);
}

TEST_F(Distance, RowsMayBeLong) {
  for (const double p : {0.0, 2.0, kInfinity}) check_random(ACL_FLOAT, {2, 1024}, {3, 1024}, p);
  check_random(ACL_FLOAT16, {2, 2048}, {3, 2048}, 1);
  check_random(ACL_FLOAT, {1, 70001}, {2, 70001}, 2);
  check_random(ACL_FLOAT, {1, 70001}, {1, 70001}, 1, {{1, 2}}, {{1, 3}});
}

TEST_F(Distance, LeadingDimsBroadcast) {
  check_random(ACL_FLOAT, {3, 5, 7}, {3, 2, 7}, 2);
  check_random(ACL_FLOAT, {3, 1, 5, 7}, {2, 2, 7}, 1);
  check_random(ACL_FLOAT16, {5, 7}, {3, 2, 7}, kInfinity);
  check_random(ACL_FLOAT, {2, 1, 1, 2, 1, 1, 3, 5}, {1, 3, 1, 1, 1, 2, 2, 5}, 2);
}

TEST_F(Distance, TensorsMayBeAnyView) {
  check_random(ACL_FLOAT, {5, 13}, {7, 13}, 2, {{1, 6}, 3}, {{17, 1}, 1}, {{1, 5}, 2});
  check_random(ACL_FLOAT16, {5, 16}, {7, 16}, 1, {{0, 1}, 1}, {{32, 2}, 3}, {{9, 1}, 1});
  check_random(ACL_BF16, {2, 5, 16}, {2, 7, 16}, 1.5, {{0, 16, 1}}, {{1, 2, 14}}, {});
}

TEST_F(Distance, CountsElementsThatDiffer) {
  OpTensor x1(ACL_FLOAT, {3, 11});
  OpTensor x2(ACL_FLOAT, {2, 11});
  x1.fill([](std::int64_t i) { return Real(i % 3); });
  x2.fill([](std::int64_t i) { return Real(i % 2); });
  const OpTensor out(ACL_FLOAT, {3, 2});
  check_cdist(x1, x2, 0, out);
}

TEST_F(Distance, OfNotANumberIsNone) {
  OpTensor x1(ACL_FLOAT, {3, 19});
  OpTensor x2(ACL_FLOAT, {2, 19});
  x1.fill_random(3);
  x2.fill([](std::int64_t i) { return i == 7 ? std::numeric_limits<Real>::quiet_NaN() : i == 23 ? kInfinity : i; });
  const OpTensor out(ACL_FLOAT, {3, 2});
  for (const double p : {1.0, 2.0, 2.5, kInfinity}) check_cdist(x1, x2, p, out);
}

TEST_F(Distance, OfNothingIsZero) {
  for (const double p : {0.0, 2.0, kInfinity}) check_random(ACL_FLOAT, {3, 0}, {2, 0}, p);
  check_random(ACL_FLOAT, {0, 5}, {2, 5}, 2);
  check_random(ACL_FLOAT, {3, 5}, {0, 5}, 2);
  check_random(ACL_FLOAT, {0, 3, 5}, {1, 2, 5}, 2);
  for (const Shape& shape : {Shape{0, 3}, Shape{1, 3}, Shape{4, 0}}) check_random_pdist(ACL_FLOAT, shape, 2);
}

TEST_F(Distance, OfPairsOfRows) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    for (const double p : kExponents) check_random_pdist(type, {11, 7}, p);
  }
  check_random_pdist(ACL_FLOAT, {2, 1}, 2);
  check_random_pdist(ACL_FLOAT, {3, 256}, 2);
  check_random_pdist(ACL_FLOAT16, {17, 64}, 1);
  check_random_pdist(ACL_FLOAT, {400, 3}, 2);
}

TEST_F(Distance, PairsMayBeOfAnyView) {
  check_random_pdist(ACL_FLOAT, {11, 17}, 2, {{1, 13}, 5}, {{3}, 2});
  check_random_pdist(ACL_FLOAT, {6, 32}, 1, {{32, 1}, 1}, {{1}, 1});
  check_random_pdist(ACL_FLOAT16, {6, 32}, 3, {{40, 1}, 0}, {{2}, 1});
  check_random_pdist(ACL_FLOAT, {6, 9}, 2, {{0, 1}, 0});
}

TEST_F(Distance, RefusesOthers) {
  const OpTensor x1(ACL_FLOAT, {3, 5});
  const OpTensor x2(ACL_FLOAT, {2, 5});
  const OpTensor out(ACL_FLOAT, {3, 2});
  const OpTensor half(ACL_FLOAT16, {3, 5});
  const OpTensor wide(ACL_DOUBLE, {3, 5});
  const OpTensor vector(ACL_FLOAT, {5});
  const OpTensor batch(ACL_FLOAT, {3, 2, 5});
  const OpTensor batches(ACL_FLOAT, {2, 2, 5});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* a, const aclTensor* b, double p, int64_t mode, aclTensor* y) {
    return aclnnCdistGetWorkspaceSize(a, b, static_cast<float>(p), mode, y, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, x2.get(), 2, 0, out.get()), 161001);
  EXPECT_EQ(plan(x1.get(), nullptr, 2, 0, out.get()), 161001);
  EXPECT_EQ(plan(x1.get(), x2.get(), 2, 0, nullptr), 161001);
  EXPECT_EQ(plan(half.get(), x2.get(), 2, 0, out.get()), 161002);
  EXPECT_EQ(plan(wide.get(), wide.get(), 2, 0, wide.get()), 161002);
  EXPECT_EQ(plan(vector.get(), x2.get(), 2, 0, out.get()), 161002);
  EXPECT_EQ(plan(x1.get(), out.get(), 2, 0, out.get()), 161002) << "rows of another length";
  EXPECT_EQ(plan(batch.get(), batches.get(), 2, 0, out.get()), 161002);
  EXPECT_EQ(plan(x1.get(), x2.get(), 2, 0, x1.get()), 161002);
  EXPECT_EQ(plan(x1.get(), x2.get(), -1, 0, out.get()), 161002);
  EXPECT_EQ(plan(x1.get(), x2.get(), std::numeric_limits<double>::quiet_NaN(), 0, out.get()), 161002);
  EXPECT_EQ(plan(x1.get(), x2.get(), 2, 3, out.get()), 161002);
  EXPECT_EQ(plan(x1.get(), x2.get(), 2, -1, out.get()), 161002);
  const OpTensor square(ACL_FLOAT, {5, 5});
  EXPECT_EQ(plan(square.get(), square.get(), 2, 0, square.get()), 161002) << "rows are read when others are written";
}

TEST_F(Distance, RefusesOtherPairs) {
  const OpTensor self(ACL_FLOAT, {3, 5});
  const OpTensor out(ACL_FLOAT, {3});
  const OpTensor four(ACL_FLOAT, {4});
  const OpTensor short_half(ACL_BF16, {3, 5});
  const OpTensor short_out(ACL_BF16, {3});
  const OpScalar two(ACL_DOUBLE, Real(2));
  const OpScalar negative(ACL_FLOAT, Real(-2));
  const OpScalar complex(ACL_COMPLEX64, Real(2));
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* x, const aclScalar* p, aclTensor* y) {
    return aclnnPdistForwardGetWorkspaceSize(x, p, y, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, two.get(), out.get()), 161001);
  EXPECT_EQ(plan(self.get(), nullptr, out.get()), 161001);
  EXPECT_EQ(plan(self.get(), two.get(), nullptr), 161001);
  EXPECT_EQ(plan(self.get(), negative.get(), out.get()), 161002);
  EXPECT_EQ(plan(self.get(), complex.get(), out.get()), 161002);
  EXPECT_EQ(plan(self.get(), two.get(), four.get()), 161002);
  EXPECT_EQ(plan(out.get(), two.get(), out.get()), 161002);
  EXPECT_EQ(plan(short_half.get(), two.get(), short_out.get()), 161002);
  EXPECT_EQ(aclnnPdistGetWorkspaceSize(self.get(), -1, out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnPdistGetWorkspaceSize(nullptr, 1, out.get(), &size, &executor), 161001);
}

}  // namespace
}  // namespace aclvk::test
