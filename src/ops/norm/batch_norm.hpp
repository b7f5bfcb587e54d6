#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// Batch normalisation: statistics of each channel (dim 1) over the batch and all spatial elements. `name` is the
// operator's C name.

/// aclnnBatchNorm. saveInvstd receives the biased variance of the batch, as on the chips of this generation.
struct BatchNormHandles {
  const void* input;
  const void* weight;
  const void* bias;
  const void* running_mean;
  const void* running_var;
  const void* output;
  const void* save_mean;
  const void* save_invstd;
};
std::shared_ptr<Executor> plan_batch_norm(const BatchNormHandles& handles, bool training, double momentum,
                                          double epsilon);

/// aclnnBatchNormBackward and aclnnFastBatchNormBackward. Without `training` mean and variance are constants.
struct BatchNormBackwardHandles {
  const void* dy;
  const void* input;
  const void* weight;
  const void* running_mean;
  const void* running_var;
  const void* save_mean;
  const void* save_invstd;
  const void* mask;
  const void* dx;
  const void* dweight;
  const void* dbias;
};
std::shared_ptr<Executor> plan_batch_norm_backward(const char* name, const BatchNormBackwardHandles& handles,
                                                   bool training, double epsilon);

// SyncBatchNorm: the same computation in steps, for a batch that is split over several devices. Here invstd is 1 /
// sqrt(variance + epsilon).

std::shared_ptr<Executor> plan_batch_norm_stats(const void* input, double epsilon, const void* mean,
                                                const void* invstd);
/// aclnnBatchNormReduce: the sum of each channel, and the sum of its squares.
std::shared_ptr<Executor> plan_batch_norm_reduce(const void* x, const void* sum, const void* square_sum);
std::shared_ptr<Executor> plan_batch_norm_elemt(const void* input, const void* weight, const void* bias,
                                                const void* mean, const void* invstd, const void* output);

/// aclnnBatchNormGatherStatsWithCounts: joins the means (`first`) and invstds (`second`) of several devices. With
/// `sums` aclnnSyncBatchNormGatherStats: `first` and `second` are sums of elements and of squares. Updates running
/// statistics in place.
struct GatherHandles {
  const void* input;  ///< null with `sums`
  const void* first;
  const char* first_name;
  const void* second;
  const char* second_name;
  const void* counts;
  const char* counts_name;
  const void* running_mean;
  const char* running_mean_name;
  const void* running_var;
  const char* running_var_name;
  const void* mean;
  const char* mean_name;
  const void* invstd;
  const char* invstd_name;
};
std::shared_ptr<Executor> plan_gather_statistics(const char* name, const GatherHandles& handles, bool sums,
                                                 double momentum, double epsilon);

/// aclnnBatchNormReduceBackward: the sums over this device's part of the batch that the gradient needs.
struct ReduceBackwardHandles {
  const void* dy;
  const void* input;
  const void* mean;
  const void* invstd;
  const void* weight;
  const void* sum_dy;
  const void* sum_dy_xmu;
  const void* dweight;
  const void* dbias;
};
std::shared_ptr<Executor> plan_batch_norm_reduce_backward(const ReduceBackwardHandles& handles, bool input_wanted,
                                                          bool weight_wanted, bool bias_wanted);

/// aclnnBatchNormElemtBackward: the gradient of the input, from sums over all devices. `counter` holds the number of
/// elements a channel has on each device.
struct ElemtBackwardHandles {
  const void* dy;
  const void* input;
  const void* mean;
  const void* invstd;
  const void* weight;
  const void* sum_dy;
  const void* sum_dy_xmu;
  const void* counter;
  const void* dx;
};
std::shared_ptr<Executor> plan_batch_norm_elemt_backward(const ElemtBackwardHandles& handles);

}  // namespace aclvk::ops
