#include "ops/index/repeat_interleave.hpp"

#include "base/error.hpp"
#include "ops/args/index.hpp"
#include "ops/create/fill.hpp"
#include "ops/index/indexed_kernels.hpp"
#include "ops/index/search.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/workspace.hpp"
#include "ops/shape/copies.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

constexpr DTypeSet kRepeatable = kCommon;
constexpr DTypeSet kGradients = kFloats.with(kIndices);

void check_repeats(const Tensor& repeats, std::int64_t size) {
  check(repeats.shape.size() <= 1, Code::kNnInvalid, "repeats has {} dimensions; expected at most 1.",
        repeats.shape.size());
  check(repeats.elements() == size || repeats.elements() == 1, Code::kNnInvalid,
        "repeats has {} elements; expected {}, or one for all.", repeats.elements(), size);
}

/// The tensor that is repeated, flattened when there is no dim, and the shape of the result.
struct Repeated {
  Shape shape;  ///< of self
  std::size_t dim;
  Shape out;
};

Repeated repeated_of(const RepeatHandles& handles, const Tensor& self) {
  Repeated repeated{self.shape, 0, {}};
  if (!handles.has_dim) repeated.shape = {self.elements()};
  if (self.shape.empty()) repeated.shape = {1};
  if (handles.has_dim) repeated.dim = checked_dim(handles.dim, self.shape.size(), "dim");
  check(handles.output_size >= 0, Code::kNnInvalid, "outputSize is {}; expected 0 or more.", handles.output_size);
  repeated.out = repeated.shape;
  repeated.out[repeated.dim] = handles.output_size;
  return repeated;
}

/// Returns self with `shape`: a view, or a copy at `address`.
Tensor source_of(Kernels& kernels, const char* name, const Tensor& self, const Shape& shape, const std::byte* address) {
  if (const auto view = reshaped(self, shape)) return *view;
  const Tensor copy = row_major(self.shape, self.dtype, address);
  append(kernels, copy_kernels(name, copy, self));
  return *reshaped(copy, shape);
}

/// The source index for each index of the repeated dim.
struct Indices {
  std::int64_t size;      ///< of the dim
  std::int64_t repeated;  ///< size of the repeated dim
  std::uint64_t sums_offset;
  std::uint64_t indices_offset;

  static Indices in(Workspace& workspace, std::int64_t size, std::int64_t repeated) {
    // Output index n comes from the first source index whose running sum of repeats exceeds n (search by upper
    // bound).
    const std::uint64_t sums = workspace.allocate({size}, DType::kUint32);
    return {size, repeated, sums, workspace.allocate({repeated}, DType::kUint32)};
  }
  Tensor make(Kernels& kernels, const char* name, const Tensor& repeats, const std::byte* workspace) const {
    const Tensor indices = row_major({repeated}, DType::kUint32, at_offset(workspace, indices_offset));
    write(kernels, name, repeats, workspace, indices);
    return indices;
  }
  void write(Kernels& kernels, const char* name, const Tensor& repeats, const std::byte* workspace,
             const Tensor& indices) const {
    const Tensor sums = row_major({size}, DType::kUint32, at_offset(workspace, sums_offset));
    kernels.push_back(running_sum_kernel(name, sums, repeats));
    append(kernels, count_sums_kernels(name, indices, sums));
  }
};

}  // namespace

std::shared_ptr<Executor> plan_repeat_interleave_int(const RepeatHandles& handles, std::int64_t repeats) {
  const char* const name = handles.name;
  const TensorPtr self = required_tensor(handles.self);
  const TensorPtr out = required_tensor(handles.out);
  check_pair(*self, "self", *out, kRepeatable);
  const Repeated what = repeated_of(handles, *self);
  check(repeats >= 0, Code::kNnInvalid, "repeats is {}; expected 0 or more.", repeats);
  std::int64_t total = 0;
  const bool fits = !__builtin_mul_overflow(what.shape[what.dim], repeats, &total);
  check(fits && total == handles.output_size, Code::kNnInvalid,
        "outputSize is {}; {} elements repeated {} times make {}.", handles.output_size, what.shape[what.dim], repeats,
        total);
  check_shape(*out, "out", what.out, "the repeated shape is");
  const bool direct = reshaped(*self, what.shape).has_value();
  Workspace workspace;
  if (!direct) workspace.allocate(self->shape, self->dtype);
  auto build = [=](const Executor::Operands& bound) {
    check_disjoint(bound, "out", "self");
    Kernels kernels;
    const Tensor from = source_of(kernels, name, bound.input(0), what.shape, bound.workspace);
    // A repetition is a broadcast dim after the repeated one, so a strided copy is enough.
    const Tensor to = unflattened(bound.output(0), what.dim, repeats);
    append(kernels, copy_kernels(name, to, repeated(from, what.dim + 1, repeats)));
    return kernels;
  };
  return std::make_shared<Executor>(name, Executor::Operands{{self.get()}, {out.get()}}, std::move(build),
                                    workspace.bytes());
}

std::shared_ptr<Executor> plan_repeat_interleave(const RepeatHandles& handles, const InputArg& repeats_handle) {
  const char* const name = handles.name;
  const TensorPtr self = required_tensor(handles.self);
  const TensorPtr repeats = required_tensor(repeats_handle);
  const TensorPtr out = required_tensor(handles.out);
  check_pair(*self, "self", *out, kRepeatable);
  check_index(*repeats, "repeats");
  const Repeated what = repeated_of(handles, *self);
  check_repeats(*repeats, what.shape[what.dim]);
  check_shape(*out, "out", what.out, "with outputSize the repeated shape is");
  check_source(*self, "self", *out);
  Workspace workspace;
  const bool direct = reshaped(*self, what.shape).has_value();
  const std::uint64_t self_offset = direct ? 0 : workspace.allocate(self->shape, self->dtype);
  const Indices indices = Indices::in(workspace, what.shape[what.dim], handles.output_size);
  auto build = [=](const Executor::Operands& bound) {
    check_disjoint(bound, "out", "an input");
    Kernels kernels;
    const Tensor from = source_of(kernels, name, bound.input(0), what.shape, at_offset(bound.workspace, self_offset));
    Tensor index = indices.make(kernels, name, bound.input(1), bound.workspace);
    while (index.shape.size() < what.shape.size() - what.dim) index = repeated(index, index.shape.size(), 1);
    Shape steps = from.strides;
    steps[what.dim] = 0;
    append(kernels,
           gather_kernels(
               {name, &from, &steps, &index, &bound.output(0), {from.shape[what.dim], from.strides[what.dim], false}}));
    return kernels;
  };
  return std::make_shared<Executor>(name, Executor::Operands{{self.get(), repeats.get()}, {out.get()}},
                                    std::move(build), workspace.bytes());
}

/// Writes only the indices: n, repeats[n] times.
std::shared_ptr<Executor> plan(const RepeatInterleaveTensorArgs& args) {
  const std::int64_t output_size = args.outputSize;
  constexpr const char* kName = "aclnnRepeatInterleaveTensor";
  const TensorPtr repeats = required_tensor(args.repeats);
  const TensorPtr out = required_tensor(args.out);
  check_index(*repeats, "repeats");
  check_index(*out, "out");
  check(repeats->shape.size() == 1, Code::kNnInvalid, "repeats has {} dimensions; expected 1.", repeats->shape.size());
  check_shape(*out, "out", {output_size}, "outputSize is");
  Workspace workspace;
  const Indices indices = Indices::in(workspace, repeats->shape[0], 0);
  auto build = [indices](const Executor::Operands& bound) {
    check_disjoint(bound, "out", "repeats");
    Kernels kernels;
    indices.write(kernels, kName, bound.input(0), bound.workspace, bound.output(0));
    return kernels;
  };
  return std::make_shared<Executor>(kName, Executor::Operands{{repeats.get()}, {out.get()}}, std::move(build),
                                    workspace.bytes());
}

/// The gradient: sums over the repetitions of each element.
std::shared_ptr<Executor> plan(const RepeatInterleaveGradArgs& args) {
  const std::int64_t axis = args.axis;
  constexpr const char* kName = "aclnnRepeatInterleaveGrad";
  const TensorPtr grad = required_tensor(args.yGrad);
  const TensorPtr repeats = required_tensor(args.repeats);
  const TensorPtr out = required_tensor(args.out);
  check_pair(*grad, "yGrad", *out, kGradients);
  check_index(*repeats, "repeats");
  check(!grad->shape.empty(), Code::kNnInvalid, "yGrad is a scalar; a tensor with the dimension axis is expected.");
  const std::size_t along = checked_dim(axis, grad->shape.size(), "axis");
  const Shape& shape = grad->shape;
  check(out->shape.size() == shape.size(), Code::kNnInvalid,
        "out has shape {} and yGrad {} dimensions; the same number is expected.", out->shape, shape.size());
  Shape expected = shape;
  expected[along] = out->shape[along];
  check_shape(*out, "out", expected, "but for axis it is that of yGrad:");
  check_repeats(*repeats, out->shape[along]);
  Workspace workspace;
  const Indices indices = Indices::in(workspace, out->shape[along], shape[along]);
  auto build = [=](const Executor::Operands& bound) {
    check_disjoint(bound, "out", "an input");
    const Tensor& from = bound.input(0);
    const Tensor& to = bound.output(0);
    // A source element with 0 repeats has the gradient 0.
    Kernels kernels = fill_kernels(kName, to, Element{});
    ScatterCall call;
    call.name = kName;
    call.combination = Combination::kAdd;
    call.out = to;
    call.index = indices.make(kernels, kName, bound.input(1), bound.workspace);
    call.source = from;
    call.columns = without(to.shape, along);
    call.out_steps = without(to.strides, along);
    call.index_steps = Shape(call.columns.size(), 0);
    call.source_steps = without(from.strides, along);
    call.count = from.shape[along];
    call.index_step = 1;
    call.source_step = from.strides[along];
    call.range = {to.shape[along], to.strides[along], false};
    append(kernels, scatter_kernels(call));
    return kernels;
  };
  return std::make_shared<Executor>(kName, Executor::Operands{{grad.get(), repeats.get()}, {out.get()}},
                                    std::move(build), workspace.bytes());
}

}  // namespace aclvk::ops
