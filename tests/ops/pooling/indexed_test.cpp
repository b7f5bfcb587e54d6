#include "aclnnop/aclnn_adaptive_max_pool2d_backward.h"
#include "aclnnop/aclnn_adaptive_max_pool3d_backward.h"
#include "aclnnop/aclnn_max_pool2d_with_indices.h"
#include "aclnnop/aclnn_max_pool2d_with_indices_backward.h"
#include "aclnnop/aclnn_max_pool3d_with_argmax_backward.h"
#include "aclnnop/aclnn_max_unpool2d.h"
#include "aclnnop/aclnn_max_unpool2d_backward.h"
#include "aclnnop/aclnn_max_unpool3d.h"
#include "aclnnop/aclnn_max_unpool3d_backward.h"
#include "ops/pooling/window_reference.hpp"

namespace aclvk::test {
namespace {

/// How many elements the last dims have.
std::int64_t plane_of(const Shape& shape, std::size_t dims) {
  return count_of(Shape(shape.end() - static_cast<std::ptrdiff_t>(dims), shape.end()));
}

class IndexedPooling : public OpTest {
 protected:
  /// Numbers within a plane, many of them twice.
  static void fill_indices(OpTensor& indices, std::int64_t plane) {
    std::mt19937 random(13);
    indices.fill([&](std::int64_t) { return Real(random() % static_cast<unsigned>(plane)); });
  }

  static std::vector<Real> scattered(const OpTensor& gradient, const OpTensor& indices, const Shape& self,
                                     std::size_t dims) {
    const std::int64_t plane = plane_of(self, dims);
    const std::int64_t places = plane_of(gradient.shape(), dims);
    std::vector<Real> sums(static_cast<std::size_t>(count_of(self)), 0);
    for (std::int64_t i = 0; i < gradient.count(); ++i) {
      const auto number = static_cast<std::int64_t>(indices.before(i).real());
      if (number < 0 || number >= plane) continue;
      sums[static_cast<std::size_t>(i / places * plane + number)] += gradient.before(i).real();
    }
    return sums;
  }

  static void expect_sums(const OpTensor& out, const std::vector<std::byte>& bytes, const std::vector<Real>& sums) {
    expect_elements(
        out, bytes, [&](std::int64_t i) { return rounded(sums[static_cast<std::size_t>(i)], out.type()); }, false);
  }

  static void check_window(aclDataType type, aclDataType index_type, const Shape& shape, const MovingWindow& window,
                           const View& view = {}, const View& index_view = {}, const View& out_view = {}) {
    SCOPED_TRACE("dtype " + std::to_string(type));
    const OpTensor self(type, shape);
    OpTensor gradient(type, window.result(shape), view);
    OpTensor indices(index_type, gradient.shape(), index_view);
    const OpTensor out(type, shape, out_view);
    gradient.fill_random(3);
    fill_indices(indices, plane_of(shape, window.dims()));
    const OpInts kernel(window.kernel);
    const OpInts stride(window.stride);
    const OpInts padding(window.padding);
    const OpInts dilation(window.dilation);
    const bool flat = window.dims() == 2;
    const auto plan = [&](auto* n, auto** e) {
      const auto phase =
          flat ? aclnnMaxPool2dWithIndicesBackwardGetWorkspaceSize : aclnnMaxPool3dWithArgmaxBackwardGetWorkspaceSize;
      return phase(gradient.get(), self.get(), indices.get(), kernel.get(), stride.get(), padding.get(), dilation.get(),
                   window.ceil_mode, out.get(), n, e);
    };
    const auto bytes = run(plan, flat ? aclnnMaxPool2dWithIndicesBackward : aclnnMaxPool3dWithArgmaxBackward,
                           {&gradient, &self, &indices}, out);
    expect_sums(out, bytes, scattered(gradient, indices, shape, window.dims()));
  }

  static void check_adaptive(aclDataType type, aclDataType index_type, const Shape& shape, const Shape& sizes) {
    SCOPED_TRACE("dtype " + std::to_string(type));
    Shape result = shape;
    std::copy(sizes.begin(), sizes.end(), result.end() - static_cast<std::ptrdiff_t>(sizes.size()));
    const OpTensor self(type, shape);
    OpTensor gradient(type, result);
    OpTensor indices(index_type, result);
    const OpTensor out(type, shape);
    gradient.fill_random(3);
    fill_indices(indices, plane_of(shape, sizes.size()));
    const bool flat = sizes.size() == 2;
    const auto plan = [&](auto* n, auto** e) {
      const auto phase =
          flat ? aclnnAdaptiveMaxPool2dBackwardGetWorkspaceSize : aclnnAdaptiveMaxPool3dBackwardGetWorkspaceSize;
      return phase(gradient.get(), self.get(), indices.get(), out.get(), n, e);
    };
    const auto bytes = run(plan, flat ? aclnnAdaptiveMaxPool2dBackward : aclnnAdaptiveMaxPool3dBackward,
                           {&gradient, &self, &indices}, out);
    expect_sums(out, bytes, scattered(gradient, indices, shape, sizes.size()));
  }

  /// An unpooling and its gradient, which reads the same places.
  static void check_unpool(aclDataType type, aclDataType index_type, const Shape& shape, const Shape& sizes,
                           const View& view = {}, const View& out_view = {}) {
    SCOPED_TRACE("dtype " + std::to_string(type));
    const std::size_t dims = sizes.size();
    const bool flat = dims == 2;
    Shape large = shape;
    std::copy(sizes.begin(), sizes.end(), large.end() - static_cast<std::ptrdiff_t>(dims));
    OpTensor self(type, shape, view);
    OpTensor indices(index_type, shape);
    const OpTensor out(type, large, out_view);
    self.fill_random(3);
    fill_indices(indices, plane_of(large, dims));
    const OpInts size(sizes);
    const OpInts stride({2});
    const OpInts padding({0});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return flat ? aclnnMaxUnpool2dGetWorkspaceSize(self.get(), indices.get(), size.get(), out.get(), n, e)
                      : aclnnMaxUnpool3dGetWorkspaceSize(self.get(), indices.get(), size.get(), stride.get(),
                                                         padding.get(), out.get(), n, e);
        },
        flat ? aclnnMaxUnpool2d : aclnnMaxUnpool3d, {&self, &indices}, out);
    std::vector<Number> expected(static_cast<std::size_t>(out.count()), Number(0));
    const std::int64_t plane = plane_of(large, dims);
    const std::int64_t places = plane_of(shape, dims);
    const auto number_of = [&](std::int64_t i) {
      return static_cast<std::size_t>(i / places * plane + static_cast<std::int64_t>(indices.before(i).real()));
    };
    for (std::int64_t i = 0; i < self.count(); ++i) expected[number_of(i)] = self.before(i);
    expect_elements(
        out, bytes, [&](std::int64_t i) { return expected[static_cast<std::size_t>(i)]; }, true);

    if (type == ACL_DOUBLE) return;  // the gradient takes no doubles
    OpTensor gradient(type, large);
    const OpTensor back(type, shape, view);
    gradient.fill_random(5);
    const auto found = run(
        [&](auto* n, auto** e) {
          return flat ? aclnnMaxUnpool2dBackwardGetWorkspaceSize(gradient.get(), self.get(), indices.get(), size.get(),
                                                                 back.get(), n, e)
                      : aclnnMaxUnpool3dBackwardGetWorkspaceSize(gradient.get(), self.get(), indices.get(), size.get(),
                                                                 stride.get(), padding.get(), back.get(), n, e);
        },
        flat ? aclnnMaxUnpool2dBackward : aclnnMaxUnpool3dBackward, {&gradient, &self, &indices}, back);
    expect_elements(
        back, found, [&](std::int64_t i) { return gradient.before(static_cast<std::int64_t>(number_of(i))); }, true);
  }
};

TEST_F(IndexedPooling, AddsGradientsAtTheirIndices) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const aclDataType index_type : {ACL_INT32, ACL_INT64}) {
      check_window(type, index_type, {2, 3, 11, 13}, {{3, 3}, {2, 1}, {1, 0}, {1, 2}});
      check_window(type, index_type, {2, 3, 5, 7, 8}, {{2, 3, 3}, {1, 2, 2}, {1, 0, 1}, {1, 1, 1}});
      check_adaptive(type, index_type, {2, 3, 7, 5}, {3, 4});
      check_adaptive(type, index_type, {2, 3, 4, 7, 5}, {2, 3, 4});
    }
  }
  check_window(ACL_FLOAT, ACL_INT64, {3, 8, 9}, {{2, 2}, {2, 2}, {0, 0}, {1, 1}, true});
  check_window(ACL_FLOAT, ACL_INT64, {3, 4, 8, 9}, {{2, 2, 2}, {2, 2, 2}, {0, 0, 0}, {1, 1, 1}, true});
  check_adaptive(ACL_FLOAT, ACL_INT64, {3, 7, 5}, {1, 1});
  check_adaptive(ACL_FLOAT, ACL_INT64, {1, 2, 3}, {5, 7});
}

TEST_F(IndexedPooling, TensorsMayBeAnyView) {
  const MovingWindow window{{3, 2}, {2, 2}, {1, 1}, {1, 1}};
  check_window(ACL_FLOAT, ACL_INT64, {2, 3, 9, 8}, window, {{2, 4 * 9, 4, 200}, 3}, {{75, 1, 15, 3}, 2});
  check_window(ACL_FLOAT16, ACL_INT32, {2, 3, 9, 8}, window, {{0, 25, 5, 1}, 1}, {{0, 0, 5, 1}, 0},
               {{250, 80, 9, 1}, 7});
  check_window(ACL_FLOAT, ACL_INT64, {2, 3, 9, 8}, window, {}, {}, {{216, 1, 24, 3}, 4});
  check_unpool(ACL_FLOAT, ACL_INT64, {2, 3, 3, 4}, {7, 9}, {{1, 2, 30, 6}, 3}, {{250, 80, 9, 1}, 7});
}

TEST_F(IndexedPooling, AnIndexOutsideOfThePlaneAddsNothing) {
  const OpTensor self(ACL_FLOAT, {1, 2, 4});
  OpTensor gradient(ACL_FLOAT, {1, 2, 3});
  OpTensor indices(ACL_INT64, {1, 2, 3});
  gradient.fill_random(3);
  indices.fill([](std::int64_t i) {
    return Real(std::vector<int>{-1, 8, 7, 0, 100000, -8}[static_cast<std::size_t>(i)]);
  });
  const OpTensor out(ACL_FLOAT, {1, 2, 4});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnAdaptiveMaxPool2dBackwardGetWorkspaceSize(gradient.get(), self.get(), indices.get(), out.get(), n,
                                                              e);
      },
      aclnnAdaptiveMaxPool2dBackward, {&gradient, &self, &indices}, out);
  expect_sums(out, bytes, scattered(gradient, indices, {1, 2, 4}, 2));
}

TEST_F(IndexedPooling, TakesTheIndicesOfThePooling) {
  OpTensor self(ACL_FLOAT, {2, 3, 9, 11});
  std::mt19937 random(17);
  self.fill([&](std::int64_t) { return Real(static_cast<int>(random() % 5)); });  // many equal ones
  const MovingWindow window{{3, 3}, {1, 2}, {1, 1}, {1, 1}};
  const OpTensor pooled(ACL_FLOAT, window.result(self.shape()));
  const OpTensor chosen(ACL_INT64, pooled.shape());
  const OpInts kernel(window.kernel);
  const OpInts stride(window.stride);
  const OpInts one({1});
  run(
      [&](auto* n, auto** e) {
        return aclnnMaxPool2dWithIndicesGetWorkspaceSize(self.get(), kernel.get(), stride.get(), one.get(), one.get(),
                                                         false, pooled.get(), chosen.get(), n, e);
      },
      aclnnMaxPool2dWithIndices, {&self, &chosen}, pooled);
  const auto numbers = chosen.download();
  OpTensor indices(ACL_INT64, pooled.shape());
  indices.fill([&](std::int64_t i) { return chosen.in(numbers, i); });
  OpTensor gradient(ACL_FLOAT, pooled.shape());
  gradient.fill_random(5);
  std::vector<Real> sums(static_cast<std::size_t>(self.count()), 0);
  for (std::int64_t i = 0; i < gradient.count(); ++i) {
    const Shape at = coordinates_of(i, gradient.shape());
    const WindowElements elements(self, at, ranges_at(window, at, self.shape()));
    sums[static_cast<std::size_t>((at[0] * 3 + at[1]) * 99 + elements.numbers[elements.largest()])] +=
        gradient.before(i).real();
  }
  const OpTensor out(ACL_FLOAT, self.shape());
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnMaxPool2dWithIndicesBackwardGetWorkspaceSize(gradient.get(), self.get(), indices.get(),
                                                                 kernel.get(), stride.get(), one.get(), one.get(),
                                                                 false, out.get(), n, e);
      },
      aclnnMaxPool2dWithIndicesBackward, {&gradient, &self, &indices}, out);
  expect_sums(out, bytes, sums);
}

TEST_F(IndexedPooling, GoesThroughMorePlacesThanALoopHasIterations) {
  check_window(ACL_FLOAT, ACL_INT32, {1, 2, 70001}, {{1, 1}, {1, 1}, {0, 0}, {1, 1}});
}

TEST_F(IndexedPooling, OfNothingIsZeroOrNothing) {
  check_window(ACL_FLOAT, ACL_INT64, {0, 3, 9, 8}, {{3, 2}, {2, 2}, {1, 1}, {1, 1}});
  check_adaptive(ACL_FLOAT, ACL_INT64, {2, 3, 7, 5}, {0, 4});
  check_unpool(ACL_FLOAT, ACL_INT64, {0, 2, 3}, {4, 6});
}

TEST_F(IndexedPooling, UnpoolsToTheLastOfEqualIndices) {
  for (const aclDataType type :
       {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_INT8, ACL_UINT8, ACL_INT16, ACL_INT32, ACL_INT64}) {
    check_unpool(type, ACL_INT64, {2, 3, 5, 4}, {7, 3});
    check_unpool(type, ACL_INT32, {2, 3, 2, 3, 4}, {3, 5, 2});
  }
  check_unpool(ACL_FLOAT, ACL_INT64, {3, 5, 4}, {7, 3});
  check_unpool(ACL_FLOAT, ACL_INT64, {3, 2, 5, 4}, {2, 7, 3});
}

TEST_F(IndexedPooling, RefusesOthers) {
  const OpTensor self(ACL_FLOAT, {2, 3, 8, 8});
  const OpTensor out(ACL_FLOAT, {2, 3, 8, 8});
  const OpTensor gradient(ACL_FLOAT, {2, 3, 4, 4});
  const OpTensor half(ACL_FLOAT16, {2, 3, 4, 4});
  const OpTensor indices(ACL_INT64, {2, 3, 4, 4});
  const OpTensor few(ACL_INT64, {2, 3, 4, 3});
  const OpInts two({2});
  const OpInts zero({0});
  const OpInts one({1});
  const OpInts eight({8, 8});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto window = [&](const aclTensor* g, const aclTensor* x, const aclTensor* i, const OpInts* kernel,
                          aclTensor* y) {
    return aclnnMaxPool2dWithIndicesBackwardGetWorkspaceSize(g, x, i, kernel ? kernel->get() : nullptr, two.get(),
                                                             zero.get(), one.get(), false, y, &size, &executor);
  };
  EXPECT_EQ(window(nullptr, self.get(), indices.get(), &two, out.get()), 161001);
  EXPECT_EQ(window(gradient.get(), nullptr, indices.get(), &two, out.get()), 161001);
  EXPECT_EQ(window(gradient.get(), self.get(), nullptr, &two, out.get()), 161001);
  EXPECT_EQ(window(gradient.get(), self.get(), indices.get(), nullptr, out.get()), 161001);
  EXPECT_EQ(window(gradient.get(), self.get(), indices.get(), &two, nullptr), 161001);
  EXPECT_EQ(window(half.get(), self.get(), indices.get(), &two, out.get()), 161002);
  EXPECT_EQ(window(gradient.get(), self.get(), gradient.get(), &two, out.get()), 161002);
  EXPECT_EQ(window(gradient.get(), self.get(), few.get(), &two, out.get()), 161002);
  EXPECT_EQ(window(gradient.get(), self.get(), indices.get(), &one, gradient.get()), 161002);
  EXPECT_EQ(window(gradient.get(), self.get(), indices.get(), &zero, out.get()), 161002);
  const auto unpool = [&](const aclTensor* x, const aclTensor* i, const OpInts* sizes, aclTensor* y) {
    return aclnnMaxUnpool2dGetWorkspaceSize(x, i, sizes ? sizes->get() : nullptr, y, &size, &executor);
  };
  EXPECT_EQ(unpool(nullptr, indices.get(), &eight, out.get()), 161001);
  EXPECT_EQ(unpool(gradient.get(), indices.get(), nullptr, out.get()), 161001);
  EXPECT_EQ(unpool(gradient.get(), few.get(), &eight, out.get()), 161002);
  EXPECT_EQ(unpool(gradient.get(), gradient.get(), &eight, out.get()), 161002);
  EXPECT_EQ(unpool(gradient.get(), indices.get(), &two, out.get()), 161002);
  EXPECT_EQ(unpool(gradient.get(), indices.get(), &eight, gradient.get()), 161002);
  EXPECT_EQ(aclnnMaxUnpool2dBackwardGetWorkspaceSize(half.get(), gradient.get(), indices.get(), eight.get(),
                                                     gradient.get(), &size, &executor),
            161002);
}

}  // namespace
}  // namespace aclvk::test
