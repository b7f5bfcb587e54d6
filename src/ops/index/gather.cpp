#include "ops/index/gather.hpp"

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
constexpr DTypeSet kSelectable = kMovable.with(kWideUnsigned);

void check_operands(const Tensor& self, const char* self_name, const Tensor& index, const char* index_name,
                    const Tensor& out, const DTypeSet& dtypes) {
  check_dtype(self, self_name, dtypes);
  // Empty index tensors of PyTorch programs may have any dtype.
  if (!index.empty()) check_dtype(index, index_name, kIndices);
  check_dtype(out, "out", dtypes);
  check_same_dtype(out, "out", self, self_name);
  check_view(self, self_name);
  check_view(index, index_name);
  check_view(out, "out");
}

}  // namespace

std::shared_ptr<Executor> plan(const GatherArgs& args) {
  const std::int64_t dim = args.dim;
  constexpr const char* kName = "aclnnGather";
  const TensorPtr self = required_tensor(args.self);
  const TensorPtr index = required_tensor(args.index);
  const TensorPtr out = required_tensor(args.out);
  check_operands(*self, "self", *index, "index", *out, kGatherable);
  const Shape from = at_least_one_dim(*self).shape;
  const Shape shape = at_least_one_dim(*index).shape;
  check(from.size() == shape.size() || index->empty(), Code::kNnInvalid,
        "index has shape {} and self {} dimensions; the same number is expected.", index->shape, self->shape.size());
  check_shape(*out, "out", index->shape, "index has shape");
  const std::size_t along = checked_dim(dim, from.size(), "dim");
  for (std::size_t i = 0; i < from.size() && !index->empty(); ++i) {
    check(i == along || shape[i] <= from[i], Code::kNnInvalid,
          "index has {} elements along dimension {}; self has {} there.", shape[i], i, from[i]);
  }
  check_source(*self, "self", *out);
  return std::make_shared<Executor>(
      kName, Executor::Operands{{self.get(), index.get()}, {out.get()}}, [along](const Executor::Operands& bound) {
        check_disjoint(bound, "out", "self or index");
        const Tensor source = at_least_one_dim(bound.input(0));
        const Tensor positions = at_least_one_dim(bound.input(1));
        const Tensor result = at_least_one_dim(bound.output(0));
        Shape steps = source.strides;
        // An empty index may have another rank than self.
        steps.resize(result.shape.size());
        // The index alone determines the position along the dim; the other coordinates are those of out.
        if (along < steps.size()) steps[along] = 0;
        return gather_kernels(
            {kName, &source, &steps, &positions, &result, {source.shape[along], source.strides[along], true}});
      });
}

std::shared_ptr<Executor> plan_gather_v2(const TakeAlong& handles) {
  const char* const name = handles.name;
  const TensorPtr self = required_tensor(handles.self);
  const TensorPtr index = required_tensor(handles.index);
  const TensorPtr out = required_tensor(handles.out);
  check_operands(*self, handles.self.name, *index, handles.index.name, *out, kSelectable);
  const Tensor source = at_least_one_dim(*self);
  const std::size_t along = checked_dim(handles.dim, source.shape.size(), "dim");
  // Batch dims come before the gathered dim in both tensors.
  const auto most = static_cast<std::int64_t>(std::min(along, index->shape.size()));
  const std::int64_t batch_dims =
      handles.batch_dims < 0 ? handles.batch_dims + static_cast<std::int64_t>(index->shape.size()) : handles.batch_dims;
  check(batch_dims >= 0 && batch_dims <= most, Code::kNnInvalid, "batchDims is {}; expected 0 to {}.",
        handles.batch_dims, most);
  const auto batch = static_cast<std::size_t>(batch_dims);
  for (std::size_t i = 0; i < batch; ++i) {
    check(index->shape[i] == source.shape[i], Code::kNnInvalid,
          "{} has {} elements along batch dimension {}; {} has {} there.", handles.index.name, index->shape[i], i,
          handles.self.name, source.shape[i]);
  }
  Shape shape(source.shape.begin(), source.shape.begin() + along);
  shape.append(index->shape.begin() + batch, index->shape.end());
  shape.append(source.shape.begin() + along + 1, source.shape.end());
  if (self->shape.empty() && index->shape.empty()) shape.clear();
  check_shape(*out, "out", shape, "with the index in place of the dimension the shape is");
  check_source(*self, handles.self.name, *out);
  return std::make_shared<Executor>(
      name, Executor::Operands{{self.get(), index.get()}, {out.get()}}, [=](const Executor::Operands& bound) {
        check_disjoint(bound, "out", "an input");
        const Tensor from = at_least_one_dim(bound.input(0));
        Shape steps(from.strides.begin(), from.strides.begin() + along);
        steps.resize(along + bound.input(1).shape.size() - batch);
        steps.append(from.strides.begin() + along + 1, from.strides.end());
        // Adds broadcast dims to the index where out has the dims of self.
        Tensor positions = bound.input(1);
        for (std::size_t i = batch; i < along; ++i) positions = repeated(positions, i, 1);
        for (std::size_t i = along + 1; i < from.shape.size(); ++i)
          positions = repeated(positions, positions.shape.size(), 1);
        return gather_kernels(
            {name, &from, &steps, &positions, &bound.output(0), {from.shape[along], from.strides[along], true}});
      });
}

/// aclnnIndexSelect: the index has at most one dim.
std::shared_ptr<Executor> plan(const IndexSelectArgs& args) {
  const std::int64_t dim = args.dim;
  const TensorPtr checked_self = required_tensor(args.self);
  const TensorPtr checked = required_tensor(args.index);
  const TensorPtr checked_out = required_tensor(args.out);
  check_operands(*checked_self, "self", *checked, "index", *checked_out, kSelectable);
  check(checked->shape.size() <= 1, Code::kNnInvalid, "index has {} dimensions; expected at most 1.",
        checked->shape.size());
  // A 0-d index keeps the dim, with one element.
  Tensor vector = at_least_one_dim(*checked);
  const Tensor source = at_least_one_dim(*checked_self);
  const std::size_t along = checked_dim(dim, source.shape.size(), "dim");
  Shape shape = source.shape;
  shape[along] = vector.shape[0];
  if (checked_self->shape.empty()) shape = checked_out->shape.empty() && vector.shape[0] == 1 ? Shape{} : shape;
  check_shape(*checked_out, "out", shape, "the selected shape is");
  check_source(*checked_self, "self", *checked_out);
  return std::make_shared<Executor>(
      "aclnnIndexSelect", Executor::Operands{{checked_self.get(), checked.get()}, {checked_out.get()}},
      [along](const Executor::Operands& bound) {
        check_disjoint(bound, "out", "self or index");
        const Tensor from = at_least_one_dim(bound.input(0));
        const Tensor to = at_least_one_dim(bound.output(0));
        Shape steps = from.strides;
        steps[along] = 0;
        Tensor positions = at_least_one_dim(bound.input(1));
        while (positions.shape.size() < from.shape.size() - along)
          positions = repeated(positions, positions.shape.size(), 1);
        return gather_kernels(
            {"aclnnIndexSelect", &from, &steps, &positions, &to, {from.shape[along], from.strides[along], true}});
      });
}

/// aclnnEmbedding: gathers rows of a matrix.
std::shared_ptr<Executor> plan(const EmbeddingArgs& args) {
  const TensorPtr checked = required_tensor(args.weight);
  required_tensor(args.indices);
  required_tensor(args.out);
  check_dtype(*checked, "weight", kMovable);
  const auto plan = plan_gather_v2({"aclnnEmbedding", args.weight, 0, args.indices, 0, args.out});
  check(checked->shape.size() == 2, Code::kNnInvalid, "weight has {} dimensions; expected 2.", checked->shape.size());
  return plan;
}

/// aclnnTake: gathers elements of the flattened self.
std::shared_ptr<Executor> plan(const TakeArgs& args) {
  constexpr const char* kName = "aclnnTake";
  const TensorPtr self = required_tensor(args.self);
  const TensorPtr index = required_tensor(args.index);
  const TensorPtr out = required_tensor(args.out);
  check_operands(*self, "self", *index, "index", *out, kSelectable);
  check_shape(*out, "out", index->shape, "index has shape");
  check_source(*self, "self", *out);
  const Shape row = {self->elements()};
  // A linear index needs one stride for all elements; other views are copied.
  const bool direct = reshaped(*self, row).has_value();
  Workspace workspace;
  if (!direct) workspace.allocate(self->shape, self->dtype);
  auto build = [row](const Executor::Operands& bound) {
    check_disjoint(bound, "out", "self or index");
    Kernels kernels;
    auto source = reshaped(bound.input(0), row);
    if (!source) {
      source = row_major(bound.input(0).shape, bound.input(0).dtype, bound.workspace);
      kernels = copy_kernels(kName, *source, bound.input(0));
      source = reshaped(*source, row);
    }
    const Shape steps(bound.output(0).shape.size(), 0);
    // A view of one element may have any stride.
    const std::int64_t stride = row[0] == 1 ? 1 : source->strides[0];
    append(kernels,
           gather_kernels({kName, &*source, &steps, &bound.input(1), &bound.output(0), {row[0], stride, true}}));
    return kernels;
  };
  return std::make_shared<Executor>(kName, Executor::Operands{{self.get(), index.get()}, {out.get()}}, std::move(build),
                                    workspace.bytes());
}

}  // namespace aclvk::ops
