#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ops/executor/executor.hpp"
#include "ops/executor/operator.hpp"
#include "ops/executor/tensor_parameters.hpp"

namespace aclvk::ops {

/// The arguments of products with a quantised weight, named after their parameters.
struct WeightQuantCall {
  const char* name;
  InputArg x;
  InputArg weight;
  InputArg scale;
  InputArg offset;
  InputArg bias;
  std::int64_t group_size;
  OutputArg y;
};

/// Plans aclnnWeightQuantBatchMatmulV2 and V3: y = x ((weight + antiquantOffset) * antiquantScale) + bias.
std::shared_ptr<Executor> plan_weight_quant_matmul(const WeightQuantCall& call,
                                                   const std::vector<InputArg>& unsupported);

/// The arguments of aclnnWeightQuantBatchMatmul, whose scale and offset are host scalars: out = x1 ((x2 +
/// antiquantOffset) * antiquantScale) + bias; an INT8 result is that times mulScale plus addOffset.
struct ScalarQuantCall {
  InputArg x1;
  InputArg x2;
  InputArg diagonal;
  InputArg add_offset;
  InputArg mul_scale;
  InputArg bias;
  bool transposes_x1;
  bool transposes_x2;
  float scale;
  float offset;
  OutputArg out;
};
std::shared_ptr<Executor> plan_scalar_quant_matmul(const ScalarQuantCall& call,
                                                   const std::vector<InputArg>& unsupported);

/// The parameter that follows the factors in the signature of a quantised product; the others follow in the order of
/// QuantScaling, then bias and x3.
enum class QuantOrder { kScale, kRowScale, kBias };

/// The scales and offsets of a quantised product.
struct QuantScaling {
  InputArg scale{};  ///< required; an operator without this parameter has `scalar` instead
  float scalar = 1;
  InputArg offset{};
  InputArg row_scale{};
  QuantOrder order = QuantOrder::kScale;
  std::int64_t group_size = 0;  ///< see block_scale.hpp
};

/// The arguments of products of quantised matrices.
struct QuantMatmulCall {
  const char* name;
  InputArg x1;
  InputArg x2;
  InputArg bias;
  bool transposes_x1;
  bool transposes_x2;
  OutputArg out;
  QuantScaling by;
  std::vector<InputArg> unsupported{};
  const char* fused_op_type = nullptr;  ///< fusedOpType, the epilogue
  InputArg x3{};                        ///< the epilogue's second operand
};

/// Registers the tensors of a call in the order of its signature.
struct QuantMatmulTensors {
  using ParamId = TensorParameters::ParamId;
  ParamId x1, x2, scale, offset, row_scale, bias, x3, out;
};
QuantMatmulTensors read_tensors(TensorParameters& tensors, const QuantMatmulCall& call);

/// Plans aclnnQuantMatmul to V5, aclnnQuantMatmulWeightNz and aclnnFusedQuantMatmul with its FRACTAL_NZ form: out = (x1
/// x2 + bias) * scale * row scale + offset. A bias that is no integer is added after the scales. 8-bit floats and block
/// scales go to plan_scaled_matmul.
std::shared_ptr<Executor> plan_quant_matmul(const QuantMatmulCall& call);

/// Plans a call with 8-bit floats or block scales: out = (x1 * row scale) (x2 * scale) + bias.
std::shared_ptr<Executor> plan_scaled_matmul(const QuantMatmulCall& call);
/// Returns whether a factor of this dtype goes to plan_scaled_matmul().
bool is_float8(DType dtype);
/// Returns whether a scale of the call has several numbers along K.
bool has_scales_of_blocks(const QuantMatmulCall& call);

/// The arguments of aclnnTransposeQuantBatchMatMul and its FRACTAL_NZ form: batched products of 8-bit floats whose dims
/// are permuted.
struct TransposedQuantCall {
  const char* name;
  InputArg x1;
  InputArg x2;
  InputArg bias;
  InputArg x1_scale;
  InputArg x2_scale;
  std::int32_t dtype;
  std::int64_t group_size;
  IntArrayArg order1;
  IntArrayArg order2;
  IntArrayArg order_of_out;
  std::int32_t batch_split_factor;
  OutputArg out;
};
std::shared_ptr<Executor> plan_transpose_quant_matmul(const TransposedQuantCall& call);

/// The arguments of aclnnQuantMatmulReduceSumWeightNz: the sum over the batch of products that are scaled by rows and
/// by columns.
struct QuantSumCall {
  InputArg x1;
  InputArg x2;
  InputArg x1_scale;
  InputArg x2_scale;
  bool transposes_x1;
  bool transposes_x2;
  std::int64_t group_size;
  IntArrayArg dims;
  bool keeps_dims;
  OutputArg out;
};
std::shared_ptr<Executor> plan_quant_matmul_sum(const QuantSumCall& call, const std::vector<InputArg>& unsupported);

/// Plans aclnnMatmulEmuSplitWeight: y = x (wHigh + wLow * wLowScale), summed in float.
std::shared_ptr<Executor> plan_split_weight_matmul(const InputArg& x, const InputArg& high, const InputArg& low,
                                                   const OutputArg& y, float low_scale, std::int8_t dtype);

}  // namespace aclvk::ops
