#include "aclnnop/aclnn_max_pool2d_with_indices.h"
#include "aclnnop/aclnn_max_pool2d_with_indices_backward.h"
#include "ops/pooling/window_reference.hpp"

namespace aclvk::test {
namespace {

class MaskedPooling : public OpTest {
 protected:
  static Shape mask_shape(const Shape& result, const MovingWindow& window) {
    const std::int64_t places = result[result.size() - 1] * result[result.size() - 2];
    Shape shape(result.begin(), result.end() - 2);
    shape.push_back(window.kernel[0] * window.kernel[1]);
    shape.push_back(((places + 15) / 16 + 1) * 32);
    return shape;
  }

  /// The result, and the gradient that comes back through the mask.
  static void check_mask(aclDataType type, const Shape& shape, const MovingWindow& window, const View& view = {},
                         const View& mask_view = {}) {
    SCOPED_TRACE("dtype " + std::to_string(type));
    OpTensor self(type, shape, view);
    std::mt19937 random(5);
    self.fill([&](std::int64_t) { return Real(static_cast<int>(random() % 9) - 4); });
    const OpTensor out(type, window.result(shape));
    const OpTensor mask(ACL_INT8, mask_shape(out.shape(), window), mask_view);
    const OpInts kernel(window.kernel);
    const OpInts stride(window.stride);
    const OpInts padding(window.padding);
    const OpInts dilation(window.dilation);
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnMaxPool2dWithMaskGetWorkspaceSize(self.get(), kernel.get(), stride.get(), padding.get(),
                                                        dilation.get(), window.ceil_mode, out.get(), mask.get(), n, e);
        },
        aclnnMaxPool2dWithMask, {&self, &mask}, out);
    std::vector<std::int64_t> chosen;  // the element of each window
    for (std::int64_t i = 0; i < out.count(); ++i) {
      const Shape at = coordinates_of(i, out.shape());
      const WindowElements elements(self, at, ranges_at(window, at, shape));
      const std::size_t most = elements.largest();
      EXPECT_EQ(out.in(bytes, i).real(), elements.values[most]);
      const std::int64_t plane = shape[shape.size() - 1] * shape[shape.size() - 2];
      const std::int64_t places = out.shape()[shape.size() - 1] * out.shape()[shape.size() - 2];
      chosen.push_back(i / places * plane + elements.numbers[most]);
    }
    const auto found = mask.download();
    EXPECT_TRUE(mask.only_elements_changed(found));
    OpTensor handed(ACL_INT8, mask.shape());
    handed.fill([&](std::int64_t i) { return mask.in(found, i); });

    OpTensor gradient(type, out.shape());
    gradient.fill([](std::int64_t i) { return Real(i % 7 + 1) / 4; });
    const OpTensor result(type, shape, view);
    const auto back = run(
        [&](auto* n, auto** e) {
          return aclnnMaxPool2dWithMaskBackwardGetWorkspaceSize(gradient.get(), self.get(), handed.get(), kernel.get(),
                                                                stride.get(), padding.get(), dilation.get(),
                                                                window.ceil_mode, result.get(), n, e);
        },
        aclnnMaxPool2dWithMaskBackward, {&gradient, &self, &handed}, result);
    std::vector<Real> sums(static_cast<std::size_t>(self.count()));
    for (std::int64_t i = 0; i < out.count(); ++i) {
      sums[static_cast<std::size_t>(chosen[static_cast<std::size_t>(i)])] += gradient.before(i).real();
    }
    expect_elements(
        result, back, [&](std::int64_t i) { return rounded(sums[static_cast<std::size_t>(i)], type); }, false);
  }
};

TEST_F(MaskedPooling, HandsMaximaToTheGradient) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    check_mask(type, {2, 3, 11, 13}, {{3, 2}, {2, 1}, {1, 0}, {1, 1}});
  }
  check_mask(ACL_FLOAT, {3, 8, 8}, {{2, 2}, {2, 2}, {0, 0}, {1, 1}});
  check_mask(ACL_FLOAT, {1, 2, 10, 9}, {{2, 3}, {3, 2}, {1, 1}, {2, 1}, true});
  check_mask(ACL_FLOAT, {1, 1, 5, 7}, {{1, 1}, {1, 1}, {0, 0}, {1, 1}});
  check_mask(ACL_FLOAT, {1, 2, 6, 6}, {{3, 3}, {1, 1}, {1, 1}, {1, 1}}, {{90, 40, 1, 6}, 5});
  check_mask(ACL_FLOAT, {4, 4, 4}, {{2, 2}, {2, 2}, {0, 0}, {1, 1}}, {}, {{512, 128, 2}, 3});
}

TEST_F(MaskedPooling, WindowsMayBeDilatedByOtherThanTheirStep) {
  check_mask(ACL_FLOAT, {1, 2, 29, 31}, {{3, 4}, {4, 6}, {3, 5}, {6, 4}});
  check_mask(ACL_FLOAT, {1, 1, 23, 19}, {{5, 2}, {1, 9}, {6, 0}, {3, 6}, true});
}

TEST_F(MaskedPooling, WindowsMayBeLarge) {
  check_mask(ACL_FLOAT, {1, 1, 280, 270}, {{256, 257}, {20, 21}, {3, 0}, {1, 1}});
  check_mask(ACL_FLOAT, {1, 1, 50, 55}, {{41, 43}, {1, 2}, {3, 7}, {1, 1}});
}

TEST_F(MaskedPooling, RefusesOthers) {
  const OpTensor self(ACL_FLOAT, {1, 2, 8, 8});
  const OpTensor out(ACL_FLOAT, {1, 2, 4, 4});
  const OpTensor half(ACL_FLOAT16, {1, 2, 4, 4});
  const OpTensor mask(ACL_INT8, {1, 2, 4, 64});
  const OpTensor small(ACL_INT8, {1, 2, 4, 16});
  const OpTensor words(ACL_INT32, {1, 2, 4, 64});
  const OpInts two({2, 2});
  const OpInts zero({0, 0});
  const OpInts one({1, 1});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto forward = [&](const aclTensor* x, const OpInts& kernel, aclTensor* y, aclTensor* bits) {
    return aclnnMaxPool2dWithMaskGetWorkspaceSize(x, kernel.get(), two.get(), zero.get(), one.get(), false, y, bits,
                                                  &size, &executor);
  };
  EXPECT_EQ(forward(nullptr, two, out.get(), mask.get()), 161001);
  EXPECT_EQ(forward(self.get(), two, out.get(), nullptr), 161001);
  EXPECT_EQ(forward(self.get(), zero, out.get(), mask.get()), 161002);
  EXPECT_EQ(forward(self.get(), two, half.get(), mask.get()), 161002);
  EXPECT_EQ(forward(self.get(), two, out.get(), small.get()), 161002);
  EXPECT_EQ(forward(self.get(), two, out.get(), words.get()), 161002);
  EXPECT_EQ(forward(self.get(), two, self.get(), mask.get()), 161002);
  const auto backward = [&](const aclTensor* gradient, const aclTensor* bits, aclTensor* result) {
    return aclnnMaxPool2dWithMaskBackwardGetWorkspaceSize(gradient, self.get(), bits, two.get(), two.get(), zero.get(),
                                                          one.get(), false, result, &size, &executor);
  };
  const OpTensor result(ACL_FLOAT, {1, 2, 8, 8});
  EXPECT_EQ(backward(nullptr, mask.get(), result.get()), 161001);
  EXPECT_EQ(backward(out.get(), nullptr, result.get()), 161001);
  EXPECT_EQ(backward(half.get(), mask.get(), result.get()), 161002);
  EXPECT_EQ(backward(out.get(), small.get(), result.get()), 161002);
  EXPECT_EQ(backward(out.get(), mask.get(), out.get()), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
