#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ops/executor.hpp"
#include "ops/operator.hpp"

namespace aclvk::ops {

/// What products with a quantised weight are called with. Names are those of their parameters.
struct WeightQuantCall {
  const char* name;
  const void* x;
  const void* weight;
  const void* scale;
  const void* offset;
  const void* bias;
  std::int64_t group_size;
  const void* y;
};

/// aclnnWeightQuantBatchMatmulV2, V3: y = x ((weight + antiquantOffset) * antiquantScale) + bias.
std::shared_ptr<Executor> plan_weight_quant_matmul(const WeightQuantCall& call, const std::vector<LeftOut>& left_out);

/// What products of quantised matrices are called with.
struct QuantMatmulCall {
  const char* name;
  const void* x1;
  const void* x2;
  const void* scale = nullptr;
  const char* scale_name = "scale";
  bool has_number = false;  ///< `number` in place of a tensor
  float number = 1;
  const void* offset = nullptr;
  const void* row_scale = nullptr;
  const char* row_scale_name = "pertokenScaleOptional";
  const void* bias = nullptr;
  bool transposes_x1 = false;
  bool transposes_x2 = false;
  const void* out = nullptr;
};

/// aclnnQuantMatmul to aclnnQuantMatmulV5: out = (x1 x2 + bias) * scale * row scale + offset, or with the bias behind
/// the scales where it is no integer.
std::shared_ptr<Executor> plan_quant_matmul(const QuantMatmulCall& call, const std::vector<LeftOut>& left_out);

}  // namespace aclvk::ops
