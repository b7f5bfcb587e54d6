#include <algorithm>
#include <limits>

#include "aclnnop/aclnn_quantized_batch_norm.h"
#include "ops/norm/gradient_reference.hpp"

namespace aclvk::test {
namespace {

constexpr float kEpsilon = 1e-3F;

class QuantizedBatchNorms : public GradientTest {
 protected:
  struct Case {
    OpTensor x;
    OpTensor mean;
    OpTensor variance;
    OpTensor weight;
    OpTensor bias;
    OpTensor out;
    OpScalar x_scale;
    OpScalar x_zero;
    OpScalar out_scale;
    OpScalar out_zero;

    Case(aclDataType type, const Shape& shape, const View& x_view = {}, const View& out_view = {}, Real scale = 0.125L,
         Real result_scale = 0.0625L)
        : x(type, shape, x_view),
          mean(ACL_FLOAT, {shape[1]}),
          variance(ACL_FLOAT, {shape[1]}),
          weight(ACL_FLOAT, {shape[1]}),
          bias(ACL_FLOAT, {shape[1]}),
          out(type, shape, out_view),
          x_scale(ACL_FLOAT, scale),
          x_zero(ACL_INT32, 7),
          out_scale(ACL_FLOAT, result_scale),
          out_zero(ACL_INT32, 11) {
      x.fill_random(1);
      mean.fill_random(2);
      fill_scales(variance, 3);
      weight.fill_random(4);
      bias.fill_random(5);
    }

    /// The result before it is rounded and saturated.
    Real value(std::int64_t i, bool affine) const {
      const std::int64_t channel = coordinates_of(i, x.shape())[1];
      const Real real = (x.before(i).real() - x_zero.value().real()) * x_scale.value().real();
      const Real deviation = std::sqrt(variance.before(channel).real() + static_cast<Real>(kEpsilon));
      const Real normal = (real - mean.before(channel).real()) / deviation;
      const Real y = affine ? normal * weight.before(channel).real() + bias.before(channel).real() : normal;
      return y / out_scale.value().real() + out_zero.value().real();
    }
  };

  static Real least(aclDataType type) { return type == ACL_INT8 ? -128 : type == ACL_UINT8 ? 0 : -2147483648.0L; }
  static Real most(aclDataType type) { return type == ACL_INT8 ? 127 : type == ACL_UINT8 ? 255 : 2147483647.0L; }

  static void check(const Case& c, bool affine = true) {
    SCOPED_TRACE(testing::Message() << "dtype " << c.x.type());
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnQuantizedBatchNormGetWorkspaceSize(c.x.get(), c.mean.get(), c.variance.get(), c.x_scale.get(),
                                                         c.x_zero.get(), c.out_scale.get(), c.out_zero.get(),
                                                         affine ? c.weight.get() : nullptr,
                                                         affine ? c.bias.get() : nullptr, kEpsilon, c.out.get(), n, e);
        },
        aclnnQuantizedBatchNorm, {&c.x, &c.mean, &c.variance, &c.weight, &c.bias}, c.out);
    EXPECT_TRUE(c.out.only_elements_changed(bytes));
    for (std::int64_t i = 0; i < c.out.count(); ++i) {
      const Real value = c.value(i, affine);
      const Real want = std::clamp(value, least(c.out.type()), most(c.out.type()));
      // A float that is almost halfway between two integers may be rounded to either.
      const Real allowed = 0.5L + 5e-5L / c.out_scale.value().real() + std::fabs(want) * 0x1p-20L;
      ASSERT_LE(std::fabs(c.out.in(bytes, i).real() - want), allowed) << "element " << i << " of " << value;
    }
  }
};

TEST_F(QuantizedBatchNorms, OfEachIntegerSaturate) {
  for (const aclDataType type : {ACL_INT8, ACL_UINT8, ACL_INT32}) {
    check(Case(type, {3, 5, 7, 11}));
    check(Case(type, {13, 5}), false);
  }
  check(Case(ACL_INT32, {2, 3, 5}, {}, {}, 0.125L, 1e-9L));
}

TEST_F(QuantizedBatchNorms, OfViewsAndOfLongPlanes) {
  check(Case(ACL_INT8, {3, 5, 4, 8}, {{1, 3, 15, 60}, 3}, {{320, 64, 16, 2}, 1}));
  check(Case(ACL_UINT8, {3, 5, 7}, {{0, 7, 1}, 5}));
  check(Case(ACL_INT8, {1, 1, 70001}));
  check(Case(ACL_INT8, {0, 3, 5}));
}

TEST_F(QuantizedBatchNorms, OfNanAreZero) {
  Case c(ACL_INT8, {2, 3, 5});
  c.weight.fill([](std::int64_t i) { return i == 1 ? std::numeric_limits<Real>::quiet_NaN() : Real(1); });
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnQuantizedBatchNormGetWorkspaceSize(c.x.get(), c.mean.get(), c.variance.get(), c.x_scale.get(),
                                                       c.x_zero.get(), c.out_scale.get(), c.out_zero.get(),
                                                       c.weight.get(), c.bias.get(), kEpsilon, c.out.get(), n, e);
      },
      aclnnQuantizedBatchNorm, {&c.x, &c.mean, &c.variance, &c.weight, &c.bias}, c.out);
  for (std::int64_t i = 5; i < 10; ++i) EXPECT_EQ(c.out.in(bytes, i).real(), 0) << i;
}

TEST_F(QuantizedBatchNorms, RefuseWhatDoesNotFit) {
  const OpTensor x(ACL_INT8, {2, 3, 5});
  const OpTensor out(ACL_INT8, {2, 3, 5});
  const OpTensor other(ACL_UINT8, {2, 3, 5});
  const OpTensor reals(ACL_FLOAT, {2, 3, 5});
  const OpTensor three(ACL_FLOAT, {3});
  const OpTensor five(ACL_FLOAT, {5});
  const OpTensor halves(ACL_FLOAT16, {3});
  const OpScalar one(ACL_FLOAT, 1);
  const OpScalar zero(ACL_INT32, 0);
  const OpScalar imaginary(ACL_COMPLEX64, {0, 1});
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  const auto plan = [&](const OpTensor* input, const OpTensor* mean, const OpScalar* x_scale, const OpScalar* out_scale,
                        const OpTensor* weight, const OpTensor* output) {
    const auto handle = [](const auto* object) { return object ? object->get() : nullptr; };
    return aclnnQuantizedBatchNormGetWorkspaceSize(handle(input), handle(mean), three.get(), handle(x_scale),
                                                   zero.get(), handle(out_scale), zero.get(), handle(weight), nullptr,
                                                   kEpsilon, handle(output), &n, &e);
  };
  EXPECT_EQ(plan(nullptr, &three, &one, &one, &three, &out), 161001);
  EXPECT_EQ(plan(&x, nullptr, &one, &one, &three, &out), 161001);
  EXPECT_EQ(plan(&x, &three, nullptr, &one, &three, &out), 161001);
  EXPECT_EQ(plan(&x, &three, &one, nullptr, &three, &out), 161001);
  EXPECT_EQ(plan(&x, &three, &one, &one, &three, nullptr), 161001);
  EXPECT_EQ(plan(&reals, &three, &one, &one, &three, &out), 161002);
  EXPECT_EQ(plan(&x, &halves, &one, &one, &three, &out), 161002);
  EXPECT_EQ(plan(&x, &three, &one, &one, &three, &other), 161002);
  EXPECT_EQ(plan(&x, &five, &one, &one, &three, &out), 161002);
  EXPECT_EQ(plan(&x, &three, &one, &one, &five, &out), 161002);
  EXPECT_EQ(plan(&x, &three, &imaginary, &one, &three, &out), 161002);
  EXPECT_EQ(plan(&x, &three, &one, &zero, &three, &out), 161002) << "a division by 0";
}

}  // namespace
}  // namespace aclvk::test
