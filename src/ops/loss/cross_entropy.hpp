#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// The parameters that cross entropy and its gradient share. `reduction` is "mean" (also for NULL), "sum" or "none".
/// Only a `z_loss_scale` of 0 is supported: no z-loss (the squared log-sum-exp) is added.
struct CrossEntropyHandles {
  InputArg target;
  InputArg weight;
  const char* reduction;
  std::int64_t ignored;
  double smoothing;
  double z_loss_scale;
};

struct CrossEntropyOutputs {
  OutputArg loss;
  OutputArg log_prob;
  OutputArg z_loss;       ///< not written
  OutputArg log_sum_exp;  ///< not written
};

struct CrossEntropyGradients {
  InputArg loss;
  InputArg log_prob;
  InputArg z_loss;       ///< must be NULL
  InputArg log_sum_exp;  ///< not read
};

/// aclnnCrossEntropyLoss: input is (N, C), target (N) and weight (C); log_prob receives log_softmax(input).
std::shared_ptr<Executor> plan_cross_entropy(const CrossEntropyHandles& handles, const InputArg& input,
                                             bool returns_z_loss, const CrossEntropyOutputs& outputs);
std::shared_ptr<Executor> plan_cross_entropy_gradient(const CrossEntropyHandles& handles,
                                                      const CrossEntropyGradients& given, const OutputArg& out);

}  // namespace aclvk::ops
