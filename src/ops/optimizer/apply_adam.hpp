#pragma once

#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// Steps of Adam (D. Kingma and J. Ba, 2015) whose hyperparameters are tensors of one element, computed in float.

/// aclnnApplyAdam and aclnnApplyAdamW. beta1_power and beta2_power are beta^step of this step. Parameters that an
/// operator does not have are null.
struct ApplyAdamHandles {
  UpdatedArg variable;
  UpdatedArg first;
  UpdatedArg second;
  InputArg beta1_power;
  InputArg beta2_power;
  InputArg rate;
  InputArg decay;
  InputArg beta1;
  InputArg beta2;
  InputArg epsilon;
  InputArg gradient;
  UpdatedArg max_second;  ///< running maximum of the second moments; required, and updated, with amsgrad only
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
