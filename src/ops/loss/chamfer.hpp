#pragma once

#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnChamferDistanceBackward: the gradients of both clouds, (B, N, 2) and (B, M, 2), from those of the squared
/// distance of each point to its nearest point in the other cloud. idx1 (B, N) and idx2 (B, M) are the nearest points'
/// indices. A point receives its own term and, negated, those of all points that it is nearest to.
struct ChamferHandles {
  InputArg points[2];
  InputArg nearest[2];
  InputArg gradients[2];
  OutputArg out[2];
};
std::shared_ptr<Executor> plan_chamfer_gradient(const ChamferHandles& handles);

}  // namespace aclvk::ops
