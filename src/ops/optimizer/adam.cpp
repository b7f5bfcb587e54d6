#include "ops/optimizer/adam.hpp"

#include <cmath>

#include "base/error.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/foreach/lists.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/joined_kernels.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/optimizer/lists.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "optimizer/adam.args.h"
#include "optimizer/adam_coefficients.args.h"

namespace aclvk::ops {
namespace {

using runtime::Access;
using ParamId = TensorParameters::ParamId;

ARGUMENT_STRUCT(AdamArguments, ADAM_ARGUMENTS);
CONSTANT_STRUCT(AdamConstants, ADAM_CONSTANTS);
ARGUMENT_STRUCT(AdamCoefficientsArguments, ADAM_COEFFICIENTS_ARGUMENTS);

Kernels adam_kernels(const char* name, const AdamAttributes& attributes, const AdamTensors& tensors,
                     const Tensor& coefficients) {
  StridedCall call;
  call.name = name;
  call.shader = "optimizer/adam_f32";
  call.promoted = DType::kFloat;
  AdamConstants constants;
  constants.kAmsgrad = tensors.max_second ? 1 : 0;
  constants.kMaximize = attributes.maximize ? 1 : 0;
  add_constants(call, constants);
  AdamArguments arguments;
  // Decoupled weight decay scales the variable before the step.
  arguments.decay_factor = static_cast<float>(1 - attributes.rate * attributes.decay);
  set_betas(arguments, attributes);
  add_arguments(call, arguments);
  // The kernel reads the coefficients itself, as one vec4.
  call.operands = {{&coefficients, Access::kRead, true}};
  add_operands(call, tensors);
  return strided_kernels(call);
}

}  // namespace

void add_operands(StridedCall& call, const AdamTensors& tensors) {
  const bool max_second = tensors.max_second != nullptr;
  call.operands.push_back({tensors.gradient, Access::kRead});
  call.operands.push_back({max_second ? tensors.max_second : tensors.gradient,
                           max_second ? Access::kReadWrite : Access::kRead, !max_second});
  for (const Tensor* state : {tensors.first, tensors.second, tensors.variable}) {
    call.operands.push_back({state, Access::kReadWrite});
  }
}

Kernels adam_coefficient_kernels(const char* name, const AdamAttributes& attributes, const Tensor& step,
                                 const Tensor* scale, const Tensor* found, const Tensor& out) {
  StridedCall call;
  call.name = name;
  call.shader = "optimizer/adam_coefficients_f32";
  call.promoted = DType::kFloat;
  AdamCoefficientsArguments arguments;
  arguments.rate = static_cast<float>(attributes.rate);
  // The device computes beta^step, because the step is device data. Logarithms in double keep the precision of
  // betas near 1.
  arguments.log_beta1 = static_cast<float>(std::log(attributes.beta1));
  arguments.log_beta2 = static_cast<float>(std::log(attributes.beta2));
  add_arguments(call, arguments);
  call.operands = {{&step, Access::kRead},
                   {scale ? scale : &step, Access::kRead, scale == nullptr},
                   {found ? found : &step, Access::kRead, found == nullptr},
                   {&out, Access::kWrite}};
  return strided_kernels(call);
}

std::shared_ptr<Executor> plan_adam(const AdamHandles& handles, const AdamAttributes& attributes) {
  constexpr const char* kName = "aclnnApplyAdamWV2";
  TensorParameters tensors;
  const ParamId variable = tensors.updated(handles.variable);
  const ParamId first = tensors.updated(handles.first);
  const ParamId second = tensors.updated(handles.second);
  const ParamId max_second = tensors.optional_updated(handles.max_second);
  const ParamId gradient = tensors.input(handles.gradient);
  const ParamId step = tensors.input(handles.step);
  check(!attributes.amsgrad || tensors.has(max_second), Code::kNnNullptr,
        "maxGradNormOptionalRef is NULL; amsgrad needs it.");
  tensors.check_dtypes({variable, first, second, max_second, gradient}, kFloats);
  check_dtype(tensors[step], "step", kAdamSteps);
  tensors.check_views();
  for (const ParamId param : {first, second, max_second, gradient}) {
    tensors.check_shape(param, tensors[variable].shape, "varRef has shape");
  }
  check_one(tensors[step], "step");
  return staged_executor(kName, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    const Tensor coefficients = staging.make({}, kAdamCoefficients);
    const Tensor* amsgrad_state = attributes.amsgrad ? bound[max_second] : nullptr;
    Kernels kernels =
        adam_coefficient_kernels(kName, attributes, element_of(*bound[step], 0), nullptr, nullptr, coefficients);
    append(kernels,
           adam_kernels(kName, attributes,
                        {bound[variable], bound[first], bound[second], amsgrad_state, bound[gradient]}, coefficients));
    return kernels;
  });
}

std::shared_ptr<Executor> plan_adam_of_lists(const AdamLists& handles, const AdamAttributes& attributes) {
  constexpr const char* kName = "aclnnFusedAdamw";
  OptimizerLists lists;
  const auto variables = lists.list(handles.variables, true);
  const auto gradients = lists.list(handles.gradients, false);
  const auto firsts = lists.list(handles.firsts, true);
  const auto seconds = lists.list(handles.seconds, true);
  const auto max_seconds = lists.list(handles.max_seconds, true);
  const auto steps = lists.list(handles.steps, false);
  const auto scale = lists.optional_scalar(handles.scale);
  const auto found = lists.optional_scalar(handles.found_infinity);
  lists.check_variables(variables);
  for (const auto list : {gradients, firsts, seconds}) lists.check_as(variables, list);
  if (attributes.amsgrad) lists.check_as(variables, max_seconds);
  lists.check_scalars(variables, steps, kAdamSteps);
  lists.check_scalar(scale);
  lists.check_scalar(found);
  OptimizerLists::Written written = {variables, firsts, seconds};
  if (attributes.amsgrad) written.push_back(max_seconds);
  return staged_executor(kName, lists.operands(), [=](const Executor::Operands& operands, Staging& staging) {
    const OptimizerLists::BoundTensors bound(lists, operands);
    bound.check_memory(written);
    const auto divisor = bound.element(scale);
    const auto flag = bound.element(found);
    // Kernels of the members are joined in few dispatches, which needs all coefficients before all updates.
    Kernels coefficients;
    Kernels updates;
    for (std::size_t i = 0; i < bound.members(); ++i) {
      const Tensor shared = staging.make({}, kAdamCoefficients);
      append(coefficients, adam_coefficient_kernels(kName, attributes, element_of(*bound(steps, i), 0),
                                                    divisor ? &*divisor : nullptr, flag ? &*flag : nullptr, shared));
      const Tensor* amsgrad_state = attributes.amsgrad ? bound(max_seconds, i) : nullptr;
      append(updates, adam_kernels(kName, attributes,
                                   {bound(variables, i), bound(firsts, i), bound(seconds, i), amsgrad_state,
                                    bound(gradients, i)},
                                   shared));
    }
    Kernels kernels = joined(std::move(coefficients));
    append(kernels, joined(std::move(updates), nullptr, [&] { bound.check_order(written); }));
    return kernels;
  });
}

}  // namespace aclvk::ops
