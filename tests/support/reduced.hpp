#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "support/op_arguments.hpp"
#include "support/op_fixture.hpp"

namespace aclvk::test {

/// The index arithmetic of a reduction of a shape over some dims, on the host.
class Reduced {
 public:
  /// An empty list of dims stands for all dims.
  Reduced(Shape shape, const Shape& dims) : shape_(std::move(shape)), reduced_(shape_.size(), dims.empty()) {
    const auto rank = static_cast<std::int64_t>(shape_.size());
    for (const std::int64_t dim : dims) {
      if (rank > 0) reduced_[static_cast<std::size_t>((dim + rank) % rank)] = true;
    }
  }

  Shape result(bool keep) const {
    Shape result;
    for (std::size_t i = 0; i < shape_.size(); ++i) {
      if (!reduced_[i] || keep) result.push_back(reduced_[i] ? 1 : shape_[i]);
    }
    return result;
  }

  /// Returns the elements that are reduced to each result, both in row-major order.
  std::vector<std::vector<std::int64_t>> sources() const {
    std::vector<std::vector<std::int64_t>> sources(static_cast<std::size_t>(count_of(result(false))));
    for (std::int64_t i = 0; i < count_of(shape_); ++i) sources[static_cast<std::size_t>(target_of(i))].push_back(i);
    return sources;
  }

  /// Returns the result that an element is reduced to.
  std::int64_t target_of(std::int64_t element) const {
    std::int64_t target = 0;
    std::int64_t stride = 1;
    for (std::size_t dim = shape_.size(); dim-- > 0;) {
      const std::int64_t index = element % shape_[dim];
      element /= shape_[dim];
      if (reduced_[dim]) continue;
      target += index * stride;
      stride *= shape_[dim];
    }
    return target;
  }

 private:
  Shape shape_;
  std::vector<bool> reduced_;
};

}  // namespace aclvk::test
