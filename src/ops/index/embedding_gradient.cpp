#include "ops/index/embedding_gradient.hpp"

#include "base/error.hpp"
#include "ops/create/fill.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/index/indexed_kernels.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

constexpr DTypeSet kNumbers = kCommon.with(kDoubles);

/// A checked call.
struct Sums {
  const char* name;
  std::int64_t rows;
  std::int64_t padding_index;
  bool scale_by_frequency;
};

void check_shapes(const EmbeddingGradient& handles, const Tensor& grad, const Tensor& indices, const Tensor& out) {
  check(!grad.shape.empty(), Code::kNnInvalid, "grad is a scalar; a last dimension, that of a row, is expected.");
  const std::int64_t count = element_count(without(grad.shape, grad.shape.size() - 1));
  check(count == indices.elements(), Code::kNnInvalid,
        "grad has shape {}, which is {} rows, and indices has shape {}; a row for each index is expected.", grad.shape,
        count, indices.shape);
  check_shape(out, handles.out.name, {handles.rows, grad.shape.back()},
              "numWeights rows like those of grad have shape");
}

/// Returns the indices as a vector; truncates indices of floating dtypes.
Tensor vector_of_indices(const char* name, Staging& staging, Kernels& kernels, const Tensor& indices) {
  Tensor vector = kIndices.contains(indices.dtype) ? staging.read(indices) : staging.make(indices.shape, DType::kInt64);
  if (!kIndices.contains(indices.dtype)) append(kernels, copy_kernels(name, vector, indices));
  return *reshaped(vector, {indices.elements()});
}

/// Divides each sum by the number of its indices, at least 1.
void divide_by_counts(const Sums& call, Staging& staging, Kernels& kernels, const Tensor& sums, const Tensor& indices) {
  const Tensor counts = staging.make({call.rows}, DType::kInt32);
  const Tensor one = staging.make({1}, DType::kInt32);
  append(kernels, fill_kernels(call.name, counts, Element{}));
  append(kernels, fill_kernels(call.name, one, Element{1}));
  // The histogram of the indices is a scatter-add of ones.
  ScatterCall count = scatter_slices(call.name, Combination::kAdd, counts, 0, indices, one, true);
  // Negative indices select no row: those of an embedding do not count from the end.
  count.range.from_end = false;
  append(kernels, scatter_kernels(count));
  // A row without indices has the sum 0, and 0 / 1 stays 0.
  append(kernels, pointwise_kernels(call.name, Combination::kMaximum, counts, expanded(one, counts.shape)));
  append(kernels, pointwise_kernels(call.name, Combination::kDivide, sums, repeated(counts, 1, sums.shape[1])));
}

Kernels sum_kernels(const Sums& call, Staging& staging, const Tensor& grad, const Tensor& indices, const Tensor& out) {
  Kernels kernels;
  const std::int64_t columns = out.shape[1];
  // 16-bit gradients are summed in float and rounded once.
  const Tensor sums = out.dtype == DType::kFloat ? out : staging.make(out.shape, DType::kFloat);
  const Tensor index = vector_of_indices(call.name, staging, kernels, indices);
  const Tensor rows = *reshaped(staging.read(grad), {index.shape[0], columns});
  append(kernels, fill_kernels(call.name, sums, Element{}));
  ScatterCall sum = scatter_slices(call.name, Combination::kAdd, sums, 0, index, rows);
  sum.range.from_end = false;
  append(kernels, scatter_kernels(sum));
  if (call.scale_by_frequency) divide_by_counts(call, staging, kernels, sums, index);
  // The padding row takes part in the scatter and is cleared afterwards, which saves a comparison for each index.
  if (call.padding_index >= 0 && call.padding_index < call.rows) {
    append(kernels, fill_kernels(call.name, sliced(sums, 0, call.padding_index, 1), Element{}));
  }
  if (out.dtype != DType::kFloat) append(kernels, copy_kernels(call.name, out, sums));
  return kernels;
}

}  // namespace

std::shared_ptr<Executor> plan_embedding_gradient(const EmbeddingGradient& handles) {
  TensorParameters tensors;
  const ParamId grad = tensors.input(handles.grad);
  const ParamId indices = tensors.input(handles.indices);
  const ParamId out = tensors.output(handles.out);
  check_dtype(tensors[grad], "grad", kFloats);
  check_dtype(tensors[indices], "indices", kNumbers);
  check_same_dtype(tensors[out], handles.out.name, tensors[grad], "grad");
  tensors.check_views();
  check(handles.rows >= 0, Code::kNnInvalid, "numWeights is {}; expected 0 to 2^63 - 1.", handles.rows);
  check_shapes(handles, tensors[grad], tensors[indices], tensors[out]);
  const Sums call{handles.name, handles.rows, handles.padding_index, handles.scale_by_frequency};
  return staged_executor(handles.name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    bound.check_disjoint({out}, {grad, indices});
    return sum_kernels(call, staging, *bound[grad], *bound[indices], *bound[out]);
  });
}

}  // namespace aclvk::ops
