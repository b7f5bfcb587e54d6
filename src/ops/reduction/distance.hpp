#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"
#include "ops/reduction/reduce.hpp"

namespace aclvk::ops {

// Distances of vectors: p-norms of their differences. The exponent p is not negative: 0 counts differing elements,
// infinity is the maximum.

/// aclnnCdist: out[.., i, j] is the distance of row i of x1 and row j of x2. `mode` is torch's compute_mode.
std::shared_ptr<Executor> plan_cdist(const InputArg& x1, const InputArg& x2, double exponent, std::int64_t mode,
                                     const OutputArg& out);

/// aclnnPdist: the distances of the rows of self, (0, 1), (0, 2), ... (1, 2), ...
std::shared_ptr<Executor> plan_pdist(const InputArg& self, double exponent, const OutputArg& out);
/// aclnnPdistForward: the exponent is an aclScalar.
std::shared_ptr<Executor> plan_pdist_forward(const InputArg& self, const ScalarArg& exponent, const OutputArg& out);

/// Returns the shape of the distances: the broadcast leading dims, then the rows of x1 and of x2. Throws 161002.
Shape check_rows(const Tensor& x1, const Tensor& x2);
/// Throws 161002 for negative exponents and NaN.
void check_exponent(double exponent);

}  // namespace aclvk::ops
