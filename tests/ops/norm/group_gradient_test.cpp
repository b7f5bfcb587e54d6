#include "aclnnop/aclnn_group_norm_backward.h"
#include "aclnnop/aclnn_group_norm_swish_grad.h"
#include "ops/norm/gradient_reference.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

class GroupGradients : public GradientTest {
 protected:
  /// x of (N, C, ...) in groups.
  struct Grouped {
    aclDataType type;
    Shape shape;
    std::int64_t groups;
    OpTensor dy;
    OpTensor x;
    OpTensor mean;
    OpTensor rstd;
    OpTensor gamma;
    OpTensor beta;
    OpTensor dx;
    OpTensor dgamma;
    OpTensor dbeta;

    Grouped(aclDataType kind, const Shape& sizes, std::int64_t number, const View& x_view = {},
            const View& dx_view = {})
        : type(kind),
          shape(sizes),
          groups(number),
          dy(kind, sizes),
          x(kind, sizes, x_view),
          mean(kind, {sizes[0], number}),
          rstd(kind, {sizes[0], number}),
          gamma(kind, {sizes[1]}),
          beta(kind, {sizes[1]}),
          dx(kind, sizes, dx_view),
          dgamma(kind, {sizes[1]}),
          dbeta(kind, {sizes[1]}) {
      dy.fill_random(1);
      x.fill_random(2);
      mean.fill_random(3);
      fill_scales(rstd, 4);
      gamma.fill_random(5);
      beta.fill_random(6);
    }

    std::int64_t places() const { return count_of({shape.begin() + 2, shape.end()}); }
    std::int64_t channel_of(std::int64_t i) const { return i / places() % shape[1]; }
    std::int64_t row_of(std::int64_t i) const { return i / (places() * shape[1] / groups); }
    std::vector<const OpTensor*> others() const { return {&dy, &x, &mean, &rstd, &gamma, &beta, &dgamma, &dbeta}; }
  };

  /// `dy` is the gradient of what is normalised.
  static Gradients expected(const Grouped& c, bool has_gamma, const std::function<Real(std::int64_t)>& dy) {
    NormGradientCase given;
    given.count = c.dy.count();
    given.rows = c.shape[0] * c.groups;
    given.columns = c.shape[1];
    given.row_of = [&c](std::int64_t i) { return c.row_of(i); };
    given.column_of = [&c](std::int64_t i) { return c.channel_of(i); };
    given.dy = dy;
    given.x = [&c](std::int64_t i) { return c.x.before(i).real(); };
    given.mean = [&c](std::int64_t row) { return c.mean.before(row).real(); };
    given.scale = [&c](std::int64_t row) { return c.rstd.before(row).real(); };
    given.gamma = [&c, has_gamma](std::int64_t channel) { return has_gamma ? c.gamma.before(channel).real() : 1; };
    return gradients(given);
  }

  static void expect_all(const Grouped& c, const std::vector<std::byte>& bytes, const Gradients& want, unsigned mask) {
    expect_result(c.dx, bytes, want.dx, (mask & 1U) != 0);
    expect_result(c.dgamma, c.dgamma.download(), want.dgamma, (mask & 2U) != 0);
    expect_result(c.dbeta, c.dbeta.download(), want.dbeta, (mask & 4U) != 0);
  }

  static void check(const Grouped& c, unsigned mask = 7, bool has_gamma = true) {
    SCOPED_TRACE(testing::Message() << "dtype " << c.type << ", mask " << mask);
    const OpMask wanted(mask);
    if ((mask & 1U) == 0) c.dx.also(c.dx.get());  // what is not wanted is not looked at
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnGroupNormBackwardGetWorkspaceSize(c.dy.get(), c.x.get(), c.mean.get(), c.rstd.get(),
                                                        has_gamma ? c.gamma.get() : nullptr, c.shape[0], c.shape[1],
                                                        c.places(), c.groups, wanted.get(), c.dx.get(),
                                                        wanted.has(1, c.dgamma), wanted.has(2, c.dbeta), n, e);
        },
        aclnnGroupNormBackward, c.others(), c.dx);
    expect_all(c, bytes, expected(c, has_gamma, [&c](std::int64_t i) { return c.dy.before(i).real(); }), mask);
  }
};

TEST_F(GroupGradients, OfGroupsWhateverIsWanted) {
  for (const aclDataType type : kTypes) {
    for (unsigned mask = 0; mask < 8; ++mask) check(Grouped(type, {3, 12, 5, 7}, 4), mask);
    check(Grouped(type, {2, 6, 11}, 1), 7, false);
  }
  check(Grouped(ACL_FLOAT, {2, 6, 16}, 6));
  check(Grouped(ACL_FLOAT, {5, 6}, 3));
  check(Grouped(ACL_FLOAT, {2, 4, 2, 3, 5}, 2));
}

TEST_F(GroupGradients, OfViewsAndOfLongPlanes) {
  check(Grouped(ACL_FLOAT, {3, 12, 5, 7}, 4, {{1, 3, 36, 180}, 2}, {{1000, 70, 14, 2}, 3}));
  check(Grouped(ACL_FLOAT16, {3, 4, 5}, 2, {{0, 7, 1}, 1}));
  check(Grouped(ACL_FLOAT, {1, 2, 70001}, 1));
  check(Grouped(ACL_FLOAT, {70001, 2, 1}, 2));
}

TEST_F(GroupGradients, OfNothingAreZeroForParameters) {
  check(Grouped(ACL_FLOAT, {0, 4, 5}, 2));
  check(Grouped(ACL_FLOAT, {2, 4, 0}, 2));
}

TEST_F(GroupGradients, PassAnActivation) {
  for (const aclDataType type : kTypes) {
    for (unsigned mask = 1; mask < 8; mask += 2) {
      const Grouped c(type, {3, 12, 5, 7}, 4);
      const Real scale = 1.5;
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnGroupNormSwishGradGetWorkspaceSize(
                c.dy.get(), c.mean.get(), c.rstd.get(), c.x.get(), c.gamma.get(), c.beta.get(), 4, nullptr, 1.5,
                (mask & 2U) != 0, (mask & 4U) != 0, c.dx.get(), (mask & 2U) != 0 ? c.dgamma.get() : nullptr,
                (mask & 4U) != 0 ? c.dbeta.get() : nullptr, n, e);
          },
          aclnnGroupNormSwishGrad, c.others(), c.dx);
      const auto inner = [&](std::int64_t i) {
        const std::int64_t row = c.row_of(i);
        const Real normal = (c.x.before(i).real() - c.mean.before(row).real()) * c.rstd.before(row).real();
        const std::int64_t channel = c.channel_of(i);
        const Real y = normal * c.gamma.before(channel).real() + c.beta.before(channel).real();
        const Real sigmoid = 1 / (1 + std::exp(-scale * y));
        return c.dy.before(i).real() * (sigmoid + scale * y * sigmoid * (1 - sigmoid));
      };
      expect_all(c, bytes, expected(c, true, inner), mask);
    }
  }
}

TEST_F(GroupGradients, AreRefusedWhereSizesDoNotFit) {
  const Grouped c(ACL_FLOAT, {2, 6, 5}, 3);
  const OpMask all(7);
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  const auto plan = [&](auto* dy, std::int64_t channels, std::int64_t places, std::int64_t groups, auto* dx) {
    return aclnnGroupNormBackwardGetWorkspaceSize(dy, c.x.get(), c.mean.get(), c.rstd.get(), c.gamma.get(), 2, channels,
                                                  places, groups, all.get(), dx, c.dgamma.get(), c.dbeta.get(), &n, &e);
  };
  aclTensor* none = nullptr;
  EXPECT_EQ(plan(none, 6, 5, 3, c.dx.get()), 161001);
  EXPECT_EQ(plan(c.dy.get(), 6, 5, 3, none), 161001);
  EXPECT_EQ(plan(c.gamma.get(), 6, 5, 3, c.dx.get()), 161002);
  EXPECT_EQ(plan(c.dy.get(), 5, 5, 3, c.dx.get()), 161002);
  EXPECT_EQ(plan(c.dy.get(), 6, 4, 3, c.dx.get()), 161002);
  EXPECT_EQ(plan(c.dy.get(), 6, 5, 4, c.dx.get()), 161002);
  EXPECT_EQ(plan(c.dy.get(), 6, 5, 0, c.dx.get()), 161002);
  EXPECT_EQ(plan(c.dy.get(), 6, 5, 2, c.dx.get()), 161002);
  char format[] = "NHWC";
  EXPECT_EQ(aclnnGroupNormSwishGradGetWorkspaceSize(c.dy.get(), c.mean.get(), c.rstd.get(), c.x.get(), c.gamma.get(),
                                                    c.beta.get(), 3, format, 1, true, true, c.dx.get(), c.dgamma.get(),
                                                    c.dbeta.get(), &n, &e),
            161002);
}

}  // namespace
}  // namespace aclvk::test
