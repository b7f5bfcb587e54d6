#pragma once

#include <vector>

#include "ops/pooling/pooling.hpp"
#include "ops/resample/lines.hpp"

namespace aclvk::ops {

// Average pooling as a separable resampling (ops/resample/lines.hpp): the divisor of a window is the product of its
// divisors along the dims.

/// Returns the lines of windows over the last dims of `self`, with `spatial` window positions.
std::vector<Line> mean_lines(const Shape& self, const Windows& windows, const Shape& spatial,
                             const PoolDivisor& divisor);
/// The factor of all results: 1 / divisorOverride, or 1 without one.
inline double factor_of(const PoolDivisor& divisor) {
  return divisor.divisor == 0 ? 1 : 1 / static_cast<double>(divisor.divisor);
}
/// 161002 unless divisorOverride fits in 31 bits and a sign.
void check_divisor(const PoolDivisor& divisor);

/// Returns the lines of adaptive windows over the last dims, with `spatial` outputs. 161002 unless outputs * inputs of
/// a dim is below 2^31; `name` is the parameter that sets the outputs.
std::vector<Line> adaptive_lines(const Shape& self, const Shape& spatial, const char* name);

}  // namespace aclvk::ops
