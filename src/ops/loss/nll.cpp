#include "ops/loss/nll.hpp"

#include "base/error.hpp"
#include "loss/nll.args.h"
#include "loss/nll_gradient.args.h"
#include "ops/create/fill.hpp"
#include "ops/elementwise/tables.hpp"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/reduction/reduce.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;
using ParamId = TensorParameters::ParamId;

ARGUMENT_STRUCT(NllArguments, NLL_ARGUMENTS);
CONSTANT_STRUCT(NllConstants, NLL_CONSTANTS);
ARGUMENT_STRUCT(NllGradientArguments, NLL_GRADIENT_ARGUMENTS);
CONSTANT_STRUCT(NllGradientConstants, NLL_GRADIENT_CONSTANTS);

constexpr std::uint32_t kNoClass = ~0U;  // kNoIndex of shaders/common/indices.glsl

std::uint32_t ignored_class(std::int64_t ignored, std::int64_t classes) {
  return ignored >= 0 && ignored < classes ? static_cast<std::uint32_t>(ignored) : kNoClass;
}

/// Returns samples with a dim of size 1 at the dim of the classes.
Tensor beside_classes(const Tensor& samples, std::size_t dim) {
  return samples.shape.size() < dim ? samples : repeated(samples, dim, 1);
}

/// The parameters and checks that loss and gradient share.
struct Nll {
  explicit Nll(const NllHandles& handles) : images(handles.images) {}

  void add(const NllHandles& handles) {
    self = tensors.input(handles.self);
    target = tensors.input(handles.target);
    weight = tensors.input(handles.weight);
  }

  void check_all(const char* name, const NllHandles& handles) {
    const DTypeSet& all = dtypes_of(name).inputs;
    check_dtype(tensors[self], "self", kFloats);
    check_dtype(tensors[target], "target", all.without(kFloats));
    check_dtype(tensors[weight], "weight", kFloats);
    tensors.check_views();
    const Shape& shape = tensors[self].shape;
    const bool fits = images ? shape.size() == 4 : shape.size() == 1 || shape.size() == 2;
    check(fits, Code::kNnInvalid, "self has shape {}; {} is expected.", shape,
          images ? "(N, C, H, W)" : "(C) or (N, C)");
    dim = shape.size() > 1 ? 1 : 0;
    samples = without(shape, dim);
    // A sample without a batch dim may have its target as a scalar or as a vector of one element.
    const bool single = samples.empty() && tensors[target].elements() == 1;
    check(single || tensors[target].shape == samples, Code::kNnInvalid,
          "target has shape {}; one for each sample has {}.", tensors[target].shape, samples);
    tensors.check_shape(weight, {shape[dim]}, "one for each class has shape");
    reduction = checked_reduction(handles.reduction);
    ignored = handles.ignored;
  }

  /// Returns the tensor without its only dim if there is one sample, which may come as a vector of one element.
  Tensor by_sample(const Tensor& tensor) const { return samples.empty() ? *reshaped(tensor, {}) : tensor; }

  TensorParameters tensors{};
  ParamId self{};
  ParamId target{};
  ParamId weight{};
  bool images;
  std::size_t dim = 0;
  Shape samples{};
  LossReduction reduction{};
  std::int64_t ignored = 0;
};

}  // namespace

Kernels nll_kernels(const NllCall& nll, const Tensor& self, const Tensor* losses, const Tensor* weights) {
  // A lane starts at its sample's first class; the kernel adds the target's class.
  const Shape steps = without(self.strides, nll.classes.dim);
  const Shape none(steps.size(), 0);
  const std::int64_t count = self.shape[nll.classes.dim];
  Kernels kernels;
  for (const Tensor* out : {losses, weights}) {
    if (!out) continue;
    // Without classes each target is out of range, and its loss is 0.
    if (count == 0) {
      append(kernels, fill_kernels(nll.name, *out, Element{}));
      continue;
    }
    StridedCall call;
    call.name = nll.name;
    call.shader = "loss/nll_bits";
    call.promoted = DType::kFloat;
    NllConstants constants;
    constants.kPart = out == losses ? 0 : 1;
    add_constants(call, constants);
    NllArguments arguments;
    arguments.classes = word(count);
    arguments.stride = word(self.strides[nll.classes.dim]);
    arguments.weight_stride = word(nll.weight->strides[0]);
    arguments.ignored = ignored_class(nll.classes.ignored, count);
    add_arguments(call, arguments);
    call.operands = {{&self, Access::kRead, false, &steps},
                     {nll.weight, Access::kRead, false, &none},
                     {nll.target, Access::kRead},
                     {out, Access::kWrite}};
    append(kernels, strided_kernels(call));
  }
  return kernels;
}

Kernels summed_kernels(const char* name, const Tensor& elements, const Tensor& out, Staging& staging) {
  return reduce_kernels(name, ReduceKind::kSum, DType::kFloat, elements, all_dims(elements), out, staging);
}

Kernels reduced_loss_kernels(const char* name, LossReduction reduction, const Tensor& loss, const Tensor& weight,
                             const Tensor& out) {
  const Tensor result = *reshaped(out, {});
  if (reduction != LossReduction::kMean) return copy_kernels(name, result, loss);
  return pointwise_kernels(name, row_of(BinaryOp::kDiv), DType::kFloat, {&loss, &weight}, result);
}

Kernels nll_gradient_kernels(const NllCall& nll, const Tensor& gradient, const Tensor* total_weight,
                             const Tensor& out) {
  const NllClasses& classes = nll.classes;
  const Tensor& weight = *nll.weight;
  Shape steps(out.shape.size(), 0);
  // The start index of the weights is the lane's class.
  steps[classes.dim] = 1;
  const std::int64_t count = out.shape[classes.dim];
  const Tensor targets = beside_classes(*nll.target, classes.dim);
  const Tensor gradients = beside_classes(gradient, classes.dim);
  // Without a mean the operand is loaded, but its value is not used.
  const Tensor total = *reshaped(total_weight ? *total_weight : selected(weight, 0), {});
  StridedCall call;
  call.name = nll.name;
  call.shader = "loss/nll_gradient_bits";
  call.promoted = DType::kFloat;
  NllGradientConstants constants;
  constants.kMean = total_weight ? 1 : 0;
  add_constants(call, constants);
  NllGradientArguments arguments;
  arguments.classes = word(count);
  arguments.weight_stride = word(weight.strides[0]);
  arguments.ignored = ignored_class(classes.ignored, count);
  add_arguments(call, arguments);
  call.operands = {{&weight, Access::kRead, false, &steps},
                   {&targets, Access::kRead},
                   {&gradients, Access::kRead},
                   {&total, Access::kRead},
                   {&out, Access::kWrite}};
  return strided_kernels(call);
}

std::shared_ptr<Executor> plan_nll(const char* name, const NllHandles& handles, const OutputArg& out_handle,
                                   const OutputArg& total_handle) {
  Nll nll(handles);
  nll.add(handles);
  const ParamId out = nll.tensors.output(out_handle);
  const ParamId total = nll.tensors.output(total_handle);
  nll.tensors.check_dtypes({out, total}, kFloats);
  nll.check_all(name, handles);
  check_one(nll.tensors[total], nll.tensors.name(total));
  const bool single = nll.samples.empty();
  check_loss_shape(nll.tensors[out], "out", nll.samples, single ? LossReduction::kSum : nll.reduction);
  return staged_executor(name, nll.tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    const Tensor target = nll.by_sample(*bound[nll.target]);
    const NllCall call{name, {nll.ignored, nll.dim}, &target, bound[nll.weight]};
    const auto by_sample = [&](const Tensor* losses, const Tensor* weights) {
      return nll_kernels(call, *bound[nll.self], losses, weights);
    };
    if (nll.reduction == LossReduction::kNone) {
      check_disjoint(*bound[out], "out", *bound[nll.weight], "weight");  // any sample may read any class's weight
      const Tensor each = nll.by_sample(*bound[out]);
      Kernels kernels = by_sample(&each, nullptr);
      // Without a reduction no sum of weights divides the loss.
      append(kernels, fill_kernels(name, *bound[total], Element{}));
      return kernels;
    }
    const Tensor losses = staging.make(nll.samples, DType::kFloat);
    const Tensor weights = staging.make(nll.samples, DType::kFloat);
    const Tensor loss = staging.make({}, DType::kFloat);
    const Tensor sum = staging.make({}, DType::kFloat);
    Kernels kernels = by_sample(&losses, &weights);
    append(kernels, summed_kernels(name, losses, loss, staging));
    append(kernels, summed_kernels(name, weights, sum, staging));
    append(kernels, reduced_loss_kernels(name, nll.reduction, loss, sum, *bound[out]));
    append(kernels, copy_kernels(name, *reshaped(*bound[total], {}), sum));
    return kernels;
  });
}

std::shared_ptr<Executor> plan_nll_gradient(const char* name, const InputArg& gradient_handle,
                                            const NllHandles& handles, const InputArg& total_handle,
                                            const OutputArg& out_handle) {
  Nll nll(handles);
  const ParamId gradient = nll.tensors.input(gradient_handle);
  nll.add(handles);
  const ParamId total = nll.tensors.input(total_handle);
  const ParamId out = nll.tensors.output(out_handle);
  nll.tensors.check_dtypes({gradient, total, out}, kFloats);
  nll.check_all(name, handles);
  check_one(nll.tensors[total], nll.tensors.name(total));
  nll.tensors.check_shape(out, nll.tensors[nll.self].shape, "self has shape");
  const bool single = nll.tensors[gradient].elements() == 1;
  const bool each = nll.reduction == LossReduction::kNone && !nll.samples.empty();
  check(each ? nll.tensors[gradient].shape == nll.samples : single, Code::kNnInvalid,
        "gradOutput has shape {}; the loss has shape {}.", nll.tensors[gradient].shape, each ? nll.samples : Shape{});
  return staged_executor(name, nll.tensors, [=](const TensorParameters::BoundTensors& bound, Staging&) {
    const Tensor given = each ? *bound[gradient] : *reshaped(*bound[gradient], {});
    const Tensor* divisor = nll.reduction == LossReduction::kMean ? bound[total] : nullptr;
    if (bound[out]->empty()) return Kernels{};
    const Tensor target = nll.by_sample(*bound[nll.target]);
    return nll_gradient_kernels({name, {nll.ignored, nll.dim}, &target, bound[nll.weight]}, given, divisor,
                                *bound[out]);
  });
}

}  // namespace aclvk::ops
