#include "aclnnop/aclnn_adaptive_max_pool2d.h"
#include "aclnnop/aclnn_adaptive_max_pool3d.h"
#include "aclnnop/aclnn_global_max_pool.h"
#include "aclnnop/aclnn_max_pool.h"
#include "aclnnop/aclnn_max_pool2d_with_indices.h"
#include "aclnnop/aclnn_max_pool3d_with_argmax.h"
#include "aclnnop/aclnn_max_pool_with_argmax_v3.h"
#include "ops/pooling/window_reference.hpp"

namespace aclvk::test {
namespace {

const std::vector<aclDataType> kFloats = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();
constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

class MaximumPooling : public OpTest {
 protected:
  /// A few different numbers, so that there are equal ones.
  static void fill_steps(OpTensor& tensor, unsigned seed) {
    std::mt19937 random(seed);
    tensor.fill([&](std::int64_t) { return Real(static_cast<int>(random() % 9) - 4); });
  }

  using Ranges = std::function<std::vector<Shape>(const Shape&)>;
  static void check_both(const OpTensor& self, const OpTensor& out, const OpTensor& indices, const Plan& plan,
                         Launch launch, const Ranges& ranges) {
    SCOPED_TRACE(testing::Message() << "dtypes " << self.type() << " and " << indices.type());
    const auto elements_at = [&](std::int64_t i) {
      const Shape at = coordinates_of(i, out.shape());
      return WindowElements(self, at, ranges(at));
    };
    const auto value_at = [&](std::int64_t i) -> Number {
      const WindowElements elements = elements_at(i);
      return elements.values[elements.largest()];
    };
    const auto index_at = [&](std::int64_t i) -> Number {
      const WindowElements elements = elements_at(i);
      return Real(elements.numbers[elements.largest()]);
    };
    expect_elements(out, run(plan, launch, {&self, &indices}, out), value_at, true);
    expect_elements(indices, run(plan, launch, {&self, &out}, indices), index_at, true);
  }

  static void check_window(OpTensor& self, const MovingWindow& window, aclDataType index_type,
                           const View& out_view = {}) {
    const OpTensor out(self.type(), window.result(self.shape()), out_view);
    const OpTensor indices(index_type, out.shape());
    const OpInts kernel(window.kernel);
    const OpInts stride(window.stride);
    const OpInts padding(window.padding);
    const OpInts dilation(window.dilation);
    const bool flat = window.dims() == 2;
    const auto plan = [&](auto* n, auto** e) {
      const auto make = flat ? aclnnMaxPool2dWithIndicesGetWorkspaceSize : aclnnMaxPool3dWithArgmaxGetWorkspaceSize;
      return make(self.get(), kernel.get(), stride.get(), padding.get(), dilation.get(), window.ceil_mode, out.get(),
                  indices.get(), n, e);
    };
    check_both(self, out, indices, plan, flat ? aclnnMaxPool2dWithIndices : aclnnMaxPool3dWithArgmax,
               [&](const Shape& at) { return ranges_at(window, at, self.shape()); });
  }

  static void check_window(aclDataType type, const Shape& shape, const MovingWindow& window,
                           aclDataType index_type = ACL_INT64, const View& view = {}, const View& out_view = {}) {
    OpTensor self(type, shape, view);
    fill_steps(self, 3);
    check_window(self, window, index_type, out_view);
  }

  static void check_argmax(aclDataType type, const Shape& shape, const MovingWindow& window, aclDataType index_type) {
    OpTensor x(type, shape);
    fill_steps(x, 7);
    const OpTensor y(type, window.result(shape));
    const OpTensor argmax(index_type, y.shape());
    const OpInts kernel(window.kernel);
    const OpInts stride(window.stride);
    const OpInts padding(window.padding);
    const OpInts dilation(window.dilation);
    check_both(
        x, y, argmax,
        [&](auto* n, auto** e) {
          return aclnnMaxPoolWithArgmaxV3GetWorkspaceSize(x.get(), kernel.get(), stride.get(), padding.get(),
                                                          dilation.get(), window.ceil_mode, y.get(), argmax.get(), n,
                                                          e);
        },
        aclnnMaxPoolWithArgmaxV3, [&](const Shape& at) { return ranges_at(window, at, shape); });
  }

  static void check_adaptive(aclDataType type, const Shape& shape, const Shape& sizes,
                             aclDataType index_type = ACL_INT64) {
    OpTensor self(type, shape);
    fill_steps(self, 5);
    Shape result = shape;
    std::copy(sizes.begin(), sizes.end(), result.end() - static_cast<std::ptrdiff_t>(sizes.size()));
    const OpTensor out(type, result);
    const OpTensor indices(index_type, result);
    const OpInts size(sizes);
    const bool flat = sizes.size() == 2;
    const auto plan = [&](auto* n, auto** e) {
      const auto make = flat ? aclnnAdaptiveMaxPool2dGetWorkspaceSize : aclnnAdaptiveMaxPool3dGetWorkspaceSize;
      return make(self.get(), size.get(), out.get(), indices.get(), n, e);
    };
    check_both(self, out, indices, plan, flat ? aclnnAdaptiveMaxPool2d : aclnnAdaptiveMaxPool3d,
               [&](const Shape& at) { return ranges_at(sizes, at, shape); });
  }

  static void check_global(aclDataType type, const Shape& shape) {
    OpTensor self(type, shape);
    self.fill_random(7);
    Shape result(shape.size(), 1);
    std::copy_n(shape.begin(), 2, result.begin());
    const OpTensor out(type, result);
    const auto bytes =
        run([&](auto* n, auto** e) { return aclnnGlobalMaxPoolGetWorkspaceSize(self.get(), out.get(), n, e); },
            aclnnGlobalMaxPool, {&self}, out);
    const std::int64_t plane = self.count() / out.count();
    const auto expected = [&](std::int64_t i) -> Number {
      Real largest = -kInfinity;
      for (std::int64_t k = 0; k < plane; ++k) largest = std::max(largest, self.before(i * plane + k).real());
      return largest;
    };
    expect_elements(out, bytes, expected, true);
  }

  static void check_onnx(aclDataType type, const Shape& shape, const MovingWindow& window, const Shape& pads,
                         const Shape& result) {
    SCOPED_TRACE(testing::Message() << "dtype " << type);
    OpTensor self(type, shape);
    self.fill_random(11);
    const OpTensor out(type, result);
    const OpInts kernel(window.kernel);
    const OpInts stride(window.stride);
    const OpInts padding(pads);
    const OpInts dilation(window.dilation);
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnMaxPoolGetWorkspaceSize(self.get(), kernel.get(), stride.get(), 0, padding.get(), dilation.get(),
                                              window.ceil_mode, out.get(), n, e);
        },
        aclnnMaxPool, {&self}, out);
    const auto expected = [&](std::int64_t i) -> Number {
      const Shape at = coordinates_of(i, result);
      const WindowElements elements(self, at, ranges_at(window, at, shape));
      return elements.values[elements.largest()];
    };
    expect_elements(out, bytes, expected, true);
  }
};

TEST_F(MaximumPooling, MovesAWindowOverTwoDims) {
  for (const aclDataType type : kFloats) {
    check_window(type, {2, 3, 11, 13}, {{3, 3}, {2, 2}, {1, 1}, {1, 1}});
    check_window(type, {3, 7, 8}, {{2, 2}, {2, 2}, {0, 0}, {1, 1}}, ACL_INT32);
  }
}

TEST_F(MaximumPooling, MovesAWindowOverThreeDims) {
  for (const aclDataType type : kFloats) {
    check_window(type, {2, 3, 5, 7, 8}, {{2, 3, 3}, {1, 2, 2}, {1, 0, 1}, {1, 1, 1}}, ACL_INT32);
  }
  check_window(ACL_FLOAT, {3, 5, 7, 8}, {{3, 2, 1}, {2, 1, 3}, {1, 1, 0}, {1, 1, 1}});
}

TEST_F(MaximumPooling, TheThirdVersionOfArgmaxCountsElementsOfAPlane) {
  for (const aclDataType type : kFloats) {
    check_argmax(type, {2, 3, 11, 13}, {{3, 2}, {2, 3}, {1, 0}, {2, 1}, true}, ACL_INT32);
  }
  check_argmax(ACL_FLOAT, {3, 7, 5}, {{2, 2}, {1, 2}, {0, 1}, {1, 1}}, ACL_INT64);
  const OpTensor x(ACL_FLOAT, {3, 4, 4});
  const OpTensor places(ACL_FLOAT, {3, 4, 4});
  const OpInts one({1});
  const OpInts zero({0});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* from, const aclTensor* argmax) {
    return aclnnMaxPoolWithArgmaxV3GetWorkspaceSize(from, one.get(), one.get(), zero.get(), one.get(), false, x.get(),
                                                    argmax, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, places.get()), 161001);
  EXPECT_EQ(plan(x.get(), nullptr), 161001);
  EXPECT_EQ(plan(x.get(), places.get()), 161002);
}

TEST_F(MaximumPooling, WindowsMayBeDilatedAndRoundedUp) {
  for (const bool ceil_mode : {false, true}) {
    check_window(ACL_FLOAT, {2, 3, 12, 14}, {{3, 2}, {2, 3}, {1, 1}, {2, 3}, ceil_mode});
    check_window(ACL_FLOAT, {2, 6, 9, 8}, {{3, 3}, {3, 2}, {0, 1}, {1, 2}, ceil_mode});
  }
}

TEST_F(MaximumPooling, ATensorMayBeAnyView) {
  const MovingWindow window{{3, 2}, {2, 2}, {1, 1}, {1, 1}};
  check_window(ACL_FLOAT, {2, 3, 9, 8}, window, ACL_INT64, {{2, 4 * 9, 4, 200}, 3});
  check_window(ACL_FLOAT16, {2, 3, 9, 8}, window, ACL_INT32, {{0, 72, 8, 1}, 1});
  check_window(ACL_FLOAT, {2, 3, 9, 8}, window, ACL_INT64, {{216, 1, 24, 3}, 0}, {{75, 1, 15, 3}, 2});
}

TEST_F(MaximumPooling, NanAndInfinityCount) {
  OpTensor self(ACL_FLOAT, {1, 6, 8});
  self.fill([](std::int64_t i) -> Number {
    if (i == 0 || i == 9 || i == 20) return kNan;
    if (i == 47) return kInfinity;
    return i / 8 > 3 && i % 8 < 4 ? -kInfinity : Real(i % 5);
  });
  check_window(self, {{2, 2}, {2, 2}, {0, 0}, {1, 1}}, ACL_INT64);
}

TEST_F(MaximumPooling, AWindowBesideAllElementsHasTheLowestNumber) {
  OpTensor self(ACL_FLOAT, {1, 2, 2});
  self.fill_random(1);
  const OpTensor out(ACL_FLOAT, {1, 2, 2});
  const OpTensor indices(ACL_INT64, {1, 2, 2});
  const OpInts two({2});
  const OpInts one({1});
  const OpInts four({4});
  const auto plan = [&](auto* n, auto** e) {
    return aclnnMaxPool2dWithIndicesGetWorkspaceSize(self.get(), two.get(), one.get(), two.get(), four.get(), false,
                                                     out.get(), indices.get(), n, e);
  };
  const auto values = run(plan, aclnnMaxPool2dWithIndices, {&self, &indices}, out);
  const auto places = run(plan, aclnnMaxPool2dWithIndices, {&self, &out}, indices);
  for (std::int64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(out.in(values, i).real(), -kInfinity);
    EXPECT_EQ(indices.in(places, i).real(), 0);
  }
}

TEST_F(MaximumPooling, WindowsMayShareOutTheInput) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}) {
    check_adaptive(type, {2, 3, 11, 13}, {3, 5});
  }
  for (const aclDataType type : kFloats) check_adaptive(type, {2, 3, 7, 5, 13}, {2, 3, 13}, ACL_INT32);
  check_adaptive(ACL_FLOAT, {3, 8, 6}, {1, 1});
  check_adaptive(ACL_FLOAT, {3, 2, 3}, {5, 7});
  check_adaptive(ACL_FLOAT, {0, 3, 2, 3}, {5, 7});
}

/// Windows that no thread takes alone: of many equal elements still the first, and of several NaN the last.
TEST_F(MaximumPooling, OfALargeWindowTakesTheSameElement) {
  for (const int numbers : {0, 2}) {
    OpTensor self(ACL_FLOAT, {2, 1030, 1034});
    const std::int64_t plane = 1030 * 1034;
    self.fill([&](std::int64_t i) -> Real {
      const bool is_number = i < plane || numbers == 0 || (i % plane != 70007 && i % plane != 900001);
      return is_number ? Real(i * 7919 % 31) : Real(NAN);
    });
    const OpTensor out(ACL_FLOAT, {2, 1, 2});
    const OpTensor indices(ACL_INT64, {2, 1, 2});
    const OpInts sizes({1, 2});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnAdaptiveMaxPool2dGetWorkspaceSize(self.get(), sizes.get(), out.get(), indices.get(), n, e);
        },
        aclnnAdaptiveMaxPool2d, {&self, &indices}, out);
    const auto found = indices.download();
    for (std::int64_t i = 0; i < 4; ++i) {
      std::int64_t best = -1;
      const auto value = [&](std::int64_t number) { return self.before(i / 2 * plane + number).real(); };
      for (std::int64_t number = 0; number < plane; ++number) {
        if (number % 1034 / 517 != i % 2) continue;
        if (best < 0 || value(number) > value(best) || std::isnan(value(number))) best = number;
      }
      EXPECT_EQ(indices.in(found, i).real(), best);
      EXPECT_TRUE(is_equal(out.in(bytes, i), value(best)));
    }
  }
}

TEST_F(MaximumPooling, OfALargeWindowOverThreeDimsTakesTheSameElement) {
  OpTensor self(ACL_FLOAT, {1, 103, 101, 107});
  const std::int64_t count = 103 * 101 * 107;
  self.fill([](std::int64_t i) { return Real(i * 7919 % 1009); });
  const OpTensor out(ACL_FLOAT, {1, 1, 1, 1});
  const OpTensor indices(ACL_INT32, {1, 1, 1, 1});
  const OpInts kernel({103, 101, 107});
  const OpInts one({1});
  const OpInts zero({0});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnMaxPool3dWithArgmaxGetWorkspaceSize(self.get(), kernel.get(), kernel.get(), zero.get(), one.get(),
                                                        false, out.get(), indices.get(), n, e);
      },
      aclnnMaxPool3dWithArgmax, {&self, &indices}, out);
  std::int64_t best = 0;
  for (std::int64_t i = 1; i < count; ++i) {
    if (self.before(i).real() > self.before(best).real()) best = i;
  }
  EXPECT_EQ(indices.in(indices.download(), 0).real(), best);
  EXPECT_EQ(out.in(bytes, 0).real(), 1008);
}

TEST_F(MaximumPooling, OfManyLargeWindowsTakesTheSameElements) {
  OpTensor self(ACL_FLOAT, {1, 1, 1000, 1000});
  self.fill([](std::int64_t i) { return Real(i * 7919 % 524309 / 5); });
  check_window(self, {{300, 300}, {367, 701}, {17, 0}, {1, 1}}, ACL_INT64);
  OpTensor nans(ACL_FLOAT, {1, 331, 337});
  nans.fill([](std::int64_t i) { return i % 5003 == 77 ? Real(NAN) : Real(i * 7919 % 1009 / 9); });
  check_window(nans, {{67, 71}, {89, 101}, {33, 35}, {1, 1}, true}, ACL_INT32);
  check_window(nans, {{101, 43}, {51, 73}, {5, 9}, {2, 3}}, ACL_INT64);
}

TEST_F(MaximumPooling, OneWindowMayHaveFourMillionElements) {
  OpTensor self(ACL_FLOAT16, {1, 2000, 2000});
  self.fill([](std::int64_t i) { return i == 1234567 || i == 3999999 ? Real(11) : Real(i % 13 - 3); });
  const OpTensor out(ACL_FLOAT16, {1, 1, 1});
  const OpTensor indices(ACL_INT64, {1, 1, 1});
  const OpInts one({1});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnAdaptiveMaxPool2dGetWorkspaceSize(self.get(), one.get(), out.get(), indices.get(), n, e);
      },
      aclnnAdaptiveMaxPool2d, {&self, &indices}, out);
  EXPECT_EQ(out.in(bytes, 0).real(), 11);
  EXPECT_EQ(indices.in(indices.download(), 0).real(), 1234567);
}

TEST_F(MaximumPooling, OfALineTakesElementsPastTheIterationsOfALoop) {
  constexpr std::int64_t kCount = 1920011;
  OpTensor self(ACL_FLOAT, {1, 1, kCount});
  self.fill([](std::int64_t i) { return i == 1919003 || i == 1920005 ? Real(7) : Real(i % 7 - 3); });
  const OpInts one({1});
  const OpTensor out(ACL_FLOAT, {1, 1, 1});
  const OpTensor indices(ACL_INT64, {1, 1, 1});
  run(
      [&](auto* n, auto** e) {
        return aclnnAdaptiveMaxPool2dGetWorkspaceSize(self.get(), one.get(), out.get(), indices.get(), n, e);
      },
      aclnnAdaptiveMaxPool2d, {&self, &indices}, out);
  EXPECT_EQ(out.in(out.download(), 0).real(), 7);
  EXPECT_EQ(indices.in(indices.download(), 0).real(), 1919003);
  check_window(self, {{1, 960011}, {1, 1919}, {0, 11}, {1, 2}}, ACL_INT64);
}

TEST_F(MaximumPooling, OneWindowMayCoverAll) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}) check_global(type, {2, 5, 7, 7});
  check_global(ACL_FLOAT, {3, 2, 131});
  check_global(ACL_FLOAT, {2, 3, 4, 5, 6});
}

TEST_F(MaximumPooling, OnnxPoolsIntegersToo) {
  for (const aclDataType type :
       {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_UINT8, ACL_INT16, ACL_UINT16, ACL_INT32, ACL_INT64}) {
    check_onnx(type, {2, 3, 9, 8}, {{3, 2}, {2, 2}, {1, 1}, {1, 1}}, {1, 1, 1, 1}, {2, 3, 5, 5});
  }
}

TEST_F(MaximumPooling, OnnxTakesPaddingBeforeAndAfter) {
  check_onnx(ACL_FLOAT, {3, 9, 8}, {{3, 2}, {2, 2}, {1, 0}, {1, 1}}, {1, 0, 0, 1}, {3, 4, 4});
  check_onnx(ACL_FLOAT, {3, 9, 8}, {{3, 2}, {1, 1}, {0, 0}, {1, 1}}, {}, {3, 7, 7});
  check_onnx(ACL_FLOAT, {3, 9, 8}, {{3, 3}, {2, 2}, {0, 0}, {1, 1}, true}, {0}, {3, 4, 4});
}

class MaximumPoolingRefuses : public MaximumPooling {
 protected:
  static inline uint64_t size = 0;
  static inline aclOpExecutor* executor = nullptr;
};

TEST_F(MaximumPoolingRefuses, WhatIsNull) {
  const OpTensor x(ACL_FLOAT, {3, 4, 4});
  const OpTensor places(ACL_INT64, {3, 4, 4});
  const OpInts one({1});
  const OpInts zero({0});
  const auto plan = [&](bool self, bool kernel, bool stride, bool padding, bool dilation, bool out, bool indices) {
    return aclnnMaxPool2dWithIndicesGetWorkspaceSize(self ? x.get() : nullptr, kernel ? one.get() : nullptr,
                                                     stride ? one.get() : nullptr, padding ? zero.get() : nullptr,
                                                     dilation ? one.get() : nullptr, false, out ? x.get() : nullptr,
                                                     indices ? places.get() : nullptr, &size, &executor);
  };
  EXPECT_EQ(plan(false, true, true, true, true, true, true), 161001);
  EXPECT_EQ(plan(true, false, true, true, true, true, true), 161001);
  EXPECT_EQ(plan(true, true, false, true, true, true, true), 161001);
  EXPECT_EQ(plan(true, true, true, false, true, true, true), 161001);
  EXPECT_EQ(plan(true, true, true, true, false, true, true), 161001);
  EXPECT_EQ(plan(true, true, true, true, true, false, true), 161001);
  EXPECT_EQ(plan(true, true, true, true, true, true, false), 161001);
  EXPECT_EQ(aclnnAdaptiveMaxPool2dGetWorkspaceSize(x.get(), one.get(), x.get(), nullptr, &size, &executor), 161001);
}

TEST_F(MaximumPoolingRefuses, OtherDtypes) {
  const OpTensor x(ACL_FLOAT, {3, 4, 4});
  const OpTensor other(ACL_FLOAT, {3, 4, 4});
  const OpTensor places(ACL_INT64, {3, 4, 4});
  const OpTensor short_places(ACL_INT32, {3, 4, 4});
  const OpTensor integers(ACL_INT32, {3, 4, 4});
  const OpInts one({1});
  const OpInts zero({0});
  const OpInts four({4});
  const auto plan = [&](const OpTensor& self, const OpTensor& out, const OpTensor& indices) {
    return aclnnMaxPool2dWithIndicesGetWorkspaceSize(self.get(), one.get(), one.get(), zero.get(), one.get(), false,
                                                     out.get(), indices.get(), &size, &executor);
  };
  EXPECT_EQ(plan(x, other, other), 161002);
  EXPECT_EQ(plan(integers, integers, places), 161002);
  EXPECT_EQ(plan(x, integers, places), 161002);
  EXPECT_EQ(plan(x, x, places), 161002);  // windows cannot be pooled in place
  EXPECT_EQ(
      aclnnAdaptiveMaxPool2dGetWorkspaceSize(x.get(), four.get(), other.get(), short_places.get(), &size, &executor),
      161002);
}

TEST_F(MaximumPoolingRefuses, AttributesOfOnnxThatDoNotFit) {
  const OpTensor x(ACL_FLOAT, {3, 4, 4});
  const OpTensor out(ACL_FLOAT, {3, 2, 2});
  const OpInts two({2});
  const OpInts three({0, 0, 0});
  const OpInts none({});
  const auto plan = [&](const OpInts& pads, std::int64_t auto_pad, std::int64_t ceil_mode) {
    const aclnnStatus status = aclnnMaxPoolGetWorkspaceSize(x.get(), two.get(), none.get(), auto_pad, pads.get(),
                                                            none.get(), ceil_mode, out.get(), &size, &executor);
    if (status == 0) aclDestroyAclOpExecutor(executor);
    return status;
  };
  EXPECT_EQ(plan(none, 0, 0), 0);
  EXPECT_EQ(plan(none, 1, 0), 161002);
  EXPECT_EQ(plan(none, 0, 2), 161002);
  EXPECT_EQ(plan(three, 0, 0), 161002);
}

}  // namespace
}  // namespace aclvk::test
