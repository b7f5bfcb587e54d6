#include "base/error.hpp"
#include "ops/args/norm.hpp"
#include "ops/elementwise/tables.hpp"
#include "ops/executor/handles.hpp"
#include "ops/executor/output_mask.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/norm/add.hpp"
#include "ops/norm/layer_gradient.hpp"
#include "ops/norm/norm_checks.hpp"
#include "ops/norm/norm_gradients.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

/// The parameters that gradients of normalisations over the last dims share.
struct GradientParamIds {
  ParamId dy{};
  ParamId x{};
  ParamId gamma = ParamId::kNone;
  ParamId mean = ParamId::kNone;
  ParamId scale{};
  ParamId dx{};
  ParamId dgamma = ParamId::kNone;
  ParamId dbeta = ParamId::kNone;
};

/// Checks the shapes for a normalisation over dims of shape `normalized`; returns how many leading dims are not
/// normalised.
std::size_t check_shapes(const TensorParameters& tensors, const GradientParamIds& ids, const Shape& normalized,
                         const char* what) {
  const std::size_t lead = leading_dims(tensors, ids.x, normalized, what);
  const Shape& shape = tensors[ids.x].shape;
  tensors.check_shape(ids.dy, shape, "x has shape");
  for (const ParamId param : {ids.gamma, ids.dgamma, ids.dbeta}) {
    tensors.check_shape(param, normalized, "the normalised dims are");
  }
  for (const ParamId param : {ids.mean, ids.scale}) check_row_values(tensors, param, shape, lead);
  tensors.check_shape(ids.dx, shape, "x has shape");
  return lead;
}

LayerGradient gradient_at(const char* name, const GradientParamIds& ids, std::size_t lead,
                          const TensorParameters::BoundTensors& bound, runtime::Execution execution) {
  LayerGradient call{name, execution, lead};
  call.dy = bound[ids.dy];
  call.x = bound[ids.x];
  call.gamma = bound[ids.gamma];
  call.mean = bound[ids.mean];
  call.scale = bound[ids.scale];
  return call;
}

/// Checks memory: the gradients of gamma and beta are written first, and a row's operands are read until its dx is
/// written.
LayerGradientOutputs outputs_at(const GradientParamIds& ids, const TensorParameters::BoundTensors& bound) {
  bound.check_disjoint({ids.dgamma, ids.dbeta}, {ids.dy, ids.x, ids.gamma, ids.mean, ids.scale});
  bound.check_disjoint({ids.dx}, {ids.gamma, ids.mean, ids.scale});
  return {bound[ids.dx], bound[ids.dgamma], bound[ids.dbeta]};
}

/// The gradient of a normalisation of alpha * x + addend, where dx becomes that of the sum.
Kernels sum_gradient_kernels(LayerGradient call, const GradientParamIds& ids,
                             const TensorParameters::BoundTensors& bound, float alpha, const Tensor& addend,
                             const Tensor& dx, Staging& staging) {
  const Tensor x = staging.make(call.x->shape, DType::kFloat);
  Kernels kernels = add_kernels(call.name, alpha, *call.x, addend, nullptr, x);
  call.x = &x;
  LayerGradientOutputs outputs = outputs_at(ids, bound);
  outputs.dx = &dx;
  append(kernels, layer_gradient_kernels(call, outputs, staging));
  return kernels;
}

/// Returns the executor of an operator that computes this gradient alone.
std::shared_ptr<Executor> plan(const char* name, const TensorParameters& tensors, const GradientParamIds& ids,
                               std::size_t lead) {
  const runtime::Execution execution = runtime::execution();
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    return layer_gradient_kernels(gradient_at(name, ids, lead, bound, execution), outputs_at(ids, bound), staging);
  });
}

}  // namespace

/// aclnnLayerNormBackward.
std::shared_ptr<Executor> plan(const LayerNormBackwardArgs& args) {
  TensorParameters tensors;
  GradientParamIds ids;
  ids.dy = tensors.input(args.gradOut);
  ids.x = tensors.input(args.input);
  require(args.normalizedShape);
  ids.mean = tensors.input(args.mean);
  ids.scale = tensors.input(args.rstd);
  ids.gamma = tensors.optional_input(args.weightOptional);
  const ParamId bias = tensors.optional_input(args.biasOptional);
  const OutputMask mask = required_output_mask(args.outputMask);
  ids.dx = wanted_output(tensors, mask[0], args.gradInputOut);
  ids.dgamma = wanted_output(tensors, mask[1], args.gradWeightOut);
  ids.dbeta = wanted_output(tensors, mask[2], args.gradBiasOut);
  tensors.check_all(kNormDtypes);
  const Shape normalized = required_normalized_shape(args.normalizedShape);
  const std::size_t lead = check_shapes(tensors, ids, normalized, "normalizedShape");
  tensors.check_shape(bias, normalized, "normalizedShape is");
  return plan("aclnnLayerNormBackward", tensors, ids, lead);
}

std::shared_ptr<Executor> plan_layer_normalization_grad(const LayerNormGradHandles& handles) {
  TensorParameters tensors;
  GradientParamIds ids;
  ids.dy = tensors.input(handles.dy);
  ids.x = tensors.input(handles.x);
  ids.gamma = tensors.input(handles.gamma);
  ids.mean = tensors.input(handles.mean);
  ids.scale = tensors.input(handles.rstd);
  ids.dx = tensors.output(handles.dx);
  ids.dgamma = tensors.output(handles.dgamma);
  ids.dbeta = tensors.output(handles.dbeta);
  tensors.check_all(kNormDtypes);
  check(tensors[ids.x].shape.size() == 2, Code::kNnInvalid, "x has shape {}; it needs two dims.", tensors[ids.x].shape);
  const std::size_t lead = check_shapes(tensors, ids, tensors[ids.gamma].shape, "the shape of gamma");
  return plan("aclnnLayerNormalizationGrad", tensors, ids, lead);
}

std::shared_ptr<Executor> plan_add_layer_norm_grad(const LayerNormGradHandles& handles) {
  const char* name = "aclnnAddLayerNormGrad";
  TensorParameters tensors;
  GradientParamIds ids;
  ids.dy = tensors.input(handles.dy);
  ids.x = tensors.input(handles.x);
  const ParamId x2 = tensors.input(handles.x2);
  ids.scale = tensors.input(handles.rstd);
  ids.mean = tensors.input(handles.mean);
  ids.gamma = tensors.input(handles.gamma);
  const ParamId dsum = tensors.optional_input(handles.dsum);
  ids.dx = tensors.output(handles.dx);
  ids.dgamma = tensors.output(handles.dgamma);
  ids.dbeta = tensors.output(handles.dbeta);
  tensors.check_all(kNormDtypes);
  tensors.check_dtypes({ids.scale, ids.mean, ids.dgamma, ids.dbeta}, {DType::kFloat});
  const Shape& shape = tensors[ids.x].shape;
  const std::size_t lead = check_shapes(tensors, ids, tensors[ids.gamma].shape, "the shape of gamma");
  for (const ParamId param : {x2, dsum}) tensors.check_shape(param, shape, "x1 has shape");
  const runtime::Execution execution = runtime::execution();
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    // dsum is the gradient of the sum output, which reaches x1 and x2 directly.
    const Tensor dx = bound[dsum] ? staging.make(bound[ids.x]->shape, DType::kFloat) : *bound[ids.dx];
    Kernels kernels =
        sum_gradient_kernels(gradient_at(name, ids, lead, bound, execution), ids, bound, 1, *bound[x2], dx, staging);
    if (bound[dsum]) append(kernels, add_kernels(name, 1, dx, *bound[dsum], nullptr, *bound[ids.dx]));
    return kernels;
  });
}

/// The gradient of LayerNorm(alpha * x + gx).
std::shared_ptr<Executor> plan(const DeepNormGradArgs& args) {
  const char* name = args.kOperator;
  const double alpha = args.alpha;
  TensorParameters tensors;
  GradientParamIds ids;
  ids.dy = tensors.input(args.dy);
  ids.x = tensors.input(args.x);
  const ParamId gx = tensors.input(args.gx);
  ids.gamma = tensors.input(args.gamma);
  ids.mean = tensors.input(args.mean);
  ids.scale = tensors.input(args.rstd);
  ids.dx = tensors.output(args.dxOut);
  const ParamId dgx = tensors.output(args.dgxOut);
  ids.dbeta = tensors.output(args.dbetaOut);
  ids.dgamma = tensors.output(args.dgammaOut);
  tensors.check_all(kNormDtypes);
  tensors.check_dtypes({ids.mean, ids.scale, ids.dbeta, ids.dgamma}, {DType::kFloat});
  const Shape& shape = tensors[ids.x].shape;
  const std::size_t lead = check_shapes(tensors, ids, tensors[ids.gamma].shape, "the shape of gamma");
  for (const ParamId param : {gx, dgx}) tensors.check_shape(param, shape, "x has shape");
  const runtime::Execution execution = runtime::execution();
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    const Tensor gradient = staging.make(bound[ids.x]->shape, DType::kFloat);
    Kernels kernels = sum_gradient_kernels(gradient_at(name, ids, lead, bound, execution), ids, bound,
                                           static_cast<float>(alpha), *bound[gx], gradient, staging);
    // gx has the factor 1, and x the factor alpha.
    append(kernels, copy_kernels(name, *bound[dgx], gradient));
    // The null operand stands for alpha, which is an argument.
    append(kernels, pointwise_kernels(name, row_of(BinaryOp::kMul), DType::kFloat, {&gradient, nullptr}, *bound[ids.dx],
                                      {{}, alpha}));
    return kernels;
  });
}

/// aclnnRmsNormGrad.
std::shared_ptr<Executor> plan(const RmsNormGradArgs& args) {
  TensorParameters tensors;
  GradientParamIds ids;
  ids.dy = tensors.input(args.dy);
  ids.x = tensors.input(args.x);
  ids.scale = tensors.input(args.rstd);
  ids.gamma = tensors.input(args.gamma);
  ids.dx = tensors.output(args.dxOut);
  ids.dgamma = tensors.output(args.dgammaOut);
  tensors.check_all(kNormDtypes);
  tensors.check_dtypes({ids.scale, ids.dgamma}, {DType::kFloat});
  const std::size_t lead = check_shapes(tensors, ids, tensors[ids.gamma].shape, "the shape of gamma");
  return plan("aclnnRmsNormGrad", tensors, ids, lead);
}

}  // namespace aclvk::ops
