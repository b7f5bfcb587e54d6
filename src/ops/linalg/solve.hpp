#pragma once

#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnTriangularSolve: xOut = A^-1 self, where A is the upper or lower triangle of `a`, or its transpose; mOut is a
/// copy of `a`. The dims before the last two broadcast.
std::shared_ptr<Executor> plan_triangular_solve(const void* self, const void* a, bool upper, bool transpose,
                                                bool unitriangular, const void* x_out, const void* m_out);

/// aclnnInverse: the inverse of each matrix, through LU. A singular matrix gives infinities and NaN.
std::shared_ptr<Executor> plan_inverse(const void* self, const void* out);

}  // namespace aclvk::ops
