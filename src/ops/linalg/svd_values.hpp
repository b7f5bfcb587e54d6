#pragma once

#include "ops/linalg/svd_blocks.hpp"

namespace aclvk::ops {

/// Singular values without vectors, of what is decomposed in blocks with them: A, or R of A = Q R where A has more
/// rows, becomes a bidiagonal matrix (G. Golub and W. Kahan, Calculating the Singular Values and Pseudo-Inverse of a
/// Matrix, 1965), a row and a column a step, and a thread a value halves the bounds of what that has.
class BidiagonalValues {
 public:
  BidiagonalValues(const Work& work, const Tensor& input, SvdSizes sizes);

  void put_values(const Tensor& to);

 private:
  Tensor make(std::int64_t rows, std::int64_t columns) const;
  Tensor padded(const Tensor& matrices);
  void bidiagonalize(const Tensor& matrices);
  void bisect();

  const Work& work_;
  SvdSizes sizes_;
  DType dtype_;
  std::int64_t count_;
  Tensor values_;      ///< and by how much matrices have been divided
  Tensor bidiagonal_;  ///< d e d e ... d
};

}  // namespace aclvk::ops
