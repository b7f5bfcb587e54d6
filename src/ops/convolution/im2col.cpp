#include "ops/convolution/im2col.hpp"

#include "convolution/im2col.args.h"
#include "ops/kernel/kernel_builder.hpp"

namespace aclvk::ops {
namespace {

CONSTANT_STRUCT(Im2colConstants, IM2COL_CONSTANTS);

}  // namespace

Kernels im2col_kernels(const char* name, const WindowRows& rows, const Tensor& columns) {
  // A thread makes one block of taps along the last dim; there is a plane of threads for each image, channel,
  // outer tap and block.
  std::int64_t planes = rows.images.shape[0] * rows.images.shape[1] * rows.blocks();
  for (std::size_t i = 0; i + 1 < rows.windows.size(); ++i) planes *= rows.windows[i].size;
  KernelBuilder kernel = window_row_kernel(name, "convolution/im2col_bits", rows, planes, is_aligned_for_vec8(columns));
  const std::size_t bytes = size_of(columns.dtype);
  Im2colConstants constants;
  constants.kSize = static_cast<uint>(bytes);
  kernel.add_constants(constants);
  kernel.add_operand(columns.address(), static_cast<std::uint64_t>(columns.elements()) * bytes,
                     runtime::Access::kWrite);
  return {kernel.build()};
}

}  // namespace aclvk::ops
