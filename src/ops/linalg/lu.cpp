#include "ops/linalg/lu.hpp"

#include <algorithm>

namespace aclvk::ops {
namespace {

/// The unblocked, right-looking algorithm: one phase finds the pivot and swaps rows, the other eliminates.
void append_whole(const Work& work, const Lu& lu) {
  const std::int64_t rows = lu.factors.shape[1];
  MatrixCall call{work.name, ACLVK_CLASS_SHADERS("linalg/lu"), lu.factors.dtype, lu.factors.shape[0]};
  call.rows = rows;
  call.operands = {&lu.factors, &lu.pivots};
  // The pivot search with its reduction over the group, the swap of two rows, and the elimination.
  const auto left = [rows](std::int64_t step) { return rows - step; };
  const auto iterations = [&](std::int64_t step) {
    return kThreadsOfMatrix + 2 * groups_for(rows) + groups_for(left(step)) * (left(step) + 1);
  };
  constexpr std::uint32_t kPivot = 1;
  constexpr std::uint32_t kEliminate = 2;
  append_steps(work.kernels, call, rows, {kPivot, kEliminate, kEliminate}, iterations, left);
}

/// The recursive algorithm (S. Toledo, Locality of Reference in LU Decomposition with Partial Pivoting, 1997): the left
/// half of the columns, row swaps, a triangular solve and a product that update the right half, the right half. Nearly
/// all of the work is in the products.
class Blocks {
 public:
  Blocks(const Work& work, const Lu& lu) : work_(work), lu_(lu), rows_(lu.factors.shape[1]) {}

  /// Decomposes columns `first` to `first + size`, rows from `first` on. The columns of the row padding take part, so
  /// that all sizes are multiples of eight; steps beyond the last row have no pivot.
  void decompose(std::int64_t first, std::int64_t size) {
    if (size <= kPanelWidth) return decompose_panel(first, size);
    const std::int64_t half = first_half(size);
    const std::int64_t second = first + half;
    const std::int64_t rest = size - half;
    decompose(first, half);
    swap_rows(first, half, second, rest);
    substitute_block(work_, lu_.factors, {false, true}, lu_.factors, {first, half, second, rest});
    const std::int64_t below = rows_ - second;
    subtract_product(work_, submatrix(lu_.factors, second, below, second, rest),
                     submatrix(lu_.factors, second, below, first, half),
                     submatrix(lu_.factors, first, half, second, rest));
    decompose(second, rest);
    // L of the left half follows the row swaps of the right half.
    swap_rows(second, rest, first, half);
  }

 private:
  MatrixCall call_of(const ClassShaders& shaders, std::int64_t first, std::int64_t steps) const {
    MatrixCall call{work_.name, shaders, lu_.factors.dtype, lu_.factors.shape[0]};
    call.rows = rows_;
    call.columns = pitch_of(lu_.factors);
    call.first = first;
    call.steps = steps;
    call.operands = {&lu_.factors, &lu_.pivots};
    return call;
  }
  // The columns of the row padding have no row, and thus no step.
  std::int64_t left(std::int64_t first, std::int64_t steps) const { return std::min(steps, rows_ - first); }
  void decompose_panel(std::int64_t first, std::int64_t size) {
    append(work_.kernels, matrix_kernels(call_of(ACLVK_CLASS_SHADERS("linalg/lu_panel"), first, left(first, size))));
  }
  void swap_rows(std::int64_t first, std::int64_t steps, std::int64_t from, std::int64_t width) {
    MatrixCall call = call_of(ACLVK_CLASS_SHADERS("linalg/lu_swap"), first, left(first, steps));
    call.from = from;
    call.width = width;
    call.threads = width;
    append(work_.kernels, matrix_kernels(call));
  }

  const Work& work_;
  const Lu& lu_;
  std::int64_t rows_;
};

}  // namespace

Lu make_lu(const Work& work, const Tensor& squares, DType dtype) {
  const std::int64_t count = matrix_count(batch_of(squares));
  const std::int64_t rows = rows_of(squares);
  const Lu lu{copy_matrices(work.name, work.staging, squares, dtype, work.kernels, row_alignment_for(rows, dtype)),
              make_matrices(work.staging, count, rows, 1, DType::kInt32)};
  if (use_blocked(rows, dtype)) {
    Blocks(work, lu).decompose(0, pitch_of(lu.factors));
  } else {
    append_whole(work, lu);
  }
  return lu;
}

}  // namespace aclvk::ops
