#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// The first phases of the gradients of normalisations. `name` is the operator's C name. Gradients that are not
// requested may be NULL, and so may an optional gamma.

/// aclnnLayerNormBackward.
struct LayerNormBackwardHandles {
  const void* dy;
  const void* x;
  const void* normalized_shape;
  const void* mean;
  const void* rstd;
  const void* weight;
  const void* bias;
  const void* mask;
  const void* dx;
  const void* dweight;
  const void* dbias;
};
std::shared_ptr<Executor> plan_layer_norm_backward(const LayerNormBackwardHandles& handles);

/// aclnnLayerNormalizationGrad; and aclnnAddLayerNormGrad, for x = x1 + x2, which adds dsum to dx.
struct LayerNormGradHandles {
  const void* dy;
  const void* x;
  const void* rstd;
  const void* mean;
  const void* gamma;
  const void* dx;
  const void* dgamma;
  const void* dbeta;
  const void* x2 = nullptr;
  const void* dsum = nullptr;
};
std::shared_ptr<Executor> plan_layer_normalization_grad(const LayerNormGradHandles& handles);
std::shared_ptr<Executor> plan_add_layer_norm_grad(const LayerNormGradHandles& handles);

/// aclnnDeepNormGrad: the gradient of LayerNorm(alpha * x + gx).
struct DeepNormGradHandles {
  const void* dy;
  const void* x;
  const void* gx;
  const void* gamma;
  const void* mean;
  const void* rstd;
  const void* dx;
  const void* dgx;
  const void* dbeta;
  const void* dgamma;
};
std::shared_ptr<Executor> plan_deep_norm_grad(const DeepNormGradHandles& handles, double alpha);

/// aclnnRmsNormGrad.
std::shared_ptr<Executor> plan_rms_norm_grad(const void* dy, const void* x, const void* rstd, const void* gamma,
                                             const void* dx, const void* dgamma);

/// aclnnGroupNormBackward; and aclnnGroupNormSwishGrad, where an activation follows the normalisation, so that beta is
/// needed.
struct GroupNormGradHandles {
  const void* dy;
  const char* dy_name;
  const void* x;
  const char* x_name;
  const void* mean;
  const void* rstd;
  const void* gamma;
  const void* beta;
  const void* dx;
  const char* dx_name;
  const void* dgamma;
  const char* dgamma_name;
  const void* dbeta;
  const char* dbeta_name;
};
struct GroupNormSizes {
  std::int64_t n;
  std::int64_t c;
  std::int64_t hxw;
};
std::shared_ptr<Executor> plan_group_norm_backward(const GroupNormGradHandles& handles, const GroupNormSizes& sizes,
                                                   std::int64_t groups, const void* mask);
std::shared_ptr<Executor> plan_group_norm_swish_grad(const GroupNormGradHandles& handles, std::int64_t groups,
                                                     const char* data_format, double swish, bool wants_dgamma,
                                                     bool wants_dbeta);

}  // namespace aclvk::ops
