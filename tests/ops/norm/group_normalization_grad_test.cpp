#include <limits>

#include "aclnnop/aclnn_group_normalization_grad.h"
#include "ops/norm/gradient_reference.hpp"

namespace aclvk::test {
namespace {

/// aclnnGroupNormalizationGrad of x (batch, groups, elements).
class GroupNormalizationGradients : public GradientTest {
 protected:
  struct Case {
    OpTensor x;
    OpTensor dy;
    OpTensor gamma;
    OpTensor mean;
    OpTensor rstd;
    OpTensor dx;

    Case(aclDataType type, const Shape& shape, const Shape& of_gamma, const Shape& statistics, const View& x_view = {},
         const View& gamma_view = {}, const View& dx_view = {})
        : x(type, shape, x_view),
          dy(type, shape),
          gamma(type, of_gamma, gamma_view),
          mean(type, statistics),
          rstd(type, statistics),
          dx(type, shape, dx_view) {
      x.fill_random(1);
      dy.fill_random(2);
      gamma.fill_random(3);
      mean.fill_random(4);
      fill_scales(rstd, 5);
    }
    Case(aclDataType type, const Shape& shape, const Shape& of_gamma)
        : Case(type, shape, of_gamma, {shape[0], shape[1]}) {}

    Real gamma_of(std::int64_t i) const {
      const Shape at = coordinates_of(i, x.shape());
      Shape own(gamma.shape().size());
      for (std::size_t k = 0; k < own.size(); ++k) {
        own[k] = gamma.shape()[k] == 1 ? 0 : at[at.size() - own.size() + k];
      }
      return gamma.before(element_at(own, gamma.shape())).real();
    }

    /// The formula of the operator's document, in which gamma multiplies the sums.
    std::vector<Real> expected() const {
      const std::int64_t count = x.shape()[2];
      std::vector<Real> all(static_cast<std::size_t>(x.count()));
      for (std::int64_t row = 0; count > 0 && row < x.count() / count; ++row) {
        const Real r = rstd.before(row).real();
        const auto normal = [&](std::int64_t i) { return (x.before(i).real() - mean.before(row).real()) * r; };
        Real sum = 0;
        Real product = 0;
        for (std::int64_t i = row * count; i < (row + 1) * count; ++i) {
          sum += dy.before(i).real() * gamma_of(i);
          product += dy.before(i).real() * gamma_of(i) * normal(i);
        }
        for (std::int64_t i = row * count; i < (row + 1) * count; ++i) {
          all[static_cast<std::size_t>(i)] =
              r / static_cast<Real>(count) * gamma_of(i) *
              (static_cast<Real>(count) * dy.before(i).real() - sum - normal(i) * product);
        }
      }
      return all;
    }
  };

  static void check(const Case& c) {
    SCOPED_TRACE(testing::Message() << "dtype " << c.x.type() << ", gamma of " << c.gamma.shape().size() << " dims");
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnGroupNormalizationGradGetWorkspaceSize(c.x.get(), c.dy.get(), c.gamma.get(), c.mean.get(),
                                                             c.rstd.get(), c.dx.get(), n, e);
        },
        aclnnGroupNormalizationGrad, {&c.x, &c.dy, &c.gamma, &c.mean, &c.rstd}, c.dx);
    expect_result(c.dx, bytes, c.expected(), true);
  }
};

TEST_F(GroupNormalizationGradients, WithAGammaOfAnyShapeThatBroadcasts) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    check(Case(type, {3, 5, 37}, {3, 5, 37}));
    check(Case(type, {3, 5, 37}, {5, 1}));
    check(Case(type, {3, 5, 37}, {1, 1, 37}, {3, 5, 1}));
  }
  check(Case(ACL_FLOAT, {2, 3, 1}, {1}));
  check(Case(ACL_FLOAT, {1, 1, 13}, {13}));
}

TEST_F(GroupNormalizationGradients, OfViewsAndOfLongRows) {
  check(Case(ACL_FLOAT, {3, 5, 17}, {3, 5, 17}, {3, 5}, {{1, 3, 15}, 2}, {{0, 0, 1}, 3}, {{200, 36, 2}, 1}));
  check(Case(ACL_FLOAT, {1, 1, 70001}, {1}));
}

TEST_F(GroupNormalizationGradients, OfNothingAreNothing) {
  check(Case(ACL_FLOAT, {0, 3, 5}, {3, 1}));
  check(Case(ACL_FLOAT, {2, 3, 0}, {3, 1}));
}

TEST_F(GroupNormalizationGradients, NanStaysInItsGroup) {
  Case c(ACL_FLOAT, {2, 3, 17}, {3, 1});
  c.x.fill([](std::int64_t i) { return i == 20 ? std::numeric_limits<Real>::quiet_NaN() : Real(i % 7 - 3); });
  check(c);
}

TEST_F(GroupNormalizationGradients, RefuseWhatDoesNotFit) {
  const OpTensor x(ACL_FLOAT, {2, 3, 5});
  const OpTensor dx(ACL_FLOAT, {2, 3, 5});
  const OpTensor flat(ACL_FLOAT, {6, 5});
  const OpTensor groups(ACL_FLOAT, {2, 3});
  const OpTensor one(ACL_FLOAT, {1});
  const OpTensor seven(ACL_FLOAT, {7});
  const OpTensor deep(ACL_FLOAT, {4, 2, 3, 5});
  const OpTensor integers(ACL_INT32, {1});
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  const auto plan = [&](const OpTensor* of_x, const OpTensor* gamma, const OpTensor* mean, const OpTensor* out) {
    const auto handle = [](const OpTensor* tensor) { return tensor ? tensor->get() : nullptr; };
    return aclnnGroupNormalizationGradGetWorkspaceSize(handle(of_x), x.get(), handle(gamma), handle(mean), groups.get(),
                                                       handle(out), &n, &e);
  };
  EXPECT_EQ(plan(nullptr, &one, &groups, &dx), 161001);
  EXPECT_EQ(plan(&x, nullptr, &groups, &dx), 161001);
  EXPECT_EQ(plan(&x, &one, nullptr, &dx), 161001);
  EXPECT_EQ(plan(&x, &one, &groups, nullptr), 161001);
  EXPECT_EQ(plan(&x, &integers, &groups, &dx), 161002);
  EXPECT_EQ(plan(&flat, &one, &groups, &dx), 161002);
  EXPECT_EQ(plan(&x, &seven, &groups, &dx), 161002);
  EXPECT_EQ(plan(&x, &deep, &groups, &dx), 161002);
  EXPECT_EQ(plan(&x, &one, &one, &dx), 161002);
  EXPECT_EQ(plan(&x, &one, &groups, &flat), 161002);
}

}  // namespace
}  // namespace aclvk::test
