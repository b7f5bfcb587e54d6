#include "aclnnop/aclnn_col2_im.h"
#include "aclnnop/aclnn_im2col_backward.h"
#include "aclnnop/aclnn_unfold_grad.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

/// A window over two dims.
struct Windows {
  Shape kernel;
  Shape dilation{1, 1};
  Shape padding{0, 0};
  Shape stride{1, 1};

  /// Returns whether aclnnCol2Im can tell them.
  bool are_equal_along_both_dims() const {
    return dilation[0] == dilation[1] && padding[0] == padding[1] && stride[0] == stride[1];
  }
  std::int64_t places(std::size_t i, std::int64_t size) const {
    return (size + 2 * padding[i] - dilation[i] * (kernel[i] - 1) - 1) / stride[i] + 1;
  }
};

class ColumnsGradient : public OpTest {
 protected:
  static void check_image(aclDataType type, const Shape& shape, const Windows& windows, const View& view = {},
                          const View& out_view = {}) {
    SCOPED_TRACE(testing::Message() << "dtype " << type << ", shape " << testing::PrintToString(shape));
    const std::size_t rank = shape.size();
    const std::int64_t rows = windows.places(0, shape[rank - 2]);
    const std::int64_t columns = windows.places(1, shape[rank - 1]);
    Shape folded(shape.begin(), shape.end() - 2);
    folded.back() *= windows.kernel[0] * windows.kernel[1];
    folded.push_back(rows * columns);
    OpTensor gradient(type, folded, view);
    const OpTensor out(type, shape, out_view);
    gradient.fill_random(3);
    std::vector<Real> sums(static_cast<std::size_t>(out.count()), 0);
    for (std::int64_t i = 0; i < gradient.count(); ++i) {
      const std::int64_t place = i % (rows * columns);
      const std::int64_t row = i / (rows * columns);
      const std::int64_t tap = row % (windows.kernel[0] * windows.kernel[1]);
      const std::int64_t plane = row / (windows.kernel[0] * windows.kernel[1]);
      const std::int64_t y =
          place / columns * windows.stride[0] - windows.padding[0] + tap / windows.kernel[1] * windows.dilation[0];
      const std::int64_t x =
          place % columns * windows.stride[1] - windows.padding[1] + tap % windows.kernel[1] * windows.dilation[1];
      if (y < 0 || x < 0 || y >= shape[rank - 2] || x >= shape[rank - 1]) continue;
      sums[static_cast<std::size_t>((plane * shape[rank - 2] + y) * shape[rank - 1] + x)] += gradient.before(i).real();
    }
    const OpInts size({shape[rank - 2], shape[rank - 1]});
    const OpInts kernel(windows.kernel);
    const OpInts dilation(windows.dilation);
    const OpInts padding(windows.padding);
    const OpInts stride(windows.stride);
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnIm2colBackwardGetWorkspaceSize(gradient.get(), size.get(), kernel.get(), dilation.get(),
                                                     padding.get(), stride.get(), out.get(), n, e);
        },
        aclnnIm2colBackward, {&gradient}, out);
    const auto expected = [&](std::int64_t i) { return rounded(sums[static_cast<std::size_t>(i)], type); };
    expect_elements(out, bytes, expected, false);
    if (!windows.are_equal_along_both_dims()) return;
    const auto plan = [&](auto* n, auto** e) {
      return aclnnCol2ImGetWorkspaceSize(gradient.get(), shape[rank - 2], shape[rank - 1], windows.kernel[0],
                                         windows.kernel[1], windows.stride[0], windows.padding[0], windows.dilation[0],
                                         out.get(), n, e);
    };
    expect_elements(out, run(plan, aclnnCol2Im, {&gradient}, out), expected, false);
  }

  static void check_line(aclDataType type, const Shape& shape, std::int64_t dim, std::int64_t size, std::int64_t step,
                         const View& view = {}, const View& out_view = {}) {
    SCOPED_TRACE(testing::Message() << "dtype " << type << ", dim " << dim << " of " << testing::PrintToString(shape));
    const auto at = static_cast<std::size_t>(dim < 0 ? dim + static_cast<std::int64_t>(shape.size()) : dim);
    Shape windows = shape;
    windows[at] = (shape[at] - size) / step + 1;
    windows.push_back(size);
    OpTensor gradient(type, windows, view);
    const OpTensor out(type, shape, out_view);
    gradient.fill_random(3);
    std::vector<Real> sums(static_cast<std::size_t>(out.count()), 0);
    for (std::int64_t i = 0; i < gradient.count(); ++i) {
      Shape place = coordinates_of(i, windows);
      place[at] = place[at] * step + place.back();
      place.pop_back();
      sums[static_cast<std::size_t>(element_at(place, shape))] += gradient.before(i).real();
    }
    const OpInts sizes(shape);
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnUnfoldGradGetWorkspaceSize(gradient.get(), sizes.get(), dim, size, step, out.get(), n, e);
        },
        aclnnUnfoldGrad, {&gradient}, out);
    expect_elements(
        out, bytes, [&](std::int64_t i) { return rounded(sums[static_cast<std::size_t>(i)], type); }, false);
  }
};

TEST_F(ColumnsGradient, FoldsColumnsToAnImage) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    check_image(type, {2, 3, 11, 13}, {{3, 2}, {1, 2}, {1, 0}, {2, 1}});
    check_image(type, {3, 7, 5}, {{2, 3}, {2, 1}, {1, 2}, {1, 3}});
  }
  check_image(ACL_FLOAT, {1, 1, 5, 7}, {{5, 7}});
  check_image(ACL_FLOAT, {2, 1, 5, 7}, {{1, 1}, {1, 1}, {0, 0}, {3, 2}});  // elements in no window
  check_image(ACL_FLOAT, {0, 2, 5, 7}, {{2, 2}});
}

TEST_F(ColumnsGradient, OfAnImageMayBeAnyView) {
  check_image(ACL_FLOAT, {2, 3, 5, 7}, {{2, 2}, {1, 1}, {1, 1}, {2, 2}}, {{1, 2, 29}, 3}, {{120, 1, 21, 3}, 4});
  check_image(ACL_FLOAT16, {2, 3, 5, 7}, {{2, 2}}, {{0, 24, 1}, 1}, {{110, 36, 7, 1}, 2});
}

TEST_F(ColumnsGradient, MayHaveOneStridePaddingAndDilation) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    check_image(type, {2, 3, 11, 7}, {{3, 2}, {2, 2}, {1, 1}, {3, 3}});
    check_image(type, {3, 5, 7}, {{2, 3}, {1, 1}, {0, 0}, {1, 1}});
  }
}

TEST_F(ColumnsGradient, FoldsWindowsOfOneDim) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    check_line(type, {3, 11, 5}, 1, 4, 2);
    check_line(type, {3, 11, 5}, 0, 2, 1);
    check_line(type, {3, 11, 5}, -1, 3, 1);
    check_line(type, {13}, 0, 2, 5);  // elements in no window
  }
  check_line(ACL_FLOAT, {0, 7}, 1, 3, 2);
  check_line(ACL_FLOAT, {3, 11, 5}, 1, 4, 2, {{1, 9, 40, 3}, 2}, {{60, 1, 11}, 3});
}

TEST_F(ColumnsGradient, FindsTheWindowsOfAnElement) {
  check_image(ACL_FLOAT, {2, 29, 31}, {{3, 4}, {6, 4}, {3, 5}, {4, 6}});
  check_image(ACL_FLOAT, {2, 23, 19}, {{5, 2}, {3, 6}, {6, 0}, {1, 9}});
  check_image(ACL_FLOAT, {1, 131, 137}, {{127, 129}, {1, 1}, {3, 2}, {2, 3}});
  check_image(ACL_FLOAT, {1, 3, 140009}, {{2, 3}, {1, 4001}, {0, 0}, {1, 65539}});
}

TEST_F(ColumnsGradient, WindowsMayBeLongerThanALoopHasIterations) {
  check_line(ACL_FLOAT, {70011}, 0, 70001, 3);
  check_line(ACL_FLOAT, {200003}, 0, 65539, 65537);
  check_line(ACL_FLOAT, {65999}, 0, 3, 1);
  check_line(ACL_FLOAT, {131101}, 0, 2, 70001);
}

TEST_F(ColumnsGradient, RefusesOthers) {
  const OpTensor gradient(ACL_FLOAT, {2, 12, 12});
  const OpTensor whole(ACL_INT32, {2, 12, 12});
  const OpTensor out(ACL_FLOAT, {2, 3, 4, 5});
  const OpTensor half(ACL_FLOAT16, {2, 3, 4, 5});
  const OpTensor other(ACL_FLOAT, {2, 4, 4, 5});
  const OpInts size({4, 5});
  const OpInts two({2, 2});
  const OpInts one({1, 1});
  const OpInts zero({0, 0});
  const OpInts five({5, 5});
  const OpInts single({2});
  uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* g, const OpInts* kernel, const OpInts& stride, aclTensor* y) {
    return aclnnIm2colBackwardGetWorkspaceSize(g, size.get(), kernel ? kernel->get() : nullptr, one.get(), zero.get(),
                                               stride.get(), y, &bytes, &executor);
  };
  EXPECT_EQ(plan(gradient.get(), &two, one, out.get()), 0);
  EXPECT_EQ(plan(nullptr, &two, one, out.get()), 161001);
  EXPECT_EQ(plan(gradient.get(), nullptr, one, out.get()), 161001);
  EXPECT_EQ(plan(gradient.get(), &two, one, nullptr), 161001);
  EXPECT_EQ(plan(whole.get(), &two, one, out.get()), 161002);
  EXPECT_EQ(plan(gradient.get(), &two, one, half.get()), 161002);
  EXPECT_EQ(plan(gradient.get(), &single, one, out.get()), 161002);
  EXPECT_EQ(plan(gradient.get(), &five, one, out.get()), 161002);
  EXPECT_EQ(plan(gradient.get(), &two, zero, out.get()), 161002);
  EXPECT_EQ(plan(gradient.get(), &two, two, out.get()), 161002);
  EXPECT_EQ(plan(gradient.get(), &two, one, other.get()), 161002);
  const auto fold = [&](const aclTensor* from, std::int64_t height, std::int64_t kernel, std::int64_t stride,
                        std::int64_t padding, std::int64_t dilation, aclTensor* to) {
    return aclnnCol2ImGetWorkspaceSize(from, height, 5, kernel, 2, stride, padding, dilation, to, &bytes, &executor);
  };
  EXPECT_EQ(fold(gradient.get(), 4, 2, 1, 0, 1, out.get()), 0);
  EXPECT_EQ(fold(nullptr, 4, 2, 1, 0, 1, out.get()), 161001);
  EXPECT_EQ(fold(gradient.get(), 4, 2, 1, 0, 1, nullptr), 161001);
  EXPECT_EQ(fold(whole.get(), 4, 2, 1, 0, 1, out.get()), 161002);
  EXPECT_EQ(fold(gradient.get(), 4, 2, 1, 0, 1, half.get()), 161002);
  EXPECT_EQ(fold(gradient.get(), 0, 2, 1, 0, 1, out.get()), 161002);
  EXPECT_EQ(fold(gradient.get(), 4, 5, 1, 0, 1, out.get()), 161002);
  EXPECT_EQ(fold(gradient.get(), 4, 2, 0, 0, 1, out.get()), 161002);
  EXPECT_EQ(fold(gradient.get(), 4, 2, 1, -1, 1, out.get()), 161002);
  EXPECT_EQ(fold(gradient.get(), 4, 2, 1, 0, 0, out.get()), 161002);
  EXPECT_EQ(fold(gradient.get(), 4, 2, 1, 1, 1, out.get()), 161002);
  EXPECT_EQ(fold(gradient.get(), 4, 2, 1, 0, 1, other.get()), 161002);
  const OpTensor line(ACL_FLOAT, {4, 3});
  const OpTensor result(ACL_FLOAT, {9});
  const OpInts nine({9});
  const auto unfold = [&](const aclTensor* g, const OpInts* sizes, std::int64_t dim, std::int64_t window,
                          std::int64_t step, const aclTensor* y) {
    return aclnnUnfoldGradGetWorkspaceSize(g, sizes ? sizes->get() : nullptr, dim, window, step, y, &bytes, &executor);
  };
  EXPECT_EQ(unfold(line.get(), &nine, 0, 3, 2, result.get()), 0);
  EXPECT_EQ(unfold(nullptr, &nine, 0, 3, 2, result.get()), 161001);
  EXPECT_EQ(unfold(line.get(), nullptr, 0, 3, 2, result.get()), 161001);
  EXPECT_EQ(unfold(line.get(), &nine, 1, 3, 2, result.get()), 161002);
  EXPECT_EQ(unfold(line.get(), &nine, 0, 3, 0, result.get()), 161002);
  EXPECT_EQ(unfold(line.get(), &nine, 0, 10, 1, result.get()), 161002);
  EXPECT_EQ(unfold(line.get(), &nine, 0, 3, 1, result.get()), 161002);
  EXPECT_EQ(unfold(line.get(), &single, 0, 3, 2, result.get()), 161002);
}

}  // namespace
}  // namespace aclvk::test
