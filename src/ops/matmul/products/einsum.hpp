#pragma once

#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// Plans aclnnEinsum: torch.einsum, contracted from left to right. Intermediate results of FLOAT16 are kept as FLOAT.
std::shared_ptr<Executor> plan_einsum(const InputListArg& tensors, const char* equation, const OutputArg& output);

}  // namespace aclvk::ops
