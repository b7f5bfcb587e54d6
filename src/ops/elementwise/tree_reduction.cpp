// Operators that reduce with rows of the pointwise tables: the halves of a dim are combined until one element is left
// (tree reduction). The order of additions does not depend on the device, so results are the same on all devices.
#include "base/error.hpp"
#include "ops/args/elementwise.hpp"
#include "ops/create/fill.hpp"
#include "ops/elementwise/pointwise_args.hpp"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/executor/tensor_parameters.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/tensor/promotion.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

constexpr DTypeSet kFloats = {DType::kFloat, DType::kFloat16, DType::kBfloat16};

Tensor viewed_as(const Tensor& tensor, const Shape& shape, const Shape& strides) {
  Tensor view = tensor;
  view.shape = shape;
  view.strides = strides;
  return view;
}

/// Reduces a dim in place: combines the halves of the dim until one element is left, which `work` then views.
void reduce_dim(Kernels& kernels, const char* name, BinaryOp op, Tensor& work, std::size_t dim) {
  while (work.shape[dim] > 1) {
    const std::int64_t size = work.shape[dim];
    // Of an odd number the element in the middle has no partner and stays.
    const std::int64_t half = (size + 1) / 2;
    const Tensor low = sliced(work, dim, 0, size - half);
    const Tensor high = sliced(work, dim, half, size - half);
    append(kernels, pointwise_kernels(name, row_of(op), work.dtype, {&low, &high}, low));
    work.shape[dim] = half;
  }
}

Kernels filled(const char* name, const Tensor& out, bool value) {
  const std::int64_t number = value ? 1 : 0;
  return fill_kernels(name, out, Scalar(&number, DType::kInt64).to_element(out.dtype));
}

}  // namespace

/// out, one bool, is true when self and other have the same shape and equal elements.
std::shared_ptr<Executor> plan(const EqualArgs& args) {
  const char* name = args.kOperator;
  const PointwiseCall call = read_pointwise(name, 2, arguments_of(args));
  const Tensor& self = *call.inputs[0].tensor;
  const Tensor& other = *call.inputs[1].tensor;
  const PointwiseRow eq = row_of(BinaryOp::kEq);
  check_dtype(self, "self", dtypes_of(name).inputs);
  check_dtype(other, "other", dtypes_of(name).inputs);
  check_dtype(*call.out, "out", {DType::kBool});
  const auto promoted = promote(self.dtype, other.dtype);
  check(promoted.has_value(), Code::kNnInvalid, "self has dtype {} and other has dtype {}; no dtype holds both.",
        self.dtype, other.dtype);
  check_view(self, "self");
  check_view(other, "other");
  check_view(*call.out, "out");
  check_one(*call.out, "out");

  const bool comparable = self.shape == other.shape;
  const std::uint64_t bytes = comparable ? static_cast<std::uint64_t>(self.elements()) : 0;
  const auto build = [=, dtype = *promoted](const Executor::Operands& bound) -> Kernels {
    const Tensor& out = bound.output(0);
    check_overlap(out, "out", bound.input(0), "self");
    check_overlap(out, "out", bound.input(1), "other");
    if (bytes > 0 && !bound.workspace) return {};  // in the first phase
    if (bytes == 0) return filled(name, out, comparable);
    Tensor work = row_major(bound.input(0).shape, DType::kBool, bound.workspace);
    Kernels kernels = pointwise_kernels(name, eq, dtype, {&bound.input(0), &bound.input(1)}, work);
    work = viewed_as(work, {static_cast<std::int64_t>(bytes)}, {1});
    reduce_dim(kernels, name, BinaryOp::kLogicalAnd, work, 0);
    append(kernels, copy_kernels(name, viewed_as(out, {1}, {1}), work));
    return kernels;
  };
  return std::make_shared<Executor>(name, Executor::Operands{{&self, &other}, {call.out.get()}}, build, bytes);
}

namespace {

/// (N, C, S): the dims before the channels, the channels, and the dims after them. One channel when the weight has one
/// element.
Shape by_channel(const Shape& shape, std::int64_t weights) {
  const std::int64_t count = element_count(shape);
  if (weights == 1) return {count, 1, 1};
  const std::int64_t inner = count == 0 ? 0 : count / (shape[0] * shape[1]);
  return {shape[0], shape[1], inner};
}

Tensor weight_for(const Tensor& weight, const Shape& self) {
  if (weight.elements() == 1) return viewed_as(weight, {}, {});
  const Tensor row = *reshaped(weight, {weight.elements()});
  Shape shape = row.shape;
  Shape strides = row.strides;
  for (std::size_t i = 2; i < self.size(); ++i) {
    shape.push_back(1);
    strides.push_back(1);
  }
  return viewed_as(weight, shape, strides);
}

void check_prelu_shapes(const Tensor& grad_output, const Tensor& self, const Tensor& weight, const Tensor& grad_input,
                        const Tensor& grad_weight) {
  check_shape(grad_output, "gradOutput", self.shape, "self has shape");
  const std::int64_t channels = self.shape.size() > 1 ? self.shape[1] : 1;
  const Shape row{weight.elements()};
  const bool fits = weight.elements() == channels && reshaped(weight, row) && reshaped(grad_weight, row);
  check(weight.elements() == 1 || fits, Code::kNnInvalid,
        "weight has shape {} and self has shape {}; one element, or one for each of {} channels, is expected.",
        weight.shape, self.shape, channels);
  check_shape(grad_input, "gradInput", self.shape, "self has shape");
  check_shape(grad_weight, "gradWeight", weight.shape, "weight has shape");
}

Kernels prelu_kernels(const char* name, const Executor::Operands& bound) {
  const Tensor& grad_output = bound.input(0);
  const Tensor& self = bound.input(1);
  const Tensor weight = weight_for(bound.input(2), self.shape);
  const Tensor& grad_weight = bound.output(1);
  if (!self.empty() && !bound.workspace) return {};  // in the first phase
  Kernels kernels;
  Tensor work = row_major(self.shape, DType::kFloat, bound.workspace);
  // Written before gradInput, which may be one of the inputs.
  append(kernels,
         pointwise_kernels(name, row_of(GradientOp::kPreluWeight), DType::kFloat, {&grad_output, &self}, work));
  append(kernels, pointwise_kernels(name, row_of(TernaryOp::kPreluSlope), DType::kFloat, {&grad_output, &self, &weight},
                                    bound.output(0)));
  if (work.empty()) {
    append(kernels, filled(name, grad_weight, false));
    return kernels;
  }
  const Shape shape = by_channel(self.shape, grad_weight.elements());
  work = viewed_as(work, shape, contiguous_strides(shape));
  // The order is the batch, then the positions.
  reduce_dim(kernels, name, BinaryOp::kSumOf, work, 0);
  reduce_dim(kernels, name, BinaryOp::kSumOf, work, 2);
  const Tensor sums = viewed_as(work, {shape[1]}, {work.strides[1]});
  const Tensor to = *reshaped(grad_weight, {grad_weight.elements()});
  append(kernels, copy_kernels(name, to, sums));
  return kernels;
}

/// Returns an executor whose workspace has `floats` elements.
std::shared_ptr<Executor> executor_with_floats(const char* name, const TensorParameters& tensors, std::int64_t floats,
                                               Kernels (*kernels)(const char*, const Executor::Operands&)) {
  const auto build = [tensors, name, kernels](const Executor::Operands& bound) {
    TensorParameters::BoundTensors(tensors, bound).check_memory();
    return kernels(name, bound);
  };
  return std::make_shared<Executor>(name, tensors.operands(), build,
                                    static_cast<std::uint64_t>(floats) * sizeof(float));
}

}  // namespace

std::shared_ptr<Executor> plan(const PreluBackwardArgs& args) {
  TensorParameters tensors;
  const auto grad_output = tensors.input(args.gradOutput);
  const auto self = tensors.input(args.self);
  const auto weight = tensors.input(args.weight);
  const auto grad_input = tensors.output(args.gradInput);
  const auto grad_weight = tensors.output(args.gradWeight);
  tensors.check_all(kFloats);
  check_prelu_shapes(tensors[grad_output], tensors[self], tensors[weight], tensors[grad_input], tensors[grad_weight]);
  return executor_with_floats(args.kOperator, tensors, tensors[self].elements(), prelu_kernels);
}

namespace {

/// Views (B, D) as (B, 1, D).
Tensor as_rows(const Tensor& tensor) {
  if (tensor.shape.size() != 2) return tensor;
  return viewed_as(tensor, {tensor.shape[0], 1, tensor.shape[1]}, {tensor.strides[0], 1, tensor.strides[1]});
}

void check_of_modulate(const TensorParameters& tensors, TensorParameters::ParamId id, const Shape& shape, bool is_row) {
  if (!tensors.has(id)) return;
  const Shape row{shape[0], 1, shape[2]};
  const Shape own = is_row ? as_rows(tensors[id]).shape : tensors[id].shape;
  check(own == (is_row ? row : shape), Code::kNnInvalid,
        "{} has shape {}; input has shape {}, and scale and shift have one row of it.", tensors.name(id),
        tensors[id].shape, shape);
}

/// Sums the rows of `work` into `out`.
void sum_rows(Kernels& kernels, const char* name, Tensor work, const Tensor& out) {
  if (work.empty()) return append(kernels, filled(name, out, false));
  reduce_dim(kernels, name, BinaryOp::kSumOf, work, 1);
  append(kernels, copy_kernels(name, as_rows(out), work));
}

Kernels modulate_kernels(const char* name, const Executor::Operands& bound) {
  const Tensor& grad = bound.input(0);
  const Tensor& input = bound.input(1);
  const bool sums = bound.outputs.count(1) + bound.outputs.count(2) > 0;
  if (sums && !input.empty() && !bound.workspace) return {};  // in the first phase
  const Tensor work = row_major(input.shape, DType::kFloat, bound.workspace);
  Kernels kernels;
  if (bound.outputs.count(1) > 0) {
    append(kernels, pointwise_kernels(name, row_of(BinaryOp::kMul), DType::kFloat, {&grad, &input}, work));
    sum_rows(kernels, name, work, bound.output(1));
  }
  if (bound.outputs.count(2) > 0) {
    append(kernels, converting_copy_kernels(name, grad, DType::kFloat, work));
    sum_rows(kernels, name, work, bound.output(2));
  }
  if (bound.inputs.count(2) == 0) {
    append(kernels, copy_kernels(name, bound.output(0), grad));
    return kernels;
  }
  const Tensor scale = as_rows(bound.input(2));
  append(kernels,
         pointwise_kernels(name, row_of(GradientOp::kModulate), DType::kFloat, {&grad, &scale}, bound.output(0)));
  return kernels;
}

}  // namespace

/// The gradients of self * (1 + scale) + shift. Handles of scale and shift may be NULL.
std::shared_ptr<Executor> plan(const ModulateBackwardArgs& args) {
  TensorParameters tensors;
  const auto grad_output = tensors.input(args.grad_output);
  const auto input = tensors.input(args.input);
  const auto grad_input = tensors.output(args.grad_input);
  const auto scale = tensors.optional_input(args.scale);
  const auto shift = tensors.optional_input(args.shift);
  const auto grad_scale = tensors.optional_output(args.grad_scale);
  const auto grad_shift = tensors.optional_output(args.grad_shift);
  tensors.check_all(kFloats);
  const Shape& shape = tensors[input].shape;
  check(shape.size() == 3, Code::kNnInvalid, "input has shape {}; three dims (B, L, D) are expected.", shape);
  check_of_modulate(tensors, grad_output, shape, false);
  for (const auto id : {scale, shift}) check_of_modulate(tensors, id, shape, true);
  check_of_modulate(tensors, grad_input, shape, false);
  check_of_modulate(tensors, grad_scale, shape, true);
  check_of_modulate(tensors, grad_shift, shape, true);
  const bool sums = tensors.has(grad_scale) || tensors.has(grad_shift);
  return executor_with_floats(args.kOperator, tensors, sums ? tensors[input].elements() : 0, modulate_kernels);
}

}  // namespace aclvk::ops
