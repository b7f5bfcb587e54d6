#pragma once

#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnTriangularSolve: xOut = A^-1 self, where A is the upper or lower triangle of `a`, or its transpose; mOut is a
/// copy of `a`. The dims before the last two broadcast.
std::shared_ptr<Executor> plan_triangular_solve(const InputArg& self, const InputArg& a, bool upper, bool transpose,
                                                bool unitriangular, const OutputArg& x_out, const OutputArg& m_out);

/// aclnnInverse: the inverse of each matrix, through LU. A singular matrix gives infinities and NaN.
std::shared_ptr<Executor> plan_inverse(const InputArg& self, const OutputArg& out);

}  // namespace aclvk::ops
