#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// aclnnFusedMatmul: x1 x2 + bias, and what fusedOpType does with it: "" or "16cast32" nothing, "add" and "mul" with
/// x3, "relu", "gelu_erf", "gelu_tanh".
std::shared_ptr<Executor> plan_fused_matmul(const void* x1, const void* x2, const void* bias, const void* x3,
                                            const char* kind, std::int8_t cube_math_type, const void* y);

}  // namespace aclvk::ops
