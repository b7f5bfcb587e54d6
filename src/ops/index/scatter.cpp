#include "ops/index/scatter.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "ops/create/fill.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/workspace.hpp"
#include "ops/shape/copies.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

constexpr DTypeSet kScatterable = kMovable;
constexpr DTypeSet kCopyable = kMovable.with({DType::kUint32, DType::kUint64});
constexpr DTypeSet kAddable = kCommon.with(kDoubles);

/// Copies self to out, unless both are the same view.
Kernels copy_self_kernels(const char* name, const Tensor& out, const Tensor& self) {
  if (is_same_view(out, self)) return {};
  return copy_kernels(name, out, self);
}

/// A constant in the workspace, as the source of all columns and indices.
Tensor constant(Kernels& kernels, const char* name, DType dtype, const Element& element, const std::byte* address) {
  const Tensor tensor = row_major({1}, dtype, address);
  append(kernels, fill_kernels(name, tensor, element));
  return tensor;
}

/// The scatter of torch.scatter: index and source have the coordinates of out, except along `dim`.
ScatterCall along(const char* name, Combination combination, const Tensor& out, std::size_t dim, const Tensor& index,
                  const Tensor& source, bool constant = false) {
  ScatterCall call = scatter_slices(name, combination, out, dim, index, source, constant);
  call.columns = without(index.shape, dim);
  call.index_steps = without(index.strides, dim);
  call.count = index.shape[dim];
  call.index_step = index.strides[dim];
  return call;
}

/// index and source may be null.
Executor::Operands slots_of(const Tensor& self, const TensorPtr& index, const TensorPtr& source, const Tensor& out,
                            bool in_place) {
  Executor::Operands operands{{&self}, {&out}};
  for (const TensorPtr& tensor : {index, source}) {
    if (tensor) operands.inputs.add(tensor);
  }
  if (in_place) operands.updated = {{0, 0}};
  return operands;
}

/// The tensors of aclnnScatter and related operators.
struct ScatterOperands {
  const char* name;
  const char* self_name;
  TensorPtr self;
  TensorPtr index;
  TensorPtr source;  ///< null for a scalar
  ScalarPtr scalar;
  TensorPtr out;
  bool in_place = false;
  std::size_t dim = 0;

  Executor::Operands slots() const { return slots_of(*self, index, source, *out, in_place); }
};

ScatterOperands read(const ScatterHandles& handles) {
  ScatterOperands call{handles.name, handles.in_place ? "selfRef" : "self", {}, {}, {}, {}, {}, handles.in_place};
  call.self = required_tensor(handles.self);
  call.index = required_tensor(handles.index);
  if (handles.value.name) call.scalar = required_scalar(handles.value);
  if (!handles.value.name) call.source = required_tensor(handles.source);
  call.out = handles.in_place ? call.self : required_tensor(handles.out);
  return call;
}

void check_operands(ScatterOperands& call, std::int64_t dim) {
  check_dtype(*call.self, call.self_name, kScatterable);
  // Empty index tensors of PyTorch programs may have any dtype.
  if (!call.index->empty()) check_dtype(*call.index, "index", kIndices);
  if (call.source) check_same_dtype(*call.source, "src", *call.self, call.self_name);
  check_same_dtype(*call.out, "out", *call.self, call.self_name);
  if (call.scalar) {
    check(kind_of(call.scalar->dtype()) != Kind::kComplex || kind_of(call.self->dtype) == Kind::kComplex,
          Code::kNnInvalid, "value has dtype {}; {} has {}, which holds no complex numbers.", call.scalar->dtype(),
          call.self_name, call.self->dtype);
  }
  check_view(*call.self, call.self_name);
  check_view(*call.index, "index");
  if (call.source) check_view(*call.source, "src");
  check_view(*call.out, "out");
  check_shape(*call.out, "out", call.self->shape, "self has shape");
  const Shape self = at_least_one_dim(*call.self).shape;
  const Shape index = at_least_one_dim(*call.index).shape;
  call.dim = checked_dim(dim, self.size(), "dim");
  if (call.index->empty()) return;
  const Shape source = call.source ? at_least_one_dim(*call.source).shape : index;
  check(index.size() == self.size() && source.size() == self.size(), Code::kNnInvalid,
        "index has shape {} and src {}; {} has {} dimensions, which both must have.", index, source, call.self_name,
        self.size());
  for (std::size_t i = 0; i < self.size(); ++i) {
    check(index[i] <= source[i] && (i == call.dim || index[i] <= self[i]), Code::kNnInvalid,
          "index has shape {}; it must fit into src {} and, but for dim, into {} {}.", index, source, call.self_name,
          self);
  }
}

/// The operands with the addresses of a run.
struct BoundScatter {
  Tensor self;
  Tensor index;
  Tensor source;
  Tensor out;
};

BoundScatter bound_tensors_of(const Executor::Operands& bound) {
  const Tensor source = bound.inputs.size() > 2 ? at_least_one_dim(bound.input(2)) : Tensor{};
  check_distinct(bound.output(0), "out");
  check_overlap(bound.output(0), "out", bound.input(0), "self");
  check_disjoint(bound.output(0), "out", bound.input(1), "index");
  if (bound.inputs.size() > 2) check_disjoint(bound.output(0), "out", bound.input(2), "src");
  return {at_least_one_dim(bound.input(0)), at_least_one_dim(bound.input(1)), source,
          at_least_one_dim(bound.output(0))};
}

}  // namespace

std::shared_ptr<Executor> plan_scatter(const ScatterHandles& handles, std::int64_t reduce) {
  ScatterOperands call = read(handles);
  check_operands(call, handles.dim);
  check(reduce >= 0 && reduce <= 2, Code::kNnInvalid, "reduce is {}; expected 0 (replace), 1 (add) or 2 (multiply).",
        reduce);
  const auto combination = static_cast<Combination>(reduce);
  Workspace workspace;
  if (call.scalar && !call.index->empty()) workspace.allocate(sizeof(Element));
  const Element element = call.scalar ? call.scalar->to_element(call.self->dtype) : Element{};
  auto build = [=, name = handles.name, dim = call.dim](const Executor::Operands& bound) {
    const BoundScatter tensors = bound_tensors_of(bound);
    Kernels kernels = copy_self_kernels(name, tensors.out, tensors.self);
    if (tensors.index.empty()) return kernels;
    const bool scalar = bound.inputs.size() == 2;
    const Tensor source =
        scalar ? constant(kernels, name, tensors.out.dtype, element, bound.workspace) : tensors.source;
    append(kernels, scatter_kernels(along(name, combination, tensors.out, dim, tensors.index, source, scalar)));
    return kernels;
  };
  return std::make_shared<Executor>(handles.name, call.slots(), std::move(build), workspace.bytes());
}

namespace {

enum class Reduction { kReplace = 0, kSum = 1, kProduct = 2, kMaximum = 3, kMinimum = 4, kMean = 5 };

Combination combination_of(Reduction reduction) {
  switch (reduction) {
    case Reduction::kReplace: return Combination::kAssign;
    case Reduction::kProduct: return Combination::kMultiply;
    case Reduction::kMaximum: return Combination::kMaximum;
    case Reduction::kMinimum: return Combination::kMinimum;
    default: return Combination::kAdd;
  }
}

Element element_of(double value, DType dtype) { return Scalar(&value, DType::kDouble).to_element(dtype); }

/// The neutral element of a reduction, where it starts without include_self.
Element neutral_of(Reduction reduction, DType dtype) {
  if (reduction == Reduction::kProduct) return element_of(1, dtype);
  if (reduction != Reduction::kMaximum && reduction != Reduction::kMinimum) return Element{};
  const double sign = reduction == Reduction::kMaximum ? -1 : 1;
  if (dtype == DType::kBool) return element_of(sign < 0 ? 0 : 1, dtype);
  if (kind_of(dtype) != Kind::kInteger) return element_of(sign * std::numeric_limits<double>::infinity(), dtype);
  if (dtype == DType::kUint8) return element_of(sign < 0 ? 0 : 255, dtype);
  const auto bits = static_cast<int>(size_of(dtype) * 8);
  // Signed integers have the limits of two's complement.
  const std::int64_t largest = std::numeric_limits<std::int64_t>::max() >> (64 - bits);
  const std::int64_t end = sign < 0 ? -largest - 1 : largest;
  return Scalar(&end, DType::kInt64).to_element(dtype);
}

}  // namespace

std::shared_ptr<Executor> plan_scatter_reduce(const ScatterHandles& handles, std::int64_t reduce, bool includes_self) {
  ScatterOperands call = read(handles);
  check_operands(call, handles.dim);
  check(reduce >= 0 && reduce <= 5, Code::kNnInvalid,
        "reduce is {}; expected 0 (replace), 1 (add), 2 (multiply), 3 (maximum), 4 (minimum) or 5 (mean).", reduce);
  const auto reduction = static_cast<Reduction>(reduce);
  const DType dtype = call.self->dtype;
  const bool ordered = reduction == Reduction::kMaximum || reduction == Reduction::kMinimum;
  check(!ordered || kind_of(dtype) != Kind::kComplex, Code::kNnInvalid,
        "{} has dtype {}, which has no order; maximum and minimum need a real dtype.", call.self_name, dtype);
  Workspace workspace;
  const std::uint64_t neutral_offset = workspace.allocate(sizeof(Element));
  const std::uint64_t one_offset = workspace.allocate(sizeof(Element));
  const std::uint64_t counts_offset =
      reduction == Reduction::kMean ? workspace.allocate(call.self->shape, dtype) : std::uint64_t{0};
  const std::uint64_t bytes = call.index->empty() ? 0 : workspace.bytes();
  auto build = [=, name = handles.name, dim = call.dim](const Executor::Operands& bound) {
    const BoundScatter tensors = bound_tensors_of(bound);
    Kernels kernels = copy_self_kernels(name, tensors.out, tensors.self);
    if (tensors.index.empty()) return kernels;
    const ScatterCall scatter = along(name, combination_of(reduction), tensors.out, dim, tensors.index, tensors.source);
    // Only indexed elements start from the neutral element. The others keep the values of self.
    if (!includes_self) {
      const Element neutral = neutral_of(reduction, dtype);
      const Tensor element = constant(kernels, name, dtype, neutral, at_offset(bound.workspace, neutral_offset));
      append(kernels,
             scatter_kernels(along(name, Combination::kAssign, tensors.out, dim, tensors.index, element, true)));
    }
    append(kernels, scatter_kernels(scatter));
    if (reduction != Reduction::kMean) return kernels;
    // The counts have the dtype of self, so that the division needs no conversion.
    const Tensor one = constant(kernels, name, dtype, element_of(1, dtype), at_offset(bound.workspace, one_offset));
    const Tensor counts = row_major(tensors.out.shape, dtype, at_offset(bound.workspace, counts_offset));
    append(kernels, fill_kernels(name, counts, includes_self ? element_of(1, dtype) : Element{}));
    append(kernels, scatter_kernels(along(name, Combination::kAdd, counts, dim, tensors.index, one, true)));
    // Elements without indices are divided by 1.
    append(kernels, pointwise_kernels(name, Combination::kMaximum, counts, expanded(one, counts.shape)));
    // torch.scatter_reduce divides integers with rounding toward negative infinity.
    const bool whole = kind_of(dtype) == Kind::kInteger;
    append(kernels,
           pointwise_kernels(name, whole ? Combination::kDivideFloor : Combination::kDivide, tensors.out, counts));
    return kernels;
  };
  return std::make_shared<Executor>(handles.name, call.slots(), std::move(build), bytes);
}

namespace {

/// The tensors of index_add and related operators.
struct IndexOperands {
  const char* name;
  const char* self_name;
  TensorPtr self;
  TensorPtr index;   ///< null for an index on the host
  TensorPtr source;  ///< null for a value
  TensorPtr out;
  bool in_place = false;
  std::size_t dim = 0;

  Executor::Operands slots() const { return slots_of(*self, index, source, *out, in_place); }
};

void check_operands(IndexOperands& call, std::int64_t dim, const DTypeSet& dtypes) {
  check_dtype(*call.self, call.self_name, dtypes);
  if (call.index) check_dtype(*call.index, "index", kIndices);
  if (call.source) check_same_dtype(*call.source, "source", *call.self, call.self_name);
  check_same_dtype(*call.out, "out", *call.self, call.self_name);
  check_view(*call.self, call.self_name);
  if (call.index) check_view(*call.index, "index");
  if (call.source) check_view(*call.source, "source");
  check_view(*call.out, "out");
  check_shape(*call.out, "out", call.self->shape, "self has shape");
  const Shape self = at_least_one_dim(*call.self).shape;
  call.dim = checked_dim(dim, self.size(), "dim");
  if (!call.index) return;
  check(call.index->shape.size() <= 1, Code::kNnInvalid, "index has {} dimensions; expected at most 1.",
        call.index->shape.size());
  if (!call.source) return;
  Shape expected = self;
  expected[call.dim] = at_least_one_dim(*call.index).shape[0];
  check_shape(at_least_one_dim(*call.source), "source", expected, "a slice of self for each index makes");
}

IndexOperands read(const IndexHandles& handles, bool has_index, bool has_source) {
  IndexOperands call{handles.name, handles.self.name, {}, {}, {}, {}, handles.in_place};
  call.self = required_tensor(handles.self);
  if (has_index) call.index = required_tensor(handles.index);
  if (has_source) call.source = required_tensor(handles.source);
  call.out = handles.in_place ? call.self : required_tensor(handles.out);
  return call;
}

std::shared_ptr<Executor> plan_slices(const IndexOperands& call, Combination combination, const ScalarPtr& scale) {
  auto build = [combination, scale, name = call.name, dim = call.dim](const Executor::Operands& bound) {
    const BoundScatter tensors = bound_tensors_of(bound);
    Kernels kernels = copy_self_kernels(name, tensors.out, tensors.self);
    ScatterCall scatter = scatter_slices(name, combination, tensors.out, dim, tensors.index, tensors.source);
    scatter.scale = scale.get();
    append(kernels, scatter_kernels(scatter));
    return kernels;
  };
  return std::make_shared<Executor>(call.name, call.slots(), std::move(build));
}

}  // namespace

std::shared_ptr<Executor> plan_index_add(const IndexHandles& handles, const ScalarArg& alpha_handle) {
  IndexOperands call = read(handles, true, true);
  const ScalarPtr alpha = required_scalar(alpha_handle);
  check_operands(call, handles.dim, kAddable);
  check_castable(alpha->dtype(), call.self->dtype, "alpha", "self");
  return plan_slices(call, Combination::kAddScaled, alpha);
}

std::shared_ptr<Executor> plan_index_copy(const IndexHandles& handles) {
  IndexOperands call = read(handles, true, true);
  check_operands(call, handles.dim, kCopyable);
  return plan_slices(call, Combination::kAssign, nullptr);
}

namespace {

/// Throws 161002 for a complex value and a real tensor.
void check_not_complex(const Scalar& value, const Tensor& self) {
  const bool fits = kind_of(value.dtype()) != Kind::kComplex || kind_of(self.dtype) == Kind::kComplex;
  check(fits, Code::kNnInvalid, "value has dtype {}; self has dtype {}, which has no imaginary part.", value.dtype(),
        self.dtype);
}

}  // namespace

std::shared_ptr<Executor> plan_index_fill(const IndexHandles& handles, const ScalarArg& value_handle) {
  IndexOperands call = read(handles, true, false);
  const ScalarPtr value = required_scalar(value_handle);
  check_operands(call, handles.dim, kAddable);
  check_not_complex(*value, *call.self);
  Workspace workspace;
  if (!call.index->empty()) workspace.allocate(sizeof(Element));
  auto build = [element = value->to_element(call.self->dtype), name = handles.name,
                dim = call.dim](const Executor::Operands& bound) {
    const BoundScatter tensors = bound_tensors_of(bound);
    Kernels kernels = copy_self_kernels(name, tensors.out, tensors.self);
    if (tensors.index.empty()) return kernels;
    const Tensor source = constant(kernels, name, tensors.out.dtype, element, bound.workspace);
    append(kernels,
           scatter_kernels(scatter_slices(name, Combination::kAssign, tensors.out, dim, tensors.index, source, true)));
    return kernels;
  };
  return std::make_shared<Executor>(handles.name, call.slots(), std::move(build), workspace.bytes());
}

std::shared_ptr<Executor> plan_index_fill_array(const IndexHandles& handles, const IntArrayArg& index_handle,
                                                const ScalarArg& value_handle) {
  constexpr DTypeSet kFillable = kFloats.with(kIndices).with(kBools);
  IndexOperands call = read(handles, false, false);
  std::vector<std::int64_t> index = required_ints(index_handle);
  const ScalarPtr value = required_scalar(value_handle);
  check_operands(call, handles.dim, kFillable);
  check_not_complex(*value, *call.self);
  const std::int64_t size = at_least_one_dim(*call.self).shape[call.dim];
  for (std::int64_t& entry : index) {
    check(entry >= -size && entry < size, Code::kNnInvalid, "index has the value {}; expected {} to {}.", entry, -size,
          size - 1);
    if (entry < 0) entry += size;
  }
  // An index fill has one value, so order and repetition of indices have no effect.
  std::sort(index.begin(), index.end());
  index.erase(std::unique(index.begin(), index.end()), index.end());
  auto build = [index, element = value->to_element(call.self->dtype), name = handles.name,
                dim = call.dim](const Executor::Operands& bound) {
    check_distinct(bound.output(0), "out");
    check_overlap(bound.output(0), "out", bound.input(0), "self");
    const Tensor out = at_least_one_dim(bound.output(0));
    Kernels kernels = copy_self_kernels(name, out, at_least_one_dim(bound.input(0)));
    // Adjacent indices become one fill.
    for (std::size_t first = 0; first < index.size();) {
      std::size_t last = first;
      while (last + 1 < index.size() && index[last + 1] == index[last] + 1) ++last;
      const Tensor part = sliced(out, dim, index[first], index[last] - index[first] + 1);
      append(kernels, fill_kernels(name, part, element));
      first = last + 1;
    }
    return kernels;
  };
  return std::make_shared<Executor>(handles.name, call.slots(), std::move(build));
}

}  // namespace aclvk::ops
