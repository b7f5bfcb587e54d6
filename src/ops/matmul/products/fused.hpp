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

}  // namespace aclvk::ops
