#pragma once

#include <cstddef>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"
#include "ops/pooling/pooling.hpp"

namespace aclvk::ops {

// Gradients of average pooling: an element of self receives gradient / divisor of each window that contains it.

struct MeanGradient {
  const char* name;
  std::size_t dims;
  InputArg gradient;
  InputArg self;
  OutputArg out;
};
std::shared_ptr<Executor> plan_avg_pool_gradient(const MeanGradient& handles, const PoolWindow& window,
                                                 const PoolDivisor& divisor, std::int8_t cube_math_type = 0);
std::shared_ptr<Executor> plan_adaptive_mean_gradient(const MeanGradient& handles);

}  // namespace aclvk::ops
