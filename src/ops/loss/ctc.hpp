#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// Connectionist temporal classification (Graves et al., 2006): the negative log-likelihood of a target sequence under
// per-step class probabilities, summed over all alignments with repetitions and blanks, by the forward-backward
// algorithm.

struct CtcHandles {
  const void* log_probs;
  const void* targets;
  const void* steps;    ///< aclIntArray: the steps of each sample
  const void* lengths;  ///< aclIntArray: the number of targets of each sample
  const char* lengths_name;
  std::int64_t blank;
  bool zero_infinity;
};
/// aclnnCtcLoss; log_alpha receives the forward variables, (N, T, 2 S + 1).
std::shared_ptr<Executor> plan_ctc_loss(const CtcHandles& handles, const void* loss, const void* log_alpha);

struct CtcGradientHandles {
  const void* gradient;
  const void* loss;
  const void* log_alpha;
  const void* out;
};
/// aclnnCtcLossBackward. The given loss and log_alpha are not read: recomputing them in float keeps 16-bit rounding out
/// of the gradient.
std::shared_ptr<Executor> plan_ctc_gradient(const CtcHandles& handles, const CtcGradientHandles& more);

}  // namespace aclvk::ops
