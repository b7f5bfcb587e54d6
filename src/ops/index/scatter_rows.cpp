#include "ops/index/scatter_rows.hpp"

#include <optional>
#include <utility>

#include "base/error.hpp"
#include "ops/args/index.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/workspace.hpp"
#include "ops/shape/copies.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

/// A tensor of a run whose first `dims` dims are one of `count` elements: a view of the tensor, or a copy in the
/// workspace where strides prevent a view.
class MergedRows {
 public:
  MergedRows(Workspace& workspace, const Tensor& tensor, std::size_t dims, std::int64_t count)
      : dims_(dims), count_(count), offset_(view_of(tensor) ? 0 : workspace.allocate(tensor.shape, tensor.dtype)) {}

  Tensor bind(Kernels& kernels, const char* name, const Tensor& tensor, const std::byte* workspace) const {
    if (const auto view = view_of(tensor)) return *view;
    const Tensor copy = row_major(tensor.shape, tensor.dtype, at_offset(workspace, offset_));
    append(kernels, copy_kernels(name, copy, tensor));
    return *view_of(copy);
  }

 private:
  std::optional<Tensor> view_of(const Tensor& tensor) const {
    Shape shape = {count_};
    shape.append(tensor.shape.begin() + dims_, tensor.shape.end());
    return reshaped(tensor, shape);
  }

  std::size_t dims_;
  std::int64_t count_;
  std::uint64_t offset_;
};

/// Input 0 is updated in place at the positions that input 1 names, with the elements of input 2.
Executor::Operands updated_operands(const TensorPtr& self, const TensorPtr& index, const TensorPtr& source) {
  return {{self.get(), index.get(), source.get()}, {self.get()}, {{0, 0}}};
}

/// Checks the memory of updated_operands().
void check_memory(const Executor::Operands& bound, const char* self, const char* index, const char* source) {
  check_distinct(bound.output(0), self);
  check_disjoint(bound.output(0), self, bound.input(1), index);
  check_disjoint(bound.output(0), self, bound.input(2), source);
}

}  // namespace

std::shared_ptr<Executor> plan_row_scatter(const char* name, Combination combination, const UpdatedArg& var_handle,
                                           const InputArg& indices_handle, const InputArg& updates_handle) {
  constexpr DTypeSet kRows = {DType::kFloat16, DType::kFloat, DType::kInt32,
                              DType::kInt8,    DType::kUint8, DType::kInt64};
  const TensorPtr var = required_tensor(var_handle);
  const TensorPtr indices = required_tensor(indices_handle);
  const TensorPtr updates = required_tensor(updates_handle);
  check_operand(*var, "varRef", combination == Combination::kAdd ? kRows.with({DType::kBfloat16}) : kRows);
  check_index(*indices, "indices");
  check_same_dtype(*updates, "updates", *var, "varRef");
  check_view(*updates, "updates");
  check(!var->shape.empty(), Code::kNnInvalid, "varRef is a scalar; a tensor with rows is expected.");
  Shape shape = indices->shape;
  shape.append(var->shape.begin() + 1, var->shape.end());
  check_shape(*updates, "updates", shape, "a row of varRef for each index makes");
  const std::int64_t count = indices->elements();
  const std::size_t dims = indices->shape.size();
  Workspace workspace;
  const MergedRows index_rows(workspace, *indices, dims, count);
  const MergedRows update_rows(workspace, *updates, dims, count);
  auto build = [=](const Executor::Operands& bound) {
    check_memory(bound, "varRef", "indices", "updates");
    Kernels kernels;
    const Tensor index = index_rows.bind(kernels, name, bound.input(1), bound.workspace);
    const Tensor source = update_rows.bind(kernels, name, bound.input(2), bound.workspace);
    append(kernels, scatter_kernels(scatter_slices(name, combination, bound.output(0), 0, index, source)));
    return kernels;
  };
  return std::make_shared<Executor>(name, updated_operands(var, indices, updates), std::move(build), workspace.bytes());
}

/// aclnnInplacePut: writes source[i] to element index[i] of the flattened selfRef, or adds it.
std::shared_ptr<Executor> plan(const InplacePutArgs& args) {
  const bool accumulate = args.accumulate;
  constexpr const char* kName = "aclnnInplacePut";
  const TensorPtr self = required_tensor(args.selfRef);
  const TensorPtr index = required_tensor(args.index);
  const TensorPtr source = required_tensor(args.source);
  check_dtype(*self, "selfRef", kMovable);
  check_dtype(*index, "index", kIndices);
  check_same_dtype(*source, "source", *self, "selfRef");
  check_view(*self, "selfRef");
  check_view(*index, "index");
  check_view(*source, "source");
  const std::int64_t count = index->elements();
  check(source->elements() == count, Code::kNnInvalid,
        "source has {} elements and index {}; the same number is expected.", source->elements(), count);
  Workspace workspace;
  const MergedRows index_rows(workspace, *index, index->shape.size(), count);
  const MergedRows source_rows(workspace, *source, source->shape.size(), count);
  const MergedRows self_rows(workspace, *self, self->shape.size(), self->elements());
  const auto combination = accumulate ? Combination::kAdd : Combination::kAssign;
  auto build = [=](const Executor::Operands& bound) {
    check_memory(bound, "selfRef", "index", "source");
    const Tensor& out = bound.output(0);
    Kernels kernels;
    const Tensor to = self_rows.bind(kernels, kName, out, bound.workspace);
    const Tensor positions = index_rows.bind(kernels, kName, bound.input(1), bound.workspace);
    const Tensor from = source_rows.bind(kernels, kName, bound.input(2), bound.workspace);
    append(kernels, scatter_kernels(scatter_slices(kName, combination, to, 0, positions, from)));
    // A view that cannot be flattened is updated in a contiguous copy and written back.
    if (to.address() != out.address()) append(kernels, copy_kernels(kName, out, *reshaped(to, out.shape)));
    return kernels;
  };
  return std::make_shared<Executor>(kName, updated_operands(self, index, source), std::move(build), workspace.bytes());
}

std::size_t check_update(const Tensor& data, const char* data_name, const Tensor& indices, const Tensor& updates,
                         std::int64_t axis) {
  const std::size_t rank = data.shape.size();
  check(rank >= 2 && updates.shape.size() == rank, Code::kNnInvalid,
        "{} has shape {} and updates {}; the same number of dimensions, two at least, is expected.", data_name,
        data.shape, updates.shape);
  const std::size_t along = checked_dim(axis, rank, "axis");
  check(along > 0, Code::kNnInvalid, "axis is {}; a dimension after 0, which is that of the indices, is expected.",
        axis);
  check_shape(indices, "indices", {updates.shape[0]}, "updates has this many slices:");
  for (std::size_t i = 0; i < rank; ++i) {
    check(updates.shape[i] <= data.shape[i], Code::kNnInvalid, "updates has shape {}; it must fit into {} {}.",
          updates.shape, data_name, data.shape);
  }
  return along;
}

Kernels update_kernels(const char* name, const Tensor& data, const Tensor& indices, const Tensor& updates,
                       std::size_t along) {
  ScatterCall call;
  call.name = name;
  call.out = data;
  call.index = indices;
  call.source = updates;
  call.columns = updates.shape;
  call.out_steps = data.strides;
  call.index_steps = Shape(updates.shape.size(), 0);
  call.index_steps[0] = indices.strides[0];
  call.source_steps = updates.strides;
  // One index moves a whole slice: each element of updates is a column with a single index.
  call.count = updates.empty() ? 0 : 1;
  // A slice that extends past the end is ignored as a whole.
  call.range = {data.shape[along] - updates.shape[along] + 1, data.strides[along], false};
  return scatter_kernels(call);
}

std::shared_ptr<Executor> plan_scatter_update(const OutputArg& data_handle, const InputArg& indices_handle,
                                              const InputArg& updates_handle, std::int64_t axis) {
  constexpr const char* kName = "aclnnInplaceScatterUpdate";
  constexpr DTypeSet kCaches = {DType::kInt8,       DType::kUint8,      DType::kFloat16,
                                DType::kFloat,      DType::kInt32,      DType::kBfloat16,
                                DType::kFloat8E4M3, DType::kFloat8E5M2, DType::kHifloat8};
  const TensorPtr data = required_tensor(data_handle);
  const TensorPtr indices = required_tensor(indices_handle);
  const TensorPtr updates = required_tensor(updates_handle);
  check_dtype(*data, "data", kCaches);
  check_dtype(*indices, "indices", kIndices);
  check_same_dtype(*updates, "updates", *data, "data");
  check_view(*data, "data");
  check_view(*indices, "indices");
  check_view(*updates, "updates");
  const std::size_t along = check_update(*data, "data", *indices, *updates, axis);
  auto build = [along](const Executor::Operands& bound) {
    check_memory(bound, "data", "indices", "updates");
    return update_kernels(kName, bound.output(0), bound.input(1), bound.input(2), along);
  };
  return std::make_shared<Executor>(kName, updated_operands(data, indices, updates), std::move(build));
}

/// aclnnOneHot: element c along axis is onValue where self equals c, else offValue.
std::shared_ptr<Executor> plan(const OneHotArgs& args) {
  const int classes = args.numClasses;
  const std::int64_t axis = args.axis;
  constexpr const char* kName = "aclnnOneHot";
  constexpr DTypeSet kLabels = kIndices.with({DType::kUint8});
  constexpr DTypeSet kHot = {DType::kFloat16, DType::kFloat, DType::kInt8, DType::kUint8, DType::kInt32, DType::kInt64};
  const TensorPtr self = required_tensor(args.self);
  const TensorPtr on = required_tensor(args.onValue);
  const TensorPtr off = required_tensor(args.offValue);
  const TensorPtr out = required_tensor(args.out);
  check_dtype(*self, "self", kLabels);
  check_dtype(*out, "out", kHot);
  check_same_dtype(*on, "onValue", *out, "out");
  check_same_dtype(*off, "offValue", *out, "out");
  for (const auto& [tensor, name] : {std::pair{self, "self"}, {on, "onValue"}, {off, "offValue"}, {out, "out"}}) {
    check_view(*tensor, name);
  }
  check(on->elements() == 1 && off->elements() == 1, Code::kNnInvalid,
        "onValue has {} elements and offValue {}; expected one of each.", on->elements(), off->elements());
  check(classes >= 0, Code::kNnInvalid, "numClasses is {}; expected 0 or more.", classes);
  const std::size_t along = axis == -1 ? self->shape.size() : checked_dim(axis, self->shape.size() + 1, "axis");
  check_shape(*out, "out", with(self->shape, along, classes), "with the classes the shape is");
  Workspace workspace;
  if (self->dtype == DType::kUint8) workspace.allocate(self->shape, DType::kInt32);
  auto build = [along](const Executor::Operands& bound) {
    check_disjoint(bound, "out", "an input");
    const Tensor& result = bound.output(0);
    const auto scalar = [](const Tensor& tensor) { return *reshaped(tensor, {1}); };
    // The background is offValue. The scatter then writes one onValue for each label.
    Kernels kernels = copy_kernels(kName, result, scalar(bound.input(2)));
    Tensor labels = bound.input(0);
    // Index kernels read INT32 and INT64 elements.
    if (labels.dtype == DType::kUint8) {
      labels = row_major(labels.shape, DType::kInt32, bound.workspace);
      append(kernels, copy_kernels(kName, labels, bound.input(0)));
    }
    ScatterCall call;
    call.name = kName;
    call.out = result;
    call.index = labels;
    call.source = scalar(bound.input(1));
    call.columns = labels.shape;
    call.out_steps = without(result.strides, along);
    call.index_steps = labels.strides;
    call.source_steps = Shape(labels.shape.size(), 0);
    call.count = labels.empty() ? 0 : 1;
    call.range = {result.shape[along], result.strides[along], false};
    append(kernels, scatter_kernels(call));
    return kernels;
  };
  return std::make_shared<Executor>(kName, Executor::Operands{{self.get(), on.get(), off.get()}, {out.get()}},
                                    std::move(build), workspace.bytes());
}

}  // namespace aclvk::ops
