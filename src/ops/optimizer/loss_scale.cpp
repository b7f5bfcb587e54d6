#include "ops/optimizer/loss_scale.hpp"

#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/rows.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/view.hpp"
#include "optimizer/loss_scale.args.h"

namespace aclvk::ops {
namespace {

using runtime::Access;
using ParamId = TensorParameters::ParamId;

ARGUMENT_STRUCT(LossScaleArguments, LOSS_SCALE_ARGUMENTS);
CONSTANT_STRUCT(LossScaleConstants, LOSS_SCALE_CONSTANTS);

constexpr const char* kName = "aclnnAmpUpdateScale";

/// kPart of shaders/optimizer/loss_scale.comp: the output that a kernel writes.
enum class Part : std::uint32_t { kScale = 0, kSteps = 1 };

struct LossScale {
  TensorParameters tensors{};
  ParamId scale{};
  ParamId steps{};
  ParamId found{};
  ParamId scale_out{};
  ParamId steps_out{};

  explicit LossScale(const LossScaleHandles& handles) {
    scale = tensors.input(handles.scale);
    steps = tensors.input(handles.steps);
    found = tensors.input(handles.found);
    scale_out = tensors.output(handles.scale_out);
    steps_out = tensors.output(handles.steps_out);
  }

  void check_all() const {
    tensors.check_dtypes({scale, found}, kFloats);
    tensors.check_dtypes({steps, steps_out}, {DType::kInt32});
    check_same_dtype(tensors[scale_out], "updatedScale", tensors[scale], "currentScale");
    tensors.check_views();
    tensors.for_each([&](ParamId param, const Tensor& tensor) { check_one(tensor, tensors.name(param)); });
  }
};

/// Requires that an output does not share memory with an input that the other kernel still reads.
void check_memory(const LossScale& at, const TensorParameters::BoundTensors& bound) {
  bound.check_disjoint({at.scale_out}, {at.steps, at.found});
  bound.check_disjoint({at.steps_out}, {at.scale, at.found});
  check_disjoint(*bound[at.scale_out], "updatedScale", *bound[at.steps_out], "updatedGrowthTracker");
}

Kernels part_kernels(const LossScaleAttributes& attributes, Part part, const LossScale& at,
                     const TensorParameters::BoundTensors& bound) {
  // The step count is an INT32, so a longer interval is never reached.
  const bool grows = attributes.interval >= INT32_MIN && attributes.interval <= INT32_MAX;
  const Tensor scale = *reshaped(*bound[at.scale], {});
  const Tensor steps = *reshaped(*bound[at.steps], {});
  const Tensor found = *reshaped(*bound[at.found], {});
  const Tensor out = *reshaped(*bound[part == Part::kScale ? at.scale_out : at.steps_out], {});
  StridedCall call;
  call.name = kName;
  call.shader = "optimizer/loss_scale_bits";
  call.promoted = DType::kFloat;
  LossScaleConstants constants;
  constants.kPart = static_cast<uint>(part);
  constants.kGrows = grows;
  add_constants(call, constants);
  LossScaleArguments arguments;
  arguments.growth = static_cast<float>(attributes.growth);
  arguments.backoff = static_cast<float>(attributes.backoff);
  arguments.interval = static_cast<int>(attributes.interval);
  add_arguments(call, arguments);
  call.operands = {{&scale, Access::kRead}, {&steps, Access::kRead}, {&found, Access::kRead}, {&out, Access::kWrite}};
  return strided_kernels(call);
}

}  // namespace

std::shared_ptr<Executor> plan_loss_scale(const LossScaleHandles& handles, const LossScaleAttributes& attributes) {
  const LossScale at(handles);
  at.check_all();
  return staged_executor(kName, at.tensors, [=](const TensorParameters::BoundTensors& bound, Staging&) {
    check_memory(at, bound);
    // The scale is updated first: it depends on the step count before that is incremented.
    Kernels kernels = part_kernels(attributes, Part::kScale, at, bound);
    append(kernels, part_kernels(attributes, Part::kSteps, at, bound));
    return kernels;
  });
}

}  // namespace aclvk::ops
