#pragma once

#include <limits>
#include <vector>

#include "support/op_arguments.hpp"

namespace aclvk::test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline const std::vector<double> kExponents = {0, 0.5, 1, 1.5, 2, 3, 7.25, kInfinity};

/// A row of each of two tensors, counted over all dims but the last.
struct RowPair {
  std::int64_t first;
  std::int64_t second;
};

/// The pairs of rows of two batches of matrices, which broadcast.
class RowPairs {
 public:
  RowPairs(const Shape& first, const Shape& second) : first_(batch_of(first)), second_(batch_of(second)) {
    rows_ = first[first.size() - 2];
    columns_ = second[second.size() - 2];
    batch_.resize(std::max(first_.size(), second_.size()), 1);
    for (const Shape& own : {first_, second_}) {
      for (std::size_t i = 0; i < own.size(); ++i) {
        std::int64_t& size = batch_[batch_.size() - own.size() + i];
        if (own[i] != 1) size = own[i];
      }
    }
  }

  Shape batch() const { return batch_; }
  Shape shape() const {
    Shape shape = batch_;
    shape.push_back(rows_);
    shape.push_back(columns_);
    return shape;
  }
  RowPair of(std::int64_t element) const {
    const std::int64_t matrix = element / (rows_ * columns_);
    const std::int64_t place = element % (rows_ * columns_);
    return {source_of(matrix, batch_, first_) * rows_ + place / columns_,
            source_of(matrix, batch_, second_) * columns_ + place % columns_};
  }

 private:
  static Shape batch_of(const Shape& shape) { return {shape.begin(), shape.end() - 2}; }

  Shape first_;
  Shape second_;
  Shape batch_;
  std::int64_t rows_;
  std::int64_t columns_;
};

/// The p-norm of the difference of two rows of `count` elements.
inline Real distance_of(double p, const OpTensor& x, std::int64_t row, const OpTensor& y, std::int64_t other,
                        std::int64_t count) {
  Real sum = 0;
  for (std::int64_t k = 0; k < count; ++k) {
    const Real size = std::fabs(x.before(row * count + k).real() - y.before(other * count + k).real());
    if (p == 0) {
      sum += size != 0 ? 1 : 0;
    } else if (std::isinf(p)) {
      sum = std::isnan(size) || std::isnan(sum) ? std::numeric_limits<Real>::quiet_NaN() : std::max(sum, size);
    } else {
      sum += std::pow(size, Real(p));
    }
  }
  return p == 0 || std::isinf(p) ? sum : std::pow(sum, 1 / Real(p));
}

}  // namespace aclvk::test
