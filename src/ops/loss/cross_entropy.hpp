#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// What cross entropy of classes depends on beside the tensors that differ. `reduction` is "mean", which NULL stands
/// for, "sum" or "none". A z_loss of the log_sum_exp, which `z_loss_scale` would add to the loss, is not built.
struct CrossEntropyHandles {
  const void* target;
  const void* weight;
  const char* reduction;
  std::int64_t ignored;
  double smoothing;
  double z_loss_scale;
};

struct CrossEntropyOutputs {
  const void* loss;
  const void* log_prob;
  const void* z_loss;       ///< left alone
  const void* log_sum_exp;  ///< left alone
};

struct CrossEntropyGradients {
  const void* loss;
  const void* log_prob;
  const void* z_loss;       ///< NULL
  const void* log_sum_exp;  ///< NULL
};

/// input is (N, C), target (N) and weight (C); log_prob becomes log_softmax(input).
std::shared_ptr<Executor> plan_cross_entropy(const CrossEntropyHandles& handles, const void* input, bool returns_z_loss,
                                             const CrossEntropyOutputs& outputs);
std::shared_ptr<Executor> plan_cross_entropy_gradient(const CrossEntropyHandles& handles,
                                                      const CrossEntropyGradients& given, const void* out);

/// aclnnSoftmaxCrossEntropyWithLogits: labels are probabilities. features and labels are (N, C); loss is (N), backprop
/// softmax(features) - labels.
std::shared_ptr<Executor> plan_softmax_cross_entropy(const void* features, const void* labels, const void* loss,
                                                     const void* backprop);

}  // namespace aclvk::ops
