#include "ops/scan/scan.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "ops/executor/operator.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/rows.hpp"
#include "ops/reduction/reduction.hpp"
#include "runtime/context/execution.hpp"
#include "scan/scan.args.h"

namespace aclvk::ops {
namespace {

using runtime::Access;

CONSTANT_STRUCT(ScanConstants, SCAN_CONSTANTS);

constexpr ClassShaders kSumShaders = ACLVK_CLASS_SHADERS("scan/sum");
constexpr ClassShaders kExtremeShaders = ACLVK_CLASS_SHADERS("scan/extreme");

constexpr DTypeSet kReals = {DType::kFloat, DType::kFloat16, DType::kBfloat16, DType::kDouble, DType::kInt32,
                             DType::kInt64, DType::kInt16,   DType::kInt8,     DType::kUint8,  DType::kBool};
constexpr DTypeSet kSummable = {DType::kFloat, DType::kFloat16, DType::kBfloat16,  DType::kDouble,
                                DType::kInt32, DType::kInt64,   DType::kInt16,     DType::kInt8,
                                DType::kUint8, DType::kBool,    DType::kComplex64, DType::kComplex128};
constexpr DTypeSet kFactors = {DType::kFloat, DType::kFloat16, DType::kBfloat16, DType::kDouble,
                               DType::kInt32, DType::kInt64,   DType::kInt16,    DType::kInt8,
                               DType::kUint8, DType::kUint16,  DType::kUint32,   DType::kUint64};
constexpr DTypeSet kIndexDtypes = {DType::kInt32, DType::kInt64};

// A state is a uvec4 in the shaders.
constexpr std::size_t kStateBytes = 16;

/// kPhase of shaders/scan/scan.glsl.
enum class Phase : std::uint32_t { kOnly = 0, kStates = 1, kBefore = 2, kFinal = 3 };

/// A scan, for the shaders that include shaders/scan/scan.glsl.
struct Scan {
  const char* name = nullptr;
  std::string_view shader;
  DType promoted = DType::kFloat;
  std::uint32_t operation = 0;
  bool exclusive = false;
  bool reverse = false;
  std::size_t dim = 0;
  runtime::Execution execution;
};

std::size_t resolve_dim(const Tensor& tensor, std::int64_t dim) {
  const DimMask mask = mask_of(tensor, dim, "dim");
  std::size_t resolved = 0;
  while (mask >> resolved > 1) ++resolved;
  return resolved;
}

RowOperand operand_of(const Tensor& tensor, const Scan& scan, Access access) {
  RowOperand operand = operand_along(tensor, scan.dim, access);
  operand.scalar_access = scan.reverse;
  return operand;
}

/// The chunk length: enough chunks to occupy the device; many rows are not split. A thread iterates over the elements
/// of a chunk and over the chunks of a row, so both numbers are below kMaxIterations.
std::int64_t chunk_for(std::int64_t rows, std::int64_t count, bool is_cpu_device) {
  constexpr std::int64_t kLongest = 49152;
  static_assert(kLongest <= kMaxIterations && (std::int64_t{1} << 31) / kLongest < kMaxIterations);
  // Chunks that occupy the device.
  const std::int64_t wanted = is_cpu_device ? 128 : 16384;
  if (count < 1024 || (rows * 2 > wanted && count <= kLongest)) return 0;
  const std::int64_t chunk = rows * 2 > wanted ? kLongest : (count / wanted * rows + 7) / 8 * 8;
  return std::clamp<std::int64_t>(chunk, 256, kLongest);
}

void set_phase(RowCall& rows, const Scan& scan, Phase phase) {
  ScanConstants constants;
  constants.kOperator = scan.operation;
  constants.kPhase = static_cast<uint>(phase);
  constants.kExclusive = scan.exclusive;
  constants.kReverse = scan.reverse;
  set_constants(rows, constants);
}

// Operand of the chunks' states, after self and out.
constexpr std::size_t kStates = 2;

/// Returns the call that scans whole rows. `indices` is null for sums.
RowCall scan_call(const Scan& scan, const Tensor& self, const Tensor& out, const Tensor* indices) {
  RowCall call;
  call.name = scan.name;
  call.shader = scan.shader;
  call.promoted = scan.promoted;
  call.rows = self.shape;
  // A thread scans a row or a chunk sequentially; parallelism comes from rows and chunks.
  call.one_thread_per_row = true;
  call.count = 1;
  if (!self.shape.empty()) {
    call.count = self.shape[scan.dim];
    call.rows.erase(call.rows.begin() + scan.dim);
  }
  if (self.empty()) call.rows = {0};
  call.operands = {operand_of(self, scan, Access::kRead), operand_of(out, scan, Access::kWrite)};
  RowOperand states = call.operands[0];  // an alias when there are no chunk states
  states.access = Access::kRead;
  states.scalar_access = true;
  call.operands.push_back(states);
  if (indices) {
    call.operands.push_back(operand_of(*indices, scan, Access::kWrite));
    call.operands.back().scalar_access = true;
  }
  return call;
}

/// Returns the states of `chunks` chunks of each row, in the workspace.
RowOperand chunk_states(const RowCall& call, std::int64_t chunks, Staging& staging) {
  Shape sizes = call.rows;
  sizes.push_back(chunks);
  sizes.push_back(4);
  const Tensor words = staging.make({element_count(sizes)}, DType::kUint32);
  Shape strides = contiguous_strides(sizes);
  strides.resize(call.rows.size());
  // The strides of states count states of four words.
  for (std::int64_t& stride : strides) stride /= 4;
  return {words.address(), kStateBytes, DType::kFloat, strides, 0, Access::kReadWrite, true, chunks - 1};
}

/// Returns the call that scans the states of the chunks of `call`, one thread a row.
RowCall state_scan(const RowCall& call, const Scan& scan, std::int64_t chunks) {
  RowCall states = call;
  states.chunk = 0;
  states.count = chunks;
  set_phase(states, scan, Phase::kBefore);
  states.operands[kStates].step = 1;
  states.operands[kStates].extra_elements = 0;
  for (std::size_t k = 0; k < states.operands.size(); ++k) {
    if (k == kStates) continue;
    states.operands[k] = states.operands[kStates];  // this phase accesses only the states
    states.operands[k].access = Access::kRead;
  }
  return states;
}

/// Returns the one or three kernels of a scan. `indices` is null for sums.
Kernels scan_kernels(const Scan& scan, const Tensor& self, const Tensor& out, const Tensor* indices, Staging& staging) {
  RowCall call = scan_call(scan, self, out, indices);
  const std::int64_t chunk =
      self.empty() ? 0 : chunk_for(element_count(call.rows), call.count, scan.execution.is_cpu_device);
  if (chunk == 0) {
    set_phase(call, scan, Phase::kOnly);
    return row_kernels(call, scan.execution);
  }
  const std::int64_t chunks = chunks_of(call.count, chunk);
  call.operands[kStates] = chunk_states(call, chunks, staging);
  call.chunk = chunk;
  set_phase(call, scan, Phase::kStates);
  Kernels kernels = row_kernels(call, scan.execution);
  // Reduce-then-scan: the second phase scans the states of the chunks.
  append(kernels, row_kernels(state_scan(call, scan, chunks), scan.execution));
  set_phase(call, scan, Phase::kFinal);
  append(kernels, row_kernels(call, scan.execution));
  return kernels;
}

std::shared_ptr<Executor> scan_executor(const Scan& scan, const Tensor& self, const char* self_name, const Tensor& out,
                                        const char* out_name, const Tensor* indices) {
  Executor::Operands operands = operands_between(self, self_name, out, out_name);
  if (indices) operands.outputs.add(indices, indices + 1);
  return staged_executor(scan.name, std::move(operands), [=](const Executor::Operands& bound, Staging& staging) {
    const Tensor* bound_indices = bound.outputs.size() > 1 ? &bound.output(1) : nullptr;
    auto kernels = scan_kernels(scan, bound.input(0), bound.output(0), bound_indices, staging);
    check_distinct(bound.output(0), out_name);
    check_overlap(bound.output(0), out_name, bound.input(0), self_name);
    if (bound_indices) {
      check_distinct(*bound_indices, "indicesOut");
      check_overlap(*bound_indices, "indicesOut", bound.input(0), self_name);
    }
    return kernels;
  });
}

}  // namespace

Kernels running_sum_kernels(const char* name, const Tensor& self, const Tensor& out, std::size_t dim,
                            Staging& staging) {
  Scan scan;
  scan.name = name;
  scan.shader = kSumShaders[static_cast<std::size_t>(class_for(out.dtype, {self.dtype}))];
  scan.promoted = out.dtype;
  scan.operation = static_cast<std::uint32_t>(Cumulative::kSum);
  scan.dim = dim;
  scan.execution = runtime::execution();
  return scan_kernels(scan, self, out, nullptr, staging);
}

std::shared_ptr<Executor> plan_cumulative(const char* name, Cumulative kind, const CumulativeHandles& handles,
                                          std::int64_t dim) {
  const TensorPtr self = required_tensor(handles.self);
  const TensorPtr out = required_tensor(handles.out);
  const DTypeSet& supported = kind == Cumulative::kSum ? kSummable : kFactors;
  check_dtype(*self, handles.self.name, supported);
  check_dtype(*out, handles.out.name, supported);
  const DType promoted = handles.has_dtype ? static_cast<DType>(handles.dtype) : self->dtype;
  check(supported.contains(promoted), Code::kNnInvalid, "dtype is {}; supported are {}.", promoted, supported);
  check_castable(self->dtype, promoted, handles.self.name, "the result");
  check_castable(promoted, out->dtype, "the result", handles.out.name);
  check_view(*self, handles.self.name);
  check_view(*out, handles.out.name);
  check_shape(*out, handles.out.name, self->shape, "self has shape");
  Scan scan;
  scan.name = name;
  scan.shader = kSumShaders[static_cast<std::size_t>(class_for(promoted, {self->dtype, out->dtype}))];
  scan.promoted = promoted;
  scan.operation = static_cast<std::uint32_t>(kind);
  scan.exclusive = handles.exclusive;
  scan.reverse = handles.reverse;
  scan.dim = resolve_dim(*self, dim);
  scan.execution = runtime::execution();
  return scan_executor(scan, *self, handles.self.name, *out, handles.out.name, nullptr);
}

std::shared_ptr<Executor> plan_cumulative_product(const char* name, const CumulativeHandles& handles,
                                                  const ScalarArg& dim) {
  required_tensor(handles.self);
  const ScalarPtr scalar = required_scalar(dim);
  required_tensor(handles.out);
  check(kind_of(scalar->dtype()) <= Kind::kInteger, Code::kNnInvalid, "dim has dtype {}; an integer dtype is expected.",
        scalar->dtype());
  return plan_cumulative(name, Cumulative::kProduct, handles, scalar->to_int64());
}

std::shared_ptr<Executor> plan_cumulative_extreme(const char* name, bool highest, const InputArg& self_handle,
                                                  std::int64_t dim, const OutputArg& values_out,
                                                  const OutputArg& indices_out) {
  const TensorPtr self = required_tensor(self_handle);
  const TensorPtr values = required_tensor(values_out);
  const TensorPtr indices = required_tensor(indices_out);
  check_dtype(*self, "self", kReals);
  check_dtype(*values, "valuesOut", kReals);
  check_dtype(*indices, "indicesOut", kIndexDtypes);
  check_castable(self->dtype, values->dtype, "self", "valuesOut");
  check_view(*self, "self");
  check_view(*values, "valuesOut");
  check_view(*indices, "indicesOut");
  check_shape(*values, "valuesOut", self->shape, "self has shape");
  check_shape(*indices, "indicesOut", self->shape, "self has shape");
  Scan scan;
  scan.name = name;
  scan.shader = kExtremeShaders[static_cast<std::size_t>(class_for(self->dtype, {values->dtype}))];
  scan.promoted = self->dtype;
  scan.operation = highest ? 0 : 1;
  scan.dim = resolve_dim(*self, dim);
  scan.execution = runtime::execution();
  return scan_executor(scan, *self, "self", *values, "valuesOut", indices.get());
}

}  // namespace aclvk::ops
