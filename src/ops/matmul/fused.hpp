#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "ops/elementwise/pointwise.hpp"
#include "ops/executor.hpp"

namespace aclvk::ops {

/// What is done with a product; some need another operand.
struct Fused {
  std::string_view name;
  std::optional<PointwiseRow> row;
  bool has_operand;
};
/// That of a fusedOpType; 161001 for NULL, 161002 for one that is not known.
Fused fused_of(const char* kind);
/// What it makes of a product, which is FLOAT; `operand` is null where it has none.
Kernels fused_kernels(const char* name, const Fused& fused, const Tensor& product, const Tensor* operand,
                      const Tensor& out);

/// aclnnFusedMatmul: x1 x2 + bias, and what fusedOpType does with it: "" or "16cast32" nothing, "add" and "mul" with
/// x3, "relu", "gelu_erf", "gelu_tanh".
std::shared_ptr<Executor> plan_fused_matmul(const void* x1, const void* x2, const void* bias, const void* x3,
                                            const char* kind, std::int8_t cube_math_type, const void* y);

}  // namespace aclvk::ops
