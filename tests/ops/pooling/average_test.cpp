#include "aclnnop/aclnn_adaptive_avg_pool2d.h"
#include "aclnnop/aclnn_adaptive_avg_pool3d.h"
#include "aclnnop/aclnn_avgpool2d.h"
#include "aclnnop/aclnn_avgpool3d.h"
#include "aclnnop/aclnn_global_average_pool.h"
#include "ops/pooling/window_reference.hpp"

namespace aclvk::test {
namespace {

const std::vector<aclDataType> kFloats = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

class AveragePooling : public OpTest {
 protected:
  static std::int64_t divisor_at(const MovingWindow& window, const Shape& at, const Shape& self, bool counts_padding) {
    std::int64_t count = 1;
    for (std::size_t i = 0; i < window.dims(); ++i) {
      const std::size_t dim = at.size() - window.dims() + i;
      const std::int64_t begin = at[dim] * window.stride[i] - window.padding[i];
      const std::int64_t padded_end = std::min(begin + window.kernel[i], self[dim] + window.padding[i]);
      const std::int64_t end = std::min(padded_end, self[dim]);
      count *= counts_padding ? padded_end - begin : end - std::max<std::int64_t>(begin, 0);
    }
    return count;
  }

  static void check_window(aclDataType type, const Shape& shape, const MovingWindow& window, bool counts_padding = true,
                           std::int64_t divisor = 0, const View& view = {}, const View& out_view = {}) {
    SCOPED_TRACE(testing::Message() << "dtype " << type << ", " << shape.size() << " dims");
    OpTensor self(type, shape, view);
    self.fill_random(3);
    const OpTensor out(type, window.result(shape), out_view);
    const OpInts kernel(window.kernel);
    const OpInts stride(window.stride);
    const OpInts padding(window.padding);
    const bool flat = window.dims() == 2;
    const auto plan = [&](auto* n, auto** e) {
      if (flat) {
        return aclnnAvgPool2dGetWorkspaceSize(self.get(), kernel.get(), stride.get(), padding.get(), window.ceil_mode,
                                              counts_padding, divisor, 0, out.get(), n, e);
      }
      return aclnnAvgPool3dGetWorkspaceSize(self.get(), kernel.get(), stride.get(), padding.get(), window.ceil_mode,
                                            counts_padding, divisor, out.get(), n, e);
    };
    const auto bytes = run(plan, flat ? aclnnAvgPool2d : aclnnAvgPool3d, {&self}, out);
    const auto expected = [&](std::int64_t i) -> Number {
      const Shape at = coordinates_of(i, out.shape());
      const WindowElements elements(self, at, ranges_at(window, at, shape));
      return elements.sum() / (divisor ? divisor : divisor_at(window, at, shape, counts_padding));
    };
    expect_elements(out, bytes, expected, false);
  }

  static void check_adaptive(aclDataType type, const Shape& shape, const Shape& sizes, const View& view = {}) {
    SCOPED_TRACE(testing::Message() << "dtype " << type << ", " << shape.size() << " dims");
    OpTensor self(type, shape, view);
    self.fill_random(5);
    Shape result = shape;
    std::copy(sizes.begin(), sizes.end(), result.end() - static_cast<std::ptrdiff_t>(sizes.size()));
    const OpTensor out(type, result);
    const OpInts size(sizes);
    const bool flat = sizes.size() == 2;
    const auto plan = [&](auto* n, auto** e) {
      return flat ? aclnnAdaptiveAvgPool2dGetWorkspaceSize(self.get(), size.get(), out.get(), n, e)
                  : aclnnAdaptiveAvgPool3dGetWorkspaceSize(self.get(), size.get(), out.get(), n, e);
    };
    const auto bytes = run(plan, flat ? aclnnAdaptiveAvgPool2d : aclnnAdaptiveAvgPool3d, {&self}, out);
    const auto expected = [&](std::int64_t i) -> Number {
      const Shape at = coordinates_of(i, out.shape());
      const WindowElements elements(self, at, ranges_at(sizes, at, shape));
      return elements.sum() / elements.values.size();
    };
    expect_elements(out, bytes, expected, false);
  }

  static void check_global(aclDataType type, const Shape& shape) {
    OpTensor self(type, shape);
    self.fill_random(7);
    Shape result(shape.size(), 1);
    std::copy_n(shape.begin(), 2, result.begin());
    const OpTensor out(type, result);
    const auto bytes =
        run([&](auto* n, auto** e) { return aclnnGlobalAveragePoolGetWorkspaceSize(self.get(), out.get(), n, e); },
            aclnnGlobalAveragePool, {&self}, out);
    const std::int64_t plane = self.count() / std::max<std::int64_t>(out.count(), 1);
    const auto expected = [&](std::int64_t i) -> Number {
      Real sum = 0;
      for (std::int64_t k = 0; k < plane; ++k) sum += self.before(i * plane + k).real();
      return sum / plane;
    };
    expect_elements(out, bytes, expected, false);
  }
};

TEST_F(AveragePooling, MovesAWindowOverTwoDims) {
  for (const aclDataType type : kFloats) {
    check_window(type, {2, 3, 11, 13}, {{3, 3}, {2, 2}, {1, 1}, {1, 1}});
    check_window(type, {3, 7, 8}, {{2, 2}, {2, 2}, {0, 0}, {1, 1}});
  }
}

TEST_F(AveragePooling, MovesAWindowOverThreeDims) {
  for (const aclDataType type : kFloats) {
    check_window(type, {2, 3, 5, 7, 8}, {{2, 3, 3}, {1, 2, 2}, {1, 0, 1}, {1, 1, 1}});
  }
  check_window(ACL_FLOAT, {3, 5, 7, 8}, {{3, 2, 1}, {2, 1, 3}, {1, 1, 0}, {1, 1, 1}});
}

TEST_F(AveragePooling, PaddingMayCountOrNot) {
  for (const bool ceil_mode : {false, true}) {
    for (const bool counts_padding : {false, true}) {
      check_window(ACL_FLOAT, {2, 3, 10, 12}, {{3, 4}, {2, 3}, {1, 2}, {1, 1}, ceil_mode}, counts_padding);
      check_window(ACL_FLOAT, {1, 2, 6, 5, 7}, {{3, 2, 4}, {2, 2, 2}, {1, 1, 2}, {1, 1, 1}, ceil_mode}, counts_padding);
    }
  }
}

TEST_F(AveragePooling, AnotherDivisorTakesTheirPlace) {
  check_window(ACL_FLOAT, {2, 3, 10, 12}, {{3, 4}, {2, 3}, {1, 2}, {1, 1}}, true, 7);
  check_window(ACL_FLOAT, {2, 3, 10, 12}, {{3, 4}, {2, 3}, {1, 2}, {1, 1}}, false, -3);
}

TEST_F(AveragePooling, ATensorMayBeAnyView) {
  const MovingWindow window{{3, 2}, {2, 2}, {1, 1}, {1, 1}};
  check_window(ACL_FLOAT, {2, 3, 9, 8}, window, true, 0, {{2, 4 * 9, 4, 200}, 3});  // columns apart, images interleaved
  check_window(ACL_FLOAT16, {2, 3, 9, 8}, window, true, 0, {{0, 72, 8, 1}, 1});     // one image, twice
  check_window(ACL_FLOAT, {2, 3, 9, 8}, window, true, 0, {{216, 1, 24, 3}, 0}, {{75, 1, 15, 3}, 2});  // channels last
  check_window(ACL_BF16, {2, 3, 9, 8}, window, false, 0, {}, {{100, 33, 6, 1}, 5});
}

TEST_F(AveragePooling, NothingIsDoneForAnEmptyBatch) {
  check_window(ACL_FLOAT, {0, 3, 9, 8}, {{3, 2}, {2, 2}, {1, 1}, {1, 1}});
  check_adaptive(ACL_FLOAT, {0, 3, 9, 8}, {2, 2});
  check_adaptive(ACL_FLOAT, {2, 3, 9, 8}, {0, 2});
  check_global(ACL_FLOAT, {0, 3, 4});
}

TEST_F(AveragePooling, OneValueOfAnArrayCountsForAllDims) {
  OpTensor self(ACL_FLOAT, {2, 9, 9});
  self.fill_random(3);
  const OpTensor out(ACL_FLOAT, {2, 3, 3});
  const OpInts three({3});
  const OpInts none({});
  const OpInts zero({0});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnAvgPool2dGetWorkspaceSize(self.get(), three.get(), none.get(), zero.get(), false, true, 0, 0,
                                              out.get(), n, e);
      },
      aclnnAvgPool2d, {&self}, out);
  const auto expected = [&](std::int64_t i) -> Number {
    const Shape at = coordinates_of(i, out.shape());
    const MovingWindow window{{3, 3}, {3, 3}, {0, 0}, {1, 1}};
    return WindowElements(self, at, ranges_at(window, at, self.shape())).sum() / 9;
  };
  expect_elements(out, bytes, expected, false);
}

TEST_F(AveragePooling, NanAndInfinityStayInTheirWindows) {
  OpTensor self(ACL_FLOAT, {1, 6, 6});
  self.fill([](std::int64_t i) -> Number {
    if (i == 0) return std::numeric_limits<Real>::quiet_NaN();
    return i == 35 ? std::numeric_limits<Real>::infinity() : Real(i);
  });
  const OpTensor out(ACL_FLOAT, {1, 3, 3});
  const OpInts two({2});
  const OpInts zero({0});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnAvgPool2dGetWorkspaceSize(self.get(), two.get(), two.get(), zero.get(), false, true, 0, 0,
                                              out.get(), n, e);
      },
      aclnnAvgPool2d, {&self}, out);
  EXPECT_TRUE(std::isnan(out.in(bytes, 0).real()));
  EXPECT_TRUE(std::isinf(out.in(bytes, 8).real()));
  EXPECT_EQ(out.in(bytes, 4).real(), (14 + 15 + 20 + 21) / 4.0L);
}

TEST_F(AveragePooling, WindowsMayShareOutTheInput) {
  for (const aclDataType type : kFloats) {
    check_adaptive(type, {2, 3, 11, 13}, {3, 5});
    check_adaptive(type, {2, 3, 7, 11, 13}, {2, 3, 13});
  }
  check_adaptive(ACL_FLOAT, {3, 8, 6}, {4, 2});
  check_adaptive(ACL_FLOAT, {3, 2, 3}, {5, 7});
  check_adaptive(ACL_FLOAT, {2, 3, 11, 13}, {3, 5}, {{500, 1, 40, 3}, 2});
  check_adaptive(ACL_FLOAT16, {2, 5, 9, 7}, {1, 1});
  check_adaptive(ACL_FLOAT, {2, 5, 4, 9, 7}, {1, 1, 1});
}

TEST_F(AveragePooling, WindowsMayBeLarge) {
  check_window(ACL_FLOAT, {1, 1, 1000, 1000}, {{300, 300}, {367, 701}, {11, 150}, {1, 1}});
  check_window(ACL_FLOAT16, {1, 331, 337}, {{67, 71}, {89, 101}, {33, 35}, {1, 1}, true}, false);
  check_window(ACL_FLOAT, {1, 331, 337}, {{67, 71}, {89, 101}, {33, 35}, {1, 1}, true}, true, 100);
  check_window(ACL_FLOAT, {2, 37, 35}, {{11, 13}, {1, 1}, {5, 6}, {1, 1}});
  check_window(ACL_FLOAT, {1, 2, 31, 33, 35}, {{17, 19, 15}, {5, 7, 9}, {8, 0, 7}, {1, 1, 1}}, false);
}

TEST_F(AveragePooling, OneWindowMayHaveFourMillionElements) {
  OpTensor self(ACL_FLOAT, {1, 2000, 2000});
  self.fill([](std::int64_t i) { return Real(i % 17) / 4 - 3; });
  Real sum = 0;
  for (std::int64_t i = 0; i < self.count(); ++i) sum += self.before(i).real();
  const OpTensor out(ACL_FLOAT, {1, 1, 1});
  const OpInts kernel({2000, 2000});
  const OpInts one({1});
  const OpInts zero({0});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnAvgPool2dGetWorkspaceSize(self.get(), kernel.get(), one.get(), zero.get(), false, true, 0, 0,
                                              out.get(), n, e);
      },
      aclnnAvgPool2d, {&self}, out);
  expect_elements(
      out, bytes, [&](std::int64_t) -> Number { return sum / self.count(); }, false);
}

TEST_F(AveragePooling, OneWindowMayCoverAll) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}) check_global(type, {2, 5, 7, 7});
  check_global(ACL_FLOAT, {3, 2, 131});
  check_global(ACL_FLOAT, {1, 3, 70, 130});
  check_global(ACL_FLOAT, {2, 3, 4, 5, 6});
}

class AveragePoolingRefuses : public AveragePooling {
 protected:
  static inline uint64_t size = 0;
  static inline aclOpExecutor* executor = nullptr;

  struct Call {
    Shape self{2, 3, 9, 9};
    Shape out{2, 3, 5, 5};
    Shape kernel{3, 3};
    Shape stride{2, 2};
    Shape padding{1, 1};
    aclDataType type = ACL_FLOAT;
    aclDataType out_type = ACL_FLOAT;
    std::int8_t cube = 0;
  };
  static aclnnStatus plan(const Call& call) {
    const OpTensor self(call.type, call.self);
    const OpTensor out(call.out_type, call.out);
    const OpInts kernel(call.kernel);
    const OpInts stride(call.stride);
    const OpInts padding(call.padding);
    const aclnnStatus status = aclnnAvgPool2dGetWorkspaceSize(self.get(), kernel.get(), stride.get(), padding.get(),
                                                              false, true, 0, call.cube, out.get(), &size, &executor);
    if (status == 0) aclDestroyAclOpExecutor(executor);
    return status;
  }
  template <typename Change>
  static aclnnStatus changed(Change&& change) {
    Call call;
    change(call);
    return plan(call);
  }
};

TEST_F(AveragePoolingRefuses, WhatIsNull) {
  const OpTensor x(ACL_FLOAT, {3, 4, 4});
  const OpInts one({1});
  const OpInts zero({0});
  const auto plan = [&](auto* self, auto* kernel, auto* stride, auto* padding, auto* out, auto* n, auto** e) {
    return aclnnAvgPool2dGetWorkspaceSize(self, kernel, stride, padding, false, true, 0, 0, out, n, e);
  };
  aclTensor* const no_tensor = nullptr;
  aclIntArray* const no_array = nullptr;
  uint64_t* const no_size = nullptr;
  aclOpExecutor** const no_executor = nullptr;
  EXPECT_EQ(plan(no_tensor, one.get(), one.get(), zero.get(), x.get(), &size, &executor), 161001);
  EXPECT_EQ(plan(x.get(), no_array, one.get(), zero.get(), x.get(), &size, &executor), 161001);
  EXPECT_EQ(plan(x.get(), one.get(), no_array, zero.get(), x.get(), &size, &executor), 161001);
  EXPECT_EQ(plan(x.get(), one.get(), one.get(), no_array, x.get(), &size, &executor), 161001);
  EXPECT_EQ(plan(x.get(), one.get(), one.get(), zero.get(), no_tensor, &size, &executor), 161001);
  EXPECT_EQ(plan(x.get(), one.get(), one.get(), zero.get(), x.get(), no_size, &executor), 161001);
  EXPECT_EQ(plan(x.get(), one.get(), one.get(), zero.get(), x.get(), &size, no_executor), 161001);
  EXPECT_EQ(aclnnAdaptiveAvgPool2dGetWorkspaceSize(x.get(), nullptr, x.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnGlobalAveragePoolGetWorkspaceSize(nullptr, x.get(), &size, &executor), 161001);
}

TEST_F(AveragePoolingRefuses, OtherDtypes) {
  EXPECT_EQ(changed([](Call&) {}), 0);
  EXPECT_EQ(changed([](Call& call) { call.type = call.out_type = ACL_INT32; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.type = call.out_type = ACL_DOUBLE; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.out_type = ACL_FLOAT16; }), 161002);
}

TEST_F(AveragePoolingRefuses, ShapesAndAttributesThatDoNotFit) {
  EXPECT_EQ(changed([](Call& call) { call.out = {2, 3, 4, 5}; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.self = {9, 9}; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.self = {1, 2, 3, 9, 9}; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.self = {2, 3, 0, 9}; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.kernel = {3, 3, 3}; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.kernel = {}; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.kernel = {0, 3}; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.stride = {0, 2}; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.padding = {2, 1}; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.padding = {-1, 1}; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.cube = 5; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.kernel = {12, 12}; }), 161002);
}

TEST_F(AveragePoolingRefuses, SizesThatAreNone) {
  const OpTensor self(ACL_FLOAT, {3, 4, 4});
  const OpTensor out(ACL_FLOAT, {3, 2, 2});
  const OpInts negative({-2, 2});
  const OpInts three({2, 2, 2});
  EXPECT_EQ(aclnnAdaptiveAvgPool2dGetWorkspaceSize(self.get(), negative.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnAdaptiveAvgPool2dGetWorkspaceSize(self.get(), three.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnGlobalAveragePoolGetWorkspaceSize(self.get(), out.get(), &size, &executor), 161002);
  const OpTensor flat(ACL_FLOAT, {3, 4});
  EXPECT_EQ(aclnnGlobalAveragePoolGetWorkspaceSize(flat.get(), flat.get(), &size, &executor), 161002);
}

}  // namespace
}  // namespace aclvk::test
