#pragma once

#include <vector>

#include "ops/pooling/pooling.hpp"
#include "ops/resample/lines.hpp"

namespace aclvk::ops {

// Means over windows as lines: the divisor of a window is a product of one along each dim.

/// Windows over the last dims of a tensor of this shape, with so many places.
std::vector<Line> mean_lines(const Shape& self, const Windows& windows, const Shape& spatial,
                             const PoolDivisor& divisor);
/// What remains to multiply by.
inline double factor_of(const PoolDivisor& divisor) {
  return divisor.divisor == 0 ? 1 : 1 / static_cast<double>(divisor.divisor);
}
/// At most 31 bits (161002).
void check_divisor(const PoolDivisor& divisor);

/// Windows that share out the last dims among so many places. `name` is what says how many: products of places and
/// elements are below 2^31 (161002).
std::vector<Line> adaptive_lines(const Shape& self, const Shape& spatial, const char* name);

}  // namespace aclvk::ops
