#pragma once

#include <memory>
#include <vector>

/// LAPACK decompositions (liblapack.so.3) of float32 column-major matrices. The library is loaded at run time, so that
/// a package does not depend on it.
namespace lapack {

/// n x n.
using Matrix = std::vector<float>;

class Library {
 public:
  virtual ~Library() = default;

  // They overwrite their matrix arguments.
  virtual void inverse(Matrix& a, int n) const = 0;                 ///< sgetrf, sgetri
  virtual void factors(Matrix& a, int n) const = 0;                 ///< sgetrf, the main part of a determinant
  virtual void solve(const Matrix& a, Matrix& b, int n) const = 0;  ///< strtrs, lower triangle
  virtual void qr(Matrix& a, int n) const = 0;                      ///< sgeqrf, sorgqr
  virtual void cholesky(Matrix& a, int n) const = 0;                ///< spotrf
  virtual void svd(Matrix& a, int n, bool vectors) const = 0;       ///< sgesdd
};

/// Loads LAPACK; returns null when it is not installed.
std::unique_ptr<const Library> find();

}  // namespace lapack
