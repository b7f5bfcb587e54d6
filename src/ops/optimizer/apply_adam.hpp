#pragma once

#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

// Steps of Adam whose coefficients are tensors of one element each, in float.

/// aclnnApplyAdam and aclnnApplyAdamW. The powers are those of this step. `first` and `second` change in both; what an
/// operator does not have is null.
struct ApplyAdamHandles {
  const void* variable;
  const void* first;
  const char* first_name;
  const void* second;
  const char* second_name;
  const void* beta1_power;
  const void* beta2_power;
  const void* rate;
  const void* decay;
  const void* beta1;
  const void* beta2;
  const void* epsilon;
  const char* epsilon_name;
  const void* gradient;
  const void* max_second;  ///< the largest second moments so far; needed, and changed, with amsgrad only
};
struct ApplyAdamOptions {
  bool decoupled = false;  ///< AdamW: the variable decays by itself, and epsilon is added to the corrected root
  bool nesterov = false;
  bool amsgrad = false;
  bool maximize = false;
};
std::shared_ptr<Executor> plan_apply_adam(const char* name, const ApplyAdamHandles& handles,
                                          const ApplyAdamOptions& options);

}  // namespace aclvk::ops
