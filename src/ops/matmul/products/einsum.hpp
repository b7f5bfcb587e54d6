#pragma once

#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// Plans aclnnEinsum: torch.einsum, contracted from left to right. Intermediate results of FLOAT16 are kept as FLOAT.
std::shared_ptr<Executor> plan_einsum(const void* tensors, const char* equation, const void* output);

}  // namespace aclvk::ops
