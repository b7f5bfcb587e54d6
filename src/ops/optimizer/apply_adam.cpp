#include "ops/optimizer/apply_adam.hpp"

#include <utility>

#include "base/error.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/joined_kernels.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/optimizer/adam.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/view.hpp"
#include "optimizer/apply_adam.args.h"

namespace aclvk::ops {
namespace {

using runtime::Access;
using ParamId = TensorParameters::ParamId;

CONSTANT_STRUCT(ApplyAdamConstants, APPLY_ADAM_CONSTANTS);

/// Floats of operand 0 of shaders/optimizer/apply_adam.comp: seven numbers, padded to two vec4.
constexpr std::int64_t kCoefficients = 8;

/// kFlags of that shader.
enum ApplyAdamFlag : std::uint32_t { kDecoupled = 1, kNesterov = 2, kAmsgrad = 4, kMaximize = 8 };

std::uint32_t flags_of(const ApplyAdamOptions& options) {
  return (options.decoupled ? kDecoupled : 0U) | (options.nesterov ? kNesterov : 0U) |
         (options.amsgrad ? kAmsgrad : 0U) | (options.maximize ? kMaximize : 0U);
}

Kernels step_kernels(const char* name, const ApplyAdamOptions& options, const Tensor& coefficients,
                     const AdamTensors& tensors) {
  StridedCall call;
  call.name = name;
  call.shader = "optimizer/apply_adam_f32";
  call.promoted = DType::kFloat;
  ApplyAdamConstants constants;
  constants.kFlags = flags_of(options);
  add_constants(call, constants);
  // Steps of 0 start each lane at the first coefficient.
  const Shape no_steps(tensors.variable->shape.size(), 0);
  call.operands = {{&coefficients, Access::kRead, false, &no_steps}};
  add_operands(call, tensors);
  return strided_kernels(call);
}

}  // namespace

std::shared_ptr<Executor> plan_apply_adam(const char* name, const ApplyAdamHandles& handles,
                                          const ApplyAdamOptions& options) {
  TensorParameters tensors;
  const ParamId variable = tensors.updated(handles.variable);
  const ParamId first = tensors.updated(handles.first);
  const ParamId second = tensors.updated(handles.second);
  // The order is that of operand 0 of apply_adam.comp; parameters are read in the order of the signature.
  std::vector<ParamId> coefficients = {tensors.input(handles.beta1_power), tensors.input(handles.beta2_power),
                                       tensors.input(handles.rate)};
  // Only AdamW has a weight decay.
  const ParamId decay = options.decoupled ? tensors.input(handles.decay) : ParamId::kNone;
  for (const InputArg& number : {handles.beta1, handles.beta2, handles.epsilon}) {
    coefficients.push_back(tensors.input(number));
  }
  if (options.decoupled) coefficients.push_back(decay);
  const ParamId gradient = tensors.input(handles.gradient);
  const ParamId max_second = tensors.optional_updated(handles.max_second);
  check(!options.amsgrad || tensors.has(max_second), Code::kNnNullptr,
        "maxGradNormOptional is NULL; amsgrad needs it.");
  tensors.check_all(kFloats);
  for (const ParamId param : {first, second, gradient, max_second}) {
    tensors.check_shape(param, tensors[variable].shape, "varRef has shape");
  }
  for (const ParamId param : coefficients) check_one(tensors[param], tensors.name(param));
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    const Tensor all = staging.make({kCoefficients}, DType::kFloat);
    Kernels copies;
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
      append(copies, copy_kernels(name, sliced(all, 0, static_cast<std::int64_t>(i), 1),
                                  *reshaped(*bound[coefficients[i]], {1})));
    }
    // The copies are independent of one another, so they share a dispatch.
    Kernels kernels = joined(std::move(copies));
    append(kernels, step_kernels(name, options, all,
                                 {bound[variable], bound[first], bound[second],
                                  options.amsgrad ? bound[max_second] : nullptr, bound[gradient]}));
    return kernels;
  });
}

}  // namespace aclvk::ops
