#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "support/op_arguments.hpp"

namespace aclvk::test {

/// A matrix on the host, in long double.
class HostMatrix {
 public:
  HostMatrix(std::int64_t rows, std::int64_t columns)
      : rows_(rows), columns_(columns), elements_(static_cast<std::size_t>(rows * columns)) {}

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  Number& at(std::int64_t row, std::int64_t column) {
    return elements_[static_cast<std::size_t>(row * columns_ + column)];
  }
  Number at(std::int64_t row, std::int64_t column) const {
    return elements_[static_cast<std::size_t>(row * columns_ + column)];
  }

  Real largest() const {
    Real most = 0;
    for (const Number& element : elements_) most = std::max(most, std::abs(element));
    return most;
  }

 private:
  std::int64_t rows_;
  std::int64_t columns_;
  std::vector<Number> elements_;
};

/// Matrix `index` of a batch: of what a tensor had before the operator ran, or of downloaded bytes.
inline HostMatrix matrix_of(const OpTensor& tensor, std::int64_t index, const std::vector<std::byte>* bytes = nullptr) {
  const Shape& shape = tensor.shape();
  HostMatrix matrix(shape[shape.size() - 2], shape[shape.size() - 1]);
  for (std::int64_t i = 0; i < matrix.rows(); ++i) {
    for (std::int64_t j = 0; j < matrix.columns(); ++j) {
      const std::int64_t element = (index * matrix.rows() + i) * matrix.columns() + j;
      matrix.at(i, j) = bytes ? tensor.in(*bytes, element) : tensor.before(element);
    }
  }
  return matrix;
}
inline std::int64_t matrices_in(const Shape& shape) { return count_of({shape.begin(), shape.end() - 2}); }

inline HostMatrix product(const HostMatrix& x, const HostMatrix& y) {
  HostMatrix result(x.rows(), y.columns());
  for (std::int64_t i = 0; i < x.rows(); ++i) {
    for (std::int64_t k = 0; k < x.columns(); ++k) {
      for (std::int64_t j = 0; j < y.columns(); ++j) result.at(i, j) += x.at(i, k) * y.at(k, j);
    }
  }
  return result;
}

inline HostMatrix transposed(const HostMatrix& x, bool conjugate) {
  HostMatrix result(x.columns(), x.rows());
  for (std::int64_t i = 0; i < x.rows(); ++i) {
    for (std::int64_t j = 0; j < x.columns(); ++j) result.at(j, i) = conjugate ? std::conj(x.at(i, j)) : x.at(i, j);
  }
  return result;
}

inline HostMatrix unit_matrix(std::int64_t size) {
  HostMatrix result(size, size);
  for (std::int64_t i = 0; i < size; ++i) result.at(i, i) = 1;
  return result;
}

/// With zeros on one side of the diagonal; `unit`: and ones on it.
inline HostMatrix triangle_of(const HostMatrix& x, bool upper, bool unit) {
  HostMatrix result(x.rows(), x.columns());
  for (std::int64_t i = 0; i < x.rows(); ++i) {
    for (std::int64_t j = 0; j < x.columns(); ++j) {
      if (i == j) result.at(i, j) = unit ? Number(1) : x.at(i, j);
      if (i != j && (j > i) == upper) result.at(i, j) = x.at(i, j);
    }
  }
  return result;
}

/// The size of a rounding error, with room for some sums.
inline Real rounding_of(aclDataType type) {
  switch (type) {
    case ACL_DOUBLE:
    case ACL_COMPLEX128: return 0x1p-46L;
    case ACL_FLOAT16: return 0x1p-9L;
    case ACL_BF16: return 0x1p-6L;
    default: return 0x1p-18L;
  }
}

/// Within a few rounding errors of numbers as large as `scale`.
inline void expect_same(const HostMatrix& got, const HostMatrix& expected, aclDataType type, Real scale) {
  ASSERT_EQ(got.rows(), expected.rows());
  ASSERT_EQ(got.columns(), expected.columns());
  const Real limit = rounding_of(type) * std::max<Real>(scale, 1);
  for (std::int64_t i = 0; i < got.rows(); ++i) {
    for (std::int64_t j = 0; j < got.columns(); ++j) {
      ASSERT_LE(std::abs(got.at(i, j) - expected.at(i, j)), limit)
          << "row " << i << ", column " << j << ": " << text_of(got.at(i, j)) << " where " << text_of(expected.at(i, j))
          << " is expected (dtype " << type << ")";
    }
  }
}

/// Random, with a diagonal that is large enough for a condition that is small.
inline void fill_regular(OpTensor& tensor, unsigned seed) {
  tensor.fill_random(seed);
  const OpTensor& given = tensor;
  const std::int64_t columns = tensor.shape().back();
  const std::int64_t rows = tensor.shape()[tensor.shape().size() - 2];
  std::vector<Number> values;
  for (std::int64_t i = 0; i < tensor.count(); ++i) values.push_back(given.before(i));
  tensor.fill([&](std::int64_t i) {
    const bool diagonal = i % columns == i / columns % rows;
    return values[static_cast<std::size_t>(i)] * Real(diagonal ? 1 : 0.25L) +
           (diagonal ? Number(Real(3) * static_cast<Real>(columns)) : Number(0));
  });
}

}  // namespace aclvk::test
