#include "ops/sort/sort.hpp"

#include <limits>

#include "base/error.hpp"
#include "ops/create/fill.hpp"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/sort/sorting.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using BoundTensors = TensorParameters::BoundTensors;
using ParamId = TensorParameters::ParamId;

/// The tensors of a sorting operator. Either values or indices may be missing, but not both.
struct Sorted {
  TensorParameters tensors;
  ParamId self;
  ParamId values;
  ParamId indices;

  Sorted(const InputArg& self_handle, bool has_values, const OutputArg& values_handle, bool has_indices,
         const OutputArg& indices_handle)
      : self(tensors.input(self_handle)),
        values(has_values ? tensors.output(values_handle) : ParamId::kNone),
        indices(has_indices ? tensors.output(indices_handle) : ParamId::kNone) {}

  void check_dtypes(const char* name) const {
    check_dtype(tensors[self], "self", dtypes_of(name).inputs);
    if (tensors.has(values)) check_same_dtype(tensors[values], tensors.name(values), tensors[self], "self");
    tensors.check_dtypes({indices}, {DType::kInt64});
    for (const ParamId id : {self, values, indices}) {
      if (tensors.has(id)) check_view(tensors[id], tensors.name(id));
    }
  }
  void check_shapes(const Shape& expected, const char* reason) const {
    tensors.check_shape(values, expected, reason);
    tensors.check_shape(indices, expected, reason);
  }
};

/// Elements change positions, so results must not share memory with self.
void check_disjoint_from_self(const Sorted& sorted, const BoundTensors& bound) {
  for (const ParamId id : {sorted.values, sorted.indices}) {
    if (!bound[id]) continue;
    check_distinct(*bound[id], sorted.tensors.name(id));
    check_disjoint(*bound[id], sorted.tensors.name(id), *bound[sorted.self], "self");
  }
}

/// Views a result so that `dim` has the picked elements.
using View = Tensor (*)(const Tensor& result, std::size_t dim);
Tensor unchanged(const Tensor& result, std::size_t) { return at_least_one_dim(result); }
Tensor with_dim_of_one(const Tensor& result, std::size_t dim) { return repeated(result, dim, 1); }

std::shared_ptr<Executor> executor_of(const Sorted& sorted, const SortCall& fixed, View view) {
  return staged_executor(fixed.name, sorted.tensors, [=](const BoundTensors& bound, Staging& staging) {
    check_disjoint_from_self(sorted, bound);
    SortCall call = fixed;
    call.self = at_least_one_dim(*bound[sorted.self]);
    Tensor values;
    Tensor indices;
    if (bound[sorted.values]) {
      values = view(*bound[sorted.values], call.dim);
      call.values = &values;
    }
    if (bound[sorted.indices]) {
      indices = view(*bound[sorted.indices], call.dim);
      call.indices = &indices;
    }
    return sort_kernels(call, staging);
  });
}

SortCall call_of(const char* name, const Tensor& self, std::int64_t dim) {
  SortCall call;
  call.name = name;
  call.dim = checked_dim(dim, self.shape.size(), "dim");
  call.execution = runtime::execution();
  return call;
}

/// Plans an operator that picks one element of each row.
std::shared_ptr<Executor> plan_one_of_each(const Sorted& sorted, const SortCall& call, bool keep_dim) {
  const Tensor& self = sorted.tensors[sorted.self];
  const bool has_dim = keep_dim || self.shape.empty();
  Shape expected = self.shape;
  if (!self.shape.empty()) expected[call.dim] = 1;
  sorted.check_shapes(has_dim ? expected : without(self.shape, call.dim), "one element of each row of self makes");
  return executor_of(sorted, call, has_dim ? unchanged : with_dim_of_one);
}

std::int64_t row_size(const Tensor& self, std::size_t dim) { return self.shape.empty() ? 1 : self.shape[dim]; }

bool has_nan(const Tensor& self) { return kind_of(self.dtype) == Kind::kFloating; }

/// Sets up the median. NaN is the median of a row that contains one, unless NaN is ignored.
SortCall middle_of(SortCall call, const Tensor& self, std::int64_t count, bool ignores_nan) {
  // NaN sorts first, so that the first record shows whether the row has one.
  call.nan_lowest = !ignores_nan;
  if (has_nan(self)) call.pick = ignores_nan ? Pick::kMiddleOfNumbers : Pick::kNanOrFirst;
  // torch's median of an even number of elements is the lower one.
  call.first = (count - 1) / 2;
  return call;
}

}  // namespace

std::shared_ptr<Executor> plan_sort(const char* name, const InputArg& self, std::int64_t dim, bool descending,
                                    bool has_values, const OutputArg& values, const OutputArg& indices) {
  const Sorted sorted(self, has_values, values, true, indices);
  sorted.check_dtypes(name);
  const Tensor& tensor = sorted.tensors[sorted.self];
  sorted.check_shapes(tensor.shape, "self has shape");
  SortCall call = call_of(name, tensor, dim);
  call.descending = descending;
  return executor_of(sorted, call, unchanged);
}

std::shared_ptr<Executor> plan_topk(const InputArg& self, std::int64_t k, std::int64_t dim, bool largest,
                                    const OutputArg& values, const OutputArg& indices) {
  constexpr const char* kName = "aclnnTopk";
  const Sorted sorted(self, true, values, true, indices);
  sorted.check_dtypes(kName);
  const Tensor& tensor = sorted.tensors[sorted.self];
  SortCall call = call_of(kName, tensor, dim);
  call.descending = largest;
  const std::int64_t size = row_size(tensor, call.dim);
  check(k >= 0 && k <= size, Code::kNnInvalid, "k is {}; self has {} elements along dim {}.", k, size, dim);
  Shape expected = tensor.shape;
  if (!expected.empty()) expected[call.dim] = k;
  sorted.check_shapes(expected, "k elements of each row of self make");
  check(k == 1 || !expected.empty(), Code::kNnInvalid,
        "k is {}; expected 1, as self is a scalar and so are the results.", k);
  return executor_of(sorted, call, unchanged);
}

std::shared_ptr<Executor> plan_kth_value(const RowHandles& handles, std::int64_t k) {
  const Sorted sorted(handles.self, true, handles.values, true, handles.indices);
  sorted.check_dtypes(handles.name);
  const Tensor& self = sorted.tensors[sorted.self];
  SortCall call = call_of(handles.name, self, handles.dim);
  const std::int64_t size = row_size(self, call.dim);
  check(k >= 1 && k <= size, Code::kNnInvalid, "k is {}; self has {} elements along dim {}.", k, size, handles.dim);
  call.first = k - 1;
  return plan_one_of_each(sorted, call, handles.keep_dim);
}

std::shared_ptr<Executor> plan_median_dim(const RowHandles& handles, bool ignores_nan) {
  const Sorted sorted(handles.self, true, handles.values, true, handles.indices);
  sorted.check_dtypes(handles.name);
  const Tensor& self = sorted.tensors[sorted.self];
  const SortCall call = call_of(handles.name, self, handles.dim);
  const std::int64_t size = row_size(self, call.dim);
  const bool has_rows = self.shape.empty() || element_count(without(self.shape, call.dim)) > 0;
  check(size > 0 || !has_rows, Code::kNnInvalid, "self has shape {}; one element at least is expected along the dim.",
        self.shape);
  return plan_one_of_each(sorted, middle_of(call, self, size, ignores_nan), handles.keep_dim);
}

std::shared_ptr<Executor> plan_median(const char* name, bool ignores_nan, const InputArg& self_handle,
                                      const OutputArg& out) {
  const Sorted sorted(self_handle, true, out, false, {});
  sorted.check_dtypes(name);
  const Tensor& self = sorted.tensors[sorted.self];
  const Tensor& result = sorted.tensors[sorted.values];
  check(result.elements() == 1, Code::kNnInvalid, "{} has shape {}; the median of all is one element.", out.name,
        result.shape);
  check(!self.empty() || has_nan(self), Code::kNnInvalid,
        "self has shape {}; the median of no elements is NaN, which {} cannot hold.", self.shape, self.dtype);
  const SortCall fixed = middle_of(call_of(name, {}, 0), self, self.elements(), ignores_nan);
  return staged_executor(name, sorted.tensors, [=](const BoundTensors& bound, Staging& staging) {
    check_disjoint_from_self(sorted, bound);
    const Tensor& all = *bound[sorted.self];
    const Tensor value = *reshaped(*bound[sorted.values], {1});
    if (all.empty()) {
      const double nan = std::numeric_limits<double>::quiet_NaN();
      return fill_kernels(name, value, Scalar(&nan, DType::kDouble).to_element(value.dtype));
    }
    const auto row = reshaped(all, {all.elements()});
    SortCall call = fixed;
    call.self = row ? *row : *reshaped(staging.read(all), {all.elements()});
    call.values = &value;
    return sort_kernels(call, staging);
  });
}

}  // namespace aclvk::ops
