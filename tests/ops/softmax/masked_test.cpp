#include <optional>

#include "aclnnop/aclnn_masked_softmax_with_rel_pos_bias.h"
#include "aclnnop/aclnn_scaled_masked_softmax.h"
#include "aclnnop/aclnn_scaled_masked_softmax_backward.h"
#include "support/op_arguments.hpp"

// Softmax of attention scores with masks and biases, along the last dim.

namespace aclvk::test {
namespace {

constexpr aclDataType kFloats[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
constexpr Real kMasked = -10000;
constexpr double kScale = 0.625;

class MaskedSoftmax : public OpTest {
 protected:
  using Element = std::function<Real(std::int64_t)>;

  /// The softmax of rows of `columns` elements.
  static std::vector<Real> softmax(std::int64_t count, std::int64_t columns, const Element& element) {
    std::vector<Real> result(static_cast<std::size_t>(count));
    for (std::int64_t row = 0; row < count; row += columns) {
      Real highest = element(row);
      for (std::int64_t i = row; i < row + columns; ++i) highest = std::max(highest, element(i));
      Real sum = 0;
      for (std::int64_t i = row; i < row + columns; ++i) sum += std::exp(element(i) - highest);
      for (std::int64_t i = row; i < row + columns; ++i) {
        result[static_cast<std::size_t>(i)] = std::exp(element(i) - highest) / sum;
      }
    }
    return result;
  }

  static bool is_masked(const OpTensor& mask, const Shape& shape, std::int64_t i, bool triangle) {
    if (!triangle) return mask.before(source_of(i, shape, mask.shape())).real() != 0;
    const Shape at = coordinates_of(i, shape);
    return at.back() > at[at.size() - 2];
  }

  static OpTensor& fill_mask(OpTensor& mask) {
    return mask.fill([](std::int64_t i) { return i * 7 % 5 < 2 ? 1 : 0; });
  }

  static void check(const OpTensor& x, const OpTensor& mask, const OpTensor& y, bool triangle = false) {
    SCOPED_TRACE("dtypes " + std::to_string(x.type()) + " -> " + std::to_string(y.type()));
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnScaledMaskedSoftmaxGetWorkspaceSize(x.get(), mask.get(), kScale, triangle, y.get(), n, e);
        },
        aclnnScaledMaskedSoftmax, {&x, &mask}, y);
    const auto expected = softmax(x.count(), x.shape().back(), [&](std::int64_t i) {
      return is_masked(mask, x.shape(), i, triangle) ? kMasked : Real{kScale} * x.before(i).real();
    });
    expect_elements(
        y, bytes, [&](std::int64_t i) { return rounded(expected[static_cast<std::size_t>(i)], y.type()); }, false);
  }

  static void check_gradient(const OpTensor& y, const OpTensor& mask, const OpTensor& out, bool triangle = false) {
    SCOPED_TRACE("dtypes " + std::to_string(y.type()) + " -> " + std::to_string(out.type()));
    OpTensor gradient(y.type(), y.shape());
    gradient.fill_random(8);
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnScaledMaskedSoftmaxBackwardGetWorkspaceSize(gradient.get(), y.get(), mask.get(), kScale, triangle,
                                                                  out.get(), n, e);
        },
        aclnnScaledMaskedSoftmaxBackward, {&gradient, &y, &mask}, out);
    const std::int64_t columns = y.shape().back();
    expect_elements(
        out, bytes,
        [&](std::int64_t i) -> Number {
          if (is_masked(mask, y.shape(), i, triangle)) return 0;
          Real sum = 0;
          for (std::int64_t k = i / columns * columns; k < (i / columns + 1) * columns; ++k) {
            sum += gradient.before(k).real() * y.before(k).real();
          }
          return rounded(Real{kScale} * (gradient.before(i).real() - sum) * y.before(i).real(), out.type());
        },
        false);
  }

  static OpTensor& fill_probabilities(OpTensor& y) {
    return y.fill([&](std::int64_t i) { return Real(i * 3 % 7 + 1) / (4 * static_cast<Real>(y.shape().back())); });
  }
};

TEST_F(MaskedSoftmax, OfRowsOfAnyLength) {
  for (const aclDataType type : kFloats) {
    const bool all = type == ACL_FLOAT;  // each length is a kernel more for the driver to compile
    for (const std::int64_t length : all ? Shape{1, 7, 64, 257, 1032} : Shape{64, 257}) {
      OpTensor x(type, {2, 3, 5, length});
      OpTensor mask(ACL_BOOL, {2, 1, 5, length});
      fill_mask(mask);
      check(x.fill_random(1), mask, OpTensor(type, x.shape()));
      OpTensor y(type, x.shape());
      check_gradient(fill_probabilities(y), mask, OpTensor(type, x.shape()));
    }
  }
}

TEST_F(MaskedSoftmax, OfAnyView) {
  for (const aclDataType type : {ACL_FLOAT, ACL_BF16}) {
    OpTensor x(type, {5, 11, 16}, {{1, 5, 60}, 2});
    OpTensor mask(ACL_BOOL, {11, 16}, {{19, 1}, 1});
    fill_mask(mask);
    check(x.fill_random(2), mask, OpTensor(type, {5, 11, 16}, {{200, 17, 1}, 1}));
    OpTensor column(ACL_BOOL, {5, 1, 1});
    fill_mask(column);
    check(x, column, OpTensor(ACL_FLOAT, {5, 11, 16}));
    OpTensor y(type, {5, 11, 16}, {{1, 5, 60}, 2});
    check_gradient(fill_probabilities(y), mask, OpTensor(type, {5, 11, 16}, {{200, 17, 1}, 1}));
  }
}

TEST_F(MaskedSoftmax, OfRowsThatAreAllMaskedIsEven) {
  OpTensor x(ACL_FLOAT, {3, 40});
  OpTensor mask(ACL_BOOL, {3, 40});
  mask.fill([](std::int64_t i) { return i / 40 == 1; });
  check(x.fill_random(3), mask, OpTensor(ACL_FLOAT, {3, 40}));
}

TEST_F(MaskedSoftmax, MakesItsOwnTriangle) {
  OpTensor x(ACL_FLOAT16, {2, 3, 17, 24});
  const OpTensor mask(ACL_BOOL, {17, 24});
  check(x.fill_random(4), mask, OpTensor(ACL_FLOAT16, x.shape()), true);
  OpTensor y(ACL_FLOAT16, x.shape());
  check_gradient(fill_probabilities(y), mask, OpTensor(ACL_FLOAT16, x.shape()), true);
}

TEST_F(MaskedSoftmax, OfNothing) {
  const OpTensor x(ACL_FLOAT, {0, 5});
  const OpTensor mask(ACL_BOOL, {1, 5});
  check(x, mask, OpTensor(ACL_FLOAT, {0, 5}));
  const OpTensor rows(ACL_FLOAT, {5, 0});
  const OpTensor none(ACL_BOOL, {5, 0});
  run(
      [&](auto* n, auto** e) {
        return aclnnScaledMaskedSoftmaxGetWorkspaceSize(rows.get(), none.get(), 1, false, rows.get(), n, e);
      },
      aclnnScaledMaskedSoftmax, {&none}, rows);
}

TEST_F(MaskedSoftmax, WithBiasesOfPositions) {
  struct Shapes {
    Shape x;
    std::optional<Shape> mask;
    Shape bias;
  };
  const Shapes cases[] = {
      {{2, 4, 3, 7, 16}, Shape{4, 7, 16}, {3, 7, 16}},    {{2, 4, 3, 7, 16}, Shape{1, 4, 1, 7, 16}, {1, 1, 3, 7, 16}},
      {{8, 3, 7, 16}, Shape{4, 1, 7, 16}, {1, 3, 7, 16}}, {{8, 3, 7, 13}, std::nullopt, {3, 7, 13}},
      {{2, 1, 1, 5, 5}, Shape{1, 5, 5}, {1, 5, 5}},
  };
  for (const aclDataType type : kFloats) {
    for (const Shapes& shapes : cases) {
      OpTensor x(type, shapes.x);
      OpTensor mask(type, shapes.mask.value_or(Shape{1}));
      OpTensor bias(type, shapes.bias);
      x.fill_random(1);
      mask.fill([](std::int64_t i) { return i * 7 % 5 < 2 ? -100 : 0; });
      bias.fill_random(2);
      const OpTensor out(type, shapes.x);
      const bool masks = shapes.mask.has_value();
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnMaskedSoftmaxWithRelPosBiasGetWorkspaceSize(x.get(), masks ? mask.get() : nullptr, bias.get(),
                                                                    kScale, 0, out.get(), n, e);
          },
          aclnnMaskedSoftmaxWithRelPosBias, {&x, &mask, &bias}, out);
      const std::size_t rank = shapes.x.size();
      const std::int64_t heads = shapes.x[rank - 3];
      const std::int64_t matrix = shapes.x[rank - 2] * shapes.x[rank - 1];
      const std::int64_t windows = masks ? mask.count() / matrix : 1;
      const auto expected = softmax(x.count(), shapes.x.back(), [&](std::int64_t i) {
        const std::int64_t number = i / matrix;
        const Real addend = masks ? mask.before(number / heads % windows * matrix + i % matrix).real() : 0;
        return Real{kScale} * x.before(i).real() + addend + bias.before(number % heads * matrix + i % matrix).real();
      });
      expect_elements(
          out, bytes, [&](std::int64_t i) { return rounded(expected[static_cast<std::size_t>(i)], type); }, false);
    }
  }
}

TEST_F(MaskedSoftmax, RefusesWhatDoesNotFit) {
  const OpTensor x(ACL_FLOAT, {2, 3, 5, 7});
  const OpTensor mask(ACL_BOOL, {5, 7});
  const OpTensor wrong(ACL_BOOL, {5, 6});
  const OpTensor other(ACL_FLOAT, {2, 3, 5, 6});
  const OpTensor whole(ACL_INT32, {2, 3, 5, 7});
  const OpTensor bias(ACL_FLOAT, {3, 5, 7});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto handle = [](const OpTensor* tensor) { return tensor ? tensor->get() : nullptr; };
  const auto plan = [&](const OpTensor* from, const OpTensor* marks, const OpTensor* to) {
    return aclnnScaledMaskedSoftmaxGetWorkspaceSize(handle(from), handle(marks), 1, false, handle(to), &size,
                                                    &executor);
  };
  EXPECT_EQ(plan(nullptr, &mask, &x), 161001);
  EXPECT_EQ(plan(&x, nullptr, &x), 161001);
  EXPECT_EQ(plan(&x, &mask, nullptr), 161001);
  EXPECT_EQ(plan(&whole, &mask, &x), 161002);
  EXPECT_EQ(plan(&x, &x, &x), 161002);
  EXPECT_EQ(plan(&x, &mask, &whole), 161002);
  EXPECT_EQ(plan(&x, &wrong, &x), 161002);
  EXPECT_EQ(plan(&x, &mask, &other), 161002);
  const auto gradient = [&](const OpTensor* given, const OpTensor* y, const OpTensor* marks, const OpTensor* to) {
    return aclnnScaledMaskedSoftmaxBackwardGetWorkspaceSize(handle(given), handle(y), handle(marks), 1, false,
                                                            handle(to), &size, &executor);
  };
  EXPECT_EQ(gradient(nullptr, &x, &mask, &x), 161001);
  EXPECT_EQ(gradient(&x, nullptr, &mask, &x), 161001);
  EXPECT_EQ(gradient(&x, &x, nullptr, &x), 161001);
  EXPECT_EQ(gradient(&x, &x, &mask, nullptr), 161001);
  EXPECT_EQ(gradient(&x, &other, &mask, &x), 161002);
  EXPECT_EQ(gradient(&x, &x, &wrong, &x), 161002);
  const auto biased = [&](const OpTensor* from, const OpTensor* marks, const OpTensor* addend, std::int64_t mode,
                          const OpTensor* to) {
    return aclnnMaskedSoftmaxWithRelPosBiasGetWorkspaceSize(handle(from), handle(marks), handle(addend), 1, mode,
                                                            handle(to), &size, &executor);
  };
  EXPECT_EQ(biased(nullptr, nullptr, &bias, 0, &x), 161001);
  EXPECT_EQ(biased(&x, nullptr, nullptr, 0, &x), 161001);
  EXPECT_EQ(biased(&x, nullptr, &bias, 0, nullptr), 161001);
  EXPECT_EQ(biased(&x, &mask, &bias, 0, &x), 161002);
  EXPECT_EQ(biased(&x, &bias, &bias, 0, &x), 161002);
  EXPECT_EQ(biased(&x, nullptr, &x, 0, &x), 161002);
  EXPECT_EQ(biased(&bias, nullptr, &bias, 0, &bias), 161002);
  EXPECT_EQ(biased(&x, nullptr, &bias, 2, &x), 161002);
  EXPECT_EQ(biased(&x, nullptr, &bias, 0, &other), 161002);
}

}  // namespace
}  // namespace aclvk::test
