#include "ops/linalg/substitute.hpp"

#include "linalg/substitute.args.h"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/matmul/products/gemm.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

ARGUMENT_STRUCT(SubstituteArguments, SUBSTITUTE_ARGUMENTS);
CONSTANT_STRUCT(SubstituteConstants, SUBSTITUTE_CONSTANTS);

/// From this size on the blocked algorithm is faster: it takes a few more kernels, which cost less than the loads of
/// the unblocked one.
constexpr std::int64_t kMinBlocked = 96;

MatrixCall call_for(std::string_view name, const Tensor& a, TriangleFlags triangle, const Tensor& x, bool block) {
  MatrixCall call{name, ACLVK_CLASS_SHADERS("linalg/substitute"), x.dtype, x.shape[0]};
  call.operands = {&a, &x};
  SubstituteConstants constants;
  constants.kUpper = triangle.upper ? 1 : 0;
  constants.kUnit = triangle.unit ? 1 : 0;
  constants.kBlock = block ? 1 : 0;
  add_constants(call, constants);
  return call;
}

SubstituteArguments arguments_for(const Tensor& a, const Tensor& x) {
  SubstituteArguments arguments;
  arguments.rows = word(a.shape[1]);
  arguments.a_pitch = word(pitch_of(a));
  arguments.x_columns = word(x.shape[2]);
  arguments.x_pitch = word(pitch_of(x));
  return arguments;
}

}  // namespace

bool use_blocked(std::int64_t rows, DType dtype) {
  return rows >= kMinBlocked && (dtype == DType::kFloat || dtype == DType::kDouble);
}

Tensor submatrix(const Tensor& matrices, std::int64_t first_row, std::int64_t rows, std::int64_t first_column,
                 std::int64_t columns) {
  return sliced(sliced(matrices, 1, first_row, rows), 2, first_column, columns);
}

void make_product(const Work& work, const Tensor& to, const Tensor& a, const Tensor& b) {
  append(work.kernels, gemm_kernels({work.name, a, b, {}, to}, work.staging, work.execution));
}

void subtract_product(const Work& work, const Tensor& to, const Tensor& a, const Tensor& b) {
  static constexpr std::int32_t kMinusOne = -1;
  append(work.kernels,
         gemm_kernels({work.name, a, b, to, to, Scalar(&kMinusOne, DType::kInt32)}, work.staging, work.execution));
}

void substitute_block(const Work& work, const Tensor& a, TriangleFlags triangle, const Tensor& x, const Block& block) {
  if (block.size <= kPanelWidth) {
    MatrixCall call = call_for(work.name, a, triangle, x, true);
    call.threads = block.columns;
    SubstituteArguments arguments = arguments_for(a, x);
    arguments.x_columns = word(block.columns);
    arguments.first_column = word(block.first_column);
    // The shader counts the rows of an upper triangle from the last one.
    arguments.first_step = word(triangle.upper ? a.shape[1] - block.first - block.size : block.first);
    arguments.steps = word(block.size);
    append(work.kernels, matrix_kernels(call, arguments));
    return;
  }
  const std::int64_t half = first_half(block.size);
  const Block upper{block.first, half, block.first_column, block.columns};
  const Block lower{block.first + half, block.size - half, block.first_column, block.columns};
  // Back substitution begins with the last rows, forward substitution with the first ones.
  const Block& before = triangle.upper ? lower : upper;
  const Block& after = triangle.upper ? upper : lower;
  substitute_block(work, a, triangle, x, before);
  subtract_product(work, submatrix(x, after.first, after.size, block.first_column, block.columns),
                   submatrix(a, after.first, after.size, before.first, before.size),
                   submatrix(x, before.first, before.size, block.first_column, block.columns));
  substitute_block(work, a, triangle, x, after);
}

void substitute(const Work& work, const Tensor& a, TriangleFlags triangle, const Tensor& x) {
  if (x.empty()) return;
  const std::int64_t rows = x.shape[1];
  if (use_blocked(rows, x.dtype)) {
    substitute_block(work, a, triangle, x, {0, rows, 0, pitch_of(x)});
    return;
  }
  MatrixCall call = call_for(work.name, a, triangle, x, false);
  call.threads = x.shape[2];
  SubstituteArguments arguments = arguments_for(a, x);
  // A row subtracts the products with all rows before it.
  for (const StepRange& range : ranges_of_steps(rows, [](std::int64_t done) { return done + 2; })) {
    arguments.first_step = word(range.first);
    arguments.steps = word(range.count);
    append(work.kernels, matrix_kernels(call, arguments));
  }
}

}  // namespace aclvk::ops
