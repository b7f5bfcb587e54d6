#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"
#include "ops/optimizer/adam.hpp"

namespace aclvk::ops {

/// aclnnApplyFusedEmaAdam: a step of Adam, and of a moving average of the variable. `step` counts from 1.
struct EmaAdamHandles {
  const void* gradient;
  const void* variable;
  const void* first;
  const void* second;
  const void* average;
  const void* step;
};
struct EmaAdamAttributes {
  AdamAttributes adam;
  double average;
  std::int64_t mode;  ///< 0: the decay of weights is part of the gradient; 1: it is not (AdamW)
  bool corrects;      ///< the bias of the moments
};
std::shared_ptr<Executor> plan_ema_adam(const EmaAdamHandles& handles, const EmaAdamAttributes& attributes);

}  // namespace aclvk::ops
