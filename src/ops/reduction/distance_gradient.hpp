#pragma once

#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnCdistBackward: the gradient of the first matrix, from the distances and their gradients.
struct CdistGradientHandles {
  const void* gradient;
  const void* first;
  const void* second;
  const void* distances;
  double exponent;
  const void* out;
};
std::shared_ptr<Executor> plan_cdist_gradient(const CdistGradientHandles& handles);

}  // namespace aclvk::ops
