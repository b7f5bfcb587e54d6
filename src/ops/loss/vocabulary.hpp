#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// Vocabulary-parallel cross entropy: each device has a shard of the vocabulary, indices `first` to `last` inclusive (or
// fewer, if there are fewer columns), and a column of the logits for each index. The program reduces the partial
// results of the devices between these operators. A target outside of the shard is masked.

struct Vocabulary {
  std::int64_t first;
  std::int64_t last;
};

/// aclnnCrossEntropySumExpAndIndexLogit: sum of exponentials and target logit of the shard, given the global maximum.
struct IndexLogitHandles {
  InputArg logits;
  InputArg target;
  InputArg largest;
  OutputArg predicted;
  OutputArg sum;
  OutputArg exponentials;
  OutputArg target_offsets;
  OutputArg mask;
};
std::shared_ptr<Executor> plan_index_logit(const IndexLogitHandles& handles, Vocabulary vocabulary);

/// aclnnFusedLinearOnlineMaxSum: the shard's maximum, sum of exponentials and target logit, for logits = input
/// weight^T.
struct LinearMaxSumHandles {
  InputArg input;
  InputArg weight;
  InputArg target;
  OutputArg largest;
  OutputArg sum;
  OutputArg predicted;
  OutputArg mask;
  OutputArg target_offsets;
  OutputArg logits;  ///< may be NULL; then logits are not written
};
std::shared_ptr<Executor> plan_linear_max_sum(const LinearMaxSumHandles& handles, Vocabulary vocabulary);

/// aclnnFusedLinearCrossEntropyLossGrad: the gradients of input and weight. Requires softmax, or largest and sum, from
/// which the softmax is recomputed.
struct LinearLossGradHandles {
  InputArg gradient;
  InputArg input;
  InputArg weight;
  InputArg mask;
  InputArg target_offsets;
  InputArg largest;
  InputArg sum;
  InputArg softmax;
  OutputArg input_gradient;
  OutputArg weight_gradient;
};
std::shared_ptr<Executor> plan_linear_loss_gradient(const LinearLossGradHandles& handles, float smoothing);

}  // namespace aclvk::ops
