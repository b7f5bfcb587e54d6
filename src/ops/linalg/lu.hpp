#pragma once

#include "ops/linalg/substitute.hpp"

namespace aclvk::ops {

/// P A = L U with partial pivoting (LAPACK getrf), for a batch of square matrices.
struct Lu {
  Tensor factors;  ///< L below the diagonal, whose own diagonal of 1 is not stored; U on and above it
  Tensor pivots;   ///< ipiv, from 0: step i swapped row i with row pivots[i]; (count, rows, 1), INT32
};

/// Adds the kernels that decompose copies of `squares` in the workspace.
Lu make_lu(const Work& work, const Tensor& squares, DType dtype);

}  // namespace aclvk::ops
