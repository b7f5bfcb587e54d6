#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ops/elementwise/pointwise.hpp"
#include "ops/executor.hpp"

namespace aclvk::ops {

// Losses of elements, and their gradients: a row of a table (loss/tables.hpp), and for losses perhaps a sum. What is
// summed up, or multiplied before, stays in float.

/// Which shape the target has.
enum class Target {
  kBroadcasts,  ///< one that broadcasts with that of self
  kAsSelf,
};

struct LossCall {
  const char* name;  ///< the operator's C name
  PointwiseRow row;
  /// Tensors in the order of the operator's parameters, which is the row's: self and the target, for a gradient behind
  /// gradOutput, then weights, which broadcast to them. One whose name ends in Optional may be NULL and counts as 1.
  std::vector<PointwiseArgument> inputs;
  PointwiseArgument out;
  std::int64_t reduction = 0;
  double beta = 0;  ///< a of the row
  Target target = Target::kBroadcasts;
  bool may_keep_dims = false;  ///< an out without the first dim holds a loss for each place of the others
};

std::shared_ptr<Executor> plan_loss(const LossCall& call);

/// A row that has no place for a weight which the operator has, the fourth input, takes it as a factor of gradOutput.
std::shared_ptr<Executor> plan_loss_gradient(const LossCall& call);

}  // namespace aclvk::ops
