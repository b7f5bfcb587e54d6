#include <limits>

#include "aclnnop/aclnn_add_layer_norm_grad.h"
#include "aclnnop/aclnn_deep_norm_grad.h"
#include "aclnnop/aclnn_layer_norm_backward.h"
#include "aclnnop/aclnn_rms_norm_grad.h"
#include "ops/norm/gradient_reference.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

/// Gradients of norms over the last dim, or dims.
class LayerGradients : public GradientTest {
 protected:
  /// x of (rows, columns), and what belongs to it.
  struct Layer {
    aclDataType type;
    Shape shape;
    Shape normalized;
    OpTensor dy;
    OpTensor x;
    OpTensor mean;
    OpTensor rstd;
    OpTensor gamma;
    OpTensor dx;
    OpTensor dgamma;
    OpTensor dbeta;

    Layer(aclDataType kind, const Shape& lead, const Shape& trailing, aclDataType statistics, aclDataType sums,
          const View& dy_view = {}, const View& x_view = {}, const View& dx_view = {})
        : type(kind),
          shape(joined(lead, trailing)),
          normalized(trailing),
          dy(kind, shape, dy_view),
          x(kind, shape, x_view),
          mean(statistics, joined(lead, Shape(trailing.size(), 1))),
          rstd(statistics, mean.shape()),
          gamma(kind, trailing),
          dx(kind, shape, dx_view),
          dgamma(sums, trailing),
          dbeta(sums, trailing) {
      dy.fill_random(1);
      x.fill_random(2);
      mean.fill_random(3);
      fill_scales(rstd, 4);
      gamma.fill_random(5);
    }

    std::int64_t columns() const { return count_of(normalized); }
  };

  static Shape joined(Shape first, const Shape& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
  }

  /// What the gradients are; `x` stands for an element of what was normalised.
  static Gradients expected(const Layer& c, bool centered, bool has_gamma, const std::function<Real(std::int64_t)>& x) {
    const std::int64_t columns = c.columns();
    NormGradientCase given;
    given.count = c.dy.count();
    given.row_of = [columns](std::int64_t i) { return i / columns; };
    given.column_of = [columns](std::int64_t i) { return i % columns; };
    given.rows = columns == 0 ? 0 : c.dy.count() / columns;
    given.columns = columns;
    given.dy = [&c](std::int64_t i) { return c.dy.before(i).real(); };
    given.x = x;
    given.mean = [&c, centered](std::int64_t row) { return centered ? c.mean.before(row).real() : 0; };
    given.scale = [&c](std::int64_t row) { return c.rstd.before(row).real(); };
    given.gamma = [&c, has_gamma](std::int64_t column) { return has_gamma ? c.gamma.before(column).real() : 1; };
    given.centered = centered;
    return gradients(given);
  }
  static Gradients expected(const Layer& c, bool centered = true, bool has_gamma = true) {
    return expected(c, centered, has_gamma, [&c](std::int64_t i) { return c.x.before(i).real(); });
  }

  /// aclnnLayerNormBackward, with the bits of `mask` for what is wanted.
  static void check_layer(const Layer& c, unsigned mask = 7, bool has_gamma = true) {
    SCOPED_TRACE(testing::Message() << "dtype " << c.type << ", mask " << mask);
    const OpInts normalized(c.normalized);
    const OpMask wanted(mask);
    if ((mask & 1U) == 0) c.dx.also(c.dx.get());  // what is not wanted is not looked at
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnLayerNormBackwardGetWorkspaceSize(
              c.dy.get(), c.x.get(), normalized.get(), c.mean.get(), c.rstd.get(), has_gamma ? c.gamma.get() : nullptr,
              nullptr, wanted.get(), c.dx.get(), wanted.has(1, c.dgamma), wanted.has(2, c.dbeta), n, e);
        },
        aclnnLayerNormBackward, {&c.dy, &c.x, &c.mean, &c.rstd, &c.gamma, &c.dgamma, &c.dbeta}, c.dx);
    const Gradients want = expected(c, true, has_gamma);
    expect_result(c.dx, bytes, want.dx, (mask & 1U) != 0);
    expect_result(c.dgamma, c.dgamma.download(), want.dgamma, (mask & 2U) != 0);
    expect_result(c.dbeta, c.dbeta.download(), want.dbeta, (mask & 4U) != 0);
  }
};

TEST_F(LayerGradients, OfALayerNormWhateverIsWanted) {
  for (const aclDataType type : kTypes) {
    for (unsigned mask = 0; mask < 8; ++mask) check_layer(Layer(type, {5, 3}, {77}, type, type), mask);
    check_layer(Layer(type, {5, 3}, {64}, ACL_FLOAT, ACL_FLOAT), 7, false);
  }
  check_layer(Layer(ACL_FLOAT, {7}, {1}, ACL_FLOAT, ACL_FLOAT));
  check_layer(Layer(ACL_FLOAT, {}, {13}, ACL_FLOAT, ACL_FLOAT));
  check_layer(Layer(ACL_FLOAT, {11}, {2, 3, 5}, ACL_FLOAT, ACL_FLOAT));
}

TEST_F(LayerGradients, OfViews) {
  for (const aclDataType type : {ACL_FLOAT, ACL_BF16}) {
    check_layer(Layer(type, {5, 7}, {11}, ACL_FLOAT, type, {{1, 5, 35}, 3}, {{110, 13, 1}, 2}, {{1, 10, 70}, 5}));
    check_layer(Layer(type, {5, 7}, {11}, ACL_FLOAT, type, {{0, 11, 1}, 1}, {{77, 11, 1}, 1}, {{200, 24, 2}, 0}));
    check_layer(Layer(type, {6}, {3, 8}, ACL_FLOAT, type, {{0, 0, 0}, 4}, {{1, 48, 6}}, {}));
  }
}

// Columns are summed up in parts, and both rows and columns are longer than a thread's loop may be.
TEST_F(LayerGradients, OfManyRowsAndOfLongOnes) {
  check_layer(Layer(ACL_FLOAT, {70001}, {3}, ACL_FLOAT, ACL_FLOAT));
  check_layer(Layer(ACL_FLOAT, {3}, {70001}, ACL_FLOAT, ACL_FLOAT));
  check_layer(Layer(ACL_FLOAT16, {1031}, {136}, ACL_FLOAT, ACL_FLOAT));
}

TEST_F(LayerGradients, OfNoRowsAreZeroForParameters) {
  const Layer none(ACL_FLOAT, {0}, {5}, ACL_FLOAT, ACL_FLOAT);
  check_layer(none);
  check_layer(Layer(ACL_FLOAT, {3}, {0}, ACL_FLOAT, ACL_FLOAT));
}

TEST_F(LayerGradients, NanStaysInItsRowAndInItsColumn) {
  Layer c(ACL_FLOAT, {5}, {16}, ACL_FLOAT, ACL_FLOAT);
  c.dy.fill([](std::int64_t i) { return i == 37 ? std::numeric_limits<Real>::quiet_NaN() : Real(i % 7 - 3); });
  c.x.fill([](std::int64_t i) { return i == 70 ? std::numeric_limits<Real>::infinity() : Real(i % 5 - 2); });
  check_layer(c);
}

TEST_F(LayerGradients, MayReplaceTheGradientThatIsGiven) {
  const Layer c(ACL_FLOAT, {9}, {37}, ACL_FLOAT, ACL_FLOAT);
  const OpInts normalized(c.normalized);
  const OpMask wanted(7);
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnLayerNormBackwardGetWorkspaceSize(c.dy.get(), c.x.get(), normalized.get(), c.mean.get(),
                                                      c.rstd.get(), c.gamma.get(), nullptr, wanted.get(), c.dy.get(),
                                                      c.dgamma.get(), c.dbeta.get(), n, e);
      },
      aclnnLayerNormBackward, {&c.x, &c.mean, &c.rstd, &c.gamma, &c.dgamma, &c.dbeta}, c.dy);
  const Gradients want = expected(c);
  expect_result(c.dy, bytes, want.dx, true);
  expect_result(c.dgamma, c.dgamma.download(), want.dgamma, true);
  expect_result(c.dbeta, c.dbeta.download(), want.dbeta, true);
}

TEST_F(LayerGradients, OfARootMeanSquare) {
  for (const aclDataType type : kTypes) {
    for (const Layer& c :
         {Layer(type, {5, 3}, {77}, ACL_FLOAT, ACL_FLOAT), Layer(type, {67}, {8}, ACL_FLOAT, ACL_FLOAT),
          Layer(type, {4}, {3, 5}, ACL_FLOAT, ACL_FLOAT, {{1, 20, 4}, 1})}) {
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnRmsNormGradGetWorkspaceSize(c.dy.get(), c.x.get(), c.rstd.get(), c.gamma.get(), c.dx.get(),
                                                    c.dgamma.get(), n, e);
          },
          aclnnRmsNormGrad, {&c.dy, &c.x, &c.rstd, &c.gamma, &c.dgamma}, c.dx);
      const Gradients want = expected(c, false);
      expect_result(c.dx, bytes, want.dx, true);
      expect_result(c.dgamma, c.dgamma.download(), want.dgamma, true);
    }
  }
}

TEST_F(LayerGradients, OfASumGetWhatComesToTheSumOtherwise) {
  for (const aclDataType type : kTypes) {
    for (const bool more : {false, true}) {
      const Layer c(type, {5, 3}, {77}, ACL_FLOAT, ACL_FLOAT);
      OpTensor x2(type, c.shape);
      OpTensor dsum(type, c.shape);
      x2.fill_random(6);
      dsum.fill_random(7);
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnAddLayerNormGradGetWorkspaceSize(c.dy.get(), c.x.get(), x2.get(), c.rstd.get(), c.mean.get(),
                                                         c.gamma.get(), more ? dsum.get() : nullptr, c.dx.get(),
                                                         c.dgamma.get(), c.dbeta.get(), n, e);
          },
          aclnnAddLayerNormGrad, {&c.dy, &c.x, &x2, &dsum, &c.mean, &c.rstd, &c.gamma, &c.dgamma, &c.dbeta}, c.dx);
      Gradients want = expected(c, true, true, [&](auto i) { return c.x.before(i).real() + x2.before(i).real(); });
      for (std::size_t i = 0; more && i < want.dx.size(); ++i) {
        want.dx[i] += dsum.before(static_cast<std::int64_t>(i)).real();
      }
      expect_result(c.dx, bytes, want.dx, true);
      expect_result(c.dgamma, c.dgamma.download(), want.dgamma, true);
      expect_result(c.dbeta, c.dbeta.download(), want.dbeta, true);
    }
  }
}

TEST_F(LayerGradients, OfADeepNormGoToBothAddends) {
  for (const aclDataType type : kTypes) {
    const Layer c(type, {5, 3}, {77}, ACL_FLOAT, ACL_FLOAT);
    OpTensor gx(type, c.shape);
    gx.fill_random(6);
    const OpTensor dgx(type, c.shape);
    const Real alpha = 0.3;
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnDeepNormGradGetWorkspaceSize(c.dy.get(), c.x.get(), gx.get(), c.gamma.get(), c.mean.get(),
                                                   c.rstd.get(), 0.3, c.dx.get(), dgx.get(), c.dbeta.get(),
                                                   c.dgamma.get(), n, e);
        },
        aclnnDeepNormGrad, {&c.dy, &c.x, &gx, &c.gamma, &c.mean, &c.rstd, &dgx, &c.dgamma, &c.dbeta}, c.dx);
    Gradients want =
        expected(c, true, true, [&](auto i) { return alpha * c.x.before(i).real() + gx.before(i).real(); });
    expect_result(dgx, dgx.download(), want.dx, true);
    for (Real& one : want.dx) one *= alpha;
    expect_result(c.dx, bytes, want.dx, true);
    expect_result(c.dgamma, c.dgamma.download(), want.dgamma, true);
    expect_result(c.dbeta, c.dbeta.download(), want.dbeta, true);
  }
}

TEST_F(LayerGradients, AreRefusedWhereShapesDoNotFit) {
  const OpTensor x(ACL_FLOAT, {4, 6});
  const OpTensor row(ACL_FLOAT, {4, 1});
  const OpTensor gamma(ACL_FLOAT, {6});
  const OpTensor dgamma(ACL_FLOAT, {6});
  const OpTensor dx(ACL_FLOAT, {4, 6});
  const OpTensor integers(ACL_INT32, {4, 6});
  const OpTensor half(ACL_FLOAT16, {6});
  const OpInts six({6});
  const OpInts five({5});
  const OpMask all(7);
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  const auto plan = [&](auto* dy, auto* shape, auto* mean, auto* mask, auto* out, auto* weight_out) {
    return aclnnLayerNormBackwardGetWorkspaceSize(dy, x.get(), shape, mean, row.get(), gamma.get(), nullptr, mask, out,
                                                  weight_out, gamma.get(), &n, &e);
  };
  aclTensor* none = nullptr;
  aclIntArray* no_shape = nullptr;
  aclBoolArray* no_mask = nullptr;
  EXPECT_EQ(plan(none, six.get(), row.get(), all.get(), dx.get(), dgamma.get()), 161001);
  EXPECT_EQ(plan(x.get(), no_shape, row.get(), all.get(), dx.get(), dgamma.get()), 161001);
  EXPECT_EQ(plan(x.get(), six.get(), none, all.get(), dx.get(), dgamma.get()), 161001);
  EXPECT_EQ(plan(x.get(), six.get(), row.get(), no_mask, dx.get(), dgamma.get()), 161001);
  EXPECT_EQ(plan(x.get(), six.get(), row.get(), all.get(), none, dgamma.get()), 161001);
  EXPECT_EQ(plan(integers.get(), six.get(), row.get(), all.get(), dx.get(), dgamma.get()), 161002);
  EXPECT_EQ(plan(gamma.get(), six.get(), row.get(), all.get(), dx.get(), dgamma.get()), 161002);
  EXPECT_EQ(plan(x.get(), five.get(), row.get(), all.get(), dx.get(), dgamma.get()), 161002);
  EXPECT_EQ(plan(x.get(), six.get(), gamma.get(), all.get(), dx.get(), dgamma.get()), 161002);
  EXPECT_EQ(plan(x.get(), six.get(), row.get(), all.get(), dgamma.get(), dgamma.get()), 161002);
  EXPECT_EQ(plan(x.get(), six.get(), row.get(), all.get(), dx.get(), row.get()), 161002);
  bool two[] = {true, true};
  aclBoolArray* short_mask = aclCreateBoolArray(two, 2);
  EXPECT_EQ(plan(x.get(), six.get(), row.get(), short_mask, dx.get(), dgamma.get()), 161002);
  aclDestroyBoolArray(short_mask);
  EXPECT_EQ(aclnnRmsNormGradGetWorkspaceSize(x.get(), x.get(), row.get(), gamma.get(), dx.get(), half.get(), &n, &e),
            161002)
      << "the gradient of gamma is FLOAT";
}

}  // namespace
}  // namespace aclvk::test
