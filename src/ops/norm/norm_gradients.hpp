#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// The first phases of the gradients of normalisations. `name` is the operator's C name. Gradients that are not
// requested may be NULL, and so may an optional gamma.

/// aclnnLayerNormalizationGrad; and aclnnAddLayerNormGrad, for x = x1 + x2, which adds dsum to dx.
struct LayerNormGradHandles {
  InputArg dy;
  InputArg x;
  InputArg rstd;
  InputArg mean;
  InputArg gamma;
  OutputArg dx;
  OutputArg dgamma;
  OutputArg dbeta;
  InputArg x2{};
  InputArg dsum{};
};
std::shared_ptr<Executor> plan_layer_normalization_grad(const LayerNormGradHandles& handles);
std::shared_ptr<Executor> plan_add_layer_norm_grad(const LayerNormGradHandles& handles);

/// aclnnGroupNormBackward; and aclnnGroupNormSwishGrad, where an activation follows the normalisation, so that beta is
/// needed.
struct GroupNormGradHandles {
  InputArg dy;
  InputArg x;
  InputArg mean;
  InputArg rstd;
  InputArg gamma;
  InputArg beta;
  OutputArg dx;
  OutputArg dgamma;
  OutputArg dbeta;
};
struct GroupNormSizes {
  std::int64_t n;
  std::int64_t c;
  std::int64_t hxw;
};
std::shared_ptr<Executor> plan_group_norm_backward(const GroupNormGradHandles& handles, const GroupNormSizes& sizes,
                                                   std::int64_t groups, const BoolArrayArg& mask);
std::shared_ptr<Executor> plan_group_norm_swish_grad(const GroupNormGradHandles& handles, std::int64_t groups,
                                                     const char* data_format, double swish, bool wants_dgamma,
                                                     bool wants_dbeta);

}  // namespace aclvk::ops
