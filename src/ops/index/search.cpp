#include "ops/index/search.hpp"

#include "base/error.hpp"
#include "index/is_in.args.h"
#include "index/search.args.h"
#include "ops/args/index.hpp"
#include "ops/create/fill.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/shape/copies.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/promotion.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(SearchArguments, SEARCH_ARGUMENTS);
CONSTANT_STRUCT(SearchConstants, SEARCH_CONSTANTS);
ARGUMENT_STRUCT(IsInArguments, IS_IN_ARGUMENTS);
CONSTANT_STRUCT(IsInConstants, IS_IN_CONSTANTS);

constexpr ClassShaders kSearchShaders = ACLVK_CLASS_SHADERS("index/search");
constexpr ClassShaders kIsInShaders = ACLVK_CLASS_SHADERS("index/is_in");

constexpr DTypeSet kSearchable = {DType::kDouble, DType::kFloat, DType::kFloat16, DType::kUint8,
                                  DType::kInt8,   DType::kInt16, DType::kInt32,   DType::kInt64};
constexpr DTypeSet kBucketable = kFloats.with(kIntegers);
constexpr DTypeSet kTestable = kMovable.with({DType::kUint16});

/// The source of the values: kValue of index/search.comp.
enum class ValueSource : std::uint32_t { kTensor = 0, kArguments = 1, kNumber = 2 };

/// The tensors of a search.
struct SearchCall {
  const char* name;
  const char* sorted_name;
  TensorPtr sorted;
  TensorPtr values;
  ScalarPtr scalar;
  TensorPtr sorter;
  TensorPtr out;
  bool right;
};

DType check_dtypes(const SearchCall& call, const DTypeSet& dtypes, bool out_int32) {
  check_dtype(*call.sorted, call.sorted_name, dtypes);
  if (call.values) check_dtype(*call.values, "self", dtypes);
  check_dtype(*call.out, "out", kIndices);
  if (call.sorter) check_dtype(*call.sorter, "sorter", {DType::kInt64});
  check(call.out->dtype == (out_int32 ? DType::kInt32 : DType::kInt64), Code::kNnInvalid,
        "out has dtype {}; outInt32 is {}.", call.out->dtype, out_int32);
  const DType second = call.values ? call.values->dtype : call.scalar->dtype();
  // A scalar does not widen the dtype within its kind, as in PyTorch's type promotion.
  const auto promoted = call.values ? promote(call.sorted->dtype, second) : promote_scalar(call.sorted->dtype, second);
  check(promoted && kind_of(*promoted) <= Kind::kFloating, Code::kNnInvalid,
        "{} has dtype {} and self {}; they cannot be compared.", call.sorted_name, call.sorted->dtype, second);
  return *promoted;
}

void check_shapes(const SearchCall& call) {
  check_view(*call.sorted, call.sorted_name);
  if (call.values) check_view(*call.values, "self");
  if (call.sorter) check_view(*call.sorter, "sorter");
  check_view(*call.out, "out");
  const Shape& rows = call.sorted->shape;
  check(!rows.empty(), Code::kNnInvalid, "{} is a scalar; sorted rows are expected.", call.sorted_name);
  // A result is a 32-bit count.
  check(rows.back() <= INT32_MAX, Code::kNnInvalid, "{} has rows of {} elements; up to 2^31 - 1 are searched.",
        call.sorted_name, rows.back());
  if (call.sorter) check_shape(*call.sorter, "sorter", rows, "sortedSequence has shape");
  const Shape shape = call.values ? call.values->shape : Shape{};
  if (call.values) check_shape(*call.out, "out", shape, "self has shape");
  if (call.scalar) {
    check(call.out->elements() == 1, Code::kNnInvalid, "out has shape {}; expected one element.", call.out->shape);
  }
  if (rows.size() == 1) return;
  // A matrix is searched row by row: the leading dims of both tensors select the row.
  Shape expected = rows;
  if (!shape.empty()) expected[rows.size() - 1] = shape.back();
  check(call.values && shape == expected, Code::kNnInvalid,
        "self has shape {} and {} has {}; but for the last size they must be equal.", shape, call.sorted_name, rows);
}

/// The strides of a row's start; 0 for a single row.
Shape row_steps(const Tensor& rows, std::size_t rank) {
  Shape steps(rank, 0);
  for (std::size_t i = 0; i + 1 < rows.shape.size(); ++i) steps[i] = rows.strides[i];
  return steps;
}

struct Search {
  const char* name;
  DType promoted;
  bool right;
  ValueSource source;
  const Scalar* scalar;
};

Kernels search_kernels(const Search& search, const Tensor& sorted, const Tensor* sorter, const Tensor& values,
                       const Tensor& out) {
  const bool of_tensor = search.source == ValueSource::kTensor;
  const ComputeClass compute = class_for(search.promoted, {sorted.dtype, of_tensor ? values.dtype : sorted.dtype});
  StridedCall call;
  call.name = search.name;
  call.shader = kSearchShaders[static_cast<std::size_t>(compute)];
  call.promoted = search.promoted;
  SearchConstants constants;
  constants.kRight = search.right ? 1 : 0;
  constants.kOrdered = sorter != nullptr;
  constants.kValue = static_cast<uint>(search.source);
  add_constants(call, constants);
  SearchArguments arguments;
  arguments.count = word(sorted.shape.back());
  arguments.step = word(sorted.strides.back());
  if (sorter) arguments.order_step = word(sorter->strides.back());
  if (search.scalar) arguments.scalar = scalar_words(*search.scalar, compute);
  add_arguments(call, arguments);
  const Shape row = row_steps(sorted, out.shape.size());
  const Shape order = sorter ? row_steps(*sorter, out.shape.size()) : row;
  const Shape value = of_tensor ? values.strides : contiguous_strides(out.shape);
  // An empty row is never read, but the kernel needs an operand.
  const Tensor& rows = sorted.empty() ? out : sorted;
  call.operands = {{&rows, Access::kRead, false, &row},
                   {sorter && !sorter->empty() ? sorter : &rows, Access::kRead, false, &order},
                   {of_tensor ? &values : &rows, Access::kRead, false, &value},
                   {&out, Access::kWrite, false}};
  return strided_kernels(call);
}

std::shared_ptr<Executor> plan(const SearchCall& call, DType promoted) {
  TensorSlots inputs{call.sorted.get()};
  if (call.values) inputs.add(call.values.get(), call.values.get() + 1);
  if (call.sorter) inputs.add(call.sorter.get(), call.sorter.get() + 1);
  if (!call.sorter) inputs.add(nullptr, nullptr);
  auto build = [name = call.name, promoted, right = call.right, scalar = call.scalar](const Executor::Operands& bound) {
    check_disjoint(bound, "out", "an input");
    const std::size_t last = bound.inputs.size() - 1;
    const Tensor* sorter = bound.inputs.count(last) > 0 ? &bound.input(last) : nullptr;
    const ValueSource source = scalar ? ValueSource::kArguments : ValueSource::kTensor;
    const Search search{name, promoted, right, source, scalar.get()};
    return search_kernels(search, bound.input(0), sorter, scalar ? bound.input(0) : bound.input(1), bound.output(0));
  };
  return std::make_shared<Executor>(call.name, Executor::Operands{std::move(inputs), {call.out.get()}},
                                    std::move(build));
}

}  // namespace

std::shared_ptr<Executor> plan_search(const SearchHandles& handles) {
  SearchCall call{handles.name, handles.sorted.name, {}, {}, {}, {}, {}, handles.right};
  call.sorted = required_tensor(handles.sorted);
  if (handles.value.name) call.scalar = required_scalar(handles.value);
  if (!handles.value.name) call.values = required_tensor(handles.values);
  if (handles.sorter) call.sorter = required_tensor(handles.sorter);
  call.out = required_tensor(handles.out);
  const DType promoted = check_dtypes(call, kSearchable, handles.out_int32);
  check_shapes(call);
  return plan(call, promoted);
}

/// torch.bucketize: searches in one row, a vector.
std::shared_ptr<Executor> plan(const BucketizeArgs& args) {
  const bool out_int32 = args.outInt32;
  const bool right = args.right;
  SearchCall call{"aclnnBucketize", "boundaries", {}, {}, {}, {}, {}, right};
  call.values = required_tensor(args.self);
  call.sorted = required_tensor(args.boundaries);
  call.out = required_tensor(args.out);
  const DType promoted = check_dtypes(call, kBucketable, out_int32);
  check(call.sorted->shape.size() == 1, Code::kNnInvalid, "boundaries has {} dimensions; expected 1.",
        call.sorted->shape.size());
  check_shapes(call);
  TensorSlots inputs{call.values.get(), call.sorted.get()};
  auto build = [promoted, right](const Executor::Operands& bound) {
    check_disjoint(bound, "out", "an input");
    const Search search{"aclnnBucketize", promoted, right, ValueSource::kTensor, nullptr};
    return search_kernels(search, bound.input(1), nullptr, bound.input(0), bound.output(0));
  };
  return std::make_shared<Executor>(call.name, Executor::Operands{std::move(inputs), {call.out.get()}},
                                    std::move(build));
}

Kernels count_sums_kernels(const char* name, const Tensor& out, const Tensor& sums) {
  Tensor counts = sums;
  counts.dtype = DType::kInt32;  // sums stay below 2^31, and the class i32 compares with a sign
  const Search search{name, DType::kInt32, true, ValueSource::kNumber, nullptr};
  return search_kernels(search, counts, nullptr, counts, out);
}

std::shared_ptr<Executor> plan_is_in(const char* name, const InputArg& tensor_handle, const ScalarArg& scalar_handle,
                                     bool any, bool invert, const OutputArg& out_handle) {
  const TensorPtr tensor = required_tensor(tensor_handle);
  const ScalarPtr scalar = required_scalar(scalar_handle);
  const TensorPtr out = required_tensor(out_handle);
  check_dtype(*tensor, tensor_handle.name, kTestable);
  check_dtype(*out, "out", kBools);
  const auto promoted = promote_scalar(tensor->dtype, scalar->dtype());
  check(promoted.has_value(), Code::kNnInvalid, "{} has dtype {} and {} {}; no dtype holds both.", tensor_handle.name,
        tensor->dtype, scalar_handle.name, scalar->dtype());
  check_view(*tensor, tensor_handle.name);
  check_view(*out, "out");
  if (any) {
    check(out->elements() == 1, Code::kNnInvalid, "out has shape {}; expected one element.", out->shape);
  } else {
    check_shape(*out, "out", tensor->shape, "element has shape");
  }
  const ComputeClass compute = class_for(*promoted, {tensor->dtype});
  StridedCall fixed;
  fixed.name = name;
  fixed.shader = kIsInShaders[static_cast<std::size_t>(compute)];
  fixed.promoted = *promoted;
  IsInConstants constants;
  constants.kInvert = invert ? 1 : 0;
  constants.kAny = any;
  add_constants(fixed, constants);
  IsInArguments arguments;
  arguments.scalar = scalar_words(*scalar, compute);
  add_arguments(fixed, arguments);
  auto build = [fixed, any, invert, name](const Executor::Operands& bound) {
    check_disjoint(bound, "out", "an input");
    Kernels kernels;
    // Threads that find the scalar write one shared element. The fill is the result when none does.
    if (any) kernels = fill_kernels(name, bound.output(0), Element{invert ? 1U : 0U});
    StridedCall call = fixed;
    // A 0-d result has stride 0 over the tested elements.
    const Tensor result = any ? *reshaped(bound.output(0), {}) : bound.output(0);
    call.shape = any ? &bound.input(0).shape : nullptr;
    call.operands = {{&bound.input(0), Access::kRead, false},
                     {&result, any ? Access::kReadWrite : Access::kWrite, false}};
    append(kernels, strided_kernels(call));
    return kernels;
  };
  return std::make_shared<Executor>(name, Executor::Operands{{tensor.get()}, {out.get()}}, std::move(build));
}

}  // namespace aclvk::ops
