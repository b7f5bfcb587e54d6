#include "ops/optimizer/ema_adam.hpp"

#include "base/error.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/foreach/lists.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/optimizer/lists.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "optimizer/ema_adam.args.h"

namespace aclvk::ops {
namespace {

using runtime::Access;
using ParamId = TensorParameters::ParamId;

ARGUMENT_STRUCT(EmaAdamArguments, EMA_ADAM_ARGUMENTS);
CONSTANT_STRUCT(EmaAdamConstants, EMA_ADAM_CONSTANTS);

constexpr const char* kName = "aclnnApplyFusedEmaAdam";

EmaAdamArguments arguments_of(const EmaAdamAttributes& attributes) {
  const AdamAttributes& adam = attributes.adam;
  const bool decoupled = attributes.mode == 1;
  EmaAdamArguments arguments;
  arguments.rate = static_cast<float>(adam.rate);
  // Mode 0 is Adam with L2 regularization, mode 1 decoupled weight decay (AdamW).
  arguments.l2_decay = static_cast<float>(decoupled ? 0 : adam.decay);
  arguments.decay_factor = static_cast<float>(decoupled ? 1 - adam.rate * adam.decay : 1);
  set_betas(arguments, adam);
  arguments.ema = static_cast<float>(attributes.average);
  arguments.one_minus_ema = static_cast<float>(1 - attributes.average);
  return arguments;
}

}  // namespace

std::shared_ptr<Executor> plan_ema_adam(const EmaAdamHandles& handles, const EmaAdamAttributes& attributes) {
  TensorParameters tensors;
  const ParamId gradient = tensors.input(handles.gradient);
  const ParamId variable = tensors.updated(handles.variable);
  const ParamId first = tensors.updated(handles.first);
  const ParamId second = tensors.updated(handles.second);
  const ParamId average = tensors.updated(handles.average);
  const ParamId step = tensors.input(handles.step);
  tensors.check_dtypes({gradient, variable, first, second, average}, kFloats);
  check_dtype(tensors[step], "step", kAdamSteps);
  tensors.check_views();
  for (const ParamId param : {gradient, first, second, average}) {
    tensors.check_shape(param, tensors[variable].shape, "varRef has shape");
  }
  check(!tensors[step].empty(), Code::kNnInvalid, "step has shape {}; its first element is needed.",
        tensors[step].shape);
  check(attributes.mode == 0 || attributes.mode == 1, Code::kNnInvalid,
        "mode is {}; expected 0 (decay added to the gradient) or 1 (decoupled decay).", attributes.mode);
  return staged_executor(kName, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    const Tensor coefficients = staging.make({}, kAdamCoefficients);
    Kernels kernels;
    if (attributes.corrects) {
      kernels =
          adam_coefficient_kernels(kName, attributes.adam, element_of(*bound[step], 0), nullptr, nullptr, coefficients);
    }
    StridedCall call;
    call.name = kName;
    call.shader = "optimizer/ema_adam_f32";
    call.promoted = DType::kFloat;
    EmaAdamConstants constants;
    constants.kCorrects = attributes.corrects;
    add_constants(call, constants);
    add_arguments(call, arguments_of(attributes));
    call.operands = {{&coefficients, Access::kRead, true}, {bound[gradient], Access::kRead},
                     {bound[first], Access::kReadWrite},   {bound[second], Access::kReadWrite},
                     {bound[average], Access::kReadWrite}, {bound[variable], Access::kReadWrite}};
    append(kernels, strided_kernels(call));
    return kernels;
  });
}

}  // namespace aclvk::ops
