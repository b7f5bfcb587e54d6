#include "base/error.hpp"
#include "ops/args/norm.hpp"
#include "ops/elementwise/tables.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/norm/layer_gradient.hpp"
#include "ops/norm/norm_checks.hpp"
#include "ops/reduction/reduce.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;
using BoundTensors = TensorParameters::BoundTensors;

constexpr const char* kName = "aclnnAdaLayerNormBackward";

/// The tensors of the gradient of LayerNorm(x) * (1 + scale) + shift. x is (batch..., rows, columns), and scale and
/// shift have no dim of rows, or one of size 1.
struct Ids {
  ParamId dy;
  ParamId x;
  ParamId rstd;
  ParamId mean;
  ParamId scale;
  ParamId shift;
  ParamId weight;
  ParamId bias;
  ParamId dx;
  ParamId dscale;
  ParamId dshift;
  ParamId dweight;
  ParamId dbias;
};

/// Returns a scale with a dim of rows.
Tensor with_rows(const Tensor& scale, std::size_t rank) {
  return scale.shape.size() == rank ? scale : repeated(scale, rank - 2, 1);
}
/// Returns a gradient of a scale without the dim of rows.
Tensor without_rows(const Tensor& scale, std::size_t rank) {
  return scale.shape.size() == rank ? selected(scale, rank - 2) : scale;
}
/// Returns a statistic of rows with a dim of columns of size 1.
Tensor with_columns(const Tensor& statistic, std::size_t rank) {
  return statistic.shape.size() == rank ? statistic : unflattened(statistic, rank - 2, 1);
}

Kernels multiply_kernels(const Tensor& x, const Tensor& y, const Tensor& out) {
  return pointwise_kernels(kName, row_of(BinaryOp::kMul), DType::kFloat, {&x, &y}, out);
}
/// out = x + y * z
Kernels multiply_add_kernels(const Tensor& x, const Tensor& y, const Tensor& z, const Tensor& out) {
  return pointwise_kernels(kName, row_of(TernaryOp::kAddcmul), DType::kFloat, {&x, &y, &z}, out, {{1}});
}

/// The sums of dy, and of dy times LayerNorm(x), over the rows of an element of the batch.
Kernels modulation_kernels(const Ids& ids, const BoundTensors& bound, Staging& staging) {
  const Tensor& dy = *bound[ids.dy];
  const Tensor& x = *bound[ids.x];
  const std::size_t rank = x.shape.size();
  const Tensor mean = with_columns(*bound[ids.mean], rank);
  const Tensor rstd = with_columns(*bound[ids.rstd], rank);
  const Tensor values = staging.make(x.shape, DType::kFloat);
  Kernels kernels = pointwise_kernels(kName, row_of(BinaryOp::kSub), DType::kFloat, {&x, &mean}, values, {{1}});
  append(kernels, multiply_kernels(values, rstd, values));
  append(kernels, multiply_kernels(values, dy, values));
  const Shape sizes = without(x.shape, rank - 2);
  const Tensor sums = staging.make(sizes, DType::kFloat);
  const Tensor products = staging.make(sizes, DType::kFloat);
  const DimMask rows = DimMask{1} << (rank - 2);
  append(kernels, reduce_kernels(kName, ReduceKind::kSum, DType::kFloat, dy, rows, sums, staging));
  append(kernels, reduce_kernels(kName, ReduceKind::kSum, DType::kFloat, values, rows, products, staging));
  append(kernels, copy_kernels(kName, without_rows(*bound[ids.dshift], rank), sums));
  // All rows share weight and bias, so these are applied to the sums.
  if (bound[ids.weight]) append(kernels, multiply_kernels(products, *bound[ids.weight], products));
  const Tensor dscale = without_rows(*bound[ids.dscale], rank);
  append(kernels, bound[ids.bias] ? multiply_add_kernels(products, sums, *bound[ids.bias], dscale)
                                  : copy_kernels(kName, dscale, products));
  return kernels;
}

Kernels gradient_kernels(const Ids& ids, const BoundTensors& bound, runtime::Execution execution, Staging& staging) {
  bound.check_disjoint({ids.dscale, ids.dshift, ids.dweight, ids.dbias},
                       {ids.dy, ids.x, ids.rstd, ids.mean, ids.scale, ids.weight, ids.bias});
  bound.check_disjoint({ids.dx}, {ids.rstd, ids.mean, ids.weight});
  const std::size_t rank = bound[ids.x]->shape.size();
  Kernels kernels = modulation_kernels(ids, bound, staging);
  // The gradient of LayerNorm(x) is dy * (1 + scale).
  const Tensor inner = staging.make(bound[ids.dy]->shape, DType::kFloat);
  append(kernels, multiply_add_kernels(*bound[ids.dy], *bound[ids.dy], with_rows(*bound[ids.scale], rank), inner));
  LayerGradient call{kName, execution, rank - 1};
  call.dy = &inner;
  call.x = bound[ids.x];
  call.gamma = bound[ids.weight];
  call.mean = bound[ids.mean];
  call.scale = bound[ids.rstd];
  append(kernels, layer_gradient_kernels(call, {bound[ids.dx], bound[ids.dweight], bound[ids.dbias]}, staging));
  return kernels;
}

void check_modulation(const TensorParameters& tensors, const Ids& ids) {
  const Shape& x = tensors[ids.x].shape;
  const Shape without_dim = without(x, x.size() - 2);
  const Shape with_one = with(without_dim, x.size() - 2, 1);
  for (const ParamId param : {ids.scale, ids.shift}) {
    const Shape& shape = tensors[param].shape;
    check(shape == without_dim || shape == with_one, Code::kNnInvalid,
          "{} has shape {}; input has shape {}, and expected is {} or {}.", tensors.name(param), shape, x, without_dim,
          with_one);
  }
  tensors.check_shape(ids.dscale, tensors[ids.scale].shape, "scale has shape");
  tensors.check_shape(ids.dshift, tensors[ids.shift].shape, "shift has shape");
}

void check_tensors(const TensorParameters& tensors, const Ids& ids, const Shape& normalized) {
  tensors.check_all(kNormDtypes);
  const Shape& shape = tensors[ids.x].shape;
  const std::size_t lead = leading_dims(tensors, ids.x, normalized, "normalizedShape");
  check(normalized.size() == 1 && lead > 0, Code::kNnInvalid,
        "normalizedShape is {} and input has shape {}; the last of at least two dims is normalised.", normalized,
        shape);
  for (const ParamId param : {ids.dy, ids.dx}) tensors.check_shape(param, shape, "input has shape");
  for (const ParamId param : {ids.rstd, ids.mean}) check_row_values(tensors, param, shape, lead);
  check_modulation(tensors, ids);
  for (const ParamId param : {ids.weight, ids.bias, ids.dweight, ids.dbias}) {
    tensors.check_shape(param, normalized, "normalizedShape is");
  }
}

}  // namespace

/// aclnnAdaLayerNormBackward. The gradient of a weight or bias that is NULL may be NULL, too.
std::shared_ptr<Executor> plan(const AdaLayerNormBackwardArgs& args) {
  TensorParameters tensors;
  Ids ids{};
  ids.dy = tensors.input(args.gradOut);
  ids.x = tensors.input(args.input);
  const Shape normalized = required_normalized_shape(args.normalizedShape);
  ids.rstd = tensors.input(args.rstd);
  ids.mean = tensors.input(args.mean);
  ids.scale = tensors.input(args.scale);
  ids.shift = tensors.input(args.shift);
  ids.weight = tensors.optional_input(args.weightOptional);
  ids.bias = tensors.optional_input(args.biasOptional);
  const auto of_parameter = [&](ParamId parameter, const OutputArg& arg) {
    return tensors.has(parameter) ? tensors.output(arg) : tensors.optional_output(arg);
  };
  ids.dx = tensors.output(args.gradInputOut);
  ids.dscale = tensors.output(args.gradScaleOut);
  ids.dshift = tensors.output(args.gradShiftOut);
  ids.dweight = of_parameter(ids.weight, args.gradWeightOut);
  ids.dbias = of_parameter(ids.bias, args.gradBiasOut);
  check_tensors(tensors, ids, normalized);
  const runtime::Execution execution = runtime::execution();
  return staged_executor(kName, tensors, [=](const BoundTensors& bound, Staging& staging) {
    return gradient_kernels(ids, bound, execution, staging);
  });
}

}  // namespace aclvk::ops
