#include "ops/sort/unique.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "ops/executor/dynamic_length.hpp"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/index/indexed_kernels.hpp"
#include "ops/index/search.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/scan/scan.hpp"
#include "ops/sort/slices.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using BoundTensors = TensorParameters::BoundTensors;
using ParamId = TensorParameters::ParamId;

constexpr DTypeSet kNumbers = {DType::kInt64};

/// A call of an operator.
struct Unique {
  const char* name = nullptr;
  TensorParameters tensors;
  ParamId self = ParamId::kNone;
  ParamId values = ParamId::kNone;
  ParamId inverse = ParamId::kNone;
  ParamId counts = ParamId::kNone;
  bool wants_inverse = false;
  bool wants_counts = false;
  bool sorts = false;
  bool flat = false;    ///< a slice is an element of self
  std::size_t dim = 0;  ///< else slices are along this dim
  Shape shape;          ///< of self, or {elements} of a flat one
  runtime::Execution execution;

  std::int64_t rows() const { return shape[dim]; }
};

Unique unique_of(const UniqueHandles& handles, bool sorts) {
  Unique unique;
  unique.name = handles.name;
  unique.self = unique.tensors.input(handles.self);
  unique.values = unique.tensors.output(handles.values);
  unique.inverse = unique.tensors.output(handles.inverse);
  if (handles.counts.name) unique.counts = unique.tensors.output(handles.counts);
  unique.wants_inverse = handles.wants_inverse;
  unique.wants_counts = handles.wants_counts;
  unique.sorts = sorts;
  unique.execution = runtime::execution();
  const TensorParameters& tensors = unique.tensors;
  check_dtype(tensors[unique.self], "self", dtypes_of(handles.name).inputs);
  check_same_dtype(tensors[unique.values], "valueOut", tensors[unique.self], "self");
  check_dtype(tensors[unique.inverse], "inverseOut", kNumbers);
  if (tensors.has(unique.counts)) check_dtype(tensors[unique.counts], handles.counts.name, kNumbers);
  tensors.check_views();
  return unique;
}

void set_flat(Unique& unique) {
  unique.flat = true;
  unique.shape = {unique.tensors[unique.self].elements()};
}

void set_dim(Unique& unique, std::int64_t dim) {
  unique.shape = at_least_one_dim(unique.tensors[unique.self]).shape;
  unique.dim = checked_dim(dim, unique.tensors[unique.self].shape.size(), "dim");
}

/// Throws 161002 unless a result that becomes a vector has at least `count` elements, and is contiguous or a vector.
void check_vector(const Tensor& tensor, const char* name, std::int64_t count) {
  check(tensor.elements() >= count && reshaped(tensor, {tensor.elements()}), Code::kNnInvalid,
        "{} has shape {}; it is a vector with room for {} elements.", name, tensor.shape, count);
}

void check_shapes(const Unique& unique) {
  const TensorParameters& tensors = unique.tensors;
  const Tensor& self = tensors[unique.self];
  check(self.elements() <= kMaxCounted, Code::kNnInvalid, "self has {} elements; {} counts up to {}.", self.elements(),
        unique.name, kMaxCounted);
  if (unique.flat) {
    check_vector(tensors[unique.values], "valueOut", unique.rows());
  } else {
    Shape expected = unique.shape;
    const Shape& given = at_least_one_dim(tensors[unique.values]).shape;
    if (given.size() == expected.size()) expected[unique.dim] = std::max(expected[unique.dim], given[unique.dim]);
    check(given == expected, Code::kNnInvalid, "valueOut has shape {}; self has shape {}.", given, self.shape);
  }
  if (unique.wants_inverse) {
    const Shape expected = unique.flat ? self.shape : Shape{unique.rows()};
    check_shape(tensors[unique.inverse], "inverseOut", expected, "what self consists of has shape");
  }
  if (unique.wants_counts) check_vector(tensors[unique.counts], tensors.name(unique.counts), unique.rows());
}

/// Returns the result with its final length.
Tensor with_length(const Unique& unique, const Tensor& result, bool vector, std::int64_t length) {
  if (vector) return shortened(*reshaped(result, {result.elements()}), 0, length);
  return shortened(at_least_one_dim(result), unique.dim, length);
}

/// Views the slices as rows of a matrix. Real and imaginary parts are separate columns.
Tensor matrix_of(const Unique& unique, const Tensor& source) {
  const std::int64_t rows = unique.rows();
  Tensor matrix = source;
  std::int64_t columns = rows == 0 ? 0 : source.elements() / rows;
  if (kind_of(source.dtype) == Kind::kComplex) {
    // Complex numbers are ordered by real part, then by imaginary part.
    matrix.dtype = source.dtype == DType::kComplex64 ? DType::kFloat : DType::kDouble;
    columns *= 2;
  }
  matrix.shape = {rows, columns};
  matrix.strides = contiguous_strides(matrix.shape);
  return matrix;
}

Shape dim_first(const Shape& shape, std::size_t dim) {
  Shape order = {static_cast<std::int64_t>(dim)};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i != dim) order.push_back(static_cast<std::int64_t>(i));
  }
  return order;
}

/// Gathers slices of `source`, which is contiguous with the dim first.
Kernels gather_slice_kernels(const char* name, const Tensor& source, const Tensor& numbers, const Tensor& out) {
  if (out.empty()) return {};
  Tensor index = numbers;
  while (index.shape.size() < source.shape.size()) index = repeated(index, index.shape.size(), 1);
  Shape steps = source.strides;
  steps[0] = 0;
  return gather_kernels({name, &source, &steps, &index, &out, {source.shape[0], source.strides[0], false}});
}

Kernels distance_kernels(const char* name, const Tensor& ends, std::int64_t length, const Tensor& out) {
  const Tensor from = sliced(ends, 0, 0, length);
  const Tensor to = sliced(ends, 0, 1, length);
  StridedCall call;
  call.name = name;
  call.shader = "index/distance_bits";
  call.promoted = DType::kInt64;
  call.operands = {{&from, runtime::Access::kRead, false},
                   {&to, runtime::Access::kRead, false},
                   {&out, runtime::Access::kWrite, false}};
  return strided_kernels(call);
}

/// The runs of equal slices. The results are gathered from them when their number is known, which is that of different
/// slices.
struct SliceRuns {
  Slices slices;
  Tensor source;  ///< the slices, dim first
  Tensor sums;
  Tensor begins;  ///< the starts of runs, followed by the end
  Tensor picked;  ///< the indices of the slices that are kept
};

Kernels result_kernels(const Unique& unique, const SliceRuns& runs, const Tensor& values, const Tensor* counts,
                       std::int64_t length) {
  const char* const name = unique.name;
  const Tensor ends = sliced(runs.begins, 0, 0, length + 1);
  Tensor numbers = sliced(runs.begins, 0, 0, length);
  // Run n begins at the first position whose sum exceeds n. The end of the last run is the number of slices.
  Kernels kernels = count_sums_kernels(name, ends, runs.sums);
  if (!runs.slices.unordered) {
    const Tensor picked = sliced(runs.picked, 0, 0, length);
    append(kernels, gather_slice_kernels(name, runs.slices.order, numbers, picked));
    numbers = picked;
  }
  Tensor out = with_length(unique, values, unique.flat, length);
  if (!unique.flat) out = permuted(out, dim_first(out.shape, unique.dim));
  append(kernels, gather_slice_kernels(name, runs.source, numbers, out));
  if (counts) append(kernels, distance_kernels(name, ends, length, with_length(unique, *counts, true, length)));
  return kernels;
}

/// Returns the slices of self, contiguous with the dim first.
Tensor source_of(const Unique& unique, const Tensor& self, Staging& staging) {
  if (unique.flat) return *reshaped(staging.read(self), unique.shape);
  return staging.read(permuted(at_least_one_dim(self), dim_first(unique.shape, unique.dim)));
}

DynamicLengthPlan make_plan(const Unique& unique, const BoundTensors& bound, Staging& staging) {
  const std::int64_t rows = unique.rows();
  if (rows == 0) return {{}, staging.make({0}, DType::kInt32), [](std::int64_t) { return Kernels{}; }};
  DynamicLengthPlan plan;
  Kernels& kernels = plan.kernels;
  SliceRuns runs;
  runs.source = source_of(unique, *bound[unique.self], staging);
  runs.slices = {unique.name, matrix_of(unique, runs.source), staging.make({rows}, DType::kUint32)};
  // The staging holds the largest possible number of runs, since the length is not known yet.
  runs.begins = staging.make({rows + 1}, DType::kUint32);
  runs.picked = staging.make({rows}, DType::kUint32);
  runs.sums = staging.make({rows}, DType::kInt32);
  if (unique.sorts) runs.slices = sorted(runs.slices, kernels, staging, unique.execution);
  // The inclusive sum of changes, less 1, numbers the runs of equal slices; its last element is the number of
  // runs.
  append(kernels, change_kernels(runs.slices, runs.sums));
  append(kernels, running_sum_kernels(unique.name, runs.sums, runs.sums, 0, staging));
  if (unique.wants_inverse) {
    const Tensor ranks = staging.make({rows}, DType::kInt32);
    append(kernels, rank_kernels(runs.slices, runs.sums, ranks));
    const Tensor& inverse = *bound[unique.inverse];
    append(kernels, copy_kernels(unique.name, inverse, *reshaped(ranks, inverse.shape)));
  }
  plan.sums = runs.sums;
  const Tensor* const counts = unique.wants_counts ? bound[unique.counts] : nullptr;
  plan.rest = [=, values = *bound[unique.values], counts = counts ? *counts : Tensor{}](std::int64_t length) {
    return length == 0 ? Kernels{}
                       : result_kernels(unique, runs, values, unique.wants_counts ? &counts : nullptr, length);
  };
  return plan;
}

std::shared_ptr<Executor> executor_of(const Unique& unique, const UniqueHandles& handles) {
  std::vector<DynamicLengthResult> results = {
      {handles.values.handle, [unique, values = unique.tensors[unique.values]](std::int64_t length) {
         return with_length(unique, values, unique.flat, length);
       }}};
  if (unique.wants_counts) {
    results.push_back({handles.counts.handle, [unique, counts = unique.tensors[unique.counts]](std::int64_t length) {
                         return with_length(unique, counts, true, length);
                       }});
  }
  return dynamic_length_executor(
      unique.name, unique.tensors,
      [unique](const BoundTensors& bound, Staging& staging) { return make_plan(unique, bound, staging); },
      std::move(results));
}

}  // namespace

std::shared_ptr<Executor> plan_unique(const UniqueHandles& handles) {
  Unique unique = unique_of(handles, true);
  set_flat(unique);
  check_shapes(unique);
  return executor_of(unique, handles);
}

std::shared_ptr<Executor> plan_unique_dim(const UniqueHandles& handles, std::int64_t dim) {
  Unique unique = unique_of(handles, true);
  set_dim(unique, dim);
  check_shapes(unique);
  return executor_of(unique, handles);
}

std::shared_ptr<Executor> plan_unique_consecutive(const UniqueHandles& handles, std::int64_t dim) {
  Unique unique = unique_of(handles, false);
  if (dim == kNoDim) set_flat(unique);
  if (dim != kNoDim) set_dim(unique, dim);
  check_shapes(unique);
  return executor_of(unique, handles);
}

}  // namespace aclvk::ops
