#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

// Cross entropies where each device has a part of the vocabulary, from index `first` to `last`, one column of the
// logits an index; what the devices have is put together by the program between the steps. A target that is not in the
// part is masked. The last index counts, unless there are fewer columns.

struct Vocabulary {
  std::int64_t first;
  std::int64_t last;
};

/// aclnnCrossEntropySumExpAndIndexLogit: from logits and their largest of all devices.
struct IndexLogitHandles {
  const void* logits;
  const void* target;
  const void* largest;
  const void* predicted;
  const void* sum;
  const void* exponentials;
  const void* target_offsets;
  const void* mask;
};
std::shared_ptr<Executor> plan_index_logit(const IndexLogitHandles& handles, Vocabulary vocabulary);

/// aclnnFusedLinearOnlineMaxSum: logits are the product of input and weight^T.
struct LinearMaxSumHandles {
  const void* input;
  const void* weight;
  const void* target;
  const void* largest;
  const void* sum;
  const void* predicted;
  const void* mask;
  const void* target_offsets;
  const void* logits;  ///< may be NULL
};
std::shared_ptr<Executor> plan_linear_max_sum(const LinearMaxSumHandles& handles, Vocabulary vocabulary);

/// aclnnFusedCrossEntropyLossWithMaxSum: the losses, and probabilities from logits or the factors of these.
struct MaxSumLossHandles {
  const void* largest;
  const void* sum;
  const void* predicted;
  const void* input;  ///< may be NULL, as all that follow but the loss
  const void* weight;
  const void* logits;
  const void* loss;
  const void* softmax;
};
std::shared_ptr<Executor> plan_max_sum_loss(const MaxSumLossHandles& handles, float smoothing);

/// aclnnFusedLinearCrossEntropyLossGrad: the gradients of the factors; probabilities, or the largest logits and the
/// sums of which they are made, may be NULL.
struct LinearLossGradHandles {
  const void* gradient;
  const void* input;
  const void* weight;
  const void* mask;
  const void* target_offsets;
  const void* largest;
  const void* sum;
  const void* softmax;
  const void* input_gradient;
  const void* weight_gradient;
};
std::shared_ptr<Executor> plan_linear_loss_gradient(const LinearLossGradHandles& handles, float smoothing);

}  // namespace aclvk::ops
