
#include "linalg/cholesky_panel.args.h"
#include "ops/args/linalg.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/linalg/substitute.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

ARGUMENT_STRUCT(CholeskyPanelArguments, CHOLESKY_PANEL_ARGUMENTS);
CONSTANT_STRUCT(CholeskyPanelConstants, CHOLESKY_PANEL_CONSTANTS);

constexpr const char* kName = "aclnnLinalgCholesky";

/// The unblocked algorithm, left-looking: for each column one phase subtracts the dot products, the other takes the
/// root and divides.
void append_whole(const Work& work, const Tensor& squares) {
  MatrixCall call{kName, ACLVK_CLASS_SHADERS("linalg/cholesky"), squares.dtype, squares.shape[0]};
  const std::int64_t rows = squares.shape[1];
  call.operands = {&squares, &squares};  // the frame of shaders/linalg needs two operands
  const auto left = [&](std::int64_t column) { return rows - column; };
  const auto iterations = [&](std::int64_t column) {
    return groups_for(left(column)) * (column + 1) + 2 * groups_for(rows);
  };
  constexpr std::uint32_t kSubtract = 1;
  constexpr std::uint32_t kDivide = 2;
  // Where one step exceeds the iterations of a kernel, its two phases are kernels of their own, and the first one
  // has several work groups.
  append_steps(work.kernels, call, rows, {kSubtract, kDivide, kSubtract}, iterations, left);
}

/// The recursive algorithm: the left half of the columns, a product that updates the right half, the right half. Nearly
/// all of the work is in the products.
class CholeskyBlocks {
 public:
  CholeskyBlocks(const Work& work, const Tensor& squares) : work_(work), squares_(squares), rows_(squares.shape[1]) {}

  /// Decomposes columns `first` to `first + size`, rows from `first` on. The size of the whole matrix is a multiple of
  /// kPanelWidth.
  void decompose(std::int64_t first, std::int64_t size) {
    if (size <= kPanelWidth) return decompose_panel(first);
    const std::int64_t half = first_half(size);
    const std::int64_t second = first + half;
    const std::int64_t rest = size - half;
    decompose(first, half);
    subtract_product(work_, submatrix(squares_, second, rows_ - second, second, rest),
                     submatrix(squares_, second, rows_ - second, first, half),
                     with_swapped_dims(submatrix(squares_, second, rest, first, half)));
    decompose(second, rest);
  }

 private:
  void decompose_panel(std::int64_t first) {
    MatrixCall call{kName, ACLVK_CLASS_SHADERS("linalg/cholesky_panel"), squares_.dtype, squares_.shape[0]};
    CholeskyPanelArguments arguments;
    arguments.rows = word(rows_);
    arguments.first_column = word(first);
    call.operands = {&squares_, &squares_};
    CholeskyPanelConstants constants;
    constants.kTop = true;
    add_constants(call, constants);
    append(work_.kernels, matrix_kernels(call, arguments));
    constants.kTop = false;
    set_constants(call, constants);
    call.groups = (rows_ - first) / kPanelWidth - 1;
    // The last panel has no rows below it.
    if (call.groups > 0) append(work_.kernels, matrix_kernels(call, arguments));
  }

  const Work& work_;
  const Tensor& squares_;
  std::int64_t rows_;
};

/// The padding is decomposed, too; its values are arbitrary, and no element of the matrix depends on them.
Tensor decomposed_in_blocks(const Work& work, const Tensor& given, DType dtype) {
  const std::int64_t rows = rows_of(given);
  const std::int64_t size = padded_size(rows);
  const Tensor squares = make_matrices(work.staging, matrix_count(batch_of(given)), size, size, dtype);
  const Tensor unpadded = submatrix(squares, 0, rows, 0, rows);
  append(work.kernels, copy_kernels(kName, *reshaped(unpadded, given.shape), given));
  CholeskyBlocks(work, squares).decompose(0, size);
  return unpadded;
}

Tensor decomposed_whole(const Work& work, const Tensor& given, DType dtype) {
  const Tensor squares = copy_matrices(kName, work.staging, given, dtype, work.kernels);
  append_whole(work, squares);
  return squares;
}

}  // namespace

/// aclnnLinalgCholesky: the lower triangular L with L L^T = self, from the lower triangle of self; with `upper` U with
/// U^T U = self, from the upper triangle. A matrix that is not positive definite gives NaN.
std::shared_ptr<Executor> plan(const LinalgCholeskyArgs& args) {
  const bool upper = args.upper;
  TensorParameters tensors;
  const SquareParameters at = add_squares(tensors, kName, args.self, args.out);
  tensors.check_shape(at.out, tensors[at.self].shape, "self has shape");
  return staged_executor(
      kName, tensors,
      [=, execution = runtime::execution()](const TensorParameters::BoundTensors& bound, Staging& staging) {
        Kernels kernels;
        if (bound[at.out]->empty()) return kernels;
        const Work work{kName, execution, staging, kernels};
        const DType dtype = computed_in(bound[at.self]->dtype);
        // A = U^T U with U = L^T of A^T: the transposed views turn this case into the lower one.
        const Tensor given = upper ? with_swapped_dims(*bound[at.self]) : *bound[at.self];
        const Tensor lower = use_blocked(rows_of(given), dtype) ? decomposed_in_blocks(work, given, dtype)
                                                                : decomposed_whole(work, given, dtype);
        put_matrices(kName, upper ? with_swapped_dims(*bound[at.out]) : *bound[at.out], lower, kernels);
        return kernels;
      });
}

}  // namespace aclvk::ops
