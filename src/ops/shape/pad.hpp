#pragma once

#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// The rows of pad.def. `padding` has the sizes before and after each dim, last dim first, as in PyTorch.
enum class PadOp {
#define PAD(name, dims, rule, dtypes) k##name,
#include "ops/shape/pad.def"
#undef PAD
};
std::shared_ptr<Executor> plan_pad(const char* name, PadOp op, const void* self, const void* padding, const void* out);

/// aclnnConstantPadNd: pads the last dims with a value; negative padding crops.
std::shared_ptr<Executor> plan_constant_pad(const void* self, const void* pad, const void* value, const void* out);

/// aclnnIm2col: the elements of each window position become a column.
std::shared_ptr<Executor> plan_im2col(const void* self, const void* kernel_size, const void* dilation,
                                      const void* padding, const void* stride, const void* out);

}  // namespace aclvk::ops
