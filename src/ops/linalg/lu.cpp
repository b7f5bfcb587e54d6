#include "ops/linalg/lu.hpp"

namespace aclvk::ops {

Lu make_lu(std::string_view name, Staging& staging, const Tensor& squares, DType dtype, Kernels& kernels) {
  const std::int64_t count = matrix_count(batch_of(squares));
  const std::int64_t rows = rows_of(squares);
  Lu lu{copy_matrices(name, staging, squares, dtype, kernels), make_matrices(staging, count, rows, 1, DType::kInt32)};
  MatrixCall call{name, ACLVK_CLASS_SHADERS("linalg/lu"), dtype, count};
  call.rows = rows;
  call.operands = {&lu.factors, &lu.pivots};
  append(kernels, matrix_kernels(call));
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
  append(kernels, matrix_kernels(call));
}

}  // namespace aclvk::ops
