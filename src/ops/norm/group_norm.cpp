#include <string_view>

#include "base/error.hpp"
#include "ops/args/norm.hpp"
#include "ops/executor/handles.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/norm/norm.hpp"
#include "ops/norm/norm_checks.hpp"
#include "ops/norm/norm_rows.hpp"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

/// The parameters of all group normalisations.
struct GroupNorm {
  explicit GroupNorm(const GroupNormHandles& handles)
      : x(tensors.input(handles.x)),
        gamma(tensors.optional_input(handles.gamma)),
        beta(tensors.optional_input(handles.beta)),
        out(tensors.output(handles.out)),
        mean(tensors.output(handles.mean_out)),
        scale(tensors.output(handles.rstd_out)) {
    tensors.check_all(kNormDtypes);
  }

  TensorParameters tensors{};
  ParamId x;
  ParamId gamma;
  ParamId beta;
  ParamId out;
  ParamId mean;
  ParamId scale;
};

void check_shapes(const GroupNorm& norm, std::int64_t groups) {
  const TensorParameters& tensors = norm.tensors;
  const Shape& shape = tensors[norm.x].shape;
  check(shape.size() >= 2, Code::kNnInvalid, "{} has shape {}; it needs dims for the batch and for channels.",
        tensors.name(norm.x), shape);
  check(groups > 0 && shape[1] % groups == 0, Code::kNnInvalid,
        "{} has {} channels and the number of groups is {}; a positive divisor of the channels is expected.",
        tensors.name(norm.x), shape[1], groups);
  tensors.check_shape(norm.gamma, {shape[1]}, "an element for each channel is");
  tensors.check_shape(norm.beta, {shape[1]}, "an element for each channel is");
  tensors.check_shape(norm.out, shape, "the input has shape");
  tensors.check_shape(norm.mean, {shape[0], groups}, "batch and groups are");
  tensors.check_shape(norm.scale, {shape[0], groups}, "batch and groups are");
}

std::shared_ptr<Executor> plan(const char* name, const GroupNorm& norm, std::int64_t groups, std::uint32_t flags,
                               double epsilon, double swish) {
  const NormCall call{name, flags, epsilon, swish, runtime::execution()};
  return staged_executor(name, norm.tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    const NormParamIds ids{norm.x, norm.gamma, norm.beta, norm.out, norm.mean, norm.scale};
    return group_norm_kernels(call, tensors_at(ids, bound), groups, staging);
  });
}

}  // namespace

std::shared_ptr<Executor> plan_group_norm(const char* name, const GroupNormHandles& handles, std::int64_t groups,
                                          double epsilon, bool swish, double swish_scale) {
  const GroupNorm norm(handles);
  check_shapes(norm, groups);
  return plan(name, norm, groups, swish ? kCentered | kSwish : kCentered, epsilon, swish_scale);
}

std::shared_ptr<Executor> plan_sized_group_norm(const GroupNormHandles& handles, std::int64_t n, std::int64_t c,
                                                std::int64_t hxw, std::int64_t groups, double epsilon) {
  const GroupNorm norm(handles);
  check_shapes(norm, groups);
  const Shape& shape = norm.tensors[norm.x].shape;
  const Shape spatial(shape.begin() + 2, shape.end());
  const bool fits = shape[0] == n && shape[1] == c && (n == 0 || c == 0 || hxw == element_count(spatial));
  check(fits, Code::kNnInvalid, "N, C and HxW are {}, {} and {}; self has shape {}, whose sizes are expected.", n, c,
        hxw, shape);
  return plan("aclnnGroupNorm", norm, groups, kCentered, epsilon, 1);
}

/// aclnnInstanceNorm: statistics of each channel of each image. data_format is NCHW or NHWC.
std::shared_ptr<Executor> plan(const InstanceNormArgs& args) {
  const char* data_format = args.dataFormat.handle;
  const double epsilon = args.eps;
  const char* name = "aclnnInstanceNorm";
  TensorParameters tensors;
  const auto x = tensors.input(args.x);
  const auto gamma = tensors.input(args.gamma);
  const auto beta = tensors.input(args.beta);
  require(data_format, "dataFormat");
  const auto y = tensors.output(args.y);
  const auto mean = tensors.output(args.mean);
  const auto variance = tensors.output(args.variance);
  tensors.check_all(kNormDtypes);
  const std::string_view format = data_format;
  check(format == "NCHW" || format == "NHWC", Code::kNnInvalid, "dataFormat is {}; expected NCHW or NHWC.", format);
  const Shape& shape = tensors[x].shape;
  check(shape.size() == 4, Code::kNnInvalid, "x has shape {}; an image has four dims.", shape);
  const bool last = format == "NHWC";
  const std::int64_t channels = shape[last ? 3 : 1];
  const Shape one = last ? Shape{shape[0], 1, 1, channels} : Shape{shape[0], channels, 1, 1};
  tensors.check_shape(gamma, {channels}, "an element for each channel is");
  tensors.check_shape(beta, {channels}, "an element for each channel is");
  tensors.check_shape(y, shape, "x has shape");
  tensors.check_shape(mean, one, "an element for each image and channel is");
  tensors.check_shape(variance, one, "an element for each image and channel is");
  const NormCall call{name, kCentered | kVarianceOut, epsilon, 1, runtime::execution()};
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    const NormTensors given = tensors_at({x, gamma, beta, y, mean, variance}, bound);
    // An instance norm of NCHW is a group norm with one channel a group.
    if (last) return channels_last_norm_kernels(call, given, staging);
    return group_norm_kernels(call, given, channels, staging);
  });
}

}  // namespace aclvk::ops
