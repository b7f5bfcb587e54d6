#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ops/executor/operator.hpp"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {

// Products of few rows with an integer weight, dequantised on the fly instead of in the workspace.

/// y = x ((weight + offset) * scale) + bias, as in aclnnWeightQuantBatchMatmulV2.
struct WeightDot {
  std::string_view name;  ///< the operator's; a string literal
  Tensor x;
  Tensor weight;  ///< INT8 or 4-bit integers, with or without blocks
  Tensor scale;   ///< (groups, columns)
  std::optional<Tensor> offset;
  std::optional<Tensor> bias;
  Tensor y;
  std::int64_t group;  ///< rows of the weight that share a row of scale and offset
};

/// Returns the kernel if it supports the product, else nothing. The choice does not depend on addresses.
std::optional<Kernels> weight_dot_kernels(const WeightDot& dot, runtime::Execution execution);

}  // namespace aclvk::ops
