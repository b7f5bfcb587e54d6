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

}  // namespace aclvk::ops
