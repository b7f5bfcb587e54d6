#pragma once

#include <cstdint>
#include <vector>

#include "ops/linalg/qr_blocks.hpp"

namespace aclvk::ops {

/// The sizes of the decomposed matrix A, which has at least as many rows as columns: the input, or input^H
/// (`transposed`), whose u and v are the input's v and u.
struct SvdSizes {
  bool transposed = false;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t u_columns = 0;  ///< columns of A's u: `columns`, or `rows` for full matrices
};

/// A bound above what matrices are known to need. Kernels of a sweep return at once if the sweep before it rotated
/// nothing.
constexpr std::int64_t kSvdSweeps = 18;

/// Returns whether the SVD is blocked: for real matrices of 65 to 8192 columns.
bool use_blocked_svd(const SvdSizes& sizes, DType dtype);

/// Returns a call which computes in the dtype of the first operand, for each matrix of its batch.
MatrixCall svd_call(const Work& work, const ClassShaders& shaders, std::vector<const Tensor*> operands);

/// Adds the kernels that copy the first row of `values`, one element for each column, to `to`.
void put_singular_values(const Work& work, const Tensor& to, const SvdSizes& sizes, const Tensor& values);

/// Divides each matrix by the power of two below its largest absolute value, so that squares neither overflow nor
/// underflow. The third row of `values` receives the divisor, NaN for a matrix with an infinity or NaN.
void divide_for_svd(const Work& work, const Tensor& matrices, const Tensor& values);

/// SVD with vectors by preconditioned one-sided Jacobi (Z. Drmac and K. Veselic, New fast and accurate Jacobi SVD
/// algorithm, 2008): A = Q1 R1, then R1^T = Q2 R2, each R nearer to a diagonal matrix, then Jacobi rotations of the
/// columns of the last R^T, which need fewer sweeps than those of A. A round of a sweep takes disjoint pairs of
/// 16-column blocks: one kernel computes the Gram matrix of each pair and the product of the rotations that diagonalise
/// it, another applies that product to the columns.
class BlockedJacobiSvd {
 public:
  BlockedJacobiSvd(const Work& work, const Tensor& input, SvdSizes sizes);

  void put_values(const Tensor& to);
  void put_vectors(const Tensor& u, const Tensor& v);

 private:
  /// kStep of shaders/linalg/svd/rows.comp: set up R and V^T, measure the columns, sort them.
  enum class Step : std::uint32_t { kSpread, kSum, kSort };

  Tensor make(std::int64_t rows, std::int64_t columns) const;
  void take_step(Step step, std::int64_t threads);
  void rotate(std::int64_t sweep, std::int64_t round);
  void put_signs(const Tensor& q, const Tensor& r, bool signs);
  /// Returns `core` as the leading block of a padded identity matrix of rows x columns.
  Tensor extended(const Tensor& core, std::int64_t rows, std::int64_t columns);

  const Work& work_;
  SvdSizes sizes_;
  DType dtype_;
  std::int64_t count_;
  std::int64_t pairs_;            ///< pairs of blocks in a round
  std::int64_t flags_of_matrix_;  ///< one for each sweep, then one for each pair of a round
  std::int64_t line_;             ///< elements of a column, rounded up to eight
  std::vector<BlockedQr> decompositions_;
  Tensor lines_;  ///< the last R, and V^T to its right: a row is a column of R^T
  Tensor rotations_;
  Tensor flags_;
  Tensor values_;
  Tensor product_;  ///< R^T V of the last R, with sorted columns
  Tensor v_;
};

}  // namespace aclvk::ops
