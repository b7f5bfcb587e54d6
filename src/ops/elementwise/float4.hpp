#pragma once

#include <memory>

#include "ops/executor.hpp"
#include "ops/operator.hpp"

namespace aclvk::ops {

/// aclnnCast to and from floats of four bits, FLOAT4_E2M1 and FLOAT4_E1M2, two in a byte. The other tensor is FLOAT,
/// FLOAT16 or BF16. They round to nearest even and saturate; what is no number becomes 0.
std::shared_ptr<Executor> plan_float4_cast(const Tensor& self, const Tensor& out);

}  // namespace aclvk::ops
