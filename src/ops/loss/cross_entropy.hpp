#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// What cross entropy of classes depends on beside the tensors that differ. `reduction` is "mean", which NULL stands
/// for, "sum" or "none". A square of the normaliser, which `square_scale` would add to the loss, is not built.
struct CrossEntropyHandles {
  const void* target;
  const void* weight;
  const char* reduction;
  std::int64_t ignored;
  double smoothing;
  double square_scale;
};

struct CrossEntropyOutputs {
  const void* loss;
  const void* log_prob;
  const void* square;      ///< left alone
  const void* normaliser;  ///< left alone
};

struct CrossEntropyGradients {
  const void* loss;
  const void* log_prob;
  const void* square;      ///< NULL
  const void* normaliser;  ///< NULL
};

/// input is (N, C), target (N) and weight (C); log_prob becomes log_softmax(input).
std::shared_ptr<Executor> plan_cross_entropy(const CrossEntropyHandles& handles, const void* input, bool returns_square,
                                             const CrossEntropyOutputs& outputs);
std::shared_ptr<Executor> plan_cross_entropy_gradient(const CrossEntropyHandles& handles,
                                                      const CrossEntropyGradients& given, const void* out);

/// aclnnSoftmaxCrossEntropyWithLogits: labels are probabilities. features and labels are (N, C); loss is (N), backprop
/// softmax(features) - labels.
std::shared_ptr<Executor> plan_softmax_cross_entropy(const void* features, const void* labels, const void* loss,
                                                     const void* backprop);

}  // namespace aclvk::ops
