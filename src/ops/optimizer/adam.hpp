#pragma once

#include <memory>

#include "ops/executor/executor.hpp"
#include "ops/executor/operator.hpp"
#include "ops/kernel/strided.hpp"

namespace aclvk::ops {

// Steps of AdamW (I. Loshchilov and F. Hutter, Decoupled Weight Decay Regularization, 2019) as torch.optim.AdamW
// defines them, computed in float.

struct AdamAttributes {
  double rate;
  double beta1;
  double beta2;
  double decay;
  double epsilon;
  bool amsgrad;
  bool maximize;
};

/// Sets the arguments that the shaders of all steps have. Differences from 1 are taken in double.
template <typename Arguments>
void set_betas(Arguments& arguments, const AdamAttributes& attributes) {
  arguments.beta1 = static_cast<float>(attributes.beta1);
  arguments.one_minus_beta1 = static_cast<float>(1 - attributes.beta1);
  arguments.beta2 = static_cast<float>(attributes.beta2);
  arguments.one_minus_beta2 = static_cast<float>(1 - attributes.beta2);
  arguments.epsilon = static_cast<float>(attributes.epsilon);
}

/// The dtypes of a step count.
constexpr DTypeSet kAdamSteps = {DType::kFloat, DType::kInt64};

/// aclnnApplyAdamWV2. `max_second` is the running maximum of the second moments, required with amsgrad only. `step`
/// counts from 1.
struct AdamHandles {
  UpdatedArg variable;
  UpdatedArg first;
  UpdatedArg second;
  UpdatedArg max_second;
  InputArg gradient;
  InputArg step;
};
std::shared_ptr<Executor> plan_adam(const AdamHandles& handles, const AdamAttributes& attributes);

/// aclnnFusedAdamw: lists of tensors, with a step count for each. `scale` divides the gradients; a nonzero
/// `found_infinity` skips the step. Both may be NULL.
struct AdamLists {
  UpdatedListArg variables;
  InputListArg gradients;
  UpdatedListArg firsts;
  UpdatedListArg seconds;
  UpdatedListArg max_seconds;
  InputListArg steps;
  InputArg scale;
  InputArg found_infinity;
};
std::shared_ptr<Executor> plan_adam_of_lists(const AdamLists& lists, const AdamAttributes& attributes);

/// The dtype of a coefficient tensor: an element of 16 bytes holds four floats.
constexpr DType kAdamCoefficients = DType::kComplex128;
/// Computes the coefficients of a step, which all its elements share (shaders/optimizer/adam_coefficients.comp), into
/// `out`. `scale` and `found` may be null.
Kernels adam_coefficient_kernels(const char* name, const AdamAttributes& attributes, const Tensor& step,
                                 const Tensor* scale, const Tensor* found, const Tensor& out);

/// The states and the gradient that a step reads or updates.
struct AdamTensors {
  const Tensor* variable;
  const Tensor* first;
  const Tensor* second;
  const Tensor* max_second;  ///< null without amsgrad
  const Tensor* gradient;
};
/// Appends operands 1 to 5 of shaders/optimizer/adam.comp and apply_adam.comp.
void add_operands(StridedCall& call, const AdamTensors& tensors);

}  // namespace aclvk::ops
