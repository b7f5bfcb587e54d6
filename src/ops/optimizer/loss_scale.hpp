#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// The parameters of aclnnAmpUpdateScale, tensors of one element. An output may be the tensor that it updates.
struct LossScaleHandles {
  InputArg scale;
  InputArg steps;  ///< steps without infinities since the last growth (growth_tracker)
  InputArg found;  ///< nonzero if a gradient was infinite or NaN
  OutputArg scale_out;
  OutputArg steps_out;
};
/// Dynamic loss scaling as in torch.amp.GradScaler: multiplies the scale by `backoff` after an infinity or NaN, and by
/// `growth` after `interval` steps without one.
struct LossScaleAttributes {
  double growth;
  double backoff;
  std::int64_t interval;
};
std::shared_ptr<Executor> plan_loss_scale(const LossScaleHandles& handles, const LossScaleAttributes& attributes);

}  // namespace aclvk::ops
