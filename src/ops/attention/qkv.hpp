#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// Plans aclnnTransformBiasRescaleQkv: adds the bias to qkv and splits it into q, k and v of (batch, heads, tokens,
/// head size); q is divided by sqrt(head size).
std::shared_ptr<Executor> plan_split_qkv(const InputArg& qkv, const InputArg& bias, std::int64_t heads,
                                         const OutputArg& q, const OutputArg& k, const OutputArg& v);

}  // namespace aclvk::ops
