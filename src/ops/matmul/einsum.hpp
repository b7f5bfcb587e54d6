#pragma once

#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// aclnnEinsum: torch.einsum, one tensor after the other from left to right. Sums are made as in the other products;
/// what is between two steps keeps the digits of a float.
std::shared_ptr<Executor> plan_einsum(const void* tensors, const char* equation, const void* output);

}  // namespace aclvk::ops
