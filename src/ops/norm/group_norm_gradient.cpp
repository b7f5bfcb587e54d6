#include <string_view>

#include "base/error.hpp"
#include "ops/create/fill.hpp"
#include "ops/executor/output_mask.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/norm/channel_map.hpp"
#include "ops/norm/norm_checks.hpp"
#include "ops/norm/norm_gradients.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

struct GroupGradient {
  const char* name;
  TensorParameters tensors{};
  ParamId dy{};
  ParamId x{};
  ParamId mean{};
  ParamId rstd{};
  ParamId gamma{};
  ParamId beta = ParamId::kNone;
  ParamId dx{};
  ParamId dgamma{};
  ParamId dbeta{};
  std::int64_t groups = 1;
  std::optional<double> swish{};
  runtime::Execution execution = runtime::execution();
};

void add_outputs(GroupGradient& call, const GroupNormGradHandles& handles, const OutputMask& mask) {
  call.dx = wanted_output(call.tensors, mask[0], handles.dx);
  call.dgamma = wanted_output(call.tensors, mask[1], handles.dgamma);
  call.dbeta = wanted_output(call.tensors, mask[2], handles.dbeta);
}

void check_shapes(const GroupGradient& call) {
  const TensorParameters& tensors = call.tensors;
  tensors.check_all(kNormDtypes);
  const Shape& shape = tensors[call.x].shape;
  check(shape.size() >= 2, Code::kNnInvalid, "{} has shape {}; it needs dims for the batch and for channels.",
        tensors.name(call.x), shape);
  check(call.groups > 0 && shape[1] % call.groups == 0, Code::kNnInvalid,
        "{} has {} channels and the number of groups is {}; a positive divisor of the channels is expected.",
        tensors.name(call.x), shape[1], call.groups);
  tensors.check_shape(call.dy, shape, "x has shape");
  tensors.check_shape(call.dx, shape, "x has shape");
  for (const ParamId param : {call.mean, call.rstd}) {
    tensors.check_shape(param, {shape[0], call.groups}, "batch and groups are");
  }
  for (const ParamId param : {call.gamma, call.dgamma, call.dbeta}) {
    tensors.check_shape(param, {shape[1]}, "an element for each channel is");
  }
  if (call.beta != ParamId::kNone) tensors.check_shape(call.beta, {shape[1]}, "an element for each channel is");
}

/// Builds the kernels of one run.
class GroupNormGradientKernels {
 public:
  GroupNormGradientKernels(const GroupGradient& call, const TensorParameters::BoundTensors& bound, Staging& staging)
      : call_(call),
        bound_(bound),
        staging_(staging),
        x_(staging.read(*bound[call.x])),
        dy_(staging.read(*bound[call.dy])) {
    const Shape& shape = x_.shape;
    images_ = shape[0];
    all_channels_ = shape[1];
    spatial_size_ = element_count({shape.begin() + 2, shape.end()});
  }

  Kernels kernels() {
    if (x_.empty()) return zeros();
    if (call_.swish) undo_activation();
    const Tensor sums = staging_.make({images_, all_channels_}, DType::kFloat);
    const Tensor products = staging_.make({images_, all_channels_}, DType::kFloat);
    GradientSums call{call_.name, call_.execution, &dy_, &x_, images_, call_.groups, channels(), spatial_size_};
    call.mean = statistic(call_.mean);
    call.scale = statistic(call_.rstd);
    // Sums of each image and channel serve both: over images they give dgamma and dbeta, over a group the terms
    // of dx.
    append(kernels_, image_sum_kernels(call, sums, products));
    append(kernels_, sum_of_images_kernels(call, products, bound_[call_.dgamma], staging_));
    append(kernels_, sum_of_images_kernels(call, sums, bound_[call_.dbeta], staging_));
    if (bound_[call_.dx]) add_input_gradient(sums, products);
    return std::move(kernels_);
  }

 private:
  /// The gradients of an empty x: parameters' gradients are 0.
  Kernels zeros() const {
    Kernels kernels;
    for (const ParamId param : {call_.dx, call_.dgamma, call_.dbeta}) {
      if (bound_[param]) append(kernels, fill_kernels(call_.name, *bound_[param], Element{}));
    }
    return kernels;
  }

  std::int64_t channels() const { return all_channels_ / call_.groups; }

  ChannelStatistic statistic(ParamId param) const {
    const Tensor& tensor = *bound_[param];
    return {&tensor, tensor.strides[0], tensor.strides[1], 0};
  }

  ChannelFactors factors_call(std::uint32_t flags) const {
    ChannelFactors call{call_.name, call_.execution, flags};
    call.images = x_.empty() ? 0 : images_;
    call.groups = call_.groups;
    call.channels = channels();
    call.gamma = bound_[call_.gamma];
    call.mean = statistic(call_.mean);
    call.scale = statistic(call_.rstd);
    return call;
  }

  ChannelMap map_call() const {
    ChannelMap map{call_.name, call_.execution, &dy_, &x_, images_, all_channels_, spatial_size_};
    map.by_image = true;
    return map;
  }

  Tensor make_factors() { return staging_.make({4, images_, all_channels_}, DType::kFloat); }

  /// Replaces dy by the gradient of the normalised value, before the activation.
  void undo_activation() {
    ChannelFactors call = factors_call(kFactorForward);
    call.beta = bound_[call_.beta];
    const Tensor factors = make_factors();
    append(kernels_, factor_kernels(call, factors));
    // The map recomputes the normalised value from x to evaluate the derivative of the activation.
    ChannelMap map = map_call();
    map.swish = call_.swish;
    const Tensor inner = staging_.make(x_.shape, DType::kFloat);
    append(kernels_, channel_map_kernels(map, factors, inner));
    dy_ = inner;
  }

  void add_input_gradient(const Tensor& sums, const Tensor& products) {
    ChannelFactors call = factors_call(kFactorSums);
    call.inverse_count = 1 / static_cast<double>(channels() * spatial_size_);
    call.sums = &sums;
    call.products = &products;
    const Tensor factors = make_factors();
    append(kernels_, factor_kernels(call, factors));
    append(kernels_, channel_map_kernels(map_call(), factors, staging_.write(*bound_[call_.dx])));
  }

  const GroupGradient& call_;
  const TensorParameters::BoundTensors& bound_;
  Staging& staging_;
  Tensor x_;
  Tensor dy_;
  std::int64_t images_ = 0;
  std::int64_t all_channels_ = 0;
  std::int64_t spatial_size_ = 1;
  Kernels kernels_;
};

std::shared_ptr<Executor> plan(const GroupGradient& call) {
  return staged_executor(
      call.name, call.tensors, [call](const TensorParameters::BoundTensors& bound, Staging& staging) {
        bound.check_disjoint({call.dgamma, call.dbeta}, {call.dy, call.x, call.mean, call.rstd, call.gamma, call.beta});
        return GroupNormGradientKernels(call, bound, staging).kernels();
      });
}

}  // namespace

std::shared_ptr<Executor> plan_group_norm_backward(const GroupNormGradHandles& handles, const GroupNormSizes& sizes,
                                                   std::int64_t groups, const BoolArrayArg& mask) {
  GroupGradient call{"aclnnGroupNormBackward"};
  call.dy = call.tensors.input(handles.dy);
  call.x = call.tensors.input(handles.x);
  call.mean = call.tensors.input(handles.mean);
  call.rstd = call.tensors.input(handles.rstd);
  call.gamma = call.tensors.optional_input(handles.gamma);
  add_outputs(call, handles, required_output_mask(mask));
  call.groups = groups;
  check_shapes(call);
  const Shape& shape = call.tensors[call.x].shape;
  const bool empty = sizes.n == 0 || sizes.c == 0;
  const bool fits = shape[0] == sizes.n && shape[1] == sizes.c &&
                    (empty || sizes.hxw == element_count({shape.begin() + 2, shape.end()}));
  check(fits, Code::kNnInvalid, "N, C and HxW are {}, {} and {}; input has shape {}, whose sizes are expected.",
        sizes.n, sizes.c, sizes.hxw, shape);
  return plan(call);
}

std::shared_ptr<Executor> plan_group_norm_swish_grad(const GroupNormGradHandles& handles, std::int64_t groups,
                                                     const char* data_format, double swish, bool wants_dgamma,
                                                     bool wants_dbeta) {
  GroupGradient call{"aclnnGroupNormSwishGrad"};
  call.dy = call.tensors.input(handles.dy);
  call.mean = call.tensors.input(handles.mean);
  call.rstd = call.tensors.input(handles.rstd);
  call.x = call.tensors.input(handles.x);
  call.gamma = call.tensors.input(handles.gamma);
  call.beta = call.tensors.input(handles.beta);
  add_outputs(call, handles, {true, wants_dgamma, wants_dbeta});
  call.groups = groups;
  call.swish = swish;
  check_shapes(call);
  const std::string_view format = data_format ? data_format : "NCHW";
  check(format == "NCHW" || format.empty(), Code::kNnInvalid, "dataFormatOptional is \"{}\"; expected \"NCHW\".",
        format);
  return plan(call);
}

}  // namespace aclvk::ops
