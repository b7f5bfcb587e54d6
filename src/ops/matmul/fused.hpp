#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// aclnnFusedMatmul: x1 x2 + bias, and what fusedOpType does with it: "" or "16cast32" nothing, "add" and "mul" with
/// x3, "relu", "gelu_erf", "gelu_tanh".
std::shared_ptr<Executor> plan_fused_matmul(const void* x1, const void* x2, const void* bias, const void* x3,
                                            const char* kind, std::int8_t cube_math_type, const void* y);

/// What aclnnTransposeBatchMatMul is called with. Names are those of its parameters.
struct TransposedBatches {
  const void* x1;
  const void* x2;
  const void* bias;
  const void* scale;
  const void* order1;
  const void* order2;
  const void* order_of_out;
  std::int8_t cube_math_type;
  std::int32_t batch_split_factor;
  const void* out;
};
/// The products of batches whose dims come in another order, in the operands and in the result.
std::shared_ptr<Executor> plan_transpose_batch_matmul(const TransposedBatches& call);

}  // namespace aclvk::ops
