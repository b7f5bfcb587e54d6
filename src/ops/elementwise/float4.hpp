#pragma once

#include <memory>

#include "ops/executor/executor.hpp"
#include "ops/executor/operator.hpp"

namespace aclvk::ops {

/// aclnnCast to and from 4-bit floats, FLOAT4_E2M1 and FLOAT4_E1M2, of which a byte holds two. The other tensor is
/// FLOAT, FLOAT16 or BF16. Rounds to nearest even and saturates; NaN becomes 0.
std::shared_ptr<Executor> plan_float4_cast(const Tensor& self, const Tensor& out);

}  // namespace aclvk::ops
