#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/inline_vector.hpp"
#include "ops/tensor/formatted_by.hpp"

namespace aclvk::ops {

constexpr std::size_t kMaxRank = 8;

/// Sizes, or strides in elements, outermost first.
using Shape = InlineVector<std::int64_t, kMaxRank>;

std::string text_of(const Shape& shape);  ///< "(2, 3)"; "()" for a scalar

/// The largest number of elements. Offsets and bytes below it are computed in 64 bits without overflow.
constexpr std::int64_t kMaxElements = std::int64_t{1} << 40;

/// Returns the number of elements; 1 for a 0-d tensor. Throws 161002 for a negative size, and when one dim, or all
/// together, have more than kMaxElements elements; one dim is checked in empty tensors, too.
std::int64_t element_count(const Shape& shape);

/// Row-major strides.
Shape contiguous_strides(const Shape& shape);

/// The shape to which two shapes broadcast (NumPy's rule). Returns nothing when they do not broadcast.
std::optional<Shape> broadcast(const Shape& first, const Shape& second);

/// Returns the strides of a tensor expanded to `target`, to which its shape broadcasts: 0 in broadcast dims.
Shape broadcast_strides(const Shape& shape, const Shape& strides, const Shape& target);

}  // namespace aclvk::ops

template <>
struct fmt::formatter<aclvk::ops::Shape> : aclvk::ops::FormattedBy<aclvk::ops::text_of> {};
