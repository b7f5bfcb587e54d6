#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// Connectionist temporal classification (Graves et al., 2006): the negative log-likelihood of a target sequence under
// per-step class probabilities, summed over all alignments with repetitions and blanks, by the forward-backward
// algorithm.

struct CtcHandles {
  InputArg log_probs;
  InputArg targets;
  IntArrayArg steps;    ///< aclIntArray: the steps of each sample
  IntArrayArg lengths;  ///< aclIntArray: the number of targets of each sample
  std::int64_t blank;
  bool zero_infinity;
};
/// aclnnCtcLoss; log_alpha receives the forward variables, (N, T, 2 S + 1).
std::shared_ptr<Executor> plan_ctc_loss(const CtcHandles& handles, const OutputArg& loss, const OutputArg& log_alpha);

struct CtcGradientHandles {
  InputArg gradient;
  InputArg loss;
  InputArg log_alpha;
  OutputArg out;
};
/// aclnnCtcLossBackward. The given loss and log_alpha are not read: recomputing them in float keeps 16-bit rounding out
/// of the gradient.
std::shared_ptr<Executor> plan_ctc_gradient(const CtcHandles& handles, const CtcGradientHandles& more);

}  // namespace aclvk::ops
