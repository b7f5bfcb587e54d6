#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"
#include "ops/reduction/reduce.hpp"

namespace aclvk::ops {

// Distances of vectors: p-norms of their differences. The exponent p is not negative: 0 counts differing elements,
// infinity is the maximum.

/// Returns the shape of the distances: the broadcast leading dims, then the rows of x1 and of x2. Throws 161002.
Shape check_rows(const Tensor& x1, const Tensor& x2);
/// Throws 161002 for negative exponents and NaN.
void check_exponent(double exponent);

}  // namespace aclvk::ops
