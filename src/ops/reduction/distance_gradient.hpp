#pragma once

#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnCdistBackward: the gradient of the first matrix, from the distances and their gradients.
struct CdistGradientHandles {
  InputArg gradient;
  InputArg first;
  InputArg second;
  InputArg distances;
  double exponent;
  OutputArg out;
};
std::shared_ptr<Executor> plan_cdist_gradient(const CdistGradientHandles& handles);

}  // namespace aclvk::ops
