#pragma once

#include <functional>
#include <vector>

#include "support/op_arguments.hpp"

namespace aclvk::test {

/// A window over the last dims of a tensor, as PyTorch defines it: written apart from src/ops.
struct MovingWindow {
  Shape kernel;
  Shape stride;
  Shape padding;
  Shape dilation;
  bool ceil_mode = false;

  std::size_t dims() const { return kernel.size(); }
  std::int64_t places(std::size_t i, std::int64_t size) const {
    const std::int64_t room = size + 2 * padding[i] - dilation[i] * (kernel[i] - 1) - 1;
    std::int64_t count = room / stride[i] + 1;
    if (ceil_mode && room % stride[i] != 0 && count * stride[i] < size + padding[i]) ++count;
    return count;
  }
  Shape result(const Shape& self) const {
    Shape shape = self;
    for (std::size_t i = 0; i < dims(); ++i) {
      std::int64_t& size = shape[shape.size() - dims() + i];
      size = places(i, size);
    }
    return shape;
  }
};

/// Calls `visit` with the coordinates of each element that a window with these ranges along the last dims has.
inline void visit_box(Shape at, const std::vector<Shape>& ranges, std::size_t dim,
                      const std::function<void(const Shape&)>& visit) {
  if (dim == ranges.size()) return visit(at);
  for (const std::int64_t place : ranges[dim]) {
    at[at.size() - ranges.size() + dim] = place;
    visit_box(at, ranges, dim + 1, visit);
  }
}

/// The coordinates along each of the last dims that the window at a place of the result has, inside of the input.
inline std::vector<Shape> ranges_at(const MovingWindow& window, const Shape& at, const Shape& self) {
  std::vector<Shape> ranges(window.dims());
  for (std::size_t i = 0; i < window.dims(); ++i) {
    const std::size_t dim = at.size() - window.dims() + i;
    for (std::int64_t k = 0; k < window.kernel[i]; ++k) {
      const std::int64_t place = at[dim] * window.stride[i] - window.padding[i] + k * window.dilation[i];
      if (place >= 0 && place < self[dim]) ranges[i].push_back(place);
    }
  }
  return ranges;
}

/// The same for windows that share out the input among `sizes` places.
inline std::vector<Shape> ranges_at(const Shape& sizes, const Shape& at, const Shape& self) {
  std::vector<Shape> ranges(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::size_t dim = at.size() - sizes.size() + i;
    const std::int64_t begin = at[dim] * self[dim] / sizes[i];
    const std::int64_t end = ((at[dim] + 1) * self[dim] + sizes[i] - 1) / sizes[i];
    for (std::int64_t place = begin; place < end; ++place) ranges[i].push_back(place);
  }
  return ranges;
}

/// The elements of a window: their values, and their numbers within the last dims.
struct WindowElements {
  std::vector<Real> values;
  std::vector<std::int64_t> numbers;

  WindowElements(const OpTensor& self, const Shape& at, const std::vector<Shape>& ranges) {
    const Shape& shape = self.shape();
    visit_box(at, ranges, 0, [&](const Shape& place) {
      values.push_back(self.before(element_at(place, shape)).real());
      const auto lead = static_cast<std::ptrdiff_t>(shape.size() - ranges.size());
      numbers.push_back(element_at(Shape(place.begin() + lead, place.end()), Shape(shape.begin() + lead, shape.end())));
    });
  }

  Real sum() const {
    Real sum = 0;
    for (const Real value : values) sum += value;
    return sum;
  }
  /// The place among the elements of the first of the largest, or of the last NaN.
  std::size_t largest() const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < values.size(); ++i) {
      if (values[i] > values[best] || std::isnan(values[i])) best = i;
    }
    return best;
  }
};

}  // namespace aclvk::test
