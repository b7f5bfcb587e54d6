#include "base/error.hpp"
#include "ops/elementwise/copy.hpp"
#include "ops/elementwise/tables.hpp"
#include "ops/handles.hpp"
#include "ops/norm/add.hpp"
#include "ops/norm/layer_gradient.hpp"
#include "ops/norm/norm_checks.hpp"
#include "ops/norm/norm_gradients.hpp"
#include "ops/output_mask.hpp"
#include "ops/staged_executor.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

/// Where the tensors are that all gradients of norms over the last dims have.
struct GradientPlaces {
  ParamId dy{};
  ParamId x{};
  ParamId gamma = ParamId::kNone;
  ParamId mean = ParamId::kNone;
  ParamId scale{};
  ParamId dx{};
  ParamId dgamma = ParamId::kNone;
  ParamId dbeta = ParamId::kNone;
};

/// The shapes, for a norm over dims of the shape `normalized`; how many dims are not normalised.
std::size_t check_shapes(const TensorParameters& tensors, const GradientPlaces& places, const Shape& normalized,
                         const char* what) {
  const std::size_t lead = leading_dims(tensors, places.x, normalized, what);
  const Shape& shape = tensors[places.x].shape;
  tensors.check_shape(places.dy, shape, "x has shape");
  for (const ParamId place : {places.gamma, places.dgamma, places.dbeta}) {
    tensors.check_shape(place, normalized, "the normalised dims are");
  }
  for (const ParamId place : {places.mean, places.scale}) check_row_values(tensors, place, shape, lead);
  tensors.check_shape(places.dx, shape, "x has shape");
  return lead;
}

LayerGradient gradient_at(const char* name, const GradientPlaces& places, std::size_t lead,
                          const TensorParameters::BoundTensors& bound, runtime::Execution execution) {
  LayerGradient call{name, execution, lead};
  call.dy = bound[places.dy];
  call.x = bound[places.x];
  call.gamma = bound[places.gamma];
  call.mean = bound[places.mean];
  call.scale = bound[places.scale];
  return call;
}

/// Parameters' gradients come first, and rows are read until their own is written.
LayerGradientOutputs outputs_at(const GradientPlaces& places, const TensorParameters::BoundTensors& bound) {
  bound.check_disjoint({places.dgamma, places.dbeta}, {places.dy, places.x, places.gamma, places.mean, places.scale});
  bound.check_disjoint({places.dx}, {places.gamma, places.mean, places.scale});
  return {bound[places.dx], bound[places.dgamma], bound[places.dbeta]};
}

/// The executor of an operator that is nothing but the gradient.
std::shared_ptr<Executor> plan(const char* name, const TensorParameters& tensors, const GradientPlaces& places,
                               std::size_t lead) {
  const runtime::Execution execution = runtime::execution();
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    return layer_gradient_kernels(gradient_at(name, places, lead, bound, execution), outputs_at(places, bound),
                                  staging);
  });
}

void check_float(const TensorParameters& tensors, std::initializer_list<ParamId> places) {
  for (const ParamId place : places) check_dtype(tensors[place], tensors.name(place), {DType::kFloat});
}

}  // namespace

std::shared_ptr<Executor> plan_layer_norm_backward(const LayerNormBackwardHandles& handles) {
  TensorParameters tensors;
  GradientPlaces places;
  places.dy = tensors.input(handles.dy, "gradOut");
  places.x = tensors.input(handles.x, "input");
  require(handles.normalized_shape, "normalizedShape");
  places.mean = tensors.input(handles.mean, "mean");
  places.scale = tensors.input(handles.rstd, "rstd");
  places.gamma = tensors.optional_input(handles.weight, "weightOptional");
  const ParamId bias = tensors.optional_input(handles.bias, "biasOptional");
  const OutputMask mask = required_output_mask(handles.mask);
  places.dx = wanted_output(tensors, mask[0], handles.dx, "gradInputOut");
  places.dgamma = wanted_output(tensors, mask[1], handles.dweight, "gradWeightOut");
  places.dbeta = wanted_output(tensors, mask[2], handles.dbias, "gradBiasOut");
  tensors.check_all(kNormDtypes);
  const Shape normalized = required_normalized_shape(handles.normalized_shape);
  const std::size_t lead = check_shapes(tensors, places, normalized, "normalizedShape");
  tensors.check_shape(bias, normalized, "normalizedShape is");
  return plan("aclnnLayerNormBackward", tensors, places, lead);
}

std::shared_ptr<Executor> plan_layer_normalization_grad(const LayerNormGradHandles& handles) {
  TensorParameters tensors;
  GradientPlaces places;
  places.dy = tensors.input(handles.dy, "dy");
  places.x = tensors.input(handles.x, "x");
  places.gamma = tensors.input(handles.gamma, "gamma");
  places.mean = tensors.input(handles.mean, "mean");
  places.scale = tensors.input(handles.rstd, "rstd");
  places.dx = tensors.output(handles.dx, "dxOut");
  places.dgamma = tensors.output(handles.dgamma, "dgammaOut");
  places.dbeta = tensors.output(handles.dbeta, "dbetaOut");
  tensors.check_all(kNormDtypes);
  check(tensors[places.x].shape.size() == 2, Code::kNnInvalid, "x has shape {}; it needs two dims.",
        tensors[places.x].shape);
  const std::size_t lead = check_shapes(tensors, places, tensors[places.gamma].shape, "the shape of gamma");
  return plan("aclnnLayerNormalizationGrad", tensors, places, lead);
}

std::shared_ptr<Executor> plan_add_layer_norm_grad(const LayerNormGradHandles& handles) {
  const char* name = "aclnnAddLayerNormGrad";
  TensorParameters tensors;
  GradientPlaces places;
  places.dy = tensors.input(handles.dy, "dy");
  places.x = tensors.input(handles.x, "x1");
  const ParamId x2 = tensors.input(handles.x2, "x2");
  places.scale = tensors.input(handles.rstd, "rstd");
  places.mean = tensors.input(handles.mean, "mean");
  places.gamma = tensors.input(handles.gamma, "gamma");
  const ParamId dsum = tensors.optional_input(handles.dsum, "dsumOptional");
  places.dx = tensors.output(handles.dx, "dxOut");
  places.dgamma = tensors.output(handles.dgamma, "dgammaOut");
  places.dbeta = tensors.output(handles.dbeta, "dbetaOut");
  tensors.check_all(kNormDtypes);
  check_float(tensors, {places.scale, places.mean, places.dgamma, places.dbeta});
  const Shape& shape = tensors[places.x].shape;
  const std::size_t lead = check_shapes(tensors, places, tensors[places.gamma].shape, "the shape of gamma");
  for (const ParamId place : {x2, dsum}) tensors.check_shape(place, shape, "x1 has shape");
  const runtime::Execution execution = runtime::execution();
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    const Tensor x = staging.make(bound[places.x]->shape, DType::kFloat);
    Kernels kernels = add_kernels(name, 1, *bound[places.x], *bound[x2], nullptr, x);
    LayerGradient call = gradient_at(name, places, lead, bound, execution);
    call.x = &x;
    LayerGradientOutputs outputs = outputs_at(places, bound);
    const Tensor dx = bound[dsum] ? staging.make(x.shape, DType::kFloat) : *bound[places.dx];
    outputs.dx = &dx;
    append(kernels, layer_gradient_kernels(call, outputs, staging));
    if (bound[dsum]) append(kernels, add_kernels(name, 1, dx, *bound[dsum], nullptr, *bound[places.dx]));
    return kernels;
  });
}

std::shared_ptr<Executor> plan_deep_norm_grad(const DeepNormGradHandles& handles, double alpha) {
  const char* name = "aclnnDeepNormGrad";
  TensorParameters tensors;
  GradientPlaces places;
  places.dy = tensors.input(handles.dy, "dy");
  places.x = tensors.input(handles.x, "x");
  const ParamId gx = tensors.input(handles.gx, "gx");
  places.gamma = tensors.input(handles.gamma, "gamma");
  places.mean = tensors.input(handles.mean, "mean");
  places.scale = tensors.input(handles.rstd, "rstd");
  places.dx = tensors.output(handles.dx, "dxOut");
  const ParamId dgx = tensors.output(handles.dgx, "dgxOut");
  places.dbeta = tensors.output(handles.dbeta, "dbetaOut");
  places.dgamma = tensors.output(handles.dgamma, "dgammaOut");
  tensors.check_all(kNormDtypes);
  check_float(tensors, {places.mean, places.scale, places.dbeta, places.dgamma});
  const Shape& shape = tensors[places.x].shape;
  const std::size_t lead = check_shapes(tensors, places, tensors[places.gamma].shape, "the shape of gamma");
  for (const ParamId place : {gx, dgx}) tensors.check_shape(place, shape, "x has shape");
  const runtime::Execution execution = runtime::execution();
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    const Tensor x = staging.make(bound[places.x]->shape, DType::kFloat);
    Kernels kernels = add_kernels(name, static_cast<float>(alpha), *bound[places.x], *bound[gx], nullptr, x);
    LayerGradient call = gradient_at(name, places, lead, bound, execution);
    call.x = &x;
    const Tensor gradient = staging.make(x.shape, DType::kFloat);
    LayerGradientOutputs outputs = outputs_at(places, bound);
    outputs.dx = &gradient;
    append(kernels, layer_gradient_kernels(call, outputs, staging));
    append(kernels, copy_kernels(name, *bound[dgx], gradient));
    // The null stands for alpha.
    append(kernels, pointwise_kernels(name, row_of(BinaryOp::kMul), DType::kFloat, {&gradient, nullptr},
                                      *bound[places.dx], {{}, alpha}));
    return kernels;
  });
}

std::shared_ptr<Executor> plan_rms_norm_grad(const void* dy, const void* x, const void* rstd, const void* gamma,
                                             const void* dx, const void* dgamma) {
  TensorParameters tensors;
  GradientPlaces places;
  places.dy = tensors.input(dy, "dy");
  places.x = tensors.input(x, "x");
  places.scale = tensors.input(rstd, "rstd");
  places.gamma = tensors.input(gamma, "gamma");
  places.dx = tensors.output(dx, "dxOut");
  places.dgamma = tensors.output(dgamma, "dgammaOut");
  tensors.check_all(kNormDtypes);
  check_float(tensors, {places.scale, places.dgamma});
  const std::size_t lead = check_shapes(tensors, places, tensors[places.gamma].shape, "the shape of gamma");
  return plan("aclnnRmsNormGrad", tensors, places, lead);
}

}  // namespace aclvk::ops
