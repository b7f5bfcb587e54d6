#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/inline_vector.hpp"
#include "ops/formatted_by.hpp"

namespace aclvk::ops {

constexpr std::size_t kMaxRank = 8;

/// Sizes, or strides in elements, outermost first.
using Shape = InlineVector<std::int64_t, kMaxRank>;

std::string text_of(const Shape& shape);  ///< "(2, 3)"; "()" for a scalar

/// More elements than any memory holds. Up to this, places and bytes are computed without overflow.
constexpr std::int64_t kMostElements = std::int64_t{1} << 40;

/// Number of elements; 1 for a scalar. Throws 161002 for a negative size, and for more than kMostElements in one dim,
/// also of a tensor that is empty, or in all.
std::int64_t element_count(const Shape& shape);

/// Row-major strides.
Shape contiguous_strides(const Shape& shape);

/// NumPy's rule, right aligned; nothing when the shapes do not fit.
std::optional<Shape> broadcast(const Shape& first, const Shape& second);

/// Strides that read a tensor as `target`, a shape that it broadcasts to: 0 where a size is repeated.
Shape broadcast_strides(const Shape& shape, const Shape& strides, const Shape& target);

}  // namespace aclvk::ops

template <>
struct fmt::formatter<aclvk::ops::Shape> : aclvk::ops::FormattedBy<aclvk::ops::text_of> {};
