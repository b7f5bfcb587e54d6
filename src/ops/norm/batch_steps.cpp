#include "ops/norm/batch_steps.hpp"

#include "base/error.hpp"
#include "norm/statistic.args.h"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/reduction/reduction.hpp"

namespace aclvk::ops {

using ParamId = TensorParameters::ParamId;
using runtime::Access;

BatchSizes::BatchSizes(const Shape& shape)
    : images(shape[0]), channels(shape[1]), spatial_size(element_count({shape.begin() + 2, shape.end()})) {}

void check_batch(const TensorParameters& tensors, ParamId x) {
  const Shape& shape = tensors[x].shape;
  check(shape.size() >= 2, Code::kNnInvalid, "{} has shape {}; it needs dims for the batch and for channels.",
        tensors.name(x), shape);
}

void check_channels(const TensorParameters& tensors, ParamId x, std::initializer_list<ParamId> params) {
  for (const ParamId param : params) {
    tensors.check_shape(param, {tensors[x].shape[1]}, "an element for each channel is");
  }
}

Kernels batch_moment_kernels(const char* name, const Tensor& x, const Tensor& variance, const Tensor& mean,
                             runtime::Execution execution, Staging& staging) {
  Reduction reduction;
  reduction.name = name;
  reduction.shader = "reduction/moments_f32";
  reduction.promoted = x.dtype;
  // All dims but the channels, which are dim 1, are reduced.
  reduction.dims = all_dims(x) & ~DimMask{2};
  reduction.execution = execution;
  const auto bytes = static_cast<std::int64_t>(reduction_workspace(reduction, x, 2));
  const Tensor states = staging.make({bytes}, DType::kUint8);
  return reduction_kernels(reduction, x, {&variance, &mean}, const_cast<std::byte*>(states.address()));
}

namespace {

ARGUMENT_STRUCT(StatisticArguments, STATISTIC_ARGUMENTS);
CONSTANT_STRUCT(StatisticConstants, STATISTIC_CONSTANTS);

Kernels statistic_kernels(const char* name, const Tensor& x, const Tensor& y, const Tensor& out, bool root,
                          const StatisticArguments& arguments) {
  StridedCall call;
  call.name = name;
  call.shader = "norm/statistic_f32";
  call.promoted = DType::kFloat;
  StatisticConstants constants;
  constants.kRoot = root ? 1 : 0;
  add_constants(call, constants);
  add_arguments(call, arguments);
  call.operands = {{&x, Access::kRead, root}, {&y, Access::kRead, false}, {&out, Access::kWrite, false}};
  return strided_kernels(call);
}

}  // namespace

Kernels running_kernels(const char* name, const Tensor& running, const Tensor& statistic, double momentum,
                        double factor) {
  StatisticArguments arguments;
  arguments.keep_factor = static_cast<float>(1 - momentum);
  // The factor turns the biased statistic into the unbiased one.
  arguments.batch_factor = static_cast<float>(momentum * factor);
  return statistic_kernels(name, running, statistic, running, false, arguments);
}

Kernels deviation_kernels(const char* name, const Tensor& variance, double epsilon, const Tensor& out) {
  StatisticArguments arguments;
  arguments.epsilon = static_cast<float>(epsilon);
  return statistic_kernels(name, variance, variance, out, true, arguments);
}

ChannelStatistic of_channels(const Tensor& statistic) {
  ChannelStatistic of;
  of.tensor = &statistic;
  of.of_group = of.of_channel = statistic.strides[0];
  return of;
}

GradientSums batch_sums(const char* name, const Tensor& dy, const Tensor& x, runtime::Execution execution) {
  const BatchSizes sizes(x.shape);
  return {name, execution, &dy, &x, sizes.images, 1, sizes.channels, sizes.spatial_size};
}

ChannelFactors batch_factors(const char* name, const BatchSizes& sizes, std::uint32_t flags,
                             runtime::Execution execution) {
  ChannelFactors call{name, execution, flags};
  call.inverse_count = 1 / static_cast<double>(sizes.of_channel());
  call.groups = sizes.channels;
  return call;
}

ChannelMap batch_map(const char* name, const Tensor* dy, const Tensor* x, runtime::Execution execution) {
  const BatchSizes sizes((x ? x : dy)->shape);
  return {name, execution, dy, x, sizes.images, sizes.channels, sizes.spatial_size};
}

Tensor float_channels(const Tensor* tensor, std::int64_t channels, Staging& staging) {
  if (tensor && tensor->dtype == DType::kFloat && is_contiguous(*tensor)) return *tensor;
  return staging.make({channels}, DType::kFloat);
}

}  // namespace aclvk::ops
