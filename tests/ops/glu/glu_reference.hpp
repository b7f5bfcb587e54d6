#pragma once

#include <cmath>
#include <functional>
#include <string>

#include "support/op_fixture.hpp"

namespace aclvk::test {

/// A gated linear unit of the elements of both parts, first part first.
using UnitMeaning = std::function<Real(Real, Real)>;

inline Real sigmoid(Real x) { return 1 / (1 + std::exp(-x)); }
inline Real silu(Real x) { return x * sigmoid(x); }
inline Real gelu(Real x) { return x * std::erfc(-x / std::sqrt(Real{2})) / 2; }
inline Real gelu_tanh(Real x) {
  const Real scale = std::sqrt(2 / std::acos(Real{-1}));
  return x / 2 * (1 + std::tanh(scale * (x + Real{0.044715L} * x * x * x)));
}

inline UnitMeaning clipped_meaning(Real alpha, Real limit, Real bias) {
  return [=](Real gate, Real linear) {
    const Real low = std::min(gate, limit);
    return low * sigmoid(alpha * low) * (std::clamp(linear, -limit, limit) + bias);
  };
}

/// The slopes of a unit along its two operands.
inline Real first_slope(const UnitMeaning& unit, Real x, Real y) {
  constexpr Real kStep = 0x1p-20L;
  return (unit(x + kStep, y) - unit(x - kStep, y)) / (2 * kStep);
}
inline Real second_slope(const UnitMeaning& unit, Real x, Real y) {
  return first_slope([&](Real b, Real a) { return unit(a, b); }, y, x);
}

/// A tensor's shape with the dim that is split, and where the elements of its parts are.
struct Halves {
  Shape shape;
  std::size_t dim = 0;
  bool interleaved = false;

  std::int64_t size() const { return shape[dim] / 2; }
  Shape part() const {
    Shape half = shape;
    half[dim] /= 2;
    return half;
  }
  std::int64_t inner() const {
    std::int64_t count = 1;
    for (std::size_t i = dim + 1; i < shape.size(); ++i) count *= shape[i];
    return count;
  }
  /// The row of an element of a part.
  std::int64_t row(std::int64_t element) const { return element / inner() / size(); }
  /// The element of the whole that an element of a part is.
  std::int64_t place(std::int64_t element, bool second) const {
    const std::int64_t at = element / inner() % size();
    const std::int64_t along = interleaved ? 2 * at + (second ? 1 : 0) : at + (second ? size() : 0);
    return (row(element) * shape[dim] + along) * inner() + element % inner();
  }
  /// The other way round: the element of a part, and which part.
  std::pair<std::int64_t, bool> part_of(std::int64_t place) const {
    const std::int64_t along = place / inner() % shape[dim];
    const bool second = interleaved ? along % 2 == 1 : along >= size();
    const std::int64_t at = interleaved ? along / 2 : along % size();
    return {(place / inner() / shape[dim] * size() + at) * inner() + place % inner(), second};
  }
};

}  // namespace aclvk::test
