#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// The tensors of aclnnAmpUpdateScale, of one element each. The results may be the same tensors as what they update.
struct LossScaleHandles {
  const void* scale;
  const void* steps;  ///< since the scale has grown
  const void* found;  ///< not 0 where a gradient was not finite
  const void* scale_out;
  const void* steps_out;
};
/// How the factor of a loss follows its gradients: backed off after one that was not finite, larger after `interval`
/// steps without.
struct LossScaleAttributes {
  double growth;
  double backoff;
  std::int64_t interval;
};
std::shared_ptr<Executor> plan_loss_scale(const LossScaleHandles& handles, const LossScaleAttributes& attributes);

}  // namespace aclvk::ops
