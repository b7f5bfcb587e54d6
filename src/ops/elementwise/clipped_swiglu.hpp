#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

struct ClippedSwigluHandles {
  const void* x = nullptr;
  const void* group_index = nullptr;  ///< may be NULL
  const void* out = nullptr;
};
struct ClippedSwigluAttributes {
  std::int64_t dim = -1;
  double alpha = 0;
  double limit = 0;
  double bias = 0;
  bool interleaved = false;
};

/// aclnnClippedSwiglu: x is a gate and a linear part side by side along `dim`: its even and odd elements if they are
/// interleaved, else its halves. With group_index all rows are computed, also those behind the last group, which no
/// program reads.
std::shared_ptr<Executor> plan_clipped_swiglu(const ClippedSwigluHandles& handles,
                                              const ClippedSwigluAttributes& attributes);

}  // namespace aclvk::ops
