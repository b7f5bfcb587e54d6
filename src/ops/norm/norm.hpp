#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// The first phases of layer, RMS, group and instance normalisations. `name` is the operator's C name. Optional tensors
// may be NULL.

/// aclnnLayerNorm, aclnnFastLayerNorm and aclnnLayerNormWithImplMode.
std::shared_ptr<Executor> plan_layer_norm(const char* name, const void* input, const void* normalized_shape,
                                          const void* weight, const void* bias, double epsilon, const void* out,
                                          const void* mean_out, const void* rstd_out);

/// aclnnAddLayerNorm: LayerNorm of x1 + x2 + bias over the last dim; xOut receives the sum if `additional_output`.
struct AddLayerNormHandles {
  const void* x1;
  const void* x2;
  const void* gamma;
  const void* beta;
  const void* bias;
  const void* y_out;
  const void* mean_out;
  const void* rstd_out;
  const void* x_out;
};
std::shared_ptr<Executor> plan_add_layer_norm(const AddLayerNormHandles& handles, double epsilon,
                                              bool additional_output);

/// aclnnDeepNorm: LayerNorm of alpha * x + gx.
struct DeepNormHandles {
  const void* x;
  const void* gx;
  const void* beta;
  const void* gamma;
  const void* mean_out;
  const void* rstd_out;
  const void* y_out;
};
std::shared_ptr<Executor> plan_deep_norm(const DeepNormHandles& handles, double alpha, double epsilon);

/// aclnnAdaLayerNorm and aclnnAdaLayerNormV2: LayerNorm(x) * (1 + scale) + shift.
struct AdaLayerNormHandles {
  const void* x;
  const void* scale;
  const void* shift;
  const void* weight;
  const void* bias;
  const void* out;
  const void* mean_out = nullptr;
  const void* rstd_out = nullptr;
};
std::shared_ptr<Executor> plan_ada_layer_norm(const char* name, const AdaLayerNormHandles& handles, double epsilon);

/// aclnnRmsNorm; with `one_plus_gamma` aclnnGemmaRmsNorm, which multiplies by 1 + gamma.
std::shared_ptr<Executor> plan_rms_norm(const char* name, bool one_plus_gamma, const void* x, const void* gamma,
                                        double epsilon, const void* y_out, const void* rstd_out);

/// aclnnAddRmsNorm and its variants: RmsNorm of x1 + x2; xOut receives the sum. `cast_out` receives y as float where
/// the operator has it.
struct AddRmsNormHandles {
  const void* x1;
  const char* x1_name;
  const void* x2;
  const char* x2_name;
  const void* gamma;
  const void* y_out;
  const char* y_name;
  const void* rstd_out;
  const void* x_out;
  const char* x_name;
  const void* cast_out = nullptr;
  bool has_cast = false;
};
std::shared_ptr<Executor> plan_add_rms_norm(const char* name, const AddRmsNormHandles& handles, double epsilon);

/// aclnnGroupNorm's variants with an activation: y * sigmoid(swish_scale * y) if `swish`.
struct GroupNormHandles {
  const void* x;
  const char* x_name;
  const void* gamma;
  const void* beta;
  const void* out;
  const char* out_name;
  const void* mean_out;
  const void* rstd_out;
};
std::shared_ptr<Executor> plan_group_norm(const char* name, const GroupNormHandles& handles, std::int64_t groups,
                                          double epsilon, bool swish, double swish_scale);
/// aclnnGroupNorm, whose parameters n, c and hxw repeat the sizes of self.
std::shared_ptr<Executor> plan_sized_group_norm(const GroupNormHandles& handles, std::int64_t n, std::int64_t c,
                                                std::int64_t hxw, std::int64_t groups, double epsilon);

/// aclnnInstanceNorm: statistics of each channel of each image. data_format is NCHW or NHWC.
std::shared_ptr<Executor> plan_instance_norm(const void* x, const void* gamma, const void* beta,
                                             const char* data_format, double epsilon, const void* y, const void* mean,
                                             const void* variance);

}  // namespace aclvk::ops
