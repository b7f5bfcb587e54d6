#include "ops/matmul/products/contraction.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "ops/elementwise/pointwise.hpp"
#include "ops/elementwise/tables.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/matmul/products/gemm.hpp"
#include "ops/reduction/reduce.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

constexpr std::size_t kMaxBatchDims = kMaxRank - 2;

LabelSet bit(int label) { return LabelSet{1} << label; }

std::size_t dim_of(const Labelled& tensor, int label) {
  const auto place = std::find(tensor.labels.begin(), tensor.labels.end(), label);
  return static_cast<std::size_t>(place - tensor.labels.begin());
}

std::int64_t size_of(const Labelled& tensor, int label) { return tensor.tensor.shape[dim_of(tensor, label)]; }

/// Returns the tensor's labels that are in `set`, by descending stride.
Labels labels_in(const Labelled& tensor, LabelSet set) {
  Labels labels;
  for (const int label : tensor.labels) {
    if ((set & bit(label)) != 0) labels.push_back(label);
  }
  const auto stride = [&](int label) { return tensor.tensor.strides[dim_of(tensor, label)]; };
  // The order of memory: dims that merge into one need it, and merging saves a copy.
  std::stable_sort(labels.begin(), labels.end(), [&](int first, int second) { return stride(first) > stride(second); });
  return labels;
}

/// Returns a view with the dims in this order; a missing label becomes a dim of size 1.
Tensor ordered(const Labelled& tensor, const Labels& labels) {
  Tensor view = tensor.tensor;
  view.shape.clear();
  view.strides.clear();
  for (const int label : labels) {
    const std::size_t dim = dim_of(tensor, label);
    const bool has = dim < tensor.labels.size();
    view.shape.push_back(has ? tensor.tensor.shape[dim] : 1);
    view.strides.push_back(has ? tensor.tensor.strides[dim] : 0);
  }
  return view;
}

Labels joined_labels(const std::vector<Labels>& groups) {
  Labels all;
  for (const Labels& group : groups) all.insert(all.end(), group.begin(), group.end());
  return all;
}

/// Returns the shape with the labels of each group merged into one dim.
Shape grouped_shape(const Labelled& tensor, const std::vector<Labels>& groups) {
  Shape shape;
  for (const Labels& group : groups) {
    std::int64_t size = 1;
    for (const int label : group) size *= size_of(tensor, label);
    shape.push_back(size);
  }
  return shape;
}

/// Returns the dtype of intermediate results.
// A half would round after each of several products.
DType between(DType dtype) { return dtype == DType::kFloat16 ? DType::kFloat : dtype; }

}  // namespace

LabelSet set_of(const Labels& labels) {
  LabelSet set = 0;
  for (const int label : labels) set |= bit(label);
  return set;
}

Labelled Contraction::make(const Labels& labels, const std::vector<const Labelled*>& sizes) {
  check(labels.size() <= kMaxRank, Code::kNnInvalid,
        "{} has an intermediate product with {} dimensions; at most {} are supported.", name_, labels.size(), kMaxRank);
  Shape shape;
  for (const int label : labels) {
    const auto has = [&](const Labelled* tensor) { return (set_of(tensor->labels) & bit(label)) != 0; };
    shape.push_back(size_of(**std::find_if(sizes.begin(), sizes.end(), has), label));
  }
  return {staging_.make(shape, between(sizes.front()->tensor.dtype)), labels};
}

void Contraction::sum_into(const Labelled& out, const Labelled& tensor) {
  if (out.labels.size() == tensor.labels.size()) {
    append(kernels_, copy_kernels(name_, out.tensor, ordered(tensor, out.labels)));
    return;
  }
  Labels labels = out.labels;
  for (const int label : tensor.labels) {
    if ((set_of(out.labels) & bit(label)) == 0) labels.push_back(label);
  }
  const Tensor view = ordered(tensor, labels);
  const DimMask dims = all_dims(view) & ~((DimMask{1} << out.labels.size()) - 1);
  append(kernels_, reduce_kernels(name_, ReduceKind::kSum, between(view.dtype), view, dims, out.tensor, staging_));
}

Labelled Contraction::sum(const Labelled& tensor, LabelSet kept) {
  if ((set_of(tensor.labels) & ~kept) == 0) return tensor;
  const Labelled out = make(labels_in(tensor, kept), {&tensor});
  sum_into(out, tensor);
  return out;
}

/// Returns the tensor with each group merged into one dim: a view, or a copy if strides do not allow one.
Tensor Contraction::grouped(const Labelled& tensor, const std::vector<Labels>& groups) {
  const Tensor view = ordered(tensor, joined_labels(groups));
  const Shape shape = grouped_shape(tensor, groups);
  if (const auto merged = reshaped(view, shape)) return *merged;
  return *reshaped(staging_.copy(view, kernels_), shape);
}

void Contraction::multiply_into(const Labelled& out, const Labelled& first, const Labelled& second) {
  const LabelSet kept = set_of(out.labels);
  const LabelSet both = set_of(first.labels) & set_of(second.labels);
  // No label is contracted: a pointwise product suffices.
  if ((both & ~kept) == 0) {
    const DType promoted = between(first.tensor.dtype);
    const Tensor left = ordered(first, out.labels);
    const Tensor right = ordered(second, out.labels);
    append(kernels_, pointwise_kernels(name_, row_of(BinaryOp::kMul), promoted, {&left, &right}, out.tensor));
    return;
  }
  const Labels shared = labels_in(first, both & kept);
  std::vector<Labels> batch;
  for (const int label : shared) batch.push_back({label});
  // A GEMM has as many dims of a batch; more are merged into one.
  if (shared.size() > kMaxBatchDims) batch = {shared};
  const auto with_matrix = [&](const Labels& rows, const Labels& columns) {
    std::vector<Labels> groups = batch;
    groups.push_back(rows);
    groups.push_back(columns);
    return groups;
  };
  const Labels rows = labels_in(first, ~both);
  const Labels columns = labels_in(second, ~both);
  // The contraction as a batch of products: labels of both and of the result are the batch, those of one factor
  // its rows or columns, those of both that are not in the result K.
  const Labels contracted = labels_in(first, both & ~kept);
  const auto result = with_matrix(rows, columns);
  Tensor a = grouped(first, with_matrix(rows, contracted));
  Tensor b = grouped(second, with_matrix(contracted, columns));
  const Tensor view = ordered(out, joined_labels(result));
  const Shape shape = grouped_shape(out, result);
  const auto merged = reshaped(view, shape);
  const Tensor product = merged ? *merged : staging_.make(shape, out.tensor.dtype);
  append(kernels_, gemm_kernels({name_, std::move(a), std::move(b), std::nullopt, product}, staging_, execution_));
  if (!merged) append(kernels_, copy_kernels(name_, view, *reshaped(product, view.shape)));
}

Labelled Contraction::multiply(const Labelled& first, const Labelled& second, LabelSet kept) {
  Labels labels = labels_in(first, kept);
  for (const int label : labels_in(second, kept & ~set_of(first.labels))) labels.push_back(label);
  const Labelled out = make(labels, {&first, &second});
  multiply_into(out, first, second);
  return out;
}

}  // namespace aclvk::ops
