#pragma once

#include <cstdint>
#include <vector>

#include "ops/linalg/qr_blocks.hpp"

namespace aclvk::ops {

/// Of the matrix that is decomposed: the input, or where that has more columns than rows input^H, whose u and v are
/// those of the input in the other order.
struct SvdSizes {
  bool transposed = false;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t u_columns = 0;
};

/// More than any matrix is known to need. A sweep behind one that rotates nothing does nothing.
constexpr std::int64_t kSvdSweeps = 18;

/// Whether columns are rotated in blocks: those of real matrices that have some of them.
bool use_blocked_svd(const SvdSizes& sizes, DType dtype);

/// A call of a kernel on matrices of these sizes; it computes in the dtype of the first operand.
MatrixCall svd_call(const Work& work, const ClassShaders& shaders, const SvdSizes& sizes,
                    std::vector<const Tensor*> operands);

/// Puts the first row of `values`, as many of it as there are columns.
void put_singular_values(const Work& work, const Tensor& to, const SvdSizes& sizes, const Tensor& values);

/// Divides matrices by a power of two, which `values` (3 rows) have in their last row, NaN for those that are not
/// finite.
void divide_for_svd(const Work& work, const Tensor& matrices, const Tensor& values);

/// Singular values of such matrices, and vectors: A = Q R first, then R^T = Q' R' and so on, each of which is nearer to
/// a diagonal matrix, then Jacobi's rotations of the columns of the last R^T, which need fewer sweeps than A does (Z.
/// Drmac and K. Veselic, New fast and accurate Jacobi SVD algorithm, 2008). A kernel finds the rotations of all pairs
/// of blocks of a round, from the products of their columns, another makes them.
class BlockedJacobiSvd {
 public:
  BlockedJacobiSvd(const Work& work, const Tensor& input, SvdSizes sizes);

  void put_values(const Tensor& to);
  void put_vectors(const Tensor& u, const Tensor& v);

 private:
  /// Of shaders/linalg/svd_rows.comp.
  enum class Step : std::uint32_t { kSpread, kSum, kSort };

  Tensor make(std::int64_t rows, std::int64_t columns) const;
  void take_step(Step step, std::int64_t threads);
  void rotate(std::int64_t sweep, std::int64_t round);
  void put_signs(const Tensor& q, const Tensor& r, bool signs);
  /// A larger matrix, padded_size up, with columns and rows of a unit matrix behind those of `core`.
  Tensor extended(const Tensor& core, std::int64_t rows, std::int64_t columns);

  const Work& work_;
  SvdSizes sizes_;
  DType dtype_;
  std::int64_t count_;
  std::int64_t pairs_;  ///< of blocks, in a round
  std::int64_t flags_of_matrix_;
  std::int64_t line_;  ///< elements of a column that are rotated
  std::vector<BlockedQr> decompositions_;
  Tensor lines_;  ///< R, and V^T beside it
  Tensor rotations_;
  Tensor flags_;
  Tensor values_;
  Tensor product_;  ///< R^T V of the last R
  Tensor v_;
};

}  // namespace aclvk::ops
