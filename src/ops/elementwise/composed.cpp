#include "ops/elementwise/composed.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "ops/executor/handles.hpp"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/tensor/promotion.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

/// Appends dims of size 1, so that the tensor broadcasts along the last dims of a larger one.
TensorPtr with_trailing_ones(const Tensor& tensor, std::size_t count) {
  auto view = std::make_shared<Tensor>(tensor);
  for (std::size_t i = 0; i < count; ++i) {
    view->shape.push_back(1);
    view->strides.push_back(1);
  }
  return view;
}

PointwiseInput optional_input(const PointwiseArgument& argument, double otherwise) {
  if (!argument.handle) {
    PointwiseInput none = number_input(argument.name, otherwise);
    none.omitted = true;
    return none;
  }
  return {argument.name, required_tensor(argument.handle, argument.name), nullptr};
}

bool is_whole(DType dtype) { return kind_of(dtype) <= Kind::kInteger; }

/// Removes the attribute that selects the row, and returns it.
double take_number(PointwiseCall& call) {
  const double value = call.attributes.back().scalar->to_double();
  call.attributes.pop_back();
  return value;
}

}  // namespace

std::shared_ptr<Executor> plan_div(const char* name, const PointwiseArguments& arguments) {
  const PointwiseCall call = read_pointwise(name, 2, arguments);
  const DType x = call.inputs[0].dtype(), y = call.inputs[1].dtype();
  const bool whole = is_whole(x) && is_whole(y) && (kind_of(x) == Kind::kInteger || kind_of(y) == Kind::kInteger);
  const bool to_integers = kind_of(call.out->dtype) == Kind::kInteger;
  return plan_pointwise(call, row_of(whole && to_integers ? BinaryOp::kDivTrunc : BinaryOp::kDiv));
}

std::shared_ptr<Executor> plan_div_mod(const char* name, const PointwiseArguments& arguments) {
  PointwiseCall call = read_pointwise(name, 2, arguments);
  const double mode = take_number(call);
  const BinaryOp op = mode == 1 ? BinaryOp::kDivTrunc : mode == 2 ? BinaryOp::kDivFloor : BinaryOp::kDiv;
  auto executor = plan_pointwise(call, row_of(op));
  check(mode == 0 || mode == 1 || mode == 2, Code::kNnInvalid, "mode is {}; 0 (true), 1 (trunc) and 2 (floor) exist.",
        mode);
  return executor;
}

std::shared_ptr<Executor> plan_prelu(const char* name, const PointwiseArguments& arguments) {
  PointwiseCall call = read_pointwise(name, 2, arguments);
  const Tensor& self = *call.inputs[0].tensor;
  const Tensor& weight = *call.inputs[1].tensor;
  const std::int64_t channels = self.shape.size() > 1 ? self.shape[1] : 1;
  check_view(weight, "weight");
  const std::optional<Tensor> row = reshaped(weight, {weight.elements()});
  check(weight.elements() == 1 || (row && weight.elements() == channels), Code::kNnInvalid,
        "weight has shape {}; self with shape {} has {} channels, and weight one element or one a channel.",
        weight.shape, self.shape, channels);
  if (weight.elements() != 1) {
    call.inputs[1].tensor = with_trailing_ones(*row, self.shape.size() - 2);
  } else {
    auto single = std::make_shared<Tensor>(weight);
    single->shape = {};
    single->strides = {};
    call.inputs[1].tensor = single;
  }
  return plan_pointwise(call, row_of(BinaryOp::kPrelu));
}

std::shared_ptr<Executor> plan_log_sigmoid_gradient(const char* name, const void* buffer,
                                                    const PointwiseArguments& arguments) {
  PointwiseCall call = read_pointwise(name, 2, arguments);
  call.unread = {optional_tensor(buffer, "buffer")};
  return plan_pointwise(call, row_of(GradientOp::kLogSigmoid));
}

std::shared_ptr<Executor> plan_leaky_relu_gradient(const char* name, bool from_result,
                                                   const PointwiseArguments& arguments) {
  const PointwiseCall call = read_pointwise(name, 2, arguments);
  auto executor = plan_pointwise(call, row_of(GradientOp::kLeakyRelu));
  const double slope = call.attributes[0].scalar->to_double();
  check(!from_result || slope >= 0, Code::kNnInvalid,
        "negativeSlope is {}; a result tells the sign of its input only where that is not negative.", slope);
  return executor;
}

std::shared_ptr<Executor> plan_elu_gradient(const char* name, bool from_result, const PointwiseArguments& arguments) {
  const PointwiseCall call = read_pointwise(name, 2, arguments);
  auto executor = plan_pointwise(call, row_of(from_result ? GradientOp::kEluOfResult : GradientOp::kElu));
  const double alpha = call.attributes[0].scalar->to_double();
  check(!from_result || alpha >= 0, Code::kNnInvalid,
        "alpha is {}; a result tells the sign of its input only where that is not negative.", alpha);
  return executor;
}

std::shared_ptr<Executor> plan_gelu_gradient(const char* name, const char* approximate,
                                             const PointwiseArguments& arguments) {
  const PointwiseCall call = read_pointwise(name, 2, arguments);
  require(approximate, "approximate");
  const std::string_view kind = approximate;
  auto executor = plan_pointwise(call, row_of(kind == "tanh" ? GradientOp::kGeluTanh : GradientOp::kGelu));
  check(kind == "tanh" || kind == "none", Code::kNnInvalid, "approximate is \"{}\"; \"none\" and \"tanh\" exist.",
        kind);
  return executor;
}

std::shared_ptr<Executor> plan_clamp(const char* name, const PointwiseArguments& arguments) {
  PointwiseArguments given;
  for (const PointwiseArgument& argument : arguments) {
    if (argument.kind != PointwiseArgument::Kind::kScalar || argument.handle != nullptr) given.push_back(argument);
  }
  const std::size_t bounds = given.size() - 2;
  const bool has_lower = arguments[1].handle != nullptr;
  const UnaryOp op = bounds == 2 ? UnaryOp::kClamp : has_lower ? UnaryOp::kClampMin : UnaryOp::kClampMax;
  const PointwiseCall call = read_pointwise(name, 1, given);
  check(bounds > 0, Code::kNnNullptr, "{} and {} are NULL; {} needs one of them.", arguments[1].name, arguments[2].name,
        name);
  return plan_pointwise(call, row_of(op));
}

std::shared_ptr<Executor> plan_clamp_tensor(const char* name, const PointwiseArguments& arguments) {
  const PointwiseArgument& lower = arguments[1];
  const PointwiseArgument& upper = arguments[2];
  if (lower.handle && upper.handle) return plan_pointwise(name, TernaryOp::kClamp, arguments);
  check(lower.handle || upper.handle, Code::kNnNullptr, "{} and {} are NULL; {} needs one of them.", lower.name,
        upper.name, name);
  const BinaryOp op = lower.handle ? BinaryOp::kClampMin : BinaryOp::kClampMax;
  return plan_pointwise(name, op, {arguments[0], lower.handle ? lower : upper, arguments[3]});
}

std::shared_ptr<Executor> plan_gelu(const char* name, const PointwiseArguments& arguments) {
  PointwiseCall call = read_pointwise(name, 1, arguments);
  const double approximate = take_number(call);
  auto executor = plan_pointwise(call, row_of(approximate == 1 ? UnaryOp::kGeluTanh : UnaryOp::kGelu));
  check(approximate == 0 || approximate == 1, Code::kNnInvalid, "approximate is {}; 0 (none) and 1 (tanh) exist.",
        approximate);
  return executor;
}

std::shared_ptr<Executor> plan_round_decimals(const char* name, const PointwiseArguments& arguments) {
  PointwiseCall call = read_pointwise(name, 1, arguments);
  const double decimals = take_number(call);
  const double unit = std::pow(10.0, std::abs(decimals));
  // A unit that the integer dtype cannot hold is passed as 0: then 0 is the only multiple.
  const DType dtype = call.inputs[0].dtype();
  const double largest = std::ldexp(1.0, static_cast<int>(8 * size_of(dtype)) - 1);
  call.attributes.push_back(number_input("decimals", is_whole(dtype) && unit >= largest ? 0 : unit));
  return plan_pointwise(call, row_of(decimals < 0 ? UnaryOp::kRoundPowersOfTen : UnaryOp::kRoundDecimals));
}

std::shared_ptr<Executor> plan_log_sigmoid_forward(const char* name, const PointwiseArgument& self,
                                                   const PointwiseArgument& out, const PointwiseArgument& buffer) {
  const PointwiseCall call = read_pointwise(name, 1, {self, out});
  PointwiseCall second = read_pointwise(name, 1, {self, buffer});
  const PointwiseRow row = row_of(UnaryOp::kLogSigmoid);
  const PointwiseRow extra = row_of(UnaryOp::kExpMinusAbs);
  const DType computed = check_pointwise(call, row);
  const bool keeps = !second.out->empty();
  if (keeps) check_pointwise(second, extra);
  check_dtype(*second.out, buffer.name, dtypes_of(name).outputs);
  const auto build = [=, self_name = self.name, out_name = out.name,
                      buffer_name = buffer.name](const Executor::Operands& bound) {
    check_distinct(bound.output(0), out_name);
    check_overlap(bound.output(0), out_name, bound.input(0), self_name);
    Kernels kernels;
    if (keeps) {
      check_distinct(bound.output(1), buffer_name);
      check_disjoint(bound.output(1), buffer_name, bound.input(0), self_name);
      check_disjoint(bound.output(1), buffer_name, bound.output(0), out_name);
      // Written before out, because out may be self.
      append(kernels, pointwise_kernels(name, extra, computed, {&bound.input(0)}, bound.output(1)));
    }
    append(kernels, pointwise_kernels(name, row, computed, {&bound.input(0)}, bound.output(0)));
    return kernels;
  };
  return std::make_shared<Executor>(
      name, Executor::Operands{{call.inputs[0].tensor.get()}, {call.out.get(), second.out.get()}}, build);
}

namespace {

/// Views (B, D) as (B, 1, D).
void insert_row_dim(PointwiseInput& input) {
  if (!input.tensor || input.tensor->shape.size() != 2) return;
  auto view = std::make_shared<Tensor>(*input.tensor);
  view->shape = {input.tensor->shape[0], 1, input.tensor->shape[1]};
  view->strides = {input.tensor->strides[0], 1, input.tensor->strides[1]};
  input.tensor = view;
}

void check_rows(const PointwiseInput& input, const Shape& self) {
  if (!input.tensor) return;
  const Shape& shape = input.tensor->shape;
  const bool fits = shape.size() == 3 && shape[0] == self[0] && shape[1] == 1 && shape[2] == self[2];
  check(fits, Code::kNnInvalid, "{} has shape {}; self with shape {} takes ({}, {}) or ({}, 1, {}).", input.name, shape,
        self, self[0], self[2], self[0], self[2]);
}

}  // namespace

std::shared_ptr<Executor> plan_modulate(const char* name, const PointwiseArgument& self, const PointwiseArgument& scale,
                                        const PointwiseArgument& shift, const PointwiseArgument& out) {
  PointwiseCall call;
  call.name = name;
  call.inputs = {{self.name, required_tensor(self.handle, self.name), nullptr},
                 optional_input(scale, 0),
                 optional_input(shift, 0)};
  call.out_name = out.name;
  call.out = required_tensor(out.handle, out.name);
  const Shape& shape = call.inputs[0].tensor->shape;
  check(shape.size() == 3, Code::kNnInvalid, "{} has shape {}; three dims (B, L, D) are expected.", self.name, shape);
  for (const std::size_t i : {1, 2}) {
    insert_row_dim(call.inputs[i]);
    check_rows(call.inputs[i], shape);
  }
  return plan_pointwise(call, row_of(TernaryOp::kModulate));
}

namespace {

/// The number of dims of x that scale covers.
std::size_t dims_of_scale(const ScaleDims& dims, std::size_t axis, std::size_t rank, std::size_t scale_rank) {
  check(dims.count >= -1, Code::kNnInvalid, "numAxes is {}; -1 and more exist.", dims.count);
  if (!dims.from_blob) return scale_rank;
  return dims.count < 0 ? rank - axis : static_cast<std::size_t>(dims.count);
}

void line_up_with_axis(PointwiseInput& input, const Shape& x, std::size_t axis, const ScaleDims& dims) {
  if (!input.tensor) return;
  const Tensor& tensor = *input.tensor;
  check_view(tensor, input.name);
  const std::size_t count = dims_of_scale(dims, axis, x.size(), tensor.shape.size());
  const bool single = tensor.elements() == 1 && (count == 0 || !dims.from_blob);
  check(axis + count <= x.size(), Code::kNnInvalid, "{} stands for {} dims from axis {} on; x has {} dims.", input.name,
        count, axis, x.size());
  const Shape expected(x.begin() + axis, x.begin() + axis + count);
  check(single || tensor.shape == expected, Code::kNnInvalid, "{} has shape {}; those dims of x have shape {}.",
        input.name, tensor.shape, expected);
  if (!single) input.tensor = with_trailing_ones(tensor, x.size() - axis - count);
}

}  // namespace

std::shared_ptr<Executor> plan_scale(const char* name, const PointwiseArgument& x, const PointwiseArgument& scale,
                                     const PointwiseArgument& bias, const ScaleDims& dims, const PointwiseArgument& y) {
  PointwiseCall call;
  call.name = name;
  call.inputs = {{x.name, required_tensor(x.handle, x.name), nullptr},
                 {scale.name, required_tensor(scale.handle, scale.name), nullptr},
                 optional_input(bias, 0)};
  call.out_name = y.name;
  call.out = required_tensor(y.handle, y.name);
  const Shape& shape = call.inputs[0].tensor->shape;
  const auto rank = static_cast<std::int64_t>(shape.size());
  check(dims.axis >= -rank && dims.axis < rank, Code::kNnInvalid, "axis is {}; x has {} dims.", dims.axis, rank);
  const auto axis = static_cast<std::size_t>(dims.axis < 0 ? dims.axis + rank : dims.axis);
  line_up_with_axis(call.inputs[1], shape, axis, dims);
  line_up_with_axis(call.inputs[2], shape, axis, dims);
  return plan_pointwise(call, row_of(TernaryOp::kScaleShift));
}

namespace {

std::vector<TensorPtr> members_of(const void* tensors) {
  const auto list = required(tensor_list_handles(), tensors, "tensors");
  std::vector<TensorPtr> members;
  for (const void* member : list->members) members.push_back(required_tensor(member, "a member of tensors"));
  return members;
}

/// Returns the dtype in which the members of a list are combined. Throws 161002 when there is none.
DType check_members(const char* name, const std::vector<TensorPtr>& members, const Tensor& out, const char* out_name,
                    ListMembers differ) {
  const bool promotes = differ == ListMembers::kPromote;
  const bool broadcasts = differ != ListMembers::kSame;
  const OperatorDtypes& dtypes = dtypes_of(name);
  check(!members.empty(), Code::kNnInvalid, "tensors is an empty list; it needs a tensor.");
  const Tensor& first = *members.front();
  DType promoted = first.dtype;
  for (const TensorPtr& member : members) {
    check_dtype(*member, "a member of tensors", dtypes.inputs);
    check(promotes || member->dtype == first.dtype, Code::kNnInvalid,
          "members of tensors have dtypes {} and {}; one is expected.", first.dtype, member->dtype);
    const auto both = promote(promoted, member->dtype);
    check(both.has_value(), Code::kNnInvalid, "members of tensors have dtypes {} and {}; no dtype holds both.",
          promoted, member->dtype);
    promoted = *both;
  }
  check_dtype(out, out_name, dtypes.outputs);
  check_castable(promoted, out.dtype, "the result", out_name);
  Tensor whole = first;
  for (const TensorPtr& member : members) {
    check_view(*member, "a member of tensors");
    if (broadcasts) whole.shape = check_broadcast(whole, "the first tensors", *member, "a member of tensors");
    if (!broadcasts) check_shape(*member, "a member of tensors", first.shape, "the first one has shape");
  }
  check_view(out, out_name);
  check_shape(out, out_name, whole.shape, broadcasts ? "tensors broadcast to" : "tensors have shape");
  return promoted;
}

/// Reduces a list from left to right. Intermediate results are in the workspace, because the output may be one of the
/// inputs.
std::vector<runtime::Kernel> reduce_list(const char* name, const PointwiseRow& row, const Executor::Operands& bound,
                                         const Tensor& partial) {
  const std::size_t count = bound.inputs.count(0);
  const DType promoted = partial.dtype;
  const Tensor& first = bound.input(0);
  if (count == 1)
    return pointwise_kernels(name, row_of(BinaryOp::kMaximumOf), promoted, {&first, &first}, bound.output(0));
  std::vector<runtime::Kernel> kernels;
  const Tensor* so_far = &first;
  for (std::size_t i = 1; i < count; ++i) {
    const Tensor& to = i + 1 < count ? partial : bound.output(0);
    auto step = pointwise_kernels(name, row, promoted, {so_far, &bound.inputs.tensor(0, i)}, to);
    append(kernels, std::move(step));
    so_far = &partial;
  }
  return kernels;
}

}  // namespace

std::shared_ptr<Executor> plan_over_list(const char* name, BinaryOp op, ListMembers differ, const void* tensors,
                                         const PointwiseArgument& out) {
  const std::vector<TensorPtr> members = members_of(tensors);
  const TensorPtr output = required_tensor(out.handle, out.name);
  const PointwiseRow row = row_of(op);
  const DType promoted = check_members(name, members, *output, out.name, differ);

  std::vector<Tensor> copies;
  for (const TensorPtr& member : members) copies.push_back(*member);
  Tensor partial;
  const bool narrow = kind_of(promoted) == Kind::kFloating && size_of(promoted) == 2;
  partial.dtype = narrow ? DType::kFloat : promoted;
  partial.shape = output->shape;
  partial.strides = contiguous_strides(output->shape);
  const auto elements = static_cast<std::uint64_t>(output->elements());
  const std::uint64_t workspace_bytes = members.size() > 2 ? elements * size_of(partial.dtype) : 0;

  Executor::Operands operands{{}, {output.get()}};
  operands.inputs.add(copies.data(), copies.data() + copies.size());
  const auto build = [=, out_name = out.name](const Executor::Operands& bound) {
    check_distinct(bound.output(0), out_name);
    for (std::size_t i = 0; i < bound.inputs.count(0); ++i) {
      check_overlap(bound.output(0), out_name, bound.inputs.tensor(0, i), "a member of tensors");
    }
    if (workspace_bytes > 0 && !bound.workspace) return std::vector<runtime::Kernel>{};  // in the first phase
    Tensor there = partial;
    there.data = bound.workspace;
    return reduce_list(name, row, bound, there);
  };
  return std::make_shared<Executor>(name, std::move(operands), build, workspace_bytes);
}

}  // namespace aclvk::ops
