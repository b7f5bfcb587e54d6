#include "base/error.hpp"
#include "norm/gather_statistics.args.h"
#include "ops/args/norm.hpp"
#include "ops/elementwise/tables.hpp"
#include "ops/executor/output_mask.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/norm/batch_norm.hpp"
#include "ops/norm/batch_steps.hpp"
#include "ops/norm/norm_checks.hpp"
#include "ops/reduction/reduce.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;
using runtime::Access;

ARGUMENT_STRUCT(GatherStatisticsArguments, GATHER_STATISTICS_ARGUMENTS);
CONSTANT_STRUCT(GatherStatisticsConstants, GATHER_STATISTICS_CONSTANTS);

/// The statistics of devices, (devices, channels), and their element counts.
struct Gather {
  ParamId first{};
  ParamId second{};
  ParamId counts{};
};

/// Writes joint statistics as floats: the mean, the biased variance and the unbiased one.
Kernels gather_kernels(const char* name, const Gather& gather, const TensorParameters::BoundTensors& bound, bool sums,
                       double epsilon, const std::array<Tensor, 3>& joint, runtime::Execution execution) {
  RowCall rows;
  rows.name = name;
  rows.shader = "norm/gather_statistics_f32";
  GatherStatisticsConstants constants;
  constants.kSums = sums ? 1 : 0;
  add_constants(rows, constants);
  GatherStatisticsArguments arguments;
  arguments.epsilon = static_cast<float>(epsilon);
  add_arguments(rows, arguments);
  const Tensor& first = *bound[gather.first];
  rows.rows = {first.shape[1]};
  rows.count = first.shape[0];
  rows.one_thread_per_row = true;  // one thread a row: rows have one element a device, which is few
  for (const Tensor* tensor : {bound[gather.first], bound[gather.second]}) {
    RowOperand operand = row_operand(*tensor, Access::kRead);
    // A row is a channel, and its elements are the devices.
    operand.strides = {tensor->strides[1]};
    operand.step = tensor->strides[0];
    rows.operands.push_back(operand);
  }
  rows.operands.push_back(row_operand(*bound[gather.counts], Access::kRead));
  // All channels share the counts.
  rows.operands.back().strides = {0};
  rows.operands.back().step = bound[gather.counts]->strides[0];
  for (const Tensor& tensor : joint) {
    rows.operands.push_back(row_operand(tensor, Access::kWrite));
    rows.operands.back().strides = {1};
  }
  return row_kernels(rows, execution);
}

}  // namespace

std::shared_ptr<Executor> plan(const BatchNormStatsArgs& args) {
  const double epsilon = args.eps;
  const char* name = "aclnnBatchNormStats";
  TensorParameters tensors;
  const ParamId x = tensors.input(args.input);
  const ParamId mean = tensors.output(args.mean);
  const ParamId invstd = tensors.output(args.invstd);
  tensors.check_dtypes({"", kNormDtypes, {DType::kFloat}});
  tensors.check_views();
  check_batch(tensors, x);
  check_channels(tensors, x, {mean, invstd});
  const runtime::Execution execution = runtime::execution();
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    bound.check_disjoint({mean, invstd}, {x});
    const Tensor variance = staging.make(bound[invstd]->shape, DType::kFloat);
    Kernels kernels = batch_moment_kernels(name, *bound[x], variance, *bound[mean], execution, staging);
    append(kernels, deviation_kernels(name, variance, epsilon, *bound[invstd]));
    return kernels;
  });
}

/// aclnnBatchNormReduce: the sum of each channel, and the sum of its squares.
std::shared_ptr<Executor> plan(const BatchNormReduceArgs& args) {
  const char* name = "aclnnBatchNormReduce";
  TensorParameters tensors;
  const ParamId x = tensors.input(args.x);
  const ParamId sum = tensors.output(args.sum);
  const ParamId square_sum = tensors.output(args.squareSum);
  tensors.check_dtypes({"", kNormDtypes, {DType::kFloat}});
  tensors.check_views();
  check_batch(tensors, x);
  check_channels(tensors, x, {sum, square_sum});
  const runtime::Execution execution = runtime::execution();
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    bound.check_disjoint({sum, square_sum}, {x});
    const Tensor all = staging.read(*bound[x]);
    // The sum of dy * x with dy = x is the sum of squares.
    return channel_sum_kernels(batch_sums(name, all, all, execution), bound[sum], bound[square_sum], staging);
  });
}

std::shared_ptr<Executor> plan(const BatchNormElemtArgs& args) {
  const char* name = "aclnnBatchNormElemt";
  TensorParameters tensors;
  const ParamId x = tensors.input(args.input);
  const ParamId weight = tensors.optional_input(args.weight);
  const ParamId bias = tensors.optional_input(args.bias);
  const ParamId mean = tensors.input(args.mean);
  const ParamId invstd = tensors.input(args.invstd);
  const ParamId output = tensors.output(args.output);
  tensors.check_all(kNormDtypes);
  check_batch(tensors, x);
  check_channels(tensors, x, {weight, bias, mean, invstd});
  tensors.check_shape(output, tensors[x].shape, "input has shape");
  const runtime::Execution execution = runtime::execution();
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    const Tensor all = staging.read(*bound[x]);
    const BatchSizes sizes(all.shape);
    ChannelFactors call = batch_factors(name, sizes, kFactorForward, execution);
    call.gamma = bound[weight];
    call.beta = bound[bias];
    call.mean = of_channels(*bound[mean]);
    call.scale = of_channels(*bound[invstd]);
    const Tensor factors = staging.make({4, sizes.channels}, DType::kFloat);
    Kernels kernels = factor_kernels(call, factors);
    append(kernels,
           channel_map_kernels(batch_map(name, nullptr, &all, execution), factors, staging.write(*bound[output])));
    return kernels;
  });
}

std::shared_ptr<Executor> plan_gather_statistics(const char* name, const GatherHandles& handles, bool sums,
                                                 double momentum, double epsilon) {
  TensorParameters tensors;
  const ParamId input = sums ? ParamId::kNone : tensors.input(handles.input);
  Gather gather;
  gather.first = tensors.input(handles.first);
  gather.second = tensors.input(handles.second);
  const auto running = [&](const UpdatedArg& arg) {
    return sums ? tensors.input(arg.read()) : tensors.optional_input(arg.read());
  };
  // The two operators order these parameters differently, and errors name the first bad one.
  if (sums) gather.counts = tensors.input(handles.counts);
  const ParamId mean_in = running(handles.running_mean);
  const ParamId variance_in = running(handles.running_var);
  if (!sums) gather.counts = tensors.input(handles.counts);
  const ParamId mean_out = tensors.optional_output(handles.running_mean.written());
  const ParamId variance_out = tensors.optional_output(handles.running_var.written());
  const ParamId mean = tensors.output(handles.mean);
  const ParamId invstd = tensors.output(handles.invstd);
  tensors.check_dtypes({"", kNormDtypes.with({DType::kInt32}), kNormDtypes});
  tensors.check_dtypes({input, gather.first, gather.second}, kNormDtypes);
  tensors.check_views();
  const Shape& shape = tensors[gather.first].shape;
  check(shape.size() == 2 && shape[0] > 0, Code::kNnInvalid,
        "{} has shape {}; expected is (devices, channels), with one device at least.", handles.first.name, shape);
  tensors.check_shape(gather.second, shape, "there is one for each device and channel, so expected is");
  tensors.check_shape(gather.counts, {shape[0]}, "there is one for each device, so expected is");
  for (const ParamId param : {mean_in, variance_in, mean, invstd}) {
    tensors.check_shape(param, {shape[1]}, "there is one for each channel, so expected is");
  }
  const runtime::Execution execution = runtime::execution();
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    bound.check_disjoint({mean, invstd}, {gather.first, gather.second, gather.counts, mean_in, variance_in});
    const Shape channels{bound[gather.first]->shape[1]};
    const std::array<Tensor, 3> joint = {staging.make(channels, DType::kFloat), staging.make(channels, DType::kFloat),
                                         staging.make(channels, DType::kFloat)};
    Kernels kernels = gather_kernels(name, gather, bound, sums, epsilon, joint, execution);
    append(kernels, copy_kernels(name, *bound[mean], joint[0]));
    append(kernels, deviation_kernels(name, joint[1], epsilon, *bound[invstd]));
    if (bound[mean_out]) append(kernels, running_kernels(name, *bound[mean_out], joint[0], momentum, 1));
    if (bound[variance_out]) append(kernels, running_kernels(name, *bound[variance_out], joint[2], momentum, 1));
    return kernels;
  });
}

/// aclnnBatchNormReduceBackward: the sums over this device's part of the batch that the gradient needs.
std::shared_ptr<Executor> plan(const BatchNormReduceBackwardArgs& args) {
  const bool input_wanted = args.inputG;
  const bool weight_wanted = args.weightG;
  const bool bias_wanted = args.biasG;
  const char* name = "aclnnBatchNormReduceBackward";
  TensorParameters tensors;
  const ParamId dy = tensors.input(args.gradOut);
  const ParamId x = tensors.input(args.input);
  const ParamId mean = tensors.input(args.mean);
  const ParamId invstd = tensors.input(args.invstd);
  const ParamId weight = tensors.optional_input(args.weight);
  const auto output = [&](bool wanted, const OutputArg& arg) { return wanted_output(tensors, wanted, arg); };
  const ParamId sum_dy = output(input_wanted, args.sumDy);
  const ParamId sum_dy_xmu = output(input_wanted, args.sumDyXmu);
  const ParamId dweight = output(weight_wanted, args.gradWeight);
  const ParamId dbias = output(bias_wanted, args.gradBias);
  tensors.check_all(kNormDtypes);
  check_batch(tensors, x);
  tensors.check_shape(dy, tensors[x].shape, "input has shape");
  check_channels(tensors, x, {mean, invstd, weight, sum_dy, sum_dy_xmu, dweight, dbias});
  const runtime::Execution execution = runtime::execution();
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    bound.check_disjoint({sum_dy, sum_dy_xmu, dweight, dbias}, {dy, x, mean, invstd});
    const Tensor all = staging.read(*bound[x]);
    const Tensor gradient = staging.read(*bound[dy]);
    const Shape channels{all.shape[1]};
    const Tensor sums = staging.make(channels, DType::kFloat);
    const Tensor products = staging.make(channels, DType::kFloat);
    // Without a scale the second sum is that of dy * (x - mean).
    GradientSums call = batch_sums(name, gradient, all, execution);
    call.mean = of_channels(*bound[mean]);
    Kernels kernels = channel_sum_kernels(call, &sums, &products, staging);
    for (const ParamId param : {sum_dy, dbias}) {
      if (bound[param]) append(kernels, copy_kernels(name, *bound[param], sums));
    }
    if (bound[sum_dy_xmu]) append(kernels, copy_kernels(name, *bound[sum_dy_xmu], products));
    if (bound[dweight]) {
      append(kernels, pointwise_kernels(name, row_of(BinaryOp::kMul), DType::kFloat, {&products, bound[invstd]},
                                        *bound[dweight]));
    }
    return kernels;
  });
}

/// aclnnBatchNormElemtBackward: the gradient of the input, from sums over all devices. `counter` holds the number of
/// elements a channel has on each device.
std::shared_ptr<Executor> plan(const BatchNormElemtBackwardArgs& args) {
  const char* name = "aclnnBatchNormElemtBackward";
  TensorParameters tensors;
  const ParamId dy = tensors.input(args.gradOut);
  const ParamId x = tensors.input(args.input);
  const ParamId mean = tensors.input(args.mean);
  const ParamId invstd = tensors.input(args.invstd);
  const ParamId weight = tensors.optional_input(args.weight);
  const ParamId sum_dy = tensors.input(args.sumDy);
  const ParamId sum_dy_xmu = tensors.input(args.sumDyXmu);
  const ParamId counter = tensors.input(args.counter);
  const ParamId dx = tensors.output(args.gradInput);
  tensors.check_dtypes({"", kNormDtypes.with({DType::kInt32}), kNormDtypes});
  tensors.check_dtypes({dy, x, mean, invstd, weight, sum_dy, sum_dy_xmu}, kNormDtypes);
  tensors.check_views();
  check_batch(tensors, x);
  for (const ParamId param : {dy, dx}) tensors.check_shape(param, tensors[x].shape, "input has shape");
  check_channels(tensors, x, {mean, invstd, weight, sum_dy, sum_dy_xmu});
  const runtime::Execution execution = runtime::execution();
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    const Tensor all = staging.read(*bound[x]);
    const Tensor gradient = staging.read(*bound[dy]);
    const BatchSizes sizes(all.shape);
    const Tensor count = staging.make({1}, DType::kFloat);
    Kernels kernels = reduce_kernels(name, ReduceKind::kSum, DType::kFloat, *bound[counter], all_dims(*bound[counter]),
                                     count, staging);
    // The element count is device data, so sums become means on the device and inverse_count is 1.
    const Tensor sums = staging.make({sizes.channels}, DType::kFloat);
    const Tensor products = staging.make({sizes.channels}, DType::kFloat);
    for (const auto& [from, to] : {std::pair{sum_dy, &sums}, std::pair{sum_dy_xmu, &products}}) {
      append(kernels, pointwise_kernels(name, row_of(BinaryOp::kDiv), DType::kFloat, {bound[from], &count}, *to));
    }
    ChannelFactors call = batch_factors(name, sizes, kFactorSums | kFactorUnscaled, execution);
    call.inverse_count = 1;
    call.sums = &sums;
    call.products = &products;
    call.gamma = bound[weight];
    call.mean = of_channels(*bound[mean]);
    call.scale = of_channels(*bound[invstd]);
    const Tensor factors = staging.make({4, sizes.channels}, DType::kFloat);
    append(kernels, factor_kernels(call, factors));
    append(kernels,
           channel_map_kernels(batch_map(name, &gradient, &all, execution), factors, staging.write(*bound[dx])));
    return kernels;
  });
}

}  // namespace aclvk::ops
