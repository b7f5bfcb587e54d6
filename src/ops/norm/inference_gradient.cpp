#include "base/error.hpp"
#include "ops/args/norm.hpp"
#include "ops/create/fill.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/norm/batch_steps.hpp"
#include "ops/norm/norm_checks.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

/// formatMode of aclnnBnInferGrad.
enum Format : std::int64_t { kChannelsSecond = 0, kChannelsLast = 1, kBlocks = 2 };

/// Returns a row-major tensor as a matrix with a column for each channel, if channels are its last dim; else itself.
Tensor with_channels_second(const Tensor& tensor, std::int64_t format) {
  if (format == kChannelsSecond) return tensor;
  const Shape& shape = tensor.shape;
  return *reshaped(tensor, {element_count({shape.begin(), shape.end() - 1}), shape.back()});
}

/// dx = dy * scale / sqrt(variance + epsilon), the gradient of a batch normalisation by constants.
template <typename Args>
std::shared_ptr<Executor> plan_inference_gradient(const Args& args, std::int64_t format) {
  const char* name = args.kOperator;
  const double epsilon = args.epsilon;
  TensorParameters tensors;
  const ParamId dy = tensors.input(args.grads);
  const ParamId scale = tensors.input(args.scale);
  const ParamId variance = tensors.input(args.batchVariance);
  const ParamId dx = tensors.output(args.xBackpropOut);
  tensors.check_all(kNormDtypes);
  check(format != kBlocks, Code::kFeatureNotSupported,
        "formatMode is 2, blocks of 16 channels; {} computes with 0, channels in dim 1, and 1, in the last dim.", name);
  check(format == kChannelsSecond || format == kChannelsLast, Code::kNnInvalid, "formatMode is {}; 0 to 2 exist.",
        format);
  check_batch(tensors, dy);
  const Shape& shape = tensors[dy].shape;
  const std::int64_t channels = format == kChannelsLast ? shape.back() : shape[1];
  for (const ParamId param : {scale, variance}) {
    tensors.check_shape(param, {channels}, "an element for each channel is");
  }
  tensors.check_shape(dx, shape, "grads has shape");
  const runtime::Execution execution = runtime::execution();
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    if (bound[dx]->empty()) return fill_kernels(name, *bound[dx], Element{});
    const Tensor gradient = with_channels_second(staging.read(*bound[dy]), format);
    const BatchSizes sizes(gradient.shape);
    ChannelFactors call = batch_factors(name, sizes, kFactorVariance, execution);
    call.epsilon = epsilon;
    call.gamma = bound[scale];
    call.scale = of_channels(*bound[variance]);
    // The mean has no effect on dx when it is a constant; its operand is bound to the variance.
    call.mean = call.scale;
    const Tensor factors = staging.make({4, sizes.channels}, DType::kFloat);
    Kernels kernels = factor_kernels(call, factors);
    const Tensor out = with_channels_second(staging.write(*bound[dx]), format);
    append(kernels, channel_map_kernels(batch_map(name, &gradient, nullptr, execution), factors, out));
    return kernels;
  });
}

}  // namespace

std::shared_ptr<Executor> plan(const BNInferGradArgs& args) { return plan_inference_gradient(args, kChannelsSecond); }
std::shared_ptr<Executor> plan(const BnInferGradArgs& args) { return plan_inference_gradient(args, args.formatMode); }

}  // namespace aclvk::ops
