#include <limits>

#include "aclnnop/aclnn_batch_normalization_grad.h"
#include "ops/norm/gradient_reference.hpp"

namespace aclvk::test {
namespace {

/// aclnnBatchNormalizationGrad, which reads the reciprocal deviation and not, as aclnnBatchNormBackward, the variance.
class BatchNormalizationGradients : public GradientTest {
 protected:
  struct Case {
    OpTensor dy;
    OpTensor x;
    OpTensor weight;
    OpTensor bias;
    OpTensor mean;
    OpTensor invstd;
    OpTensor dx;
    OpTensor dweight;
    OpTensor dbias;

    Case(aclDataType type, const Shape& shape, aclDataType statistics = ACL_FLOAT, const View& x_view = {},
         const View& dx_view = {})
        : dy(type, shape),
          x(type, shape, x_view),
          weight(statistics, {shape[1]}),
          bias(statistics, {shape[1]}),
          mean(statistics, {shape[1]}),
          invstd(statistics, {shape[1]}),
          dx(type, shape, dx_view),
          dweight(statistics, {shape[1]}),
          dbias(statistics, {shape[1]}) {
      dy.fill_random(1);
      x.fill_random(2);
      weight.fill_random(3);
      bias.fill_random(4);
      mean.fill_random(5);
      fill_scales(invstd, 6);
    }
  };

  static Gradients expected(const Case& c) {
    NormGradientCase given;
    given.count = c.x.count();
    given.rows = given.columns = c.x.shape()[1];
    given.row_of = given.column_of = [&c](std::int64_t i) { return coordinates_of(i, c.x.shape())[1]; };
    given.dy = [&c](std::int64_t i) { return c.dy.before(i).real(); };
    given.x = [&c](std::int64_t i) { return c.x.before(i).real(); };
    given.mean = [&c](std::int64_t channel) { return c.mean.before(channel).real(); };
    given.scale = [&c](std::int64_t channel) { return c.invstd.before(channel).real(); };
    given.gamma = [&c](std::int64_t channel) { return c.weight.before(channel).real(); };
    return gradients(given);
  }

  static void check(const Case& c) {
    SCOPED_TRACE(testing::Message() << "dtype " << c.x.type());
    // An epsilon that would be seen if it was added.
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnBatchNormalizationGradGetWorkspaceSize(c.dy.get(), c.x.get(), c.weight.get(), c.bias.get(),
                                                             c.mean.get(), c.invstd.get(), 0.5, c.dx.get(),
                                                             c.dweight.get(), c.dbias.get(), n, e);
        },
        aclnnBatchNormalizationGrad, {&c.dy, &c.x, &c.weight, &c.bias, &c.mean, &c.invstd, &c.dweight, &c.dbias}, c.dx);
    const Gradients want = expected(c);
    expect_result(c.dx, bytes, want.dx, true);
    expect_result(c.dweight, c.dweight.download(), want.dgamma, true);
    expect_result(c.dbias, c.dbias.download(), want.dbeta, true);
  }
};

TEST_F(BatchNormalizationGradients, OfChannels) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    check(Case(type, {3, 5, 7, 3}, type));
    check(Case(type, {37, 5}));
  }
  check(Case(ACL_FLOAT, {2, 1, 3, 2, 5}));
  check(Case(ACL_FLOAT, {3, 5, 4, 8}, ACL_FLOAT, {{1, 3, 15, 60}, 2}, {{320, 64, 16, 2}, 1}));
  check(Case(ACL_FLOAT, {0, 3, 4}));
}

TEST_F(BatchNormalizationGradients, NanStaysInItsChannel) {
  Case c(ACL_FLOAT, {2, 3, 17});
  c.dy.fill([](std::int64_t i) { return i == 20 ? std::numeric_limits<Real>::quiet_NaN() : Real(i % 7 - 3); });
  check(c);
}

TEST_F(BatchNormalizationGradients, RefuseWhatDoesNotFit) {
  const OpTensor x(ACL_FLOAT, {2, 3, 5});
  const OpTensor dx(ACL_FLOAT, {2, 3, 5});
  const OpTensor three(ACL_FLOAT, {3});
  const OpTensor dweight(ACL_FLOAT, {3});
  const OpTensor dbias(ACL_FLOAT, {3});
  const OpTensor five(ACL_FLOAT, {5});
  const OpTensor integers(ACL_INT32, {2, 3, 5});
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  const auto plan = [&](const OpTensor* dy, const OpTensor* weight, const OpTensor* bias, const OpTensor* invstd,
                        const OpTensor* of_weight) {
    const auto handle = [](const OpTensor* tensor) { return tensor ? tensor->get() : nullptr; };
    return aclnnBatchNormalizationGradGetWorkspaceSize(handle(dy), x.get(), handle(weight), handle(bias), three.get(),
                                                       handle(invstd), 1e-5, dx.get(), handle(of_weight), dbias.get(),
                                                       &n, &e);
  };
  EXPECT_EQ(plan(nullptr, &three, &three, &three, &dweight), 161001);
  EXPECT_EQ(plan(&x, nullptr, &three, &three, &dweight), 161001);
  EXPECT_EQ(plan(&x, &three, nullptr, &three, &dweight), 161001);
  EXPECT_EQ(plan(&x, &three, &three, nullptr, &dweight), 161001);
  EXPECT_EQ(plan(&x, &three, &three, &three, nullptr), 161001);
  EXPECT_EQ(plan(&integers, &three, &three, &three, &dweight), 161002);
  EXPECT_EQ(plan(&three, &three, &three, &three, &dweight), 161002);
  EXPECT_EQ(plan(&x, &three, &five, &three, &dweight), 161002);
  EXPECT_EQ(plan(&x, &three, &three, &five, &dweight), 161002);
  EXPECT_EQ(plan(&x, &three, &three, &three, &five), 161002);
  EXPECT_EQ(plan(&x, &three, &three, &three, &three), 161002) << "the gradient in the memory of a weight";
}

}  // namespace
}  // namespace aclvk::test
