#include "aclnnop/aclnn_average_pooling_grad.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

/// A window along one dim, with its padding on both sides.
struct Side {
  std::int64_t kernel;
  std::int64_t stride;
  std::int64_t before;
  std::int64_t after;

  std::int64_t positions(std::int64_t size, bool ceil_mode) const {
    const std::int64_t room = size + before + after - kernel;
    std::int64_t count = room / stride + 1;
    if (ceil_mode && room % stride != 0 && count * stride < size + before) ++count;
    return count;
  }
};

struct Averaging {
  Side rows;
  Side columns;
  bool ceil_mode = false;
  bool counts_padding = true;
  std::int64_t divisor = 0;
};

class AveragePoolingGrad : public OpTest {
 protected:
  static void check(aclDataType type, const Shape& shape, const Averaging& window, const View& view = {},
                    const View& out_view = {}) {
    SCOPED_TRACE(testing::Message() << "dtype " << type);
    const std::size_t rank = shape.size();
    const std::int64_t height = shape[rank - 2];
    const std::int64_t width = shape[rank - 1];
    Shape result = shape;
    result[rank - 2] = window.rows.positions(height, window.ceil_mode);
    result[rank - 1] = window.columns.positions(width, window.ceil_mode);
    OpTensor gradient(type, result, view);
    gradient.fill_random(3);
    const OpTensor out(type, shape, out_view);
    std::vector<Real> sums(static_cast<std::size_t>(out.count()), 0);
    for (std::int64_t i = 0; i < gradient.count(); ++i) {
      const std::int64_t plane = i / (result[rank - 2] * result[rank - 1]);
      const std::int64_t top = i / result[rank - 1] % result[rank - 2] * window.rows.stride - window.rows.before;
      const std::int64_t left = i % result[rank - 1] * window.columns.stride - window.columns.before;
      const std::int64_t bottom = std::min(top + window.rows.kernel, height + window.rows.after);
      const std::int64_t right = std::min(left + window.columns.kernel, width + window.columns.after);
      std::vector<std::int64_t> inside;
      for (std::int64_t y = top; y < bottom; ++y) {
        for (std::int64_t x = left; x < right; ++x) {
          if (y >= 0 && y < height && x >= 0 && x < width) inside.push_back((plane * height + y) * width + x);
        }
      }
      const std::int64_t padded = (bottom - top) * (right - left);
      const auto counted = window.counts_padding ? padded : static_cast<std::int64_t>(inside.size());
      const Real share = gradient.before(i).real() / Real(window.divisor != 0 ? window.divisor : counted);
      for (const std::int64_t element : inside) sums[static_cast<std::size_t>(element)] += share;
    }
    const OpInts sizes(shape);
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnAveragePoolingGradGetWorkspaceSize(
              sizes.get(), gradient.get(), window.rows.kernel, window.columns.kernel, window.rows.stride,
              window.columns.stride, window.rows.before, window.rows.after, window.columns.before, window.columns.after,
              window.ceil_mode, window.counts_padding, window.divisor, out.get(), n, e);
        },
        aclnnAveragePoolingGrad, {&gradient}, out);
    expect_elements(
        out, bytes, [&](std::int64_t i) { return rounded(sums[static_cast<std::size_t>(i)], type); }, false);
  }
};

TEST_F(AveragePoolingGrad, SpreadsOverWindowsWithAPaddingForEachSide) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    check(type, {2, 3, 11, 7}, {{3, 2, 1, 0}, {4, 3, 0, 2}});
  }
  check(ACL_FLOAT, {3, 5, 7}, {{1, 1, 0, 0}, {2, 5, 0, 0}});  // elements in no window
}

TEST_F(AveragePoolingGrad, PaddingMayCountOrNot) {
  for (const bool ceil_mode : {false, true}) {
    for (const bool counts_padding : {false, true}) {
      check(ACL_FLOAT, {2, 10, 13}, {{3, 2, 0, 1}, {4, 3, 2, 1}, ceil_mode, counts_padding});
    }
  }
}

TEST_F(AveragePoolingGrad, AnotherDivisorTakesItsPlace) {
  check(ACL_FLOAT, {2, 10, 13}, {{3, 2, 0, 1}, {4, 3, 2, 1}, false, true, -7});
}

TEST_F(AveragePoolingGrad, TensorsMayBeAnyView) {
  check(ACL_FLOAT16, {2, 3, 9, 8}, {{3, 2, 1, 1}, {2, 2, 1, 0}}, {{0, 25, 5, 1}, 1}, {{250, 80, 9, 1}, 7});
}

TEST_F(AveragePoolingGrad, OfNothingIsNothing) { check(ACL_FLOAT, {0, 3, 9, 8}, {{3, 2, 1, 1}, {2, 2, 1, 0}}); }

TEST_F(AveragePoolingGrad, RefusesOthers) {
  const OpTensor gradient(ACL_FLOAT, {2, 3, 4, 4});
  const OpTensor half(ACL_FLOAT16, {2, 3, 4, 4});
  const OpTensor out(ACL_FLOAT, {2, 3, 8, 8});
  const OpInts sizes({2, 3, 8, 8});
  const OpInts others({2, 3, 8, 9});
  const OpInts line({8});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  struct Numbers {
    std::int64_t kernel = 2, stride = 2, padding = 0, divisor = 0;
  };
  const auto plan = [&](const OpInts* shape, const aclTensor* dy, aclTensor* dx, const Numbers& own) {
    return aclnnAveragePoolingGradGetWorkspaceSize(shape ? shape->get() : nullptr, dy, own.kernel, 2, 2, own.stride, 0,
                                                   own.padding, 0, 0, false, true, own.divisor, dx, &size, &executor);
  };
  EXPECT_EQ(plan(&sizes, gradient.get(), out.get(), {}), 0);
  EXPECT_EQ(plan(nullptr, gradient.get(), out.get(), {}), 161001);
  EXPECT_EQ(plan(&sizes, nullptr, out.get(), {}), 161001);
  EXPECT_EQ(plan(&sizes, gradient.get(), nullptr, {}), 161001);
  EXPECT_EQ(plan(&sizes, half.get(), out.get(), {}), 161002);
  EXPECT_EQ(plan(&others, gradient.get(), out.get(), {}), 161002);
  EXPECT_EQ(plan(&line, gradient.get(), out.get(), {}), 161002);
  EXPECT_EQ(plan(&sizes, out.get(), out.get(), {}), 161002);
  EXPECT_EQ(plan(&sizes, gradient.get(), out.get(), {0}), 161002);
  EXPECT_EQ(plan(&sizes, gradient.get(), out.get(), {2, 0}), 161002);
  EXPECT_EQ(plan(&sizes, gradient.get(), out.get(), {2, 2, -1}), 161002);
  EXPECT_EQ(plan(&sizes, gradient.get(), out.get(), {2, 2, 2}), 161002);
  EXPECT_EQ(plan(&sizes, gradient.get(), out.get(), {2, 2, 0, std::int64_t{1} << 31}), 161002);
  EXPECT_EQ(plan(&sizes, gradient.get(), out.get(), {9}), 161002);
}

}  // namespace
}  // namespace aclvk::test
