#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// The first phases of layer, RMS, group and instance normalisations. `name` is the operator's C name. Optional tensors
// may be NULL.

/// aclnnLayerNorm, aclnnFastLayerNorm and aclnnLayerNormWithImplMode.
struct LayerNormHandles {
  InputArg input;
  IntArrayArg normalized_shape;
  InputArg weight;
  InputArg bias;
  OutputArg out;
  OutputArg mean_out;
  OutputArg rstd_out;
};
std::shared_ptr<Executor> plan_layer_norm(const char* name, const LayerNormHandles& handles, double epsilon);

/// aclnnAdaLayerNorm and aclnnAdaLayerNormV2: LayerNorm(x) * (1 + scale) + shift.
struct AdaLayerNormHandles {
  InputArg x;
  InputArg scale;
  InputArg shift;
  InputArg weight;
  InputArg bias;
  OutputArg out;
  OutputArg mean_out{};
  OutputArg rstd_out{};
};
std::shared_ptr<Executor> plan_ada_layer_norm(const char* name, const AdaLayerNormHandles& handles, double epsilon);

/// aclnnRmsNorm; with `one_plus_gamma` aclnnGemmaRmsNorm, which multiplies by 1 + gamma.
struct RmsNormHandles {
  InputArg x;
  InputArg gamma;
  OutputArg y_out;
  OutputArg rstd_out;
};
std::shared_ptr<Executor> plan_rms_norm(const char* name, const RmsNormHandles& handles, double epsilon,
                                        bool one_plus_gamma);

/// aclnnAddRmsNorm and its variants: RmsNorm of x1 + x2; xOut receives the sum. `cast_out` receives y as float where
/// the operator has it.
struct AddRmsNormHandles {
  InputArg x1;
  InputArg x2;
  InputArg gamma;
  OutputArg y_out;
  OutputArg rstd_out;
  OutputArg x_out;
  OutputArg cast_out{};
  bool has_cast = false;
};
std::shared_ptr<Executor> plan_add_rms_norm(const char* name, const AddRmsNormHandles& handles, double epsilon);

/// aclnnGroupNorm's variants with an activation: y * sigmoid(swish_scale * y) if `swish`.
struct GroupNormHandles {
  InputArg x;
  InputArg gamma;
  InputArg beta;
  OutputArg out;
  OutputArg mean_out;
  OutputArg rstd_out;
};
std::shared_ptr<Executor> plan_group_norm(const char* name, const GroupNormHandles& handles, std::int64_t groups,
                                          double epsilon, bool swish, double swish_scale);
/// aclnnGroupNorm, whose parameters n, c and hxw repeat the sizes of self.
std::shared_ptr<Executor> plan_sized_group_norm(const GroupNormHandles& handles, std::int64_t n, std::int64_t c,
                                                std::int64_t hxw, std::int64_t groups, double epsilon);

}  // namespace aclvk::ops
