#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ops/executor.hpp"
#include "ops/operator.hpp"
#include "ops/tensor_parameters.hpp"

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
std::shared_ptr<Executor> plan_weight_quant_matmul(const WeightQuantCall& call,
                                                   const std::vector<UnsupportedParameter>& unsupported);

/// aclnnWeightQuantBatchMatmul: out = x1 ((x2 + antiquantOffset) * antiquantScale) + bias, or that as INT8: times
/// mulScale, plus addOffset.
struct NumberQuantCall {
  const void* x1;
  const void* x2;
  const void* diagonal;
  const void* add_offset;
  const void* mul_scale;
  const void* bias;
  bool transposes_x1;
  bool transposes_x2;
  float scale;
  float offset;
  const void* out;
};
std::shared_ptr<Executor> plan_number_quant_matmul(const NumberQuantCall& call,
                                                   const std::vector<UnsupportedParameter>& unsupported);

/// Which of the parameters of products of quantised matrices follow the factors; the others have the order of
/// QuantScaling, then come bias and x3.
enum class QuantOrder { kScale, kRowScale, kBias };

/// What a product of quantised matrices is multiplied by, and what is added.
struct QuantScaling {
  NamedHandle scale{};  ///< required; an operator without it has `number` in its place
  float number = 1;
  NamedHandle offset{};
  NamedHandle row_scale{};
  QuantOrder order = QuantOrder::kScale;
  std::int64_t group_size = 0;  ///< block_scale.hpp
};

/// What products of quantised matrices are called with.
struct QuantMatmulCall {
  const char* name;
  const void* x1;
  const void* x2;
  NamedHandle bias;
  bool transposes_x1;
  bool transposes_x2;
  const void* out;
  QuantScaling by;
  std::vector<UnsupportedParameter> unsupported{};
  const char* kind = nullptr;  ///< fusedOpType
  NamedHandle x3{};            ///< the other operand of what more is done with the product
};

/// The tensors of such a call, in the order of its signature.
struct QuantMatmulTensors {
  using ParamId = TensorParameters::ParamId;
  ParamId x1, x2, scale, offset, row_scale, bias, x3, out;
};
QuantMatmulTensors read_tensors(TensorParameters& tensors, const QuantMatmulCall& call);

/// aclnnQuantMatmul to aclnnQuantMatmulV5, aclnnQuantMatmulWeightNz, aclnnFusedQuantMatmul and its form for FRACTAL_NZ:
/// out = (x1 x2 + bias) * scale * row scale + offset, or with the bias behind the scales where it is no integer.
/// Factors of 8-bit floats and scales of blocks are those of plan_scaled_matmul.
std::shared_ptr<Executor> plan_quant_matmul(const QuantMatmulCall& call);

/// The same for 8-bit floats, and for scales of blocks: out = (x1 * row scale) (x2 * scale) + bias.
std::shared_ptr<Executor> plan_scaled_matmul(const QuantMatmulCall& call);
bool is_float8(DType dtype);
/// Whether a scale of the call has several numbers along the depth.
bool has_scales_of_blocks(const QuantMatmulCall& call);

/// aclnnQuantBatchMatmulInplaceAdd: y += (x1 * x1Scale) (x2 * x2Scale).
struct QuantAddCall {
  const void* x1;
  const void* x2;
  const void* x1_scale;
  const void* x2_scale;
  const void* y;
  bool transposes_x1;
  bool transposes_x2;
  std::int64_t group_size;
};
std::shared_ptr<Executor> plan_quant_inplace_add(const QuantAddCall& call);

/// aclnnTransposeQuantBatchMatMul and its form for FRACTAL_NZ: the products of the matrices of two batches of 8-bit
/// floats, whose dims come in another order.
struct TransposedQuantCall {
  const char* name;
  const void* x1;
  const void* x2;
  const void* bias;
  const void* x1_scale;
  const void* x2_scale;
  std::int32_t dtype;
  std::int64_t group_size;
  const void* order1;
  const void* order2;
  const void* order_of_out;
  std::int32_t batch_split_factor;
  const void* out;
};
std::shared_ptr<Executor> plan_transpose_quant_matmul(const TransposedQuantCall& call);

/// aclnnQuantMatmulDequant: x is quantised first, by the scale that is given, or by one that makes 127 of the highest
/// magnitude of a row ("pertoken") or of all ("pertensor"). Then out = (x weight) * weightScale * that scale.
struct DynamicQuantCall {
  const void* x;
  const void* weight;
  const void* weight_scale;
  const void* bias;
  const void* x_scale;
  const void* x_offset;
  const void* smooth_scale;
  const char* x_quant_mode;
  bool transposes_weight;
  const void* out;
};
std::shared_ptr<Executor> plan_quant_matmul_dequant(const DynamicQuantCall& call);

/// aclnnBatchMatmulQuant: (x1 x2 + bias) as INT8, by the scale and the offset of words (quant_word.hpp).
struct QuantizedResultCall {
  const void* x1;
  const void* x2;
  const void* words;
  const void* bias;
  bool transposes_x1;
  bool transposes_x2;
  const void* out;
};
std::shared_ptr<Executor> plan_batch_matmul_quant(const QuantizedResultCall& call);

/// aclnnQuantMatmulReduceSumWeightNz: the sum of the products of two batches, each scaled by rows and by columns.
struct QuantSumCall {
  const void* x1;
  const void* x2;
  const void* x1_scale;
  const void* x2_scale;
  bool transposes_x1;
  bool transposes_x2;
  std::int64_t group_size;
  const void* dims;
  bool keeps_dims;
  const void* out;
};
std::shared_ptr<Executor> plan_quant_matmul_sum(const QuantSumCall& call,
                                                const std::vector<UnsupportedParameter>& unsupported);

}  // namespace aclvk::ops
