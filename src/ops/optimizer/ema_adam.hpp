#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"
#include "ops/optimizer/adam.hpp"

namespace aclvk::ops {

/// aclnnApplyFusedEmaAdam: a step of Adam, then of an exponential moving average of the variable. `step` counts from 1.
struct EmaAdamHandles {
  InputArg gradient;
  UpdatedArg variable;
  UpdatedArg first;
  UpdatedArg second;
  UpdatedArg average;
  InputArg step;
};
struct EmaAdamAttributes {
  AdamAttributes adam;
  double average;
  std::int64_t mode;  ///< 0: weight decay is added to the gradient (L2); 1: it is decoupled (AdamW)
  bool corrects;      ///< applies the bias correction of the moments
};
std::shared_ptr<Executor> plan_ema_adam(const EmaAdamHandles& handles, const EmaAdamAttributes& attributes);

}  // namespace aclvk::ops
