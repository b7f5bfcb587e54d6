#include "ops/norm/batch_norm.hpp"

#include "base/error.hpp"
#include "ops/args/norm.hpp"
#include "ops/executor/output_mask.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/norm/batch_steps.hpp"
#include "ops/norm/norm_checks.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

struct BatchNorm {
  TensorParameters tensors{};
  ParamId x{};
  ParamId weight{};
  ParamId bias{};
  ParamId mean{};      ///< runningMean
  ParamId variance{};  ///< runningVar
  ParamId output{};
  ParamId mean_out = ParamId::kNone;
  ParamId variance_out = ParamId::kNone;
  ParamId save_mean = ParamId::kNone;
  ParamId save_variance = ParamId::kNone;
  double momentum = 0;
  double epsilon = 0;
  runtime::Execution execution = runtime::execution();
};

constexpr const char* kForward = "aclnnBatchNorm";

/// Normalises x with one mean and variance a channel.
Kernels normalise(const BatchNorm& norm, const TensorParameters::BoundTensors& bound, const Tensor& x,
                  const Tensor& mean, const Tensor& variance, Staging& staging) {
  const BatchSizes sizes(x.shape);
  // Statistics, gamma and beta become four factors a channel, so that the pass over x reads one set of factors.
  ChannelFactors call = batch_factors(kForward, sizes, kFactorForward | kFactorVariance, norm.execution);
  call.epsilon = norm.epsilon;
  call.gamma = bound[norm.weight];
  call.beta = bound[norm.bias];
  call.mean = of_channels(mean);
  call.scale = of_channels(variance);
  const Tensor factors = staging.make({4, sizes.channels}, DType::kFloat);
  Kernels kernels = factor_kernels(call, factors);
  const Tensor output = staging.write(*bound[norm.output]);
  append(kernels, channel_map_kernels(batch_map(kForward, nullptr, &x, norm.execution), factors, output));
  return kernels;
}

Kernels train(const BatchNorm& norm, const TensorParameters::BoundTensors& bound, Staging& staging) {
  bound.check_disjoint({norm.save_mean, norm.save_variance, norm.mean_out, norm.variance_out},
                       {norm.x, norm.weight, norm.bias});
  const Tensor x = staging.read(*bound[norm.x]);
  const BatchSizes sizes(x.shape);
  const Tensor mean = float_channels(bound[norm.save_mean], sizes.channels, staging);
  const Tensor variance = float_channels(bound[norm.save_variance], sizes.channels, staging);
  Kernels kernels = batch_moment_kernels(kForward, x, variance, mean, norm.execution, staging);
  // The running variance is the unbiased one: it divides by count - 1.
  const auto count = static_cast<double>(sizes.of_channel());
  if (bound[norm.mean_out]) append(kernels, running_kernels(kForward, *bound[norm.mean_out], mean, norm.momentum, 1));
  if (bound[norm.variance_out]) {
    append(kernels, running_kernels(kForward, *bound[norm.variance_out], variance, norm.momentum, count / (count - 1)));
  }
  for (const auto& [from, to] : {std::pair{&mean, norm.save_mean}, std::pair{&variance, norm.save_variance}}) {
    if (from->address() != bound[to]->address()) append(kernels, copy_kernels(kForward, *bound[to], *from));
  }
  append(kernels, normalise(norm, bound, x, mean, variance, staging));
  return kernels;
}

void check_tensors(const BatchNorm& norm) {
  norm.tensors.check_all(kNormDtypes);
  check_batch(norm.tensors, norm.x);
  check_channels(norm.tensors, norm.x,
                 {norm.weight, norm.bias, norm.mean, norm.variance, norm.save_mean, norm.save_variance});
  norm.tensors.check_shape(norm.output, norm.tensors[norm.x].shape, "input has shape");
}

}  // namespace

/// aclnnBatchNorm. saveInvstd receives the biased variance of the batch, as on the chips of this generation.
std::shared_ptr<Executor> plan(const BatchNormArgs& args) {
  const bool training = args.training;
  const double momentum = args.momentum;
  const double epsilon = args.eps;
  BatchNorm norm;
  TensorParameters& tensors = norm.tensors;
  norm.x = tensors.input(args.input);
  norm.weight = tensors.optional_input(args.weight);
  norm.bias = tensors.optional_input(args.bias);
  // Inference normalizes by the running statistics, so they are required then.
  const auto running = [&](const UpdatedArg& arg) {
    return training ? tensors.optional_input(arg.read()) : tensors.input(arg.read());
  };
  norm.mean = running(args.runningMean);
  norm.variance = running(args.runningVar);
  norm.output = tensors.output(args.output);
  if (training) {
    norm.save_mean = tensors.output(args.saveMean);
    norm.save_variance = tensors.output(args.saveInvstd);
    norm.mean_out = tensors.optional_output(args.runningMean.written());
    norm.variance_out = tensors.optional_output(args.runningVar.written());
  } else {
    tensors.no_output(args.saveMean.name);
    tensors.no_output(args.saveInvstd.name);
  }
  check_tensors(norm);
  norm.momentum = momentum;
  norm.epsilon = epsilon;
  return staged_executor(kForward, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    if (training) return train(norm, bound, staging);
    return normalise(norm, bound, staging.read(*bound[norm.x]), *bound[norm.mean], *bound[norm.variance], staging);
  });
}

namespace {

struct BatchGradient {
  const char* name;
  TensorParameters tensors{};
  ParamId dy{};
  ParamId x{};
  ParamId weight{};
  ParamId bias = ParamId::kNone;
  ParamId mean{};
  ParamId variance{};
  bool inverts = true;  ///< else `variance` is 1 / sqrt(variance + epsilon) already
  ParamId dx{};
  ParamId dweight{};
  ParamId dbias{};
  bool training = false;
  double epsilon = 0;
  runtime::Execution execution = runtime::execution();
};

Kernels gradient_kernels(const BatchGradient& call, const TensorParameters::BoundTensors& bound, Staging& staging) {
  bound.check_disjoint({call.dweight, call.dbias}, {call.dy, call.x, call.weight, call.mean, call.variance});
  const Tensor x = staging.read(*bound[call.x]);
  const Tensor dy = staging.read(*bound[call.dy]);
  const BatchSizes sizes(x.shape);
  // Inference with dx alone needs no sums.
  const bool needs_sums = bound[call.dweight] || bound[call.dbias] || call.training || !bound[call.dx];
  const Tensor sums = float_channels(bound[call.dbias], sizes.channels, staging);
  const Tensor products = float_channels(bound[call.dweight], sizes.channels, staging);
  Kernels kernels;
  if (needs_sums) {
    GradientSums sum = batch_sums(call.name, dy, x, call.execution);
    sum.mean = of_channels(*bound[call.mean]);
    sum.scale = of_channels(*bound[call.variance]);
    sum.variance = call.inverts;
    sum.epsilon = call.epsilon;
    kernels = channel_sum_kernels(sum, &sums, &products, staging);
  }
  // The sums are written in place where the output is a contiguous float tensor.
  for (const auto& [from, to] : {std::pair{&sums, call.dbias}, std::pair{&products, call.dweight}}) {
    if (bound[to] && from->address() != bound[to]->address())
      append(kernels, copy_kernels(call.name, *bound[to], *from));
  }
  if (!bound[call.dx]) return kernels;
  const std::uint32_t flags = (call.training ? kFactorSums : 0U) | (call.inverts ? kFactorVariance : 0U);
  ChannelFactors factor = batch_factors(call.name, sizes, flags, call.execution);
  factor.epsilon = call.epsilon;
  factor.gamma = bound[call.weight];
  // The batch statistics depend on x in training, which adds terms with both sums to dx.
  if (call.training) {
    factor.sums = &sums;
    factor.products = &products;
  }
  factor.mean = of_channels(*bound[call.mean]);
  factor.scale = of_channels(*bound[call.variance]);
  const Tensor factors = staging.make({4, sizes.channels}, DType::kFloat);
  append(kernels, factor_kernels(factor, factors));
  // Without training mean and variance are constants, and dx = dy * gamma / sqrt(variance + epsilon).
  const ChannelMap map = batch_map(call.name, &dy, call.training ? &x : nullptr, call.execution);
  append(kernels, channel_map_kernels(map, factors, staging.write(*bound[call.dx])));
  return kernels;
}

/// Checks the tensors and returns the executor.
std::shared_ptr<Executor> plan_gradient(const BatchGradient& call) {
  const TensorParameters& tensors = call.tensors;
  tensors.check_all(kNormDtypes);
  check_batch(tensors, call.x);
  const Shape& shape = tensors[call.x].shape;
  for (const ParamId param : {call.dy, call.dx}) tensors.check_shape(param, shape, "input has shape");
  check_channels(tensors, call.x, {call.weight, call.bias, call.mean, call.variance, call.dweight, call.dbias});
  return staged_executor(call.name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    return gradient_kernels(call, bound, staging);
  });
}

}  // namespace

std::shared_ptr<Executor> plan_batch_norm_backward(const char* name, const BatchNormBackwardHandles& handles,
                                                   bool training, double epsilon) {
  BatchGradient call{name};
  TensorParameters& tensors = call.tensors;
  call.dy = tensors.input(handles.dy);
  call.x = tensors.input(handles.input);
  call.weight = tensors.optional_input(handles.weight);
  const auto statistic = [&](bool read, const InputArg& arg) {
    return read ? tensors.input(arg) : tensors.no_input(arg.name);
  };
  const ParamId running_mean = statistic(!training, handles.running_mean);
  const ParamId running_var = statistic(!training, handles.running_var);
  const ParamId save_mean = statistic(training, handles.save_mean);
  const ParamId save_variance = statistic(training, handles.save_invstd);
  call.mean = training ? save_mean : running_mean;
  call.variance = training ? save_variance : running_var;
  const OutputMask mask = required_output_mask(handles.mask);
  call.dx = wanted_output(tensors, mask[0], handles.dx);
  call.dweight = wanted_output(tensors, mask[1], handles.dweight);
  call.dbias = wanted_output(tensors, mask[2], handles.dbias);
  call.training = training;
  call.epsilon = epsilon;
  return plan_gradient(call);
}

/// aclnnBatchNormalizationGrad: the gradient in training. saveInvstd contains epsilon, and bias is not read.
std::shared_ptr<Executor> plan(const BatchNormalizationGradArgs& args) {
  BatchGradient call{args.kOperator};
  TensorParameters& tensors = call.tensors;
  call.dy = tensors.input(args.gradOutput);
  call.x = tensors.input(args.input);
  call.weight = tensors.input(args.weight);
  call.bias = tensors.input(args.bias);
  call.mean = tensors.input(args.saveMean);
  call.variance = tensors.input(args.saveInvstd);
  call.inverts = false;
  call.dx = tensors.output(args.gradInputOut);
  call.dweight = tensors.output(args.gradWeightOut);
  call.dbias = tensors.output(args.gradBiasOut);
  call.training = true;
  return plan_gradient(call);
}

}  // namespace aclvk::ops
