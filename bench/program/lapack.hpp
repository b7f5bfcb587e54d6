#pragma once

#include <memory>
#include <vector>

/// The decompositions of LAPACK (liblapack.so.3), float32, matrices column by column. It is found when the program
/// runs, so that a package does not depend on it.
namespace lapack {

/// n x n.
using Matrix = std::vector<float>;

class Library {
 public:
  virtual ~Library() = default;

  // Each works in place.
  virtual void inverse(Matrix& a, int n) const = 0;                 ///< sgetrf, sgetri
  virtual void factors(Matrix& a, int n) const = 0;                 ///< sgetrf, most of a determinant
  virtual void solve(const Matrix& a, Matrix& b, int n) const = 0;  ///< strtrs, lower triangle
  virtual void qr(Matrix& a, int n) const = 0;                      ///< sgeqrf, sorgqr
  virtual void cholesky(Matrix& a, int n) const = 0;                ///< spotrf
  virtual void svd(Matrix& a, int n, bool vectors) const = 0;       ///< sgesdd
};

/// Null where there is none.
std::unique_ptr<const Library> find();

}  // namespace lapack
