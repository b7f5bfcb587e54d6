#pragma once

#include <cmath>
#include <vector>

#include "support/op_arguments.hpp"

namespace aclvk::test {

/// What the elements of a line become, as a matrix of weights: a row for each place, a column for each element.
struct LineMatrix {
  std::int64_t places = 0;
  std::int64_t elements = 0;
  std::vector<double> weights;

  LineMatrix(std::int64_t rows, std::int64_t columns)
      : places(rows), elements(columns), weights(static_cast<std::size_t>(rows * columns), 0) {}
  double& at(std::int64_t place, std::int64_t element) {
    return weights[static_cast<std::size_t>(place * elements + element)];
  }
  LineMatrix transposed() const {
    LineMatrix other(elements, places);
    for (std::int64_t i = 0; i < places; ++i) {
      for (std::int64_t k = 0; k < elements; ++k) other.at(k, i) = weights[static_cast<std::size_t>(i * elements + k)];
    }
    return other;
  }
};

/// A tensor multiplied along one dim.
struct Values {
  Shape shape;
  std::vector<Real> values;
};

inline Values multiplied(const Values& x, const LineMatrix& matrix, std::size_t dim) {
  Values result{x.shape, {}};
  result.shape[dim] = matrix.places;
  for (std::int64_t i = 0; i < count_of(result.shape); ++i) {
    Shape at = coordinates_of(i, result.shape);
    const std::int64_t place = at[dim];
    Real sum = 0;
    for (std::int64_t k = 0; k < matrix.elements; ++k) {
      const double weight = matrix.weights[static_cast<std::size_t>(place * matrix.elements + k)];
      at[dim] = k;
      if (weight != 0) sum += weight * x.values[static_cast<std::size_t>(element_at(at, x.shape))];
    }
    result.values.push_back(sum);
  }
  return result;
}

inline Values values_of(const OpTensor& tensor) {
  Values values{tensor.shape(), {}};
  for (std::int64_t i = 0; i < tensor.count(); ++i) values.values.push_back(tensor.before(i).real());
  return values;
}

}  // namespace aclvk::test
