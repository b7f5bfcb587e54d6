#include <string_view>

#include "base/error.hpp"
#include "ops/args/norm.hpp"
#include "ops/executor/handles.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/norm/layer_gradient.hpp"
#include "ops/norm/norm_checks.hpp"
#include "ops/quant/quantize.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

constexpr const char* kName = "aclnnRmsNormGradQuant";

struct RmsNormGradQuant {
  TensorParameters tensors{};
  ParamId dy{};
  ParamId x{};
  ParamId rstd{};
  ParamId gamma{};
  ParamId scales{};
  ParamId offsets{};
  ParamId dx{};
  ParamId dgamma{};
  std::size_t lead = 0;
  bool divides = false;
  runtime::Execution execution = runtime::execution();
};

/// Checks a scale or an offset: one element, or one for each element of gamma.
void check_factor(const TensorParameters& tensors, ParamId factor, const Shape& gamma) {
  if (!tensors.has(factor)) return;
  const Shape& shape = tensors[factor].shape;
  check(shape == gamma || shape.empty() || shape == Shape{1}, Code::kNnInvalid,
        "{} has shape {}; expected one element, or {}, the shape of gamma.", tensors.name(factor), shape, gamma);
}

void check_dtypes(const RmsNormGradQuant& call) {
  const TensorParameters& tensors = call.tensors;
  tensors.check_dtypes({call.dy, call.x, call.gamma, call.scales}, kNormDtypes);
  tensors.check_dtypes({call.rstd, call.dgamma}, {DType::kFloat});
  tensors.check_dtypes({call.offsets}, kNormDtypes.with({DType::kInt32}));
  check(tensors[call.dx].dtype != DType::kHifloat8, Code::kFeatureNotSupported,
        "dxOut has dtype HIFLOAT8, which kernels read and do not write; INT8 is expected.");
  tensors.check_dtypes({call.dx}, {DType::kInt8});
  tensors.check_views();
}

void check_shapes(RmsNormGradQuant& call) {
  const TensorParameters& tensors = call.tensors;
  const Shape& gamma = tensors[call.gamma].shape;
  call.lead = leading_dims(tensors, call.x, gamma, "the shape of gamma");
  const Shape& shape = tensors[call.x].shape;
  for (const ParamId param : {call.dy, call.dx}) tensors.check_shape(param, shape, "x has shape");
  check_row_values(tensors, call.rstd, shape, call.lead);
  tensors.check_shape(call.dgamma, gamma, "gamma has shape");
  for (const ParamId param : {call.scales, call.offsets}) check_factor(tensors, param, gamma);
}

Kernels kernels_of(const RmsNormGradQuant& call, const TensorParameters::BoundTensors& bound, Staging& staging) {
  bound.check_disjoint({call.dx, call.dgamma}, {call.dy, call.x, call.rstd, call.gamma, call.scales, call.offsets});
  LayerGradient gradient{kName, call.execution, call.lead};
  gradient.dy = bound[call.dy];
  gradient.x = bound[call.x];
  gradient.gamma = bound[call.gamma];
  gradient.scale = bound[call.rstd];
  // dx stays in float until the quantisation, so it is rounded once.
  const Tensor dx = staging.make(bound[call.x]->shape, DType::kFloat);
  Kernels kernels = layer_gradient_kernels(gradient, {&dx, bound[call.dgamma], nullptr}, staging);
  Quantize quantize{&dx, bound[call.dx]};
  quantize.scale = bound[call.scales];
  quantize.offset = bound[call.offsets];
  quantize.divides = call.divides;
  append(kernels, quantize_kernels(kName, quantize));
  return kernels;
}

}  // namespace

/// aclnnRmsNormGradQuant: aclnnRmsNormGrad, whose dx is quantised.
std::shared_ptr<Executor> plan(const RmsNormGradQuantArgs& args) {
  RmsNormGradQuant call;
  TensorParameters& tensors = call.tensors;
  call.dy = tensors.input(args.dy);
  call.x = tensors.input(args.x);
  call.rstd = tensors.input(args.rstd);
  call.gamma = tensors.input(args.gamma);
  call.scales = tensors.input(args.scalesX);
  call.offsets = tensors.optional_input(args.offsetXOptional);
  require(args.quantMode.handle, args.quantMode.name);
  call.dx = tensors.output(args.dxOut);
  call.dgamma = tensors.output(args.dgammaOut);
  check_dtypes(call);
  check_shapes(call);
  const std::string_view mode = args.quantMode.handle;
  check(mode == "static", Code::kNnInvalid, "quantMode is \"{}\"; \"static\" exists, with the scales of scalesX.",
        mode);
  call.divides = args.divMode;
  return staged_executor(kName, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    return kernels_of(call, bound, staging);
  });
}

}  // namespace aclvk::ops
