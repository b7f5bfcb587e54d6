#include "aclnnop/aclnn_adaptive_avg_pool2d.h"
#include "aclnnop/aclnn_adaptive_avg_pool2d_backward.h"
#include "aclnnop/aclnn_adaptive_avg_pool3d_backward.h"
#include "aclnnop/aclnn_avgpool2d.h"
#include "aclnnop/aclnn_avgpool2d_backward.h"
#include "aclnnop/aclnn_avgpool3d_backward.h"
#include "ops/pooling/window_reference.hpp"

namespace aclvk::test {
namespace {

struct Divisor {
  bool counts_padding = true;
  std::int64_t other = 0;
};

class MeanGradient : public OpTest {
 protected:
  static std::int64_t divisor_at(const MovingWindow& window, const Shape& at, const Shape& self,
                                 const Divisor& divisor) {
    if (divisor.other) return divisor.other;
    std::int64_t count = 1;
    for (std::size_t i = 0; i < window.dims(); ++i) {
      const std::size_t dim = at.size() - window.dims() + i;
      const std::int64_t begin = at[dim] * window.stride[i] - window.padding[i];
      const std::int64_t padded_end = std::min(begin + window.kernel[i], self[dim] + window.padding[i]);
      const std::int64_t inside = std::min(padded_end, self[dim]) - std::max<std::int64_t>(begin, 0);
      count *= divisor.counts_padding ? padded_end - begin : inside;
    }
    return count;
  }

  /// Spreads each element of the gradient over its window.
  template <typename Ranges, typename Share>
  static std::vector<Real> spread(const OpTensor& gradient, const Shape& self, Ranges ranges, Share share) {
    std::vector<Real> sums(static_cast<std::size_t>(count_of(self)), 0);
    for (std::int64_t i = 0; i < gradient.count(); ++i) {
      const Shape at = coordinates_of(i, gradient.shape());
      const std::vector<Shape> places = ranges(at);
      std::int64_t held = 1;
      for (const Shape& range : places) held *= static_cast<std::int64_t>(range.size());
      const Real value = gradient.before(i).real() / share(at, held);
      visit_box(at, places, 0,
                [&](const Shape& place) { sums[static_cast<std::size_t>(element_at(place, self))] += value; });
    }
    return sums;
  }

  static void check_window(aclDataType type, const Shape& shape, const MovingWindow& window, Divisor divisor = {},
                           const View& view = {}, const View& out_view = {}) {
    SCOPED_TRACE(testing::Message() << "dtype " << type << ", " << shape.size() << " dims");
    OpTensor gradient(type, window.result(shape), view);
    const OpTensor self(type, shape);
    const OpTensor out(type, shape, out_view);
    gradient.fill_random(3);
    const OpInts kernel(window.kernel);
    const OpInts stride(window.stride);
    const OpInts padding(window.padding);
    const bool flat = window.dims() == 2;
    const auto plan = [&](auto* n, auto** e) {
      if (flat) {
        return aclnnAvgPool2dBackwardGetWorkspaceSize(gradient.get(), self.get(), kernel.get(), stride.get(),
                                                      padding.get(), window.ceil_mode, divisor.counts_padding,
                                                      divisor.other, 0, out.get(), n, e);
      }
      return aclnnAvgPool3dBackwardGetWorkspaceSize(gradient.get(), self.get(), kernel.get(), stride.get(),
                                                    padding.get(), window.ceil_mode, divisor.counts_padding,
                                                    divisor.other, out.get(), n, e);
    };
    const auto bytes = run(plan, flat ? aclnnAvgPool2dBackward : aclnnAvgPool3dBackward, {&gradient, &self}, out);
    const auto sums = spread(
        gradient, shape, [&](const Shape& at) { return ranges_at(window, at, shape); },
        [&](const Shape& at, std::int64_t) { return divisor_at(window, at, shape, divisor); });
    expect_elements(
        out, bytes, [&](std::int64_t i) { return rounded(sums[static_cast<std::size_t>(i)], type); }, false);
  }

  static void check_adaptive(aclDataType type, const Shape& shape, const Shape& sizes, const View& view = {}) {
    SCOPED_TRACE(testing::Message() << "dtype " << type << ", " << shape.size() << " dims");
    Shape result = shape;
    std::copy(sizes.begin(), sizes.end(), result.end() - static_cast<std::ptrdiff_t>(sizes.size()));
    OpTensor gradient(type, result, view);
    const OpTensor self(type, shape);
    const OpTensor out(type, shape);
    gradient.fill_random(5);
    const bool flat = sizes.size() == 2;
    const auto plan = [&](auto* n, auto** e) {
      return flat ? aclnnAdaptiveAvgPool2dBackwardGetWorkspaceSize(gradient.get(), self.get(), out.get(), n, e)
                  : aclnnAdaptiveAvgPool3dBackwardGetWorkspaceSize(gradient.get(), self.get(), out.get(), n, e);
    };
    const auto bytes =
        run(plan, flat ? aclnnAdaptiveAvgPool2dBackward : aclnnAdaptiveAvgPool3dBackward, {&gradient, &self}, out);
    const auto sums = spread(
        gradient, shape, [&](const Shape& at) { return ranges_at(sizes, at, shape); },
        [](const Shape&, std::int64_t held) { return held; });
    expect_elements(
        out, bytes, [&](std::int64_t i) { return rounded(sums[static_cast<std::size_t>(i)], type); }, false);
  }
};

TEST_F(MeanGradient, SpreadsOverWindowsOfTwoAndThreeDims) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    check_window(type, {2, 3, 11, 13}, {{3, 3}, {2, 2}, {1, 1}, {1, 1}});
    check_window(type, {2, 3, 5, 7, 8}, {{2, 3, 3}, {1, 2, 2}, {1, 0, 1}, {1, 1, 1}});
  }
  check_window(ACL_FLOAT, {3, 7, 8}, {{2, 2}, {2, 2}, {0, 0}, {1, 1}});
  check_window(ACL_FLOAT, {3, 5, 7, 8}, {{3, 2, 1}, {2, 1, 3}, {1, 1, 0}, {1, 1, 1}});
  check_window(ACL_FLOAT, {1, 13, 11}, {{2, 1}, {5, 3}, {0, 0}, {1, 1}});  // steps over elements
}

TEST_F(MeanGradient, PaddingMayCountOrNot) {
  for (const bool ceil_mode : {false, true}) {
    for (const bool counts_padding : {false, true}) {
      check_window(ACL_FLOAT, {2, 3, 10, 12}, {{3, 4}, {2, 3}, {1, 2}, {1, 1}, ceil_mode}, {counts_padding});
      check_window(ACL_FLOAT, {1, 2, 6, 5, 7}, {{3, 2, 4}, {2, 2, 2}, {1, 1, 2}, {1, 1, 1}, ceil_mode},
                   {counts_padding});
    }
  }
}

TEST_F(MeanGradient, AnotherDivisorTakesTheirPlace) {
  check_window(ACL_FLOAT, {2, 3, 10, 12}, {{3, 4}, {2, 3}, {1, 2}, {1, 1}}, {true, 7});
  check_window(ACL_FLOAT16, {2, 3, 10, 12}, {{3, 4}, {2, 3}, {1, 2}, {1, 1}}, {false, -3});
}

TEST_F(MeanGradient, TensorsMayBeAnyView) {
  const MovingWindow window{{3, 2}, {2, 2}, {1, 1}, {1, 1}};
  check_window(ACL_FLOAT, {2, 3, 9, 8}, window, {}, {{2, 4 * 9, 4, 200}, 3});
  check_window(ACL_FLOAT16, {2, 3, 9, 8}, window, {}, {{0, 25, 5, 1}, 1}, {{250, 80, 9, 1}, 7});
  check_window(ACL_FLOAT, {2, 3, 9, 8}, window, {}, {{75, 1, 15, 3}, 2}, {{216, 1, 24, 3}, 0});
  check_adaptive(ACL_FLOAT, {2, 3, 9, 8}, {4, 3}, {{0, 1, 0, 5}, 2});
}

TEST_F(MeanGradient, SpreadsOverShares) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    check_adaptive(type, {2, 3, 11, 13}, {3, 5});
    check_adaptive(type, {2, 2, 5, 7, 11}, {2, 3, 4});
  }
  check_adaptive(ACL_FLOAT, {3, 5, 7}, {1, 1});
  check_adaptive(ACL_FLOAT, {3, 3, 2}, {7, 5});  // more places than elements
  check_adaptive(ACL_FLOAT, {2, 4, 5, 6}, {4, 5, 6});
}

TEST_F(MeanGradient, OfNothingIsZeroOrNothing) {
  check_window(ACL_FLOAT, {0, 3, 9, 8}, {{3, 2}, {2, 2}, {1, 1}, {1, 1}});
  check_adaptive(ACL_FLOAT, {0, 3, 9, 8}, {2, 2});
  check_adaptive(ACL_FLOAT, {2, 3, 9, 8}, {0, 2});
}

TEST_F(MeanGradient, InfinitiesAndNaNReachOnlyTheirWindow) {
  OpTensor gradient(ACL_FLOAT, {1, 2, 2});
  gradient.fill([](std::int64_t i) { return i == 0 ? Real(INFINITY) : i == 3 ? Real(NAN) : Real(1); });
  const OpTensor self(ACL_FLOAT, {1, 4, 4});
  const OpInts two({2, 2});
  const OpInts zero({0});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnAvgPool2dBackwardGetWorkspaceSize(gradient.get(), self.get(), two.get(), two.get(), zero.get(),
                                                      false, true, 0, 0, self.get(), n, e);
      },
      aclnnAvgPool2dBackward, {&gradient}, self);
  const auto expected = [&](std::int64_t i) -> Number {
    const std::int64_t window = i / 8 * 2 + i % 4 / 2;
    return gradient.before(window).real() / 4;
  };
  expect_elements(self, bytes, expected, true);
}

TEST_F(MeanGradient, WindowsMayBeLongerThanALoopHasIterations) {
  check_window(ACL_FLOAT, {1, 2, 70001}, {{1, 70001}, {1, 1}, {0, 0}, {1, 1}});
}

/// What is the mean over windows that no thread takes alone.
TEST_F(MeanGradient, MeansOverLargeWindowsGoAlongOneDimAfterTheOther) {
  OpTensor self(ACL_FLOAT, {1, 1030, 1034});
  self.fill_random(9);
  const OpTensor out(ACL_FLOAT, {1, 2, 3});
  const OpInts kernel({1029, 1028});
  const OpInts stride({1, 3});
  const OpInts zero({0});
  const auto mean = [&](std::int64_t top, std::int64_t left, std::int64_t rows, std::int64_t columns) {
    Real sum = 0;
    for (std::int64_t y = top; y < top + rows; ++y) {
      for (std::int64_t x = left; x < left + columns; ++x) sum += self.before(y * 1034 + x).real();
    }
    return sum / (rows * columns);
  };
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnAvgPool2dGetWorkspaceSize(self.get(), kernel.get(), stride.get(), zero.get(), false, true, 0, 0,
                                              out.get(), n, e);
      },
      aclnnAvgPool2d, {&self}, out);
  expect_elements(
      out, bytes, [&](std::int64_t i) -> Number { return mean(i / 3, i % 3 * 3, 1029, 1028); }, false);
  const OpTensor shares(ACL_FLOAT, {1, 1, 1});
  const OpInts one({1});
  const auto whole =
      run([&](auto* n,
              auto** e) { return aclnnAdaptiveAvgPool2dGetWorkspaceSize(self.get(), one.get(), shares.get(), n, e); },
          aclnnAdaptiveAvgPool2d, {&self}, shares);
  expect_elements(
      shares, whole, [&](std::int64_t) -> Number { return mean(0, 0, 1030, 1034); }, false);
}

TEST_F(MeanGradient, RefusesOthers) {
  const OpTensor self(ACL_FLOAT, {2, 3, 9, 8});
  const OpTensor gradient(ACL_FLOAT, {2, 3, 4, 4});
  const OpTensor half(ACL_FLOAT16, {2, 3, 4, 4});
  const OpTensor out(ACL_FLOAT, {2, 3, 9, 8});
  const OpTensor other(ACL_FLOAT, {2, 2, 4, 4});
  const OpInts two({2});
  const OpInts zero({0});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* g, const aclTensor* x, const OpInts* kernel, std::int64_t divisor,
                        aclTensor* y) {
    return aclnnAvgPool2dBackwardGetWorkspaceSize(g, x, kernel ? kernel->get() : nullptr, two.get(), zero.get(), false,
                                                  true, divisor, 0, y, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, self.get(), &two, 0, out.get()), 161001);
  EXPECT_EQ(plan(gradient.get(), nullptr, &two, 0, out.get()), 161001);
  EXPECT_EQ(plan(gradient.get(), self.get(), nullptr, 0, out.get()), 161001);
  EXPECT_EQ(plan(gradient.get(), self.get(), &two, 0, nullptr), 161001);
  EXPECT_EQ(plan(half.get(), self.get(), &two, 0, out.get()), 161002);
  EXPECT_EQ(plan(gradient.get(), self.get(), &zero, 0, out.get()), 161002);
  EXPECT_EQ(plan(gradient.get(), self.get(), &two, std::int64_t{1} << 31, out.get()), 161002);
  EXPECT_EQ(plan(self.get(), self.get(), &two, 0, out.get()), 161002);
  EXPECT_EQ(plan(gradient.get(), self.get(), &two, 0, gradient.get()), 161002);
  const auto adaptive = [&](const aclTensor* g, aclTensor* y) {
    return aclnnAdaptiveAvgPool2dBackwardGetWorkspaceSize(g, self.get(), y, &size, &executor);
  };
  EXPECT_EQ(adaptive(nullptr, out.get()), 161001);
  EXPECT_EQ(adaptive(other.get(), out.get()), 161002);
  EXPECT_EQ(adaptive(half.get(), out.get()), 161002);
  EXPECT_EQ(adaptive(gradient.get(), gradient.get()), 161002);
}

}  // namespace
}  // namespace aclvk::test
