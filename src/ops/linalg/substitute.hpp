#pragma once

#include <string_view>

#include "ops/linalg/matrices.hpp"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {

/// The context in which an operator adds its kernels.
struct Work {
  std::string_view name;  ///< the operator's; a string literal
  runtime::Execution execution;
  Staging& staging;
  Kernels& kernels;
};

struct TriangleFlags {
  bool upper = false;
  bool unit = false;  ///< the diagonal counts as 1 and is not read
};

/// Returns whether Cholesky, LU and triangular solves are blocked, so that most of their work is products of matrices:
/// for real matrices with at least 96 rows. Rows of such matrices are aligned to kPanelWidth elements.
bool use_blocked(std::int64_t rows, DType dtype);
/// kWidth of the panel kernels in shaders/linalg, which hold a row of a panel in registers. Wider panels would leave
/// less of the work to products of matrices.
constexpr std::int64_t kPanelWidth = 16;
inline std::int64_t row_alignment_for(std::int64_t rows, DType dtype) {
  return use_blocked(rows, dtype) ? kPanelWidth : 1;
}

/// Adds the kernels of x = a^-1 x, a triangular solve with several right-hand sides (BLAS trsm, from the left).
void substitute(const Work& work, const Tensor& a, TriangleFlags triangle, const Tensor& x);

/// Solves in place with the square block of `a` at rows and columns `first` to `first + size`, and those rows of
/// columns `first_column` to `first_column + columns` of x. For real matrices.
struct Block {
  std::int64_t first = 0;
  std::int64_t size = 0;
  std::int64_t first_column = 0;
  std::int64_t columns = 0;
};
void substitute_block(const Work& work, const Tensor& a, TriangleFlags triangle, const Tensor& x, const Block& block);

/// Returns the view of rows `first_row` to `first_row + rows` and columns `first_column` to `first_column + columns`.
Tensor submatrix(const Tensor& matrices, std::int64_t first_row, std::int64_t rows, std::int64_t first_column,
                 std::int64_t columns);
/// Add the kernels of to = a b, and of to -= a b.
void make_product(const Work& work, const Tensor& to, const Tensor& a, const Tensor& b);
void subtract_product(const Work& work, const Tensor& to, const Tensor& a, const Tensor& b);
/// Rounds up to a multiple of kPanelWidth.
constexpr std::int64_t padded_size(std::int64_t size) { return (size + kPanelWidth - 1) / kPanelWidth * kPanelWidth; }
/// The size of the first half of a recursive split, a multiple of kPanelWidth.
constexpr std::int64_t first_half(std::int64_t size) { return padded_size(size / 2); }

}  // namespace aclvk::ops
