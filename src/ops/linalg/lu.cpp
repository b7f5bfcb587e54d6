#include "ops/linalg/lu.hpp"

#include <algorithm>

#include "linalg/lu.args.h"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"

namespace aclvk::ops {
namespace {

ARGUMENT_STRUCT(LuPanelArguments, LU_PANEL_ARGUMENTS);
ARGUMENT_STRUCT(LuSwapArguments, LU_SWAP_ARGUMENTS);

/// The unblocked, right-looking algorithm: one phase finds the pivot and swaps rows, the other eliminates.
void append_whole(const Work& work, const Lu& lu) {
  const std::int64_t rows = lu.factors.shape[1];
  MatrixCall call{work.name, ACLVK_CLASS_SHADERS("linalg/lu"), lu.factors.dtype, lu.factors.shape[0]};
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
  MatrixCall call_of(const ClassShaders& shaders) const {
    MatrixCall call{work_.name, shaders, lu_.factors.dtype, lu_.factors.shape[0]};
    call.operands = {&lu_.factors, &lu_.pivots};
    return call;
  }
  // The columns of the row padding have no row, and thus no step.
  std::int64_t left(std::int64_t first, std::int64_t steps) const { return std::min(steps, rows_ - first); }
  void decompose_panel(std::int64_t first, std::int64_t size) {
    LuPanelArguments arguments;
    arguments.rows = word(rows_);
    arguments.pitch = word(pitch_of(lu_.factors));
    arguments.first_step = word(first);
    arguments.steps = word(left(first, size));
    append(work_.kernels, matrix_kernels(call_of(ACLVK_CLASS_SHADERS("linalg/lu_panel")), arguments));
  }
  /// Does the row swaps of steps `first` to `first + steps` in columns `first_column` to `first_column + columns`.
  void swap_rows(std::int64_t first, std::int64_t steps, std::int64_t first_column, std::int64_t columns) {
    MatrixCall call = call_of(ACLVK_CLASS_SHADERS("linalg/lu_swap"));
    call.threads = columns;
    LuSwapArguments arguments;
    arguments.rows = word(rows_);
    arguments.pitch = word(pitch_of(lu_.factors));
    arguments.swapped_columns = word(columns);
    arguments.first_step = word(first);
    arguments.steps = word(left(first, steps));
    arguments.first_column = word(first_column);
    append(work_.kernels, matrix_kernels(call, arguments));
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
