#pragma once

#include <algorithm>
#include <cstdint>

#include "support/op_arguments.hpp"

namespace aclvk::test {

/// Eighths from -2 to 2, never 0; whole numbers for integers. Products of them have exact sums in a float, so results
/// are equal to the last bit.
inline OpTensor& fill_eighths(OpTensor& tensor, unsigned seed) {
  std::mt19937 random(seed);
  const Real unit = is_integer(tensor.type()) ? 1 : 0.125L;
  return tensor.fill([&](std::int64_t) -> Number {
    const auto steps = static_cast<std::int64_t>(random() % 31) - 15;
    if (tensor.type() == ACL_BOOL) return Real(steps % 2 != 0);
    if (tensor.type() == ACL_UINT8) return Real(1 + (steps + 15) % 15);
    return Real(steps == 0 ? 16 : steps) * unit;
  });
}

/// A factor: the element of a matrix of a batch, whose dims broadcast to those of the result.
struct Factor {
  const OpTensor& tensor;
  bool transposes = false;

  std::int64_t rows() const { return size(transposes ? 1 : 2); }
  std::int64_t columns() const { return size(transposes ? 2 : 1); }
  Number at(const Shape& batch, std::int64_t row, std::int64_t column) const {
    const Shape& shape = tensor.shape();
    Shape own{transposes ? column : row, transposes ? row : column};
    for (std::size_t i = 3; i <= shape.size(); ++i) {
      own.insert(own.begin(), shape[shape.size() - i] == 1 ? 0 : batch[batch.size() - i + 2]);
    }
    return tensor.before(element_at(own, shape));
  }

 private:
  std::int64_t size(std::size_t from_end) const { return tensor.shape()[tensor.shape().size() - from_end]; }
};

/// The exact element of a product; `at` are the batch, a row and a column.
inline Number exact_product(const Factor& first, const Factor& second, const Shape& at) {
  const Shape batch(at.begin(), at.end() - 2);
  Number sum = 0;
  for (std::int64_t k = 0; k < first.columns(); ++k) {
    sum += first.at(batch, at[at.size() - 2], k) * second.at(batch, k, at.back());
  }
  return sum;
}

/// What a dtype holds of an exact number.
inline Number held(Number value, aclDataType type) {
  return is_integer(type) ? Number(wrap(static_cast<Wide>(value.real()), type)) : rounded(value, type);
}

/// A matrix whose rows, or columns, have larger strides than they need, after some elements.
inline View spaced_rows(const Shape& shape, std::int64_t more, std::int64_t offset) {
  Shape padded = shape;
  padded.back() += more;
  return {OpTensor::row_major(padded), offset};
}
inline View spaced_columns(const Shape& shape, std::int64_t more, std::int64_t offset) {
  Shape transposed = shape;
  std::swap(transposed[shape.size() - 1], transposed[shape.size() - 2]);
  transposed.back() += more;
  Shape strides = OpTensor::row_major(transposed);
  std::swap(strides[shape.size() - 1], strides[shape.size() - 2]);
  return {strides, offset};
}

}  // namespace aclvk::test
