#include "ops/elementwise/composed.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "ops/args/elementwise.hpp"
#include "ops/elementwise/pointwise_args.hpp"
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

PointwiseInput tensor_input(const InputArg& arg) { return {arg.name, required_tensor(arg), nullptr}; }

PointwiseInput optional_input(const InputArg& arg, double otherwise) {
  if (arg) return tensor_input(arg);
  PointwiseInput none = number_input(arg.name, otherwise);
  none.omitted = true;
  return none;
}

bool is_whole(DType dtype) { return kind_of(dtype) <= Kind::kInteger; }

/// Removes the attribute that selects the row, and returns it.
double take_number(PointwiseCall& call) {
  const double value = call.attributes.back().scalar->to_double();
  call.attributes.erase(call.attributes.end() - 1);
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
  // Planned first, so that errors of tensors are reported before those of the mode.
  auto executor = plan_pointwise(call, row_of(op));
  check(mode == 0 || mode == 1 || mode == 2, Code::kNnInvalid, "mode is {}; expected 0 (true), 1 (trunc) or 2 (floor).",
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
        "weight has shape {} and self has shape {}; one element, or one for each of {} channels, is expected.",
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

/// Ignores `buffer`, which may be NULL.
std::shared_ptr<Executor> plan(const LogSigmoidBackwardArgs& args) {
  PointwiseCall call = read_pointwise(args.kOperator, 2, list_of(args.gradOutput, args.self, args.gradInput));
  call.unread = {optional_tensor(args.buffer)};
  return plan_pointwise(call, row_of(GradientOp::kLogSigmoid));
}

/// Computes the gradient from the forward result when `selfIsResult`, which needs a slope that is not negative:
/// otherwise the result does not determine the input's sign.
std::shared_ptr<Executor> plan(const LeakyReluBackwardArgs& args) {
  const PointwiseCall call =
      read_pointwise(args.kOperator, 2, list_of(args.gradOutput, args.self, args.negativeSlope, args.out));
  auto executor = plan_pointwise(call, row_of(GradientOp::kLeakyRelu));
  const double slope = call.attributes[0].scalar->to_double();
  check(!args.selfIsResult || slope >= 0, Code::kNnInvalid,
        "negativeSlope is {} and selfIsResult is true; expected 0 or more, as otherwise a result does not determine "
        "the sign of its input.",
        slope);
  return executor;
}

/// Computes the gradient from the forward result when `isResult`, which needs an alpha that is not negative.
std::shared_ptr<Executor> plan(const EluBackwardArgs& args) {
  const PointwiseCall call = read_pointwise(
      args.kOperator, 2,
      list_of(args.gradOutput, args.selfOrResult, args.alpha, args.scale, args.inputScale, args.gradInput));
  auto executor = plan_pointwise(call, row_of(args.isResult ? GradientOp::kEluOfResult : GradientOp::kElu));
  const double alpha = call.attributes[0].scalar->to_double();
  check(!args.isResult || alpha >= 0, Code::kNnInvalid,
        "alpha is {} and isResult is true; expected 0 or more, as otherwise a result does not determine the sign of "
        "its input.",
        alpha);
  return executor;
}

/// `approximate` is "none" or "tanh".
std::shared_ptr<Executor> plan(const GeluBackwardV2Args& args) {
  const PointwiseCall call = read_pointwise(args.kOperator, 2, list_of(args.gradOutput, args.self, args.gradInput));
  require(args.approximate.handle, args.approximate.name);
  const std::string_view kind = args.approximate.handle;
  auto executor = plan_pointwise(call, row_of(kind == "tanh" ? GradientOp::kGeluTanh : GradientOp::kGelu));
  check(kind == "tanh" || kind == "none", Code::kNnInvalid, "approximate is \"{}\"; expected \"none\" or \"tanh\".",
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
  check(approximate == 0 || approximate == 1, Code::kNnInvalid, "approximate is {}; expected 0 (none) or 1 (tanh).",
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

/// Also writes e^-|x| to buffer, for the backward pass, unless buffer is empty.
std::shared_ptr<Executor> plan(const LogSigmoidForwardArgs& args) {
  const char* name = args.kOperator;
  const PointwiseCall call = read_pointwise(name, 1, list_of(args.self, args.out));
  PointwiseCall second = read_pointwise(name, 1, list_of(args.self, args.buffer));
  const PointwiseRow row = row_of(UnaryOp::kLogSigmoid);
  const PointwiseRow extra = row_of(UnaryOp::kExpMinusAbs);
  const DType computed = check_pointwise(call, row);
  const bool keeps = !second.out->empty();
  if (keeps) check_pointwise(second, extra);
  check_dtype(*second.out, args.buffer.name, dtypes_of(name).outputs);
  const auto build = [=, self_name = args.self.name, out_name = args.out.name,
                      buffer_name = args.buffer.name](const Executor::Operands& bound) {
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

/// self * (1 + scale) + shift for self (B, L, D); scale and shift are (B, D) or (B, 1, D), or NULL.
std::shared_ptr<Executor> plan(const ModulateArgs& args) {
  PointwiseCall call;
  call.name = args.kOperator;
  call.inputs = {tensor_input(args.self), optional_input(args.scaleOptional, 0), optional_input(args.shiftOptional, 0)};
  call.out_name = args.out.name;
  call.out = required_tensor(args.out);
  const Shape& shape = call.inputs[0].tensor->shape;
  check(shape.size() == 3, Code::kNnInvalid, "{} has shape {}; three dims (B, L, D) are expected.", args.self.name,
        shape);
  for (const std::size_t i : {1, 2}) {
    insert_row_dim(call.inputs[i]);
    check_rows(call.inputs[i], shape);
  }
  return plan_pointwise(call, row_of(TernaryOp::kModulate));
}

namespace {

/// The dims of x that scale covers: `count` dims from `axis` on (-1: all, 0: none) when from_blob is set, else as many
/// as scale has.
struct ScaleDims {
  std::int64_t axis;
  std::int64_t count;
  bool from_blob;
};

/// The number of dims of x that scale covers.
std::size_t dims_of_scale(const ScaleDims& dims, std::size_t axis, std::size_t rank, std::size_t scale_rank) {
  check(dims.count >= -1, Code::kNnInvalid, "numAxes is {}; expected -1 or more.", dims.count);
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

/// x * scale + bias; bias may be NULL.
std::shared_ptr<Executor> plan(const ScaleArgs& args) {
  const ScaleDims dims{args.axis, args.numAxes, args.scaleFromBlob};
  PointwiseCall call;
  call.name = args.kOperator;
  call.inputs = {tensor_input(args.x), tensor_input(args.scale), optional_input(args.bias, 0)};
  call.out_name = args.y.name;
  call.out = required_tensor(args.y);
  const Shape& shape = call.inputs[0].tensor->shape;
  const auto rank = static_cast<std::int64_t>(shape.size());
  check(dims.axis >= -rank && dims.axis < rank, Code::kNnInvalid, "axis is {}; x has {} dims.", dims.axis, rank);
  const auto axis = static_cast<std::size_t>(dims.axis < 0 ? dims.axis + rank : dims.axis);
  line_up_with_axis(call.inputs[1], shape, axis, dims);
  line_up_with_axis(call.inputs[2], shape, axis, dims);
  return plan_pointwise(call, row_of(TernaryOp::kScaleShift));
}

namespace {

/// The rule by which the tensors of an aclTensorList combine: same dtype and shape; same dtype with broadcasting;
/// promotion with broadcasting.
enum class ListMembers { kSame, kBroadcast, kPromote };

std::vector<TensorPtr> members_of(const InputListArg& tensors) {
  const auto list = required(tensor_list_handles(), tensors.handle, tensors.name);
  std::vector<TensorPtr> members;
  for (const void* member : list->members) {
    members.push_back(required_tensor({static_cast<const aclTensor*>(member), "a member of tensors"}));
  }
  return members;
}

/// Returns the dtype in which the members of a list are combined. Throws 161002 when there is none.
DType check_members(const char* name, const std::vector<TensorPtr>& members, const Tensor& out, const char* out_name,
                    ListMembers differ) {
  const bool promotes = differ == ListMembers::kPromote;
  const bool broadcasts = differ != ListMembers::kSame;
  const OperatorDtypes& dtypes = dtypes_of(name);
  check(!members.empty(), Code::kNnInvalid, "tensors has no tensors; expected one at least.");
  const Tensor& first = *members.front();
  DType promoted = first.dtype;
  for (const TensorPtr& member : members) {
    check_dtype(*member, "a member of tensors", dtypes.inputs);
    check(promotes || member->dtype == first.dtype, Code::kNnInvalid,
          "members of tensors have dtypes {} and {}; the same is expected.", first.dtype, member->dtype);
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
  if (count == 1) return converting_copy_kernels(name, first, promoted, bound.output(0));
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

/// The list is reduced from left to right, 16-bit floats in float.
template <typename Args>
std::shared_ptr<Executor> plan_over_list(BinaryOp op, ListMembers differ, const Args& args) {
  const char* name = Args::kOperator;
  const OutputArg& out = args.out;
  const std::vector<TensorPtr> members = members_of(args.tensors);
  const TensorPtr output = required_tensor(out);
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

}  // namespace

std::shared_ptr<Executor> plan(const AddNArgs& args) {
  return plan_over_list(BinaryOp::kSumOf, ListMembers::kSame, args);
}
std::shared_ptr<Executor> plan(const SumArgs& args) {
  return plan_over_list(BinaryOp::kSumOf, ListMembers::kPromote, args);
}
std::shared_ptr<Executor> plan(const MaxNArgs& args) {
  return plan_over_list(BinaryOp::kMaximumOf, ListMembers::kBroadcast, args);
}
std::shared_ptr<Executor> plan(const MinNArgs& args) {
  return plan_over_list(BinaryOp::kMinimumOf, ListMembers::kBroadcast, args);
}

}  // namespace aclvk::ops
