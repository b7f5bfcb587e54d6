#include <algorithm>
#include <limits>

#include "aclnnop/aclnn_rms_norm_grad_quant.h"
#include "ops/norm/gradient_reference.hpp"

namespace aclvk::test {
namespace {

class QuantizedRmsGradients : public GradientTest {
 protected:
  struct Case {
    OpTensor dy;
    OpTensor x;
    OpTensor rstd;
    OpTensor gamma;
    OpTensor scales;
    OpTensor offsets;
    OpTensor dx;
    OpTensor dgamma;
    bool divides;
    bool has_offset;

    Case(aclDataType type, const Shape& lead, const Shape& trailing, bool div, const Shape& factors,
         aclDataType offset_type = ACL_FLOAT, bool offset = true, const View& x_view = {}, const View& dx_view = {})
        : dy(type, joined(lead, trailing)),
          x(type, dy.shape(), x_view),
          rstd(ACL_FLOAT, lead),
          gamma(type, trailing),
          scales(ACL_FLOAT, factors),
          offsets(offset_type, factors),
          dx(ACL_INT8, dy.shape(), dx_view),
          dgamma(ACL_FLOAT, trailing),
          divides(div),
          has_offset(offset) {
      dy.fill_random(1);
      x.fill_random(2);
      fill_scales(rstd, 3);
      gamma.fill_random(4);
      scales.fill([&](std::int64_t i) { return divides ? Real(i % 3 + 1) / 16 : Real(8 + i % 3); });
      offsets.fill([](std::int64_t i) { return Real(i % 5 - 2); });
    }

    static Shape joined(Shape first, const Shape& second) {
      first.insert(first.end(), second.begin(), second.end());
      return first;
    }
  };

  static Gradients expected(const Case& c) {
    const std::int64_t columns = c.gamma.count();
    NormGradientCase given;
    given.count = c.x.count();
    given.rows = c.rstd.count();
    given.columns = columns;
    given.row_of = [columns](std::int64_t i) { return i / columns; };
    given.column_of = [columns](std::int64_t i) { return i % columns; };
    given.dy = [&c](std::int64_t i) { return c.dy.before(i).real(); };
    given.x = [&c](std::int64_t i) { return c.x.before(i).real(); };
    given.mean = [](std::int64_t) { return Real(0); };
    given.scale = [&c](std::int64_t row) { return c.rstd.before(row).real(); };
    given.gamma = [&c](std::int64_t column) { return c.gamma.before(column).real(); };
    given.centered = false;
    return gradients(given);
  }

  static std::vector<std::byte> run_one(const Case& c) {
    return run(
        [&](auto* n, auto** e) {
          return aclnnRmsNormGradQuantGetWorkspaceSize(c.dy.get(), c.x.get(), c.rstd.get(), c.gamma.get(),
                                                       c.scales.get(), c.has_offset ? c.offsets.get() : nullptr,
                                                       "static", c.divides, c.dx.get(), c.dgamma.get(), n, e);
        },
        aclnnRmsNormGradQuant, {&c.dy, &c.x, &c.rstd, &c.gamma, &c.scales, &c.offsets, &c.dgamma}, c.dx);
  }

  static void check(const Case& c) {
    SCOPED_TRACE(testing::Message() << "dtype " << c.x.type() << (c.divides ? ", divided" : ", multiplied"));
    const auto bytes = run_one(c);
    const Gradients want = expected(c);
    expect_result(c.dgamma, c.dgamma.download(), want.dgamma, true);
    EXPECT_TRUE(c.dx.only_elements_changed(bytes));
    for (std::int64_t i = 0; i < c.dx.count(); ++i) {
      const std::int64_t factor = c.scales.count() == 1 ? 0 : i % c.gamma.count();
      const Real scale = c.scales.before(factor).real();
      const Real dx = want.dx[static_cast<std::size_t>(i)];
      const Real offset = c.has_offset ? c.offsets.before(factor).real() : 0;
      const Real value = std::clamp<Real>((c.divides ? dx / scale : dx * scale) + offset, -128, 127);
      // A float that is almost halfway between two integers may be rounded to either.
      ASSERT_LE(std::fabs(c.dx.in(bytes, i).real() - value), 0.501L) << "element " << i;
    }
  }
};

TEST_F(QuantizedRmsGradients, AreDividedOrMultipliedByScales) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const bool divides : {false, true}) {
      check(Case(type, {5, 3}, {37}, divides, {37}));
      check(Case(type, {7}, {13}, divides, {1}, ACL_INT32));
    }
  }
  check(Case(ACL_FLOAT, {5}, {3, 7}, true, {3, 7}, ACL_FLOAT, false));
}

TEST_F(QuantizedRmsGradients, OfViewsAndOfLongRows) {
  check(Case(ACL_FLOAT, {5, 7}, {11}, false, {11}, ACL_FLOAT, true, {{1, 5, 35}, 3}, {{200, 25, 2}, 1}));
  check(Case(ACL_FLOAT, {1}, {70001}, true, {1}));
  check(Case(ACL_FLOAT, {0}, {5}, true, {5}));
}

TEST_F(QuantizedRmsGradients, OfNanAreZero) {
  Case c(ACL_FLOAT, {3}, {5}, false, {1}, ACL_FLOAT, false);
  c.dy.fill([](std::int64_t i) { return i == 7 ? std::numeric_limits<Real>::quiet_NaN() : Real(i % 3 - 1); });
  const auto bytes = run_one(c);
  for (std::int64_t i = 5; i < 10; ++i) EXPECT_EQ(c.dx.in(bytes, i).real(), 0) << i;
}

TEST_F(QuantizedRmsGradients, RefuseWhatDoesNotFit) {
  const OpTensor x(ACL_FLOAT, {4, 6});
  const OpTensor rows(ACL_FLOAT, {4});
  const OpTensor gamma(ACL_FLOAT, {6});
  const OpTensor dgamma(ACL_FLOAT, {6});
  const OpTensor halves(ACL_FLOAT16, {6});
  const OpTensor integers(ACL_INT32, {6});
  const OpTensor dx(ACL_INT8, {4, 6});
  const OpTensor small(ACL_HIFLOAT8, {4, 6});
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  const auto plan = [&](const OpTensor* dy, const OpTensor* scales, const OpTensor* offsets, const char* mode,
                        const OpTensor* of_x, const OpTensor* of_gamma) {
    const auto handle = [](const OpTensor* tensor) { return tensor ? tensor->get() : nullptr; };
    return aclnnRmsNormGradQuantGetWorkspaceSize(handle(dy), x.get(), rows.get(), gamma.get(), handle(scales),
                                                 handle(offsets), mode, true, handle(of_x), handle(of_gamma), &n, &e);
  };
  EXPECT_EQ(plan(nullptr, &gamma, nullptr, "static", &dx, &dgamma), 161001);
  EXPECT_EQ(plan(&x, nullptr, nullptr, "static", &dx, &dgamma), 161001);
  EXPECT_EQ(plan(&x, &gamma, nullptr, nullptr, &dx, &dgamma), 161001);
  EXPECT_EQ(plan(&x, &gamma, nullptr, "static", nullptr, &dgamma), 161001);
  EXPECT_EQ(plan(&x, &gamma, nullptr, "static", &dx, nullptr), 161001);
  EXPECT_EQ(plan(&x, &integers, nullptr, "static", &dx, &dgamma), 161002);
  EXPECT_EQ(plan(&x, &rows, nullptr, "static", &dx, &dgamma), 161002);
  EXPECT_EQ(plan(&x, &gamma, &rows, "static", &dx, &dgamma), 161002);
  EXPECT_EQ(plan(&x, &gamma, nullptr, "dynamic", &dx, &dgamma), 161002);
  EXPECT_EQ(plan(&x, &gamma, nullptr, "static", &x, &dgamma), 161002);
  EXPECT_EQ(plan(&x, &gamma, nullptr, "static", &dx, &halves), 161002);
  EXPECT_EQ(plan(&x, &gamma, nullptr, "static", &dx, &gamma), 161002) << "the gradient in the memory of gamma";
  EXPECT_EQ(plan(&gamma, &gamma, nullptr, "static", &dx, &dgamma), 161002);
  EXPECT_EQ(plan(&x, &gamma, nullptr, "static", &small, &dgamma), 207000) << "no kernel writes HIFLOAT8";
}

}  // namespace
}  // namespace aclvk::test
