#pragma once

#include <string_view>

#include "ops/linalg/matrices.hpp"

namespace aclvk::ops {

/// P A = L U with partial pivoting.
struct Lu {
  Tensor factors;  ///< L below the diagonal, U above and on it
  Tensor pivots;   ///< for each step the row that changed places with that of the step; (count, rows, 1)
};

/// Adds the kernels that make it of square matrices.
Lu make_lu(std::string_view name, Staging& staging, const Tensor& squares, DType dtype, Kernels& kernels);

/// Adds the kernels of x = a^-1 x for triangular matrices.
struct Triangle {
  bool upper = false;
  bool unit = false;  ///< the diagonal is 1, whatever is there
};
void substitute(std::string_view name, const Tensor& a, Triangle triangle, const Tensor& x, Kernels& kernels);

}  // namespace aclvk::ops
