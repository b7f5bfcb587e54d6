#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// Batch normalisation: statistics of each channel (dim 1) over the batch and all spatial elements. `name` is the
// operator's C name.

/// aclnnBatchNorm. saveInvstd receives the biased variance of the batch, as on the chips of this generation.
struct BatchNormHandles {
  InputArg input;
  InputArg weight;
  InputArg bias;
  UpdatedArg running_mean;
  UpdatedArg running_var;
  OutputArg output;
  OutputArg save_mean;
  OutputArg save_invstd;
};
std::shared_ptr<Executor> plan_batch_norm(const BatchNormHandles& handles, bool training, double momentum,
                                          double epsilon);

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

std::shared_ptr<Executor> plan_batch_norm_stats(const InputArg& input, double epsilon, const OutputArg& mean,
                                                const OutputArg& invstd);
/// aclnnBatchNormReduce: the sum of each channel, and the sum of its squares.
std::shared_ptr<Executor> plan_batch_norm_reduce(const InputArg& x, const OutputArg& sum, const OutputArg& square_sum);
std::shared_ptr<Executor> plan_batch_norm_elemt(const InputArg& input, const InputArg& weight, const InputArg& bias,
                                                const InputArg& mean, const InputArg& invstd, const OutputArg& output);

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

/// aclnnBatchNormReduceBackward: the sums over this device's part of the batch that the gradient needs.
struct ReduceBackwardHandles {
  InputArg dy;
  InputArg input;
  InputArg mean;
  InputArg invstd;
  InputArg weight;
  OutputArg sum_dy;
  OutputArg sum_dy_xmu;
  OutputArg dweight;
  OutputArg dbias;
};
std::shared_ptr<Executor> plan_batch_norm_reduce_backward(const ReduceBackwardHandles& handles, bool input_wanted,
                                                          bool weight_wanted, bool bias_wanted);

/// aclnnBatchNormElemtBackward: the gradient of the input, from sums over all devices. `counter` holds the number of
/// elements a channel has on each device.
struct ElemtBackwardHandles {
  InputArg dy;
  InputArg input;
  InputArg mean;
  InputArg invstd;
  InputArg weight;
  InputArg sum_dy;
  InputArg sum_dy_xmu;
  InputArg counter;
  OutputArg dx;
};
std::shared_ptr<Executor> plan_batch_norm_elemt_backward(const ElemtBackwardHandles& handles);

}  // namespace aclvk::ops
