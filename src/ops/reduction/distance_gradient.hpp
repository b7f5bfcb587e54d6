#pragma once

#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// aclnnCdistBackward: the gradient of the rows of first, from those of the distances and the distances themselves.
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
