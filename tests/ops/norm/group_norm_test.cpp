#include "aclnnop/aclnn_group_norm.h"
#include "aclnnop/aclnn_group_norm_silu.h"
#include "aclnnop/aclnn_group_norm_swish.h"
#include "aclnnop/aclnn_instance_norm.h"
#include "support/reduced.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
constexpr double kEpsilon = 1e-5;

class GroupNorms : public OpTest {
 protected:
  /// Which row of statistics, and which channel, an element of x belongs to.
  using IndexMap = std::function<std::int64_t(std::int64_t)>;

  struct Statistics {
    std::vector<Real> means;
    std::vector<Real> variances;
  };

  static Statistics statistics(const OpTensor& x, std::int64_t rows, const IndexMap& row_of) {
    std::vector<Real> sums(static_cast<std::size_t>(rows));
    std::vector<Real> squares(sums.size());
    const Real count = static_cast<Real>(x.count() / rows);
    for (std::int64_t i = 0; i < x.count(); ++i)
      sums[static_cast<std::size_t>(row_of(i))] += x.before(i).real() / count;
    for (std::int64_t i = 0; i < x.count(); ++i) {
      const auto row = static_cast<std::size_t>(row_of(i));
      squares[row] += std::pow(x.before(i).real() - sums[row], 2) / count;
    }
    return {sums, squares};
  }

  static Real swish(Real y, Real scale) { return y / (1 + std::exp(-scale * y)); }

  static void expect_others(const OpTensor& out, const std::function<Number(std::int64_t)>& expected) {
    const auto bytes = out.download();
    EXPECT_TRUE(out.only_elements_changed(bytes));
    expect_elements(out, bytes, expected, false);
  }

  using PlanWith = std::function<aclnnStatus(const aclTensor*, const aclTensor*, const aclTensor*, aclTensor*,
                                             aclTensor*, aclTensor*, uint64_t*, aclOpExecutor**)>;
  /// x of shape (3, 12, 5, 7) in four groups.
  static void check(aclDataType type, const View& view, bool parameters, const std::function<Real(Real)>& activation,
                    const PlanWith& plan, Launch launch) {
    SCOPED_TRACE("dtype " + std::to_string(type));
    OpTensor x(type, {3, 12, 5, 7}, view);
    OpTensor gamma(type, {12});
    OpTensor beta(type, {12});
    x.fill_random(1);
    gamma.fill_random(2);
    beta.fill_random(3);
    const OpTensor out(type, {3, 12, 5, 7});
    const OpTensor mean(type, {3, 4});
    const OpTensor rstd(type, {3, 4});
    const IndexMap group_of = [](std::int64_t i) { return i / 105; };
    const auto rows = statistics(x, 12, group_of);
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return plan(x.get(), parameters ? gamma.get() : nullptr, parameters ? beta.get() : nullptr, out.get(),
                      mean.get(), rstd.get(), n, e);
        },
        launch, {&x, &gamma, &beta, &mean, &rstd}, out);
    const auto scale = [&](std::int64_t row) {
      return 1 / std::sqrt(rows.variances[static_cast<std::size_t>(row)] + kEpsilon);
    };
    expect_elements(
        out, bytes,
        [&](std::int64_t i) -> Number {
          const std::int64_t row = group_of(i);
          const std::int64_t channel = i / 35 % 12;
          Real y = (x.before(i).real() - rows.means[static_cast<std::size_t>(row)]) * scale(row);
          if (parameters) y = y * gamma.before(channel).real() + beta.before(channel).real();
          return activation(y);
        },
        false);
    expect_others(mean, [&](std::int64_t i) -> Number { return rows.means[static_cast<std::size_t>(i)]; });
    expect_others(rstd, [&](std::int64_t i) -> Number { return scale(i); });
  }
};

Real same(Real y) { return y; }

TEST_F(GroupNorms, NormaliseGroupsOfChannels) {
  const PlanWith plan = [](auto* x, auto* gamma, auto* beta, auto* out, auto* mean, auto* rstd, auto* n, auto** e) {
    return aclnnGroupNormGetWorkspaceSize(x, gamma, beta, 3, 12, 35, 4, kEpsilon, out, mean, rstd, n, e);
  };
  for (const aclDataType type : kTypes) {
    check(type, {}, true, same, plan, aclnnGroupNorm);
    check(type, {{1, 3, 36, 180}, 2}, true, same, plan, aclnnGroupNorm);
    check(type, {}, false, same, plan, aclnnGroupNorm);
  }
}

TEST_F(GroupNorms, Activate) {
  for (const aclDataType type : kTypes) {
    check(
        type, {}, true, [](Real y) { return swish(y, 1); },
        [](auto* x, auto* gamma, auto* beta, auto* out, auto* mean, auto* rstd, auto* n, auto** e) {
          return aclnnGroupNormSiluGetWorkspaceSize(x, gamma, beta, 4, kEpsilon, out, mean, rstd, n, e);
        },
        aclnnGroupNormSilu);
    check(
        type, {}, false, same,
        [](auto* x, auto* gamma, auto* beta, auto* out, auto* mean, auto* rstd, auto* n, auto** e) {
          return aclnnGroupNormSiluV2GetWorkspaceSize(x, gamma, beta, 4, kEpsilon, false, out, mean, rstd, n, e);
        },
        aclnnGroupNormSiluV2);
    check(
        type, {}, true, [](Real y) { return swish(y, 1.5L); },
        [](auto* x, auto* gamma, auto* beta, auto* out, auto* mean, auto* rstd, auto* n, auto** e) {
          return aclnnGroupNormSwishGetWorkspaceSize(x, gamma, beta, 4, nullptr, kEpsilon, true, 1.5, out, mean, rstd,
                                                     n, e);
        },
        aclnnGroupNormSwish);
  }
}

TEST_F(GroupNorms, InstancesAreChannelsOfImages) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    for (const bool last : {false, true}) {
      const Shape shape = last ? Shape{2, 5, 7, 6} : Shape{2, 6, 5, 7};
      const Shape one = last ? Shape{2, 1, 1, 6} : Shape{2, 6, 1, 1};
      OpTensor x(type, shape);
      OpTensor gamma(type, {6});
      OpTensor beta(type, {6});
      x.fill_random(4);
      gamma.fill_random(5);
      beta.fill_random(6);
      const OpTensor y(type, shape);
      const OpTensor mean(type, one);
      const OpTensor variance(type, one);
      const IndexMap row_of = [&](std::int64_t i) { return last ? i / 210 * 6 + i % 6 : i / 35; };
      const auto rows = statistics(x, 12, row_of);
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnInstanceNormGetWorkspaceSize(x.get(), gamma.get(), beta.get(), last ? "NHWC" : "NCHW", kEpsilon,
                                                     y.get(), mean.get(), variance.get(), n, e);
          },
          aclnnInstanceNorm, {&x, &gamma, &beta, &mean, &variance}, y);
      expect_elements(
          y, bytes,
          [&](std::int64_t i) -> Number {
            const auto row = static_cast<std::size_t>(row_of(i));
            const Real normal = (x.before(i).real() - rows.means[row]) / std::sqrt(rows.variances[row] + kEpsilon);
            return normal * gamma.before(row_of(i) % 6).real() + beta.before(row_of(i) % 6).real();
          },
          false);
      expect_others(mean, [&](std::int64_t i) -> Number { return rows.means[static_cast<std::size_t>(i)]; });
      expect_others(variance, [&](std::int64_t i) -> Number { return rows.variances[static_cast<std::size_t>(i)]; });
    }
  }
}

TEST_F(GroupNorms, RefuseWhatDoesNotFit) {
  const OpTensor x(ACL_FLOAT, {2, 6, 5});
  const OpTensor row(ACL_FLOAT, {6});
  const OpTensor statistics(ACL_FLOAT, {2, 3});
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  std::int64_t places = 5;
  const auto plan = [&](auto* input, auto* gamma, std::int64_t channels, std::int64_t groups, auto* out, auto* mean) {
    return aclnnGroupNormGetWorkspaceSize(input, gamma, nullptr, 2, channels, places, groups, kEpsilon, out, mean,
                                          statistics.get(), &n, &e);
  };
  aclTensor* none = nullptr;
  EXPECT_EQ(plan(none, none, 6, 3, x.get(), statistics.get()), 161001);
  EXPECT_EQ(plan(x.get(), none, 6, 3, none, statistics.get()), 161001);
  EXPECT_EQ(plan(x.get(), none, 6, 3, x.get(), none), 161001);
  EXPECT_EQ(plan(x.get(), statistics.get(), 6, 3, x.get(), statistics.get()), 161002);
  EXPECT_EQ(plan(x.get(), none, 5, 3, x.get(), statistics.get()), 161002);
  EXPECT_EQ(plan(x.get(), none, 6, 4, x.get(), statistics.get()), 161002);
  EXPECT_EQ(plan(x.get(), none, 6, 0, x.get(), statistics.get()), 161002);
  EXPECT_EQ(plan(x.get(), none, 6, 3, row.get(), statistics.get()), 161002);
  EXPECT_EQ(plan(x.get(), none, 6, 2, x.get(), statistics.get()), 161002);
  EXPECT_EQ(plan(row.get(), none, 6, 3, row.get(), statistics.get()), 161002);
  const std::int64_t channels = 6;
  const std::int64_t step = 2;
  const std::int64_t storage = 12;
  aclTensor* const in_statistics =
      aclCreateTensor(&channels, 1, ACL_FLOAT, &step, 0, ACL_FORMAT_ND, &storage, 1, statistics.memory());
  const OpTensor mean(ACL_FLOAT, {2, 3});
  EXPECT_EQ(plan(x.get(), in_statistics, 6, 3, x.get(), mean.get()), 161002);
  EXPECT_EQ(aclDestroyTensor(in_statistics), 0);
  for (const std::int64_t wrong : {std::int64_t{4}, std::int64_t{-5}, (std::int64_t{1} << 62) + 5}) {
    places = wrong;
    EXPECT_EQ(plan(x.get(), none, 6, 3, x.get(), mean.get()), 161002) << wrong;
  }
}

}  // namespace
}  // namespace aclvk::test
