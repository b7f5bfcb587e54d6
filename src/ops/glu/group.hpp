#pragma once

#include <memory>

#include "ops/executor.hpp"
#include "ops/glu/unit.hpp"

namespace aclvk::ops {

// Gated linear units whose rows may have weights, and of which only those count that groups say (row_mask.hpp); the
// others are left as they are. Optional tensors may have a NULL handle.

/// The unit of aclnnClippedSwiglu with limits, or without where `limit` is not above 0.
GluUnit clipped_unit(const char* name, double limit);

/// aclnnClippedSwiglu. 161002 unless limit is above 0.
std::shared_ptr<Executor> plan_clipped_swiglu(const GluUnit& unit, const void* x, const void* groups, const void* out);
/// Its second version: clampMode 0 is the first one, 1 clips the activation rather than the gate.
std::shared_ptr<Executor> plan_clipped_swiglu_v2(GluUnit unit, const void* x, const void* groups,
                                                 std::int64_t clamp_mode, const void* out);
std::shared_ptr<Executor> plan_clipped_swiglu_gradient(const GluUnit& unit, const void* gradient, const void* x,
                                                       const void* groups, const void* out);

/// aclnnSwigluGroup: the weight of a row is a factor of its result. A limit that is not above 0 is none.
std::shared_ptr<Executor> plan_swiglu_group(const void* x, const void* weight, const void* groups, double limit,
                                            const void* out);

/// Its gradient; `origin` is the result before weights, and computed again where it is NULL.
struct SwigluGroupGradient {
  const void* gradient;
  const void* x;
  const void* weight;
  const void* origin;
  const void* groups;
  double limit;
  const void* out;
  const void* weight_out;
};
std::shared_ptr<Executor> plan_swiglu_group_gradient(const char* name, const SwigluGroupGradient& handles);

}  // namespace aclvk::ops
