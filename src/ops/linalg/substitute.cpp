#include "ops/linalg/substitute.hpp"

#include "linalg/substitute.args.h"
#include "ops/kernel/declare.hpp"
#include "ops/matmul/products/gemm.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

CONSTANT_STRUCT(SubstituteConstants, SUBSTITUTE_CONSTANTS);

/// From this size on the blocked algorithm is faster: it takes a few more kernels, which cost less than the loads of
/// the unblocked one.
constexpr std::int64_t kMinBlocked = 96;

MatrixCall call_for(std::string_view name, const Tensor& a, TriangleFlags triangle, const Tensor& x, bool block) {
  MatrixCall call{name, ACLVK_CLASS_SHADERS("linalg/substitute"), x.dtype, x.shape[0]};
  call.rows = a.shape[1];
  call.columns = pitch_of(a);
  call.width = x.shape[2];
  call.threads = call.width;
  call.pitch = pitch_of(x);
  call.operands = {&a, &x};
  SubstituteConstants constants;
  constants.kUpper = triangle.upper ? 1 : 0;
  constants.kUnit = triangle.unit ? 1 : 0;
  constants.kBlock = block ? 1 : 0;
  add_constants(call, constants);
  return call;
}

}  // namespace

bool use_blocked(std::int64_t rows, DType dtype) {
  return rows >= kMinBlocked && (dtype == DType::kFloat || dtype == DType::kDouble);
}

Tensor submatrix(const Tensor& matrices, std::int64_t first, std::int64_t rows, std::int64_t from,
                 std::int64_t columns) {
  return sliced(sliced(matrices, 1, first, rows), 2, from, columns);
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
    call.width = block.width;
    call.threads = block.width;
    call.from = block.from;
    // The shader counts the rows of an upper triangle from the last one.
    call.first = triangle.upper ? call.rows - block.first - block.size : block.first;
    call.steps = block.size;
    append(work.kernels, matrix_kernels(call));
    return;
  }
  const std::int64_t half = first_half(block.size);
  const Block upper{block.first, half, block.from, block.width};
  const Block lower{block.first + half, block.size - half, block.from, block.width};
  // Back substitution begins with the last rows, forward substitution with the first ones.
  const Block& before = triangle.upper ? lower : upper;
  const Block& after = triangle.upper ? upper : lower;
  substitute_block(work, a, triangle, x, before);
  subtract_product(work, submatrix(x, after.first, after.size, block.from, block.width),
                   submatrix(a, after.first, after.size, before.first, before.size),
                   submatrix(x, before.first, before.size, block.from, block.width));
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
  // A row subtracts the products with all rows before it.
  for (const StepRange& range : ranges_of_steps(rows, [](std::int64_t done) { return done + 2; })) {
    call.first = range.first;
    call.steps = range.count;
    append(work.kernels, matrix_kernels(call));
  }
}

}  // namespace aclvk::ops
