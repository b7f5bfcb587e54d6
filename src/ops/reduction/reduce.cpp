#include "ops/reduction/reduce.hpp"

#include "base/error.hpp"
#include "ops/executor/handles.hpp"
#include "ops/reduction/reduction.hpp"
#include "ops/tensor/promotion.hpp"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {
namespace {

constexpr ClassShaders kShaders = ACLVK_CLASS_SHADERS("reduction/reduce");
constexpr std::string_view kNormShader = "reduction/norm_f32";

constexpr DTypeSet kReals = {DType::kFloat, DType::kFloat16, DType::kBfloat16, DType::kDouble, DType::kInt32,
                             DType::kInt64, DType::kInt16,   DType::kInt8,     DType::kUint8,  DType::kBool};
constexpr DTypeSet kNumbers = {DType::kFloat, DType::kFloat16, DType::kBfloat16,  DType::kDouble,
                               DType::kInt32, DType::kInt64,   DType::kInt16,     DType::kInt8,
                               DType::kUint8, DType::kBool,    DType::kComplex64, DType::kComplex128};
constexpr DTypeSet kFloats = {DType::kFloat, DType::kFloat16, DType::kBfloat16};
constexpr DTypeSet kTruths = {DType::kBool, DType::kUint8};

/// The rules of reduce_ops.def.
struct ReduceRule {
  DTypeSet self;
  DTypeSet out;
  bool truth = false;      ///< the result is a truth value
  bool of_nothing = true;  ///< a reduction of no elements has a result
};
constexpr ReduceRule kSummable{kNumbers, kNumbers};
constexpr ReduceRule kComparable{kReals, kReals, false, false};
constexpr ReduceRule kTruth{kReals, kTruths, true};
constexpr ReduceRule kFloating{kFloats, kFloats};

struct Row {
  ReduceKind kind;
  ReduceRule rule;
};

const Row& row_of(ReduceOp op) {
  static constexpr Row kRows[] = {
#define REDUCE_OP(name, kind, rule) {ReduceKind::k##kind, rule},
#include "ops/reduction/reduce_op_rows.def"
#undef REDUCE_OP
  };
  return kRows[static_cast<std::size_t>(op)];
}

bool has_list(const ReduceDims& dims) { return dims.name && !dims.one; }

DimMask dims_of(const ReduceDims& dims, const Tensor& self) {
  if (!dims.name) return all_dims(self);
  if (dims.one) return mask_of(self, *dims.one, dims.name);
  const auto list = required(int_array_handles(), dims.list);
  return list->empty() && dims.none_for_empty ? 0 : mask_of(self, *list, dims.name);
}

/// Checks the dtypes. Returns the one in which elements are reduced.
DType check_dtypes(const ReduceHandles& handles, const ReduceRule& rule, const Tensor& self, const Tensor& out) {
  check_dtype(self, handles.self.name, rule.self);
  check_dtype(out, handles.out.name, rule.out);
  if (rule.truth) return self.dtype;
  const DType dtype = handles.dtype ? static_cast<DType>(*handles.dtype) : self.dtype;
  check(rule.out.contains(dtype), Code::kNnInvalid, "dtype is {}; supported are {}.", dtype, rule.out);
  check_castable(self.dtype, dtype, handles.self.name, "the result");
  check_castable(dtype, out.dtype, "the result", handles.out.name);
  return dtype;
}

}  // namespace

Reduction reduction_of(const char* name, ReduceKind kind, const Tensor& self, DType promoted, const Tensor& out) {
  // The norms are in a shader of their own, whose rows count from the first norm.
  const bool norm = kind >= ReduceKind::kFirstNorm;
  const ReduceKind first = norm ? ReduceKind::kFirstNorm : ReduceKind{};
  Reduction reduction;
  reduction.name = name;
  reduction.compute = class_for(promoted, {self.dtype, out.dtype});
  reduction.shader = norm ? kNormShader : kShaders[static_cast<std::size_t>(reduction.compute)];
  reduction.promoted = promoted;
  reduction.operation = static_cast<std::uint32_t>(kind) - static_cast<std::uint32_t>(first);
  reduction.execution = runtime::execution();
  return reduction;
}

Kernels reduce_kernels(const char* name, ReduceKind kind, DType promoted, const Tensor& elements, DimMask dims,
                       const Tensor& out, Staging& staging) {
  Reduction reduction = reduction_of(name, kind, elements, promoted, out);
  reduction.dims = dims;
  // The mean divides by the number of elements, which partial states do not know.
  const std::int64_t count = reduced_count(elements, dims);
  reduction.argument = scalar_words(Scalar(&count, DType::kInt64), reduction.compute);
  const auto bytes = static_cast<std::int64_t>(reduction_workspace(reduction, elements, 1));
  const Tensor states = staging.make({bytes}, DType::kUint8);
  return reduction_kernels(reduction, elements, {&out}, const_cast<std::byte*>(states.address()));
}

std::shared_ptr<Executor> plan_reduce(const char* name, ReduceOp op, const ReduceHandles& handles) {
  const Row& row = row_of(op);
  const TensorPtr self = required_tensor(handles.self);
  if (has_list(handles.dims)) required(int_array_handles(), handles.dims.list);
  const TensorPtr out = required_tensor(handles.out);
  const DType promoted = check_dtypes(handles, row.rule, *self, *out);
  check_view(*self, handles.self.name);
  check_view(*out, handles.out.name);
  Reduction reduction = reduction_of(name, row.kind, *self, promoted, *out);
  reduction.dims = dims_of(handles.dims, *self);
  check_reduced_shape(*out, handles.out.name, *self, reduction.dims, handles.dims.keep);
  if (!row.rule.of_nothing) check_not_empty(*self, handles.self.name, reduction.dims);
  const std::int64_t count = reduced_count(*self, reduction.dims);
  reduction.argument = scalar_words(Scalar(&count, DType::kInt64), reduction.compute);
  return reduction_executor(reduction, *self, {out.get()}, {handles.out.name});
}

}  // namespace aclvk::ops
