#include "ops/linalg/lu.hpp"

namespace aclvk::ops {

Lu make_lu(std::string_view name, Staging& staging, const Tensor& squares, DType dtype, Kernels& kernels) {
  const std::int64_t count = matrix_count(batch_of(squares));
  const std::int64_t rows = rows_of(squares);
  Lu lu{copy_matrices(name, staging, squares, dtype, kernels), make_matrices(staging, count, rows, 1, DType::kInt32)};
  MatrixCall call{name, ACLVK_CLASS_SHADERS("linalg/lu"), dtype, count};
  call.rows = rows;
  call.operands = {&lu.factors, &lu.pivots};
  // A search for the pivot, an exchange of rows, and the elimination.
  const auto left = [rows](std::int64_t step) { return rows - step; };
  const auto turns = [&](std::int64_t step) {
    return kThreadsOfMatrix + 2 * groups_for(rows) + groups_for(left(step)) * (left(step) + 1);
  };
  constexpr std::uint32_t kPivot = 1;
  constexpr std::uint32_t kEliminate = 2;
  append_steps(kernels, call, rows, {kPivot, kEliminate, kEliminate}, turns, left);
  return lu;
}

void substitute(std::string_view name, const Tensor& a, Triangle triangle, const Tensor& x, Kernels& kernels) {
  if (x.empty()) return;
  MatrixCall call{name, ACLVK_CLASS_SHADERS("linalg/substitute"), x.dtype, x.shape[0]};
  call.rows = x.shape[1];
  call.width = x.shape[2];
  call.threads = call.width;
  call.operands = {&a, &x};
  call.constants = {static_cast<std::uint32_t>(triangle.upper), static_cast<std::uint32_t>(triangle.unit)};
  for (const Steps& range : ranges_of_steps(call.rows, [](std::int64_t done) { return done + 1; })) {
    call.first = range.first;
    call.steps = range.count;
    append(kernels, matrix_kernels(call));
  }
}

}  // namespace aclvk::ops
