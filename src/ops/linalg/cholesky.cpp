#include "ops/linalg/cholesky.hpp"

#include "ops/linalg/matrices.hpp"
#include "ops/staged_executor.hpp"

namespace aclvk::ops {

std::shared_ptr<Executor> plan_cholesky(const void* self_handle, bool upper, const void* out_handle) {
  constexpr const char* kName = "aclnnLinalgCholesky";
  TensorParameters tensors;
  const auto self = tensors.input(self_handle, "self");
  const auto out = tensors.output(out_handle, "out");
  tensors.check_dtypes(dtypes_of(kName));
  check_castable(tensors[self].dtype, tensors[out].dtype, "the result", "out");
  tensors.check_views();
  check_squares(tensors, self);
  tensors.check_shape(out, tensors[self].shape, "self has shape");
  return staged_executor(kName, tensors, [=](const TensorParameters::Now& now, Staging& staging) {
    Kernels kernels;
    if (now[out]->empty()) return kernels;
    const DType dtype = computed_in(now[self]->dtype);
    // The upper triangle is the lower one of the transposed matrix, and so is the result.
    const Tensor given = upper ? with_swapped_dims(*now[self]) : *now[self];
    const Tensor lower = copy_matrices(kName, staging, given, dtype, kernels);
    MatrixCall call{kName, ACLVK_CLASS_SHADERS("linalg/cholesky"), dtype, lower.shape[0]};
    call.rows = lower.shape[1];
    call.operands = {&lower, &lower};  // the frame has two or more
    const auto left = [&](std::int64_t column) { return call.rows - column; };
    const auto turns = [&](std::int64_t column) {
      return groups_for(left(column)) * (column + 1) + 2 * groups_for(call.rows);
    };
    constexpr std::uint32_t kSubtract = 1;
    constexpr std::uint32_t kDivide = 2;
    append_steps(kernels, call, call.rows, {kSubtract, kDivide, kSubtract}, turns, left);
    put_matrices(kName, upper ? with_swapped_dims(*now[out]) : *now[out], lower, kernels);
    return kernels;
  });
}

}  // namespace aclvk::ops
