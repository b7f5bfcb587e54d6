#pragma once

#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// The rows of pad.def. `padding` has the sizes before and after each dim, last dim first, as in PyTorch.
enum class PadOp {
#define PAD(name, dims, rule, dtypes) k##name,
#include "ops/shape/pad.def"
#undef PAD
};
std::shared_ptr<Executor> plan_pad(const char* name, PadOp op, const InputArg& self, const IntArrayArg& padding,
                                   const OutputArg& out);

/// aclnnConstantPadNd: pads the last dims with a value; negative padding crops.
std::shared_ptr<Executor> plan_constant_pad(const InputArg& self, const IntArrayArg& pad, const ScalarArg& value,
                                            const OutputArg& out);

/// aclnnIm2col: the elements of each window position become a column.
std::shared_ptr<Executor> plan_im2col(const InputArg& self, const IntArrayArg& kernel_size, const IntArrayArg& dilation,
                                      const IntArrayArg& padding, const IntArrayArg& stride, const OutputArg& out);

}  // namespace aclvk::ops
