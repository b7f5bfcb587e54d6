#pragma once

#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// aclnnTriangularSolve: xOut = A^-1 self, where A is what its upper or lower triangle says, or that transposed; mOut
/// is A. The dims before the last two broadcast.
std::shared_ptr<Executor> plan_triangular_solve(const void* self, const void* a, bool upper, bool transpose,
                                                bool unitriangular, const void* x_out, const void* m_out);

/// aclnnInverse: of each matrix of a batch. One that has no inverse gives infinities and NaN.
std::shared_ptr<Executor> plan_inverse(const void* self, const void* out);

}  // namespace aclvk::ops
