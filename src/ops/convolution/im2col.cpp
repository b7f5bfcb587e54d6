#include "ops/convolution/im2col.hpp"

namespace aclvk::ops {

Kernels im2col_kernels(const char* name, const WindowRows& rows, const Tensor& columns) {
  std::int64_t planes = rows.images.shape[0] * rows.images.shape[1] * rows.blocks();
  for (std::size_t i = 0; i + 1 < rows.windows.size(); ++i) planes *= rows.windows[i].size;
  runtime::Kernel kernel =
      window_row_kernel(name, "convolution/im2col_bits", rows, planes, is_aligned_for_vec8(columns));
  const std::size_t bytes = size_of(columns.dtype);
  kernel.constants.push_back(static_cast<std::uint32_t>(bytes));
  kernel.operands.push_back(
      {columns.address(), static_cast<std::uint64_t>(columns.elements()) * bytes, runtime::Access::kWrite});
  return {kernel};
}

}  // namespace aclvk::ops
