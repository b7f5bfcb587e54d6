#include <limits>

#include "aclnnop/aclnn_bn_infer_grad.h"
#include "ops/norm/gradient_reference.hpp"

namespace aclvk::test {
namespace {

constexpr double kEpsilon = 1e-3;

/// Gradients of batch normalisations by constants.
class InferenceGradients : public GradientTest {
 protected:
  struct Case {
    OpTensor dy;
    OpTensor scale;
    OpTensor variance;
    OpTensor dx;
    std::size_t channel_dim;

    Case(aclDataType type, const Shape& shape, std::size_t dim, const View& dy_view = {}, const View& dx_view = {},
         aclDataType statistics = ACL_FLOAT)
        : dy(type, shape, dy_view),
          scale(statistics, {shape[dim]}),
          variance(statistics, {shape[dim]}),
          dx(type, shape, dx_view),
          channel_dim(dim) {
      dy.fill_random(1);
      scale.fill_random(2);
      fill_scales(variance, 3);
    }

    std::vector<Real> expected() const {
      std::vector<Real> all;
      for (std::int64_t i = 0; i < dy.count(); ++i) {
        const std::int64_t channel = coordinates_of(i, dy.shape())[channel_dim];
        all.push_back(dy.before(i).real() * scale.before(channel).real() /
                      std::sqrt(variance.before(channel).real() + static_cast<Real>(kEpsilon)));
      }
      return all;
    }
  };

  static void check(const Case& c) {
    SCOPED_TRACE(testing::Message() << "dtype " << c.dy.type() << ", channels in dim " << c.channel_dim);
    const bool last = c.channel_dim != 1;
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnBnInferGradGetWorkspaceSize(c.dy.get(), c.scale.get(), c.variance.get(), kEpsilon, last ? 1 : 0,
                                                  c.dx.get(), n, e);
        },
        aclnnBnInferGrad, {&c.dy, &c.scale, &c.variance}, c.dx);
    expect_result(c.dx, bytes, c.expected(), true);
    if (last) return;
    const auto same = run(
        [&](auto* n, auto** e) {
          return aclnnBNInferGradGetWorkspaceSize(c.dy.get(), c.scale.get(), c.variance.get(), kEpsilon, c.dx.get(), n,
                                                  e);
        },
        aclnnBNInferGrad, {&c.dy, &c.scale, &c.variance}, c.dx);
    EXPECT_TRUE(same == bytes);
  }
};

TEST_F(InferenceGradients, HaveChannelsInTheSecondDimOrInTheLast) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    check(Case(type, {3, 5, 7, 11}, 1));
    check(Case(type, {3, 7, 11, 5}, 3, {}, {}, type));
  }
  check(Case(ACL_FLOAT, {13, 17}, 1));
  check(Case(ACL_FLOAT, {1, 1, 1, 1}, 3));
  check(Case(ACL_FLOAT, {2, 3, 5, 2, 7}, 4));
}

TEST_F(InferenceGradients, OfViews) {
  check(Case(ACL_FLOAT, {3, 5, 4, 8}, 1, {{1, 3, 15, 60}, 2}, {{320, 64, 16, 2}, 1}));
  check(Case(ACL_FLOAT, {3, 5, 4, 8}, 3, {{1, 3, 15, 60}, 2}, {{320, 64, 16, 2}, 1}));
  check(Case(ACL_FLOAT16, {3, 5, 7}, 1, {{0, 7, 1}, 3}));
}

TEST_F(InferenceGradients, OfLongRows) {
  check(Case(ACL_FLOAT, {1, 1, 70001}, 1));
  check(Case(ACL_FLOAT, {1, 1, 70001}, 2));
}

TEST_F(InferenceGradients, OfNothingAreNothing) {
  check(Case(ACL_FLOAT, {0, 3, 5}, 1));
  check(Case(ACL_FLOAT, {2, 3, 0}, 2));
}

TEST_F(InferenceGradients, NanAndInfinityStayInTheirElements) {
  Case c(ACL_FLOAT, {2, 3, 17}, 1);
  c.dy.fill([](std::int64_t i) {
    if (i == 20) return std::numeric_limits<Real>::quiet_NaN();
    return i == 40 ? -std::numeric_limits<Real>::infinity() : Real(i % 7 - 3);
  });
  check(c);
}

TEST_F(InferenceGradients, MayReplaceTheGradientThatIsGiven) {
  const Case c(ACL_FLOAT, {3, 5, 7}, 1);
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnBNInferGradGetWorkspaceSize(c.dy.get(), c.scale.get(), c.variance.get(), kEpsilon, c.dy.get(), n,
                                                e);
      },
      aclnnBNInferGrad, {&c.scale, &c.variance}, c.dy);
  expect_result(c.dy, bytes, c.expected(), true);
}

TEST_F(InferenceGradients, RefuseOtherFormatsAndShapes) {
  const OpTensor dy(ACL_FLOAT, {2, 3, 5});
  const OpTensor dx(ACL_FLOAT, {2, 3, 5});
  const OpTensor three(ACL_FLOAT, {3});
  const OpTensor five(ACL_FLOAT, {5});
  const OpTensor integers(ACL_INT32, {3});
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  const auto plan = [&](const OpTensor* grads, const OpTensor* scale, const OpTensor* variance, std::int64_t format,
                        const OpTensor* out) {
    const auto handle = [](const OpTensor* tensor) { return tensor ? tensor->get() : nullptr; };
    return aclnnBnInferGradGetWorkspaceSize(handle(grads), handle(scale), handle(variance), kEpsilon, format,
                                            handle(out), &n, &e);
  };
  EXPECT_EQ(plan(nullptr, &three, &three, 0, &dx), 161001);
  EXPECT_EQ(plan(&dy, nullptr, &three, 0, &dx), 161001);
  EXPECT_EQ(plan(&dy, &three, nullptr, 0, &dx), 161001);
  EXPECT_EQ(plan(&dy, &three, &three, 0, nullptr), 161001);
  EXPECT_EQ(plan(&dy, &integers, &three, 0, &dx), 161002);
  EXPECT_EQ(plan(&dy, &five, &five, 0, &dx), 161002);
  EXPECT_EQ(plan(&dy, &three, &three, 1, &dx), 161002);
  EXPECT_EQ(plan(&dy, &three, &three, 3, &dx), 161002);
  EXPECT_EQ(plan(&dy, &three, &three, 0, &three), 161002);
  EXPECT_EQ(plan(&three, &three, &three, 0, &three), 161002);
  EXPECT_EQ(plan(&dy, &three, &three, 2, &dx), 207000) << "blocks of 16 channels";
}

}  // namespace
}  // namespace aclvk::test
