#include <limits>

#include "aclnnop/aclnn_ada_layer_norm_backward.h"
#include "ops/norm/gradient_reference.hpp"

namespace aclvk::test {
namespace {

/// aclnnAdaLayerNormBackward: y = LayerNorm(x) * (1 + scale) + shift, with x (batch..., rows, columns).
class AdaLayerGradients : public GradientTest {
 protected:
  struct Case {
    OpTensor dy;
    OpTensor x;
    OpTensor rstd;
    OpTensor mean;
    OpTensor scale;
    OpTensor shift;
    OpTensor weight;
    OpTensor bias;
    OpTensor dx;
    OpTensor dscale;
    OpTensor dshift;
    OpTensor dweight;
    OpTensor dbias;

    Case(aclDataType type, const Shape& shape, bool keeps_rows = true, const View& x_view = {},
         const View& dx_view = {}, const View& scale_view = {})
        : dy(type, shape),
          x(type, shape, x_view),
          rstd(ACL_FLOAT, of_rows(shape, keeps_rows)),
          mean(ACL_FLOAT, rstd.shape()),
          scale(type, of_batch(shape, keeps_rows), scale_view),
          shift(type, scale.shape()),
          weight(type, {shape.back()}),
          bias(type, {shape.back()}),
          dx(type, shape, dx_view),
          dscale(type, scale.shape(), scale_view),
          dshift(type, scale.shape()),
          dweight(type, weight.shape()),
          dbias(type, weight.shape()) {
      dy.fill_random(1);
      x.fill_random(2);
      fill_scales(rstd, 3);
      mean.fill_random(4);
      scale.fill_random(5);
      shift.fill_random(6);
      weight.fill_random(7);
      bias.fill_random(8);
    }

    static Shape of_rows(Shape shape, bool keeps_columns) {
      shape.pop_back();
      if (keeps_columns) shape.push_back(1);
      return shape;
    }
    static Shape of_batch(Shape shape, bool keeps_rows) {
      const std::int64_t columns = shape.back();
      shape.resize(shape.size() - 2);
      if (keeps_rows) shape.push_back(1);
      shape.push_back(columns);
      return shape;
    }
  };

  struct Expected {
    std::vector<Real> dx, dscale, dshift, dweight, dbias;
  };

  static Expected expected(const Case& c, bool affine) {
    const std::int64_t columns = c.x.shape().back();
    const std::int64_t rows = c.x.shape()[c.x.shape().size() - 2];
    const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
    const auto weight = [&](std::int64_t k) { return affine ? c.weight.before(k).real() : 1; };
    const auto bias = [&](std::int64_t k) { return affine ? c.bias.before(k).real() : 0; };
    Expected want;
    want.dx.resize(at(c.x.count()));
    for (auto* of_batch : {&want.dscale, &want.dshift}) of_batch->resize(at(c.scale.count()));
    for (auto* of_columns : {&want.dweight, &want.dbias}) of_columns->resize(at(columns));
    for (std::int64_t row = 0; columns > 0 && row < c.x.count() / columns; ++row) {
      const Real r = c.rstd.before(row).real();
      const auto normal = [&](std::int64_t k) {
        return (c.x.before(row * columns + k).real() - c.mean.before(row).real()) * r;
      };
      Real sum = 0;
      Real product = 0;
      for (std::int64_t k = 0; k < columns; ++k) {
        const std::int64_t place = row / rows * columns + k;
        const Real dy = c.dy.before(row * columns + k).real();
        const Real inner = dy * (1 + c.scale.before(place).real());
        want.dscale[at(place)] += dy * (normal(k) * weight(k) + bias(k));
        want.dshift[at(place)] += dy;
        want.dweight[at(k)] += inner * normal(k);
        want.dbias[at(k)] += inner;
        sum += inner * weight(k);
        product += inner * weight(k) * normal(k);
      }
      for (std::int64_t k = 0; k < columns; ++k) {
        const Real inner =
            c.dy.before(row * columns + k).real() * (1 + c.scale.before(row / rows * columns + k).real());
        want.dx[at(row * columns + k)] =
            r * (inner * weight(k) - (sum + normal(k) * product) / static_cast<Real>(columns));
      }
    }
    return want;
  }

  static void check(const Case& c, bool affine = true, bool wants_parameters = true) {
    SCOPED_TRACE(testing::Message() << "dtype " << c.x.type() << (affine ? ", affine" : ""));
    const OpInts normalized({c.x.shape().back()});
    const auto if_affine = [&](const OpTensor& tensor) { return affine ? tensor.get() : nullptr; };
    const auto if_wanted = [&](const OpTensor& tensor) { return wants_parameters ? tensor.get() : nullptr; };
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnAdaLayerNormBackwardGetWorkspaceSize(
              c.dy.get(), c.x.get(), normalized.get(), c.rstd.get(), c.mean.get(), c.scale.get(), c.shift.get(),
              if_affine(c.weight), if_affine(c.bias), c.dx.get(), c.dscale.get(), c.dshift.get(), if_wanted(c.dweight),
              if_wanted(c.dbias), n, e);
        },
        aclnnAdaLayerNormBackward,
        {&c.dy, &c.x, &c.rstd, &c.mean, &c.scale, &c.shift, &c.weight, &c.bias, &c.dscale, &c.dshift, &c.dweight,
         &c.dbias},
        c.dx);
    const Expected want = expected(c, affine);
    expect_result(c.dx, bytes, want.dx, true);
    expect_result(c.dscale, c.dscale.download(), want.dscale, true);
    expect_result(c.dshift, c.dshift.download(), want.dshift, true);
    expect_result(c.dweight, c.dweight.download(), want.dweight, wants_parameters);
    expect_result(c.dbias, c.dbias.download(), want.dbias, wants_parameters);
  }
};

TEST_F(AdaLayerGradients, OfAllOperands) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    check(Case(type, {3, 5, 37}));
    check(Case(type, {3, 5, 37}, false), false);
  }
  check(Case(ACL_FLOAT, {7, 11}));
  check(Case(ACL_FLOAT, {7, 11}, false));
  check(Case(ACL_FLOAT, {2, 3, 5, 13}), false, false);
  check(Case(ACL_FLOAT, {1, 1, 1}));
}

TEST_F(AdaLayerGradients, OfViewsAndOfManyRows) {
  check(Case(ACL_FLOAT, {3, 5, 7}, true, {{1, 3, 15}, 2}, {{100, 16, 2}, 1}, {{20, 1, 2}, 3}));
  check(Case(ACL_FLOAT, {1, 70001, 1}));
}

TEST_F(AdaLayerGradients, OfNoRowsAreZeroForParameters) {
  check(Case(ACL_FLOAT, {2, 0, 5}));
  check(Case(ACL_FLOAT, {0, 3, 5}, false));
}

TEST_F(AdaLayerGradients, NanStaysInItsRowAndItsColumn) {
  Case c(ACL_FLOAT, {2, 3, 7});
  c.dy.fill([](std::int64_t i) { return i == 17 ? std::numeric_limits<Real>::quiet_NaN() : Real(i % 7 - 3); });
  check(c);
}

TEST_F(AdaLayerGradients, MayReplaceTheGradientThatIsGiven) {
  const Case c(ACL_FLOAT, {3, 5, 7});
  const OpInts normalized({7});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnAdaLayerNormBackwardGetWorkspaceSize(c.dy.get(), c.x.get(), normalized.get(), c.rstd.get(),
                                                         c.mean.get(), c.scale.get(), c.shift.get(), c.weight.get(),
                                                         c.bias.get(), c.dy.get(), c.dscale.get(), c.dshift.get(),
                                                         c.dweight.get(), c.dbias.get(), n, e);
      },
      aclnnAdaLayerNormBackward,
      {&c.x, &c.rstd, &c.mean, &c.scale, &c.shift, &c.weight, &c.bias, &c.dscale, &c.dshift, &c.dweight, &c.dbias},
      c.dy);
  const Expected want = expected(c, true);
  expect_result(c.dy, bytes, want.dx, true);
  expect_result(c.dscale, c.dscale.download(), want.dscale, true);
}

TEST_F(AdaLayerGradients, RefuseWhatDoesNotFit) {
  const Case c(ACL_FLOAT, {2, 3, 5});
  const OpTensor flat(ACL_FLOAT, {5});
  const OpTensor wide(ACL_FLOAT, {2, 3, 5});
  const OpTensor integers(ACL_INT32, {2, 3, 5});
  const OpInts five({5});
  const OpInts both({3, 5});
  const OpInts four({4});
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  const auto plan = [&](const OpTensor* dy, const OpInts* normalized, const OpTensor* scale, const OpTensor* dscale,
                        const OpTensor* dweight) {
    const auto handle = [](const OpTensor* tensor) { return tensor ? tensor->get() : nullptr; };
    return aclnnAdaLayerNormBackwardGetWorkspaceSize(handle(dy), c.x.get(), normalized ? normalized->get() : nullptr,
                                                     c.rstd.get(), c.mean.get(), handle(scale), c.shift.get(),
                                                     c.weight.get(), c.bias.get(), c.dx.get(), handle(dscale),
                                                     c.dshift.get(), handle(dweight), c.dbias.get(), &n, &e);
  };
  EXPECT_EQ(plan(nullptr, &five, &c.scale, &c.dscale, &c.dweight), 161001);
  EXPECT_EQ(plan(&c.dy, nullptr, &c.scale, &c.dscale, &c.dweight), 161001);
  EXPECT_EQ(plan(&c.dy, &five, nullptr, &c.dscale, &c.dweight), 161001);
  EXPECT_EQ(plan(&c.dy, &five, &c.scale, nullptr, &c.dweight), 161001);
  EXPECT_EQ(plan(&c.dy, &five, &c.scale, &c.dscale, nullptr), 161001) << "weightOptional is given";
  EXPECT_EQ(plan(&integers, &five, &c.scale, &c.dscale, &c.dweight), 161002);
  EXPECT_EQ(plan(&c.dy, &both, &c.scale, &c.dscale, &c.dweight), 161002);
  EXPECT_EQ(plan(&c.dy, &four, &c.scale, &c.dscale, &c.dweight), 161002);
  EXPECT_EQ(plan(&c.dy, &five, &wide, &wide, &c.dweight), 161002);
  EXPECT_EQ(plan(&c.dy, &five, &c.scale, &flat, &c.dweight), 161002);
  EXPECT_EQ(plan(&c.dy, &five, &c.scale, &c.scale, &c.dweight), 161002) << "the gradient in the memory of the scale";
  EXPECT_EQ(plan(&c.dy, &five, &c.scale, &c.dscale, &wide), 161002);
}

}  // namespace
}  // namespace aclvk::test
