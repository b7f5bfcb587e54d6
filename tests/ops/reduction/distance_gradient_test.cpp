#include "aclnnop/aclnn_cdist_backward.h"
#include "ops/reduction/distance_reference.hpp"

namespace aclvk::test {
namespace {

struct Views {
  View gradient{};
  View x1{};
  View x2{};
  View distances{};
  View out{};
};

class DistanceGradient : public OpTest {
 protected:
  /// What an element of x1 does to a distance.
  static Real slope(double p, Real difference, Real distance, aclDataType type) {
    const Real sign = difference > 0 ? 1 : difference < 0 ? -1 : difference;
    const Real size = std::fabs(difference);
    if (p == 0) return 0;
    if (p == 1) return sign;
    if (std::isinf(p)) return rounded(size, type).real() == distance ? sign : 0;
    if (distance == 0 || size == 0) return 0;
    return sign * std::pow(size, Real(p) - 1) / std::pow(distance, Real(p) - 1);
  }

  /// For each of the matrices that x2 makes of the rows of x1.
  static std::vector<Real> expected_of_each(double p, const OpTensor& gradient, const OpTensor& x1, const OpTensor& x2,
                                            const OpTensor& distances) {
    const RowPairs pairs(x1.shape(), x2.shape());
    const std::int64_t length = x1.shape().back();
    const std::int64_t columns = pairs.shape().back();
    std::vector<Real> sums(static_cast<std::size_t>(gradient.count() / std::max<std::int64_t>(columns, 1) * length));
    for (std::int64_t i = 0; i < gradient.count(); ++i) {
      const RowPair pair = pairs.of(i);
      for (std::int64_t k = 0; k < length; ++k) {
        const Real difference = x1.before(pair.first * length + k).real() - x2.before(pair.second * length + k).real();
        sums[static_cast<std::size_t>(i / columns * length + k)] +=
            gradient.before(i).real() * slope(p, difference, distances.before(i).real(), x1.type());
      }
    }
    return sums;
  }

  static void check_gradient(double p, const OpTensor& gradient, const OpTensor& x1, const OpTensor& x2,
                             const OpTensor& distances, const OpTensor& out) {
    SCOPED_TRACE("p " + std::to_string(p) + ", dtype " + std::to_string(x1.type()));
    const std::vector<Real> each = expected_of_each(p, gradient, x1, x2, distances);
    Shape all = RowPairs(x1.shape(), x2.shape()).batch();
    all.insert(all.end(), x1.shape().end() - 2, x1.shape().end());
    std::vector<Real> sums(static_cast<std::size_t>(out.count()));
    for (std::size_t i = 0; i < each.size(); ++i) {
      sums[static_cast<std::size_t>(source_of(static_cast<std::int64_t>(i), all, out.shape()))] += each[i];
    }
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnCdistBackwardGetWorkspaceSize(gradient.get(), x1.get(), x2.get(), distances.get(),
                                                    static_cast<float>(p), out.get(), n, e);
        },
        aclnnCdistBackward, {&gradient, &x1, &x2, &distances}, out);
    expect_elements(
        out, bytes, [&](std::int64_t i) -> Number { return rounded(sums[static_cast<std::size_t>(i)], out.type()); },
        false);
  }

  static void check_random(aclDataType type, const Shape& first, const Shape& second, double p, const Shape& result,
                           const Views& views = {}) {
    OpTensor x1(type, first, views.x1);
    OpTensor x2(type, second, views.x2);
    const RowPairs pairs(first, second);
    OpTensor gradient(type, pairs.shape(), views.gradient);
    OpTensor distances(type, pairs.shape(), views.distances);
    x1.fill_random(3);
    x2.fill_random(5);
    gradient.fill_random(7);
    distances.fill([&](std::int64_t i) -> Number {
      const RowPair pair = pairs.of(i);
      return distance_of(p, x1, pair.first, x2, pair.second, first.back());
    });
    check_gradient(p, gradient, x1, x2, distances, OpTensor(type, result, views.out));
  }
};

TEST_F(DistanceGradient, SumsWhatAllDistancesAdd) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const double p : kExponents) check_random(type, {5, 13}, {7, 13}, p, {5, 13});
  }
  check_random(ACL_FLOAT, {1, 1}, {1, 1}, 2, {1, 1});
  check_random(ACL_FLOAT, {67, 71}, {3, 71}, 2, {67, 71});
}

TEST_F(DistanceGradient, IsOfAllMatricesOrOfX1) {
  check_random(ACL_FLOAT, {3, 5, 7}, {3, 2, 7}, 2, {3, 5, 7});
  check_random(ACL_FLOAT, {5, 7}, {3, 2, 7}, 1, {3, 5, 7});
  check_random(ACL_FLOAT, {5, 7}, {3, 2, 7}, 3, {5, 7});
  check_random(ACL_FLOAT16, {3, 1, 5, 7}, {2, 2, 7}, 2, {3, 1, 5, 7});
  check_random(ACL_FLOAT, {3, 1, 5, 7}, {2, 2, 7}, 2, {3, 2, 5, 7});
  check_random(ACL_FLOAT, {2, 5, 7}, {2, 7}, 2, {2, 5, 7});
}

TEST_F(DistanceGradient, TensorsMayBeAnyView) {
  check_random(ACL_FLOAT, {5, 13}, {7, 13}, 2, {5, 13},
               {{{1, 6}, 3}, {{17, 1}, 1}, {{1, 8}, 2}, {{11, 1}, 4}, {{1, 5}, 2}});
  check_random(ACL_FLOAT16, {2, 5, 3}, {2, 7, 3}, 1.5, {2, 5, 3},
               {{{0, 0, 1}}, {{0, 4, 1}, 1}, {{3, 6, 2}, 1}, {{35, 7, 1}}, {{1, 2, 10}, 3}});
}

TEST_F(DistanceGradient, OfEqualRowsIsZero) {
  OpTensor x(ACL_FLOAT, {3, 5});
  OpTensor gradient(ACL_FLOAT, {3, 3});
  OpTensor distances(ACL_FLOAT, {3, 3});
  x.fill_random(3);
  gradient.fill_random(5);
  for (const double p : kExponents) {
    distances.fill([&](std::int64_t i) -> Number { return distance_of(p, x, i / 3, x, i % 3, 5); });
    check_gradient(p, gradient, x, x, distances, OpTensor(ACL_FLOAT, {3, 5}));
  }
}

TEST_F(DistanceGradient, OfEqualElementsIsZero) {
  OpTensor x1(ACL_FLOAT, {2, 4});
  OpTensor x2(ACL_FLOAT, {3, 4});
  OpTensor gradient(ACL_FLOAT, {2, 3});
  OpTensor distances(ACL_FLOAT, {2, 3});
  x1.fill([](std::int64_t i) { return Real(i % 3); });
  x2.fill([](std::int64_t i) { return Real(i % 2); });
  gradient.fill_random(5);
  for (const double p : kExponents) {
    distances.fill([&](std::int64_t i) -> Number { return distance_of(p, x1, i / 3, x2, i % 3, 4); });
    check_gradient(p, gradient, x1, x2, distances, OpTensor(ACL_FLOAT, {2, 4}));
  }
}

TEST_F(DistanceGradient, OfNothingIsZero) {
  check_random(ACL_FLOAT, {3, 5}, {0, 5}, 2, {3, 5});
  check_random(ACL_FLOAT, {0, 5}, {2, 5}, 2, {0, 5});
  check_random(ACL_FLOAT, {3, 0}, {2, 0}, 2, {3, 0});
  check_random(ACL_FLOAT, {1, 3, 5}, {0, 2, 5}, 2, {1, 3, 5});
}

TEST_F(DistanceGradient, GoesThroughMoreRowsThanALoopHasIterations) {
  check_random(ACL_FLOAT, {1, 2}, {70001, 2}, 2, {1, 2});
  check_random(ACL_FLOAT, {1, 1}, {70001, 1}, 1, {1, 1}, {{{1, 2}}, {}, {}, {}, {}});
}

TEST_F(DistanceGradient, RefusesOthers) {
  const OpTensor gradient(ACL_FLOAT, {3, 2});
  const OpTensor x1(ACL_FLOAT, {3, 5});
  const OpTensor x2(ACL_FLOAT, {2, 5});
  const OpTensor distances(ACL_FLOAT, {3, 2});
  const OpTensor out(ACL_FLOAT, {3, 5});
  const OpTensor half(ACL_FLOAT16, {3, 5});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const OpTensor* g, const OpTensor* a, const OpTensor* b, const OpTensor* d, const OpTensor* y,
                        float p = 2) {
    const auto of = [](const OpTensor* tensor) { return tensor ? tensor->get() : nullptr; };
    return aclnnCdistBackwardGetWorkspaceSize(of(g), of(a), of(b), of(d), p, of(y), &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, &x1, &x2, &distances, &out), 161001);
  EXPECT_EQ(plan(&gradient, nullptr, &x2, &distances, &out), 161001);
  EXPECT_EQ(plan(&gradient, &x1, nullptr, &distances, &out), 161001);
  EXPECT_EQ(plan(&gradient, &x1, &x2, nullptr, &out), 161001);
  EXPECT_EQ(plan(&gradient, &x1, &x2, &distances, nullptr), 161001);
  EXPECT_EQ(plan(&gradient, &x1, &x2, &distances, &half), 161002);
  EXPECT_EQ(plan(&out, &x1, &x2, &distances, &out), 161002);
  EXPECT_EQ(plan(&gradient, &x1, &x2, &x2, &out), 161002);
  EXPECT_EQ(plan(&gradient, &x1, &x2, &distances, &x2), 161002);
  EXPECT_EQ(plan(&gradient, &x1, &x2, &distances, &out, -1), 161002);
  EXPECT_EQ(plan(&gradient, &x1, &x2, &distances, &x1), 161002) << "x1 is read when its rows are written";
}

}  // namespace
}  // namespace aclvk::test
