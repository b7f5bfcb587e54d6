#pragma once

#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"
#include "ops/glu/unit.hpp"

namespace aclvk::ops {

// Gated linear units whose rows may have weights, and of which only the rows inside the groups are computed
// (row_mask.hpp). Other rows of the outputs keep their contents. Optional tensors may have a NULL handle.

/// Returns a SwiGLU unit that clips its inputs at `limit`; a limit of 0 or less clips nothing.
GluUnit clipped_unit(const char* name, double limit);

/// aclnnClippedSwiglu. 161002 unless limit is above 0.
std::shared_ptr<Executor> plan_clipped_swiglu(const GluUnit& unit, const InputArg& x, const InputArg& groups,
                                              const OutputArg& out);
/// aclnnClippedSwigluV2: clampMode 0 clips the gate, as the first version does; 1 clips its activation.
std::shared_ptr<Executor> plan_clipped_swiglu_v2(GluUnit unit, const InputArg& x, const InputArg& groups,
                                                 std::int64_t clamp_mode, const OutputArg& out);
std::shared_ptr<Executor> plan_clipped_swiglu_gradient(const GluUnit& unit, const InputArg& gradient, const InputArg& x,
                                                       const InputArg& groups, const OutputArg& out);

/// The gradient of aclnnSwigluGroup. `origin` is the result before weighting; NULL lets the kernels recompute it.
struct SwigluGroupGradient {
  InputArg gradient;
  InputArg x;
  InputArg weight;
  InputArg origin;
  InputArg groups;
  double limit;
  OutputArg out;
  OutputArg weight_out;
};
std::shared_ptr<Executor> plan_swiglu_group_gradient(const char* name, const SwigluGroupGradient& handles);

}  // namespace aclvk::ops
