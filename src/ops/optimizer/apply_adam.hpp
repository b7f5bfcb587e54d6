#pragma once

#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// Steps of Adam (D. Kingma and J. Ba, 2015) whose hyperparameters are tensors of one element, computed in float.

/// aclnnApplyAdam and aclnnApplyAdamW. beta1_power and beta2_power are beta^step of this step. Parameters that an
/// operator does not have are null.
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
  const void* max_second;  ///< running maximum of the second moments; required, and updated, with amsgrad only
};
struct ApplyAdamOptions {
  bool decoupled =
      false;  ///< AdamW: weight decay multiplies the variable, and epsilon is added after the bias correction
  bool nesterov = false;
  bool amsgrad = false;
  bool maximize = false;
};
std::shared_ptr<Executor> plan_apply_adam(const char* name, const ApplyAdamHandles& handles,
                                          const ApplyAdamOptions& options);

}  // namespace aclvk::ops
