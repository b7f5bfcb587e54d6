#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// Plans aclnnRotaryPositionEmbeddingGrad, the gradients of plan_rotary(). Gradients of cos and sin need x.
std::shared_ptr<Executor> plan_rotary_gradient(const void* dy, const void* cos, const void* sin, const void* x,
                                               std::int64_t mode, const void* dx, const void* dcos, const void* dsin);

}  // namespace aclvk::ops
