#pragma once

#include "ops/linalg/substitute.hpp"

namespace aclvk::ops {

/// P A = L U with partial pivoting.
struct Lu {
  Tensor factors;  ///< L below the diagonal, U above and on it
  Tensor pivots;   ///< for each step the row that changed places with that of the step; (count, rows, 1)
};

/// Adds the kernels that make it of square matrices.
Lu make_lu(const Work& work, const Tensor& squares, DType dtype);

}  // namespace aclvk::ops
