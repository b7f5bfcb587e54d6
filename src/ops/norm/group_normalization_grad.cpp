#include "base/error.hpp"
#include "ops/args/norm.hpp"
#include "ops/create/fill.hpp"
#include "ops/elementwise/tables.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/norm/channel_map.hpp"
#include "ops/norm/norm_checks.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

/// The tensors of aclnnGroupNormalizationGrad: x and dy are (images, groups, elements of a group).
struct Ids {
  ParamId x;
  ParamId dy;
  ParamId gamma;
  ParamId mean;
  ParamId rstd;
  ParamId dx;
};

Kernels times(const char* name, const Tensor& x, const Tensor& gamma, const Tensor& out) {
  return pointwise_kernels(name, row_of(BinaryOp::kMul), DType::kFloat, {&x, &gamma}, out);
}

ChannelStatistic of_groups(const Tensor& statistic) {
  return {&statistic, statistic.strides[0], statistic.strides[1], 0};
}

/// dx = gamma * rstd * (dy - mean of gamma * dy - n * mean of gamma * dy * n) with n = (x - mean) * rstd
Kernels gradient_kernels(const char* name, const Ids& ids, const TensorParameters::BoundTensors& bound,
                         runtime::Execution execution, Staging& staging) {
  const Tensor x = staging.read(*bound[ids.x]);
  if (x.empty()) return fill_kernels(name, *bound[ids.dx], Element{});
  const Tensor dy = staging.read(*bound[ids.dy]);
  const std::int64_t images = x.shape[0];
  const std::int64_t groups = x.shape[1];
  const std::int64_t count = x.shape[2];
  const Tensor values = staging.make(x.shape, DType::kFloat);
  Kernels kernels = times(name, dy, *bound[ids.gamma], values);
  const Tensor sums = staging.make({images, groups}, DType::kFloat);
  const Tensor products = staging.make({images, groups}, DType::kFloat);
  GradientSums sum{name, execution, &values, &x, images, groups, 1, count};
  sum.mean = of_groups(*bound[ids.mean]);
  sum.scale = of_groups(*bound[ids.rstd]);
  append(kernels, image_sum_kernels(sum, sums, products));
  ChannelFactors factor{name, execution, kFactorSums};
  factor.inverse_count = 1 / static_cast<double>(count);
  factor.images = images;
  factor.groups = groups;
  factor.sums = &sums;
  factor.products = &products;
  factor.mean = sum.mean;
  factor.scale = sum.scale;
  const Tensor factors = staging.make({4, images, groups}, DType::kFloat);
  append(kernels, factor_kernels(factor, factors));
  ChannelMap map{name, execution, &dy, &x, images, groups, count};
  map.by_image = true;
  append(kernels, channel_map_kernels(map, factors, values));
  append(kernels, times(name, values, *bound[ids.gamma], *bound[ids.dx]));
  return kernels;
}

}  // namespace

/// aclnnGroupNormalizationGrad. Its document multiplies the sums of gamma * dy by gamma, which aclnnGroupNormBackward
/// does not.
std::shared_ptr<Executor> plan(const GroupNormalizationGradArgs& args) {
  const char* name = args.kOperator;
  TensorParameters tensors;
  Ids ids{};
  ids.x = tensors.input(args.x);
  ids.dy = tensors.input(args.dy);
  ids.gamma = tensors.input(args.gamma);
  ids.mean = tensors.input(args.mean);
  ids.rstd = tensors.input(args.rstd);
  ids.dx = tensors.output(args.dx);
  tensors.check_all(kNormDtypes);
  const Shape& shape = tensors[ids.x].shape;
  check(shape.size() == 3, Code::kNnInvalid,
        "x has shape {}; it needs three dims: the batch, groups, and the elements of a group.", shape);
  const Shape& gamma = tensors[ids.gamma].shape;
  const auto common = broadcast(gamma, shape);
  check(common && *common == shape, Code::kNnInvalid, "gamma has shape {}; it does not broadcast to that of x, {}.",
        gamma, shape);
  for (const ParamId param : {ids.dy, ids.dx}) tensors.check_shape(param, shape, "x has shape");
  for (const ParamId param : {ids.mean, ids.rstd}) check_row_values(tensors, param, shape, 2);
  const runtime::Execution execution = runtime::execution();
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    return gradient_kernels(name, ids, bound, execution, staging);
  });
}

}  // namespace aclvk::ops
