#include "ops/convolution/columns.hpp"

namespace aclvk::ops {

Kernels column_kernels(const char* name, const WindowRows& rows, const Tensor& columns) {
  std::int64_t lines = rows.images.shape[0] * rows.images.shape[1] * rows.blocks();
  for (std::size_t i = 0; i + 1 < rows.windows.size(); ++i) lines *= rows.windows[i].size;
  runtime::Kernel kernel =
      window_row_kernel(name, "convolution/columns_bits", rows, lines, is_aligned_for_vec8(columns));
  const std::size_t bytes = size_of(columns.dtype);
  kernel.constants.push_back(static_cast<std::uint32_t>(bytes));
  kernel.operands.push_back(
      {columns.address(), static_cast<std::uint64_t>(columns.elements()) * bytes, runtime::Access::kWrite});
  return {kernel};
}

}  // namespace aclvk::ops
