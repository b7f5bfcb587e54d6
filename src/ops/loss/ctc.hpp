#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

// Connectionist temporal classification: how likely the steps of a sample spell its targets, with repetitions and
// blanks in between.

struct CtcHandles {
  const void* log_probs;
  const void* targets;
  const void* steps;    ///< an aclIntArray: of each sample
  const void* lengths;  ///< an aclIntArray: of the targets of each sample
  const char* lengths_name;
  std::int64_t blank;
  bool zero_infinity;
};
/// aclnnCtcLoss.
std::shared_ptr<Executor> plan_ctc_loss(const CtcHandles& handles, const void* loss, const void* log_alpha);

struct CtcGradientHandles {
  const void* gradient;
  const void* loss;
  const void* log_alpha;
  const void* out;
};
/// aclnnCtcLossBackward. Losses and log_alpha are made again, so that gradients of 16 bits do not come from rounded
/// ones.
std::shared_ptr<Executor> plan_ctc_gradient(const CtcHandles& handles, const CtcGradientHandles& more);

}  // namespace aclvk::ops
