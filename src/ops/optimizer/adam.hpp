#pragma once

#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

// Steps of Adam with decoupled decay of weights (AdamW), as torch.optim.AdamW takes them, in float.

struct AdamAttributes {
  double rate;
  double beta1;
  double beta2;
  double decay;
  double epsilon;
  bool amsgrad;
  bool maximize;
};

/// aclnnApplyAdamWV2. `highest`, the largest second moments so far, is needed with amsgrad only; `step` counts from 1.
struct AdamHandles {
  const void* variable;
  const void* first;
  const void* second;
  const void* highest;
  const void* gradient;
  const void* step;
};
std::shared_ptr<Executor> plan_adam(const AdamHandles& handles, const AdamAttributes& attributes);

/// aclnnFusedAdamw: of lists, with a step each. Gradients are multiples of what they should be, by `scale`; where
/// `found_infinity` is not 0 nothing changes. Both may be NULL.
struct AdamLists {
  const void* variables;
  const void* gradients;
  const void* firsts;
  const void* seconds;
  const void* highests;
  const void* steps;
  const void* scale;
  const void* found_infinity;
};
std::shared_ptr<Executor> plan_adam_of_lists(const AdamLists& lists, const AdamAttributes& attributes);

}  // namespace aclvk::ops
