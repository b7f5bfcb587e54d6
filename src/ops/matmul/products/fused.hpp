#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "ops/elementwise/pointwise.hpp"
#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// The epilogue of a product: a pointwise operator, some with a second operand.
struct Epilogue {
  std::string_view name;
  std::optional<PointwiseRow> row;
  bool has_operand;
};
/// Returns the epilogue of a fusedOpType. 161001 for NULL, 161002 for an unknown one.
Epilogue epilogue_of(const char* fused_op_type);
/// Returns the kernels of the epilogue. `product` is FLOAT; `operand` is null unless has_operand.
Kernels epilogue_kernels(const char* name, const Epilogue& epilogue, const Tensor& product, const Tensor* operand,
                         const Tensor& out);

/// Plans aclnnFusedMatmul: x1 x2 + bias, followed by the epilogue fusedOpType: none for "" and "16cast32", "add" and
/// "mul" with x3, "relu", "gelu_erf" or "gelu_tanh".
std::shared_ptr<Executor> plan_fused_matmul(const InputArg& x1, const InputArg& x2, const InputArg& bias,
                                            const InputArg& x3, const char* fused_op_type, std::int8_t cube_math_type,
                                            const OutputArg& y);

}  // namespace aclvk::ops
