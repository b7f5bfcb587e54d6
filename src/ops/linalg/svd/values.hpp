#pragma once

#include "ops/linalg/svd/blocks.hpp"

namespace aclvk::ops {

/// Singular values without vectors, where the SVD is blocked: A, or R of A = Q R if A is tall, is reduced to a
/// bidiagonal matrix (G. Golub and W. Kahan, Calculating the Singular Values and Pseudo-Inverse of a Matrix, 1965), one
/// row and column a step; then one thread a singular value bisects an interval that holds it.
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
  Tensor values_;      ///< (3, columns): values in row 0, the divisor of divide_for_svd() in row 2
  Tensor bidiagonal_;  ///< diagonal d and superdiagonal e interleaved: d e d e ... d
};

}  // namespace aclvk::ops
