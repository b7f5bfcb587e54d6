#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// Plans aclnnRotaryPositionEmbeddingGrad, the gradients of plan_rotary(). Gradients of cos and sin need x.
std::shared_ptr<Executor> plan_rotary_gradient(const InputArg& dy, const InputArg& cos, const InputArg& sin,
                                               const InputArg& x, std::int64_t mode, const OutputArg& dx,
                                               const OutputArg& dcos, const OutputArg& dsin);

}  // namespace aclvk::ops
