#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ops/operator.hpp"
#include "runtime/device/execution.hpp"

namespace aclvk::ops {

// Few rows times a weight of integers that lie along K, or in blocks, without the weight as reals.

/// y = x ((weight + offset) * scale) + bias, as aclnnWeightQuantBatchMatmulV2 has it.
struct WeightDot {
  std::string_view name;  ///< the operator's; a string literal
  Tensor x;
  Tensor weight;  ///< INT8, or elements of four bits; also in blocks
  Tensor scale;   ///< a row of columns for each group
  std::optional<Tensor> offset;
  std::optional<Tensor> bias;
  Tensor y;
  std::int64_t group;  ///< of the depth, that has a row of scale and offset
};

/// A kernel where the product is one for it, which does not depend on addresses; else nothing.
std::optional<Kernels> weight_dot_kernels(const WeightDot& dot, runtime::Execution execution);

}  // namespace aclvk::ops
