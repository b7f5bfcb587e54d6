#pragma once

#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// aclnnChamferDistanceBackward: gradients of the squared distances of the points of two clouds, (B, N, 2) and
/// (B, M, 2), from the nearest points of the other one, which idx1 (B, N) and idx2 (B, M) name.
struct ChamferHandles {
  const void* points[2];
  const void* nearest[2];
  const void* gradients[2];
  const void* out[2];
};
std::shared_ptr<Executor> plan_chamfer_gradient(const ChamferHandles& handles);

}  // namespace aclvk::ops
