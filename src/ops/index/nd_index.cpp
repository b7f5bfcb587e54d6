
#include "base/error.hpp"
#include "ops/args/index.hpp"
#include "ops/index/indexed_kernels.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/workspace.hpp"
#include "ops/shape/copies.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

constexpr DTypeSet kGatherable = kCommon.with(kDoubles).with(kWideUnsigned);
constexpr DTypeSet kScatterable = kFloats.with(kBools).with(kIndices);
constexpr DTypeSet kUpdatable = kFloats.with(kBools).with(kIndices).with({DType::kInt8}).with(kFloat8s);

/// Indices whose last dim has one index for each of the first `depth` dims of a tensor.
struct NdIndex {
  Shape index_shape;  ///< the shape of indices without the last dim
  std::size_t depth;  ///< the number of indexed dims
};

NdIndex checked_nd_index(const Tensor& tensor, const char* name, const Tensor& indices) {
  check(!indices.shape.empty(), Code::kNnInvalid, "indices is a scalar; its last dimension holds the indices.");
  const std::int64_t depth = indices.shape.back();
  check(depth >= 1 && depth <= static_cast<std::int64_t>(tensor.shape.size()), Code::kNnInvalid,
        "indices has shape {}; its last size is 1 to {}, the dimensions of {}.", indices.shape, tensor.shape.size(),
        name);
  return {without(indices.shape, indices.shape.size() - 1), static_cast<std::size_t>(depth)};
}

/// The shape of the selection: the index shape, then the dims of the tensor that are not indexed.
Shape shape_of(const NdIndex& nd, const Tensor& tensor) {
  Shape shape = nd.index_shape;
  shape.append(tensor.shape.begin() + nd.depth, tensor.shape.end());
  return shape;
}

/// The strides of the dims that are not indexed.
Shape trailing_strides(const Tensor& tensor, const NdIndex& nd) {
  return {tensor.strides.begin() + nd.depth, tensor.strides.end()};
}

IndexRange reach_of(const Tensor& tensor, const NdIndex& nd) {
  return index_range_of_dims(tensor, [&](std::size_t dim) { return dim < nd.depth; });
}

Kernels linearize_nd(const char* name, const NdIndex& nd, const Tensor& tensor, const Tensor& indices,
                     const Tensor& numbers, bool from_end) {
  std::vector<PartialIndex> parts;
  for (std::size_t i = 0; i < nd.depth; ++i) {
    // The last dim of indices holds one coordinate for each indexed dim.
    const Tensor part = selected(indices, indices.shape.size() - 1, static_cast<std::int64_t>(i));
    parts.push_back({part, {tensor.shape[i], tensor.strides[i], from_end}});
  }
  return linearize_kernels(name, numbers, parts);
}

}  // namespace

std::shared_ptr<Executor> plan(const GatherNdArgs& args) {
  const bool from_end = args.negativeIndexSupport;
  constexpr const char* kName = "aclnnGatherNd";
  const TensorPtr self = required_tensor(args.self);
  const TensorPtr indices = required_tensor(args.indices);
  const TensorPtr out = required_tensor(args.out);
  check_dtype(*self, "self", kGatherable);
  check_index(*indices, "indices");
  check_same_dtype(*out, "out", *self, "self");
  check_view(*self, "self");
  check_view(*out, "out");
  const NdIndex nd = checked_nd_index(*self, "self", *indices);
  check_shape(*out, "out", shape_of(nd, *self), "the indices select");
  check_source(*self, "self", *out);
  Workspace workspace;
  workspace.allocate(nd.index_shape, DType::kUint32);
  auto build = [nd, from_end](const Executor::Operands& bound) {
    check_disjoint(bound, "out", "self or indices");
    const Tensor& from = bound.input(0);
    const Tensor numbers = row_major(nd.index_shape, DType::kUint32, bound.workspace);
    Kernels kernels = linearize_nd(kName, nd, from, bound.input(1), numbers, from_end);
    Shape steps(nd.index_shape.size(), 0);
    const Shape trailing = trailing_strides(from, nd);
    steps.append(trailing.begin(), trailing.end());
    // The linear index broadcasts over the dims that are not indexed.
    Tensor index = numbers;
    while (index.shape.size() < steps.size()) index = repeated(index, index.shape.size(), 1);
    append(kernels, gather_kernels({kName, &from, &steps, &index, &bound.output(0), reach_of(from, nd)}));
    return kernels;
  };
  return std::make_shared<Executor>(kName, Executor::Operands{{self.get(), indices.get()}, {out.get()}},
                                    std::move(build), workspace.bytes());
}

namespace {

std::shared_ptr<Executor> plan_nd(const char* name, const char* self_name, const Tensor& data, const Tensor& indices,
                                  const Tensor& updates, const Tensor& out, bool in_place, const DTypeSet& dtypes) {
  check_dtype(data, self_name, dtypes);
  check_index(indices, "indices");
  check_same_dtype(updates, "updates", data, self_name);
  check_same_dtype(out, "out", data, self_name);
  check_view(data, self_name);
  check_view(updates, "updates");
  check_view(out, "out");
  check_shape(out, "out", data.shape, "data has shape");
  const NdIndex nd = checked_nd_index(data, self_name, indices);
  const Shape shape = shape_of(nd, data);
  check_shape(updates, "updates", shape, "a part of the data for each index makes");
  Shape rows = {element_count(nd.index_shape)};
  rows.append(shape.begin() + nd.index_shape.size(), shape.end());
  Workspace workspace;
  const std::uint64_t numbers_offset = workspace.allocate(nd.index_shape, DType::kUint32);
  const bool direct = reshaped(updates, rows).has_value();
  const std::uint64_t updates_offset = direct ? 0 : workspace.allocate(shape, updates.dtype);
  auto build = [=](const Executor::Operands& bound) {
    check_distinct(bound.output(0), "out");
    for (const std::size_t slot : {1, 2}) check_disjoint(bound.output(0), "out", bound.input(slot), "an input");
    check_overlap(bound.output(0), "out", bound.input(0), self_name);
    Kernels kernels;
    if (!is_same_view(bound.input(0), bound.output(0))) kernels = copy_kernels(name, bound.output(0), bound.input(0));
    const Tensor numbers = row_major(nd.index_shape, DType::kUint32, at_offset(bound.workspace, numbers_offset));
    append(kernels, linearize_nd(name, nd, bound.output(0), bound.input(1), numbers, true));
    Tensor source = bound.input(2);
    if (!direct) {
      source = row_major(shape, source.dtype, at_offset(bound.workspace, updates_offset));
      append(kernels, copy_kernels(name, source, bound.input(2)));
    }
    source = *reshaped(source, rows);
    const Tensor& to = bound.output(0);
    append(kernels, scatter_kernels(scatter_row_list(name, Combination::kAssign, to, trailing_strides(to, nd), numbers,
                                                     source, reach_of(to, nd))));
    return kernels;
  };
  Executor::Operands operands{{&data, &indices, &updates}, {&out}};
  if (in_place) operands.updated = {{0, 0}};
  return std::make_shared<Executor>(name, std::move(operands), std::move(build), workspace.bytes());
}

}  // namespace

std::shared_ptr<Executor> plan(const ScatterNdArgs& args) {
  const TensorPtr data = required_tensor(args.data);
  const TensorPtr indices = required_tensor(args.indices);
  const TensorPtr updates = required_tensor(args.updates);
  const TensorPtr out = required_tensor(args.out);
  return plan_nd("aclnnScatterNd", "data", *data, *indices, *updates, *out, false, kScatterable);
}

std::shared_ptr<Executor> plan(const ScatterNdUpdateArgs& args) {
  const TensorPtr var = required_tensor(args.varRef);
  const TensorPtr indices = required_tensor(args.indices);
  const TensorPtr updates = required_tensor(args.updates);
  return plan_nd("aclnnScatterNdUpdate", "varRef", *var, *indices, *updates, *var, true, kUpdatable);
}

}  // namespace aclvk::ops
