#pragma once

#include <memory>

#include "ops/executor.hpp"
#include "ops/operator.hpp"
#include "ops/strided.hpp"

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

/// aclnnApplyAdamWV2. `max_second`, the largest second moments so far, is needed with amsgrad only; `step` counts
/// from 1.
struct AdamHandles {
  const void* variable;
  const void* first;
  const void* second;
  const void* max_second;
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
  const void* max_seconds;
  const void* steps;
  const void* scale;
  const void* found_infinity;
};
std::shared_ptr<Executor> plan_adam_of_lists(const AdamLists& lists, const AdamAttributes& attributes);

/// An element of 16 bytes, four floats to the shaders.
constexpr DType kAdamCoefficients = DType::kComplex128;
/// What all elements of a step share (shaders/optimizer/adam_coefficients.comp), in `out`. Operands that are null are
/// left out.
Kernels adam_coefficient_kernels(const char* name, const AdamAttributes& attributes, const Tensor& step,
                                 const Tensor* scale, const Tensor* found, const Tensor& out);

/// The tensors of a step.
struct AdamTensors {
  const Tensor* variable;
  const Tensor* first;
  const Tensor* second;
  const Tensor* max_second;  ///< null without amsgrad
  const Tensor* gradient;
};
/// Operands 1 to 5 of shaders/optimizer/adam.comp and apply_adam.comp.
void add_operands(StridedCall& call, const AdamTensors& tensors);

/// 161002 unless a tensor has one element.
void check_one(const Tensor& tensor, const char* name);

}  // namespace aclvk::ops
