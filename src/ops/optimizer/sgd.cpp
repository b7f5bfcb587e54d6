#include "ops/optimizer/sgd.hpp"

#include "base/error.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/joined_kernels.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/optimizer/lists.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "optimizer/sgd.args.h"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(SgdArguments, SGD_ARGUMENTS);
CONSTANT_STRUCT(SgdConstants, SGD_CONSTANTS);

/// kFlags of shaders/optimizer/sgd.comp.
enum SgdFlag : std::uint32_t { kScaled = 1, kMomentum = 2, kFirst = 4, kNesterov = 8, kMaximize = 16 };

std::uint32_t flags_of(const SgdAttributes& attributes, bool scaled) {
  return (scaled ? kScaled : 0U) | (attributes.momentum != 0 ? kMomentum : 0U) | (attributes.first ? kFirst : 0U) |
         (attributes.nesterov ? kNesterov : 0U) | (attributes.maximize ? kMaximize : 0U);
}

/// Null operands are optional ones that were not given.
Kernels sgd_kernels(const char* name, const SgdAttributes& attributes, const Tensor& variable, const Tensor& gradient,
                    const Tensor* momenta, const Tensor* scale) {
  StridedCall call;
  call.name = name;
  call.shader = "optimizer/sgd_f32";
  call.promoted = DType::kFloat;
  SgdConstants constants;
  constants.kFlags = flags_of(attributes, scale != nullptr);
  add_constants(call, constants);
  SgdArguments arguments;
  arguments.decay = static_cast<float>(attributes.decay);
  arguments.momentum = static_cast<float>(attributes.momentum);
  arguments.one_minus_dampening = static_cast<float>(1 - attributes.dampening);
  arguments.rate = static_cast<float>(attributes.rate);
  add_arguments(call, arguments);
  call.operands = {{scale ? scale : &gradient, Access::kRead, scale == nullptr},
                   {momenta ? momenta : &gradient, momenta ? Access::kReadWrite : Access::kRead, momenta == nullptr},
                   // Scaled gradients are stored, as torch's fused SGD does.
                   {&gradient, scale ? Access::kReadWrite : Access::kRead},
                   {&variable, Access::kReadWrite}};
  return strided_kernels(call);
}

}  // namespace

std::shared_ptr<Executor> plan_sgd_of_lists(const SgdLists& handles, const SgdAttributes& attributes) {
  constexpr const char* kName = "aclnnFusedSgd";
  OptimizerLists lists;
  const auto variables = lists.list(handles.variables, true);
  const auto gradients = lists.list(handles.gradients, true);
  const auto momenta = lists.optional_list(handles.momenta, true);
  const auto scale = lists.optional_scalar(handles.scale);
  // Plain SGD has no momentum buffers.
  const bool moves = attributes.momentum != 0;
  check(!moves || handles.momenta, Code::kNnNullptr, "momentumBufferListOptionalRef is NULL; momentum is {}.",
        attributes.momentum);
  lists.check_variables(variables);
  lists.check_as(variables, gradients);
  if (moves) lists.check_as(variables, momenta);
  lists.check_scalar(scale);
  OptimizerLists::Written written = {variables};
  if (moves) written.push_back(momenta);
  if (handles.scale) written.push_back(gradients);
  return std::make_shared<Executor>(kName, lists.operands(), [=](const Executor::Operands& operands) {
    const OptimizerLists::BoundTensors bound(lists, operands);
    bound.check_memory(written);
    const auto divisor = bound.element(scale);
    Kernels kernels;
    for (std::size_t i = 0; i < bound.members(); ++i) {
      append(kernels, sgd_kernels(kName, attributes, *bound(variables, i), *bound(gradients, i),
                                  moves ? bound(momenta, i) : nullptr, divisor ? &*divisor : nullptr));
    }
    return joined(std::move(kernels), nullptr, [&] { bound.check_order(written); });
  });
}

}  // namespace aclvk::ops
