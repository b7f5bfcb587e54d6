#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ops/elementwise/pointwise.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// Elementwise losses and their gradients: a row of a table (loss/tables.hpp), for losses followed by a reduction.
// Intermediate results are floats.

/// The shape that the target must have.
enum class Target {
  kBroadcasts,  ///< broadcastable with self
  kAsSelf,
};

struct LossCall {
  const char* name;  ///< the operator's C name
  PointwiseRow row;
  /// Tensors in the order of the operator's parameters: for a gradient gradOutput, then self, the target, and weights,
  /// which broadcast to these. A NULL handle is accepted where the name ends in Optional, and counts as 1.
  std::vector<InputArg> inputs;
  OutputArg out;
  std::int64_t reduction = 0;
  double beta = 0;  ///< the attribute `a` of the row
  Target target = Target::kBroadcasts;
  bool may_keep_dims = false;  ///< accepts an out without the first dim: only that dim is reduced
};

std::shared_ptr<Executor> plan_loss(const LossCall& call);

/// Like plan_loss, for a row of gradient.def or weighted.def. If the row has no weight but the operator does (its
/// fourth input), gradOutput is multiplied by it first.
std::shared_ptr<Executor> plan_loss_gradient(const LossCall& call);

}  // namespace aclvk::ops
