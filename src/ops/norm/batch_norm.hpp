#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// Batch normalisation: statistics of each channel (dim 1) over the batch and all spatial elements. `name` is the
// operator's C name.

/// aclnnBatchNormBackward and aclnnFastBatchNormBackward. Without `training` mean and variance are constants.
struct BatchNormBackwardHandles {
  InputArg dy;
  InputArg input;
  InputArg weight;
  InputArg running_mean;
  InputArg running_var;
  InputArg save_mean;
  InputArg save_invstd;
  BoolArrayArg mask;
  OutputArg dx;
  OutputArg dweight;
  OutputArg dbias;
};
std::shared_ptr<Executor> plan_batch_norm_backward(const char* name, const BatchNormBackwardHandles& handles,
                                                   bool training, double epsilon);

// SyncBatchNorm: the same computation in steps, for a batch that is split over several devices. Here invstd is 1 /
// sqrt(variance + epsilon).

/// aclnnBatchNormGatherStatsWithCounts: joins the means (`first`) and invstds (`second`) of several devices. With
/// `sums` aclnnSyncBatchNormGatherStats: `first` and `second` are sums of elements and of squares. Updates running
/// statistics in place.
struct GatherHandles {
  InputArg input;  ///< null with `sums`
  InputArg first;
  InputArg second;
  InputArg counts;
  UpdatedArg running_mean;
  UpdatedArg running_var;
  OutputArg mean;
  OutputArg invstd;
};
std::shared_ptr<Executor> plan_gather_statistics(const char* name, const GatherHandles& handles, bool sums,
                                                 double momentum, double epsilon);

}  // namespace aclvk::ops
