#include "ops/reduction/reduction.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/rows.hpp"
#include "ops/kernel/strided.hpp"
#include "reduction/reduction.args.h"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(ReductionArguments, REDUCTION_ARGUMENTS);
CONSTANT_STRUCT(ReductionConstants, REDUCTION_CONSTANTS);
CONSTANT_STRUCT(OutputsConstants, OUTPUTS_CONSTANTS);

constexpr std::size_t kStateBytes = 16;  // a uvec4 in the shaders
constexpr std::int64_t kMaxRowBytes = std::int64_t{1} << 31;

using Dims = InlineVector<std::size_t, kMaxRank>;

bool is_in(DimMask dims, std::size_t dim) { return (dims >> dim & 1U) != 0; }

Dims dims_where(const Tensor& self, DimMask mask, bool reduced) {
  Dims dims;
  for (std::size_t i = 0; i < self.shape.size(); ++i) {
    if (is_in(mask, i) == reduced) dims.push_back(i);
  }
  return dims;
}

/// The input of a level: the elements first, then the states of the level before.
struct Source {
  const std::byte* start;
  bool states;
  Shape row_strides;
  LoopNest reduced;  ///< with the strides of the input
};

/// The chunk length: short enough that sums stay accurate, and long enough that few states are left. Many rows are only
/// split when they are long.
std::int64_t chunk_for(std::int64_t rows, std::int64_t count, std::int64_t row_bytes, bool unit_step,
                       bool is_cpu_device) {
  const std::int64_t most = unit_step ? (is_cpu_device ? 16384 : 65536) : 4096;
  const std::int64_t least = is_cpu_device ? 1024 : unit_step ? 4096 : 256;
  const std::int64_t wanted_rows = is_cpu_device ? 64 : unit_step ? 1024 : 65536;
  std::int64_t chunk = most;
  if (rows < wanted_rows) chunk = std::clamp((count / wanted_rows * rows + 7) / 8 * 8, least, most);
  // A multiple of eight keeps chunks aligned to vec8s.
  if (row_bytes > 0) chunk = std::min(chunk, std::max<std::int64_t>(kMaxRowBytes / row_bytes / 8 * 8, 8));
  return chunk < count ? chunk : 0;
}

Shape output_strides(const Tensor& out, const Tensor& self, const Dims& row_dims) {
  if (out.shape.size() == self.shape.size()) return values_of_dims(out.strides, row_dims);
  if (out.shape.size() == row_dims.size()) return out.strides;
  return Shape(row_dims.size(), 0);  // a single element, of any shape
}

/// Builds the kernels of a reduction, level by level.
class ReductionLevels {
 public:
  ReductionLevels(const Reduction& reduction, const Tensor& self, const std::vector<const Tensor*>& outputs,
                  std::byte* workspace)
      : reduction_(reduction),
        self_(self),
        outputs_(outputs),
        row_dims_(dims_where(self, reduction.dims, false)),
        row_sizes_(values_of_dims(self.shape, row_dims_)),
        workspace_(workspace) {
    const Dims reduced = dims_where(self, reduction.dims, true);
    Source source{self.address(), false, values_of_dims(self.strides, row_dims_),
                  collapse({values_of_dims(self.shape, reduced), {values_of_dims(self.strides, reduced)}})};
    // A reduction of no elements still writes its identity.
    if (self.empty()) source.reduced = {{0}, {{0}}};
    while (!source.reduced.sizes.empty()) source = add_level(source);
  }

  std::vector<runtime::Kernel> release_kernels() { return std::move(kernels_); }
  std::uint64_t bytes() const { return used_; }

 private:
  /// Reduces the innermost remaining dim. Returns the input of the next level, without dims when the reduction is
  /// complete.
  Source add_level(const Source& source) {
    Shape rest = source.reduced.sizes;
    Shape rest_strides = source.reduced.strides[0];
    const std::int64_t count = rest.back();
    const std::int64_t step = rest_strides.back();
    rest.resize(rest.size() - 1);
    rest_strides.resize(rest.size());
    const std::size_t bytes = source.states ? kStateBytes : size_of(self_.dtype);
    Shape rows = row_sizes_;
    rows.append(rest.begin(), rest.end());
    const std::int64_t row_count = element_count(rows);
    const std::int64_t chunk = chunk_for(row_count, count, step * static_cast<std::int64_t>(bytes),
                                         step == 1 || source.states, reduction_.execution.is_cpu_device);
    const std::int64_t chunks = chunks_of(count, chunk);
    RowCall call;
    call.name = reduction_.name;
    call.shader = reduction_.shader;
    call.rows = rows;
    call.promoted = reduction_.promoted;
    RowOperand input{source.start, bytes, self_.dtype, source.row_strides, step, Access::kRead, source.states, 0};
    input.strides.append(rest_strides.begin(), rest_strides.end());
    call.operands = {input};
    // Each level reduces one dim of the nest, or a chunk of it, to 16-byte states. The last level converts a
    // state to the results.
    const bool last = rest.empty() && chunk == 0;
    ReductionConstants constants;
    constants.kOperator = reduction_.operation;
    constants.kStates = source.states ? 1 : 0;
    constants.kPartial = last ? 0 : 1;
    add_constants(call, constants);
    if (last) {
      add_outputs(call);
      add_call(call, count, 0, 0);
      return {nullptr, true, {}, {}};
    }
    Shape sizes = rows;
    // The states of a row's chunks are adjacent, so the next level reads a contiguous row.
    sizes.push_back(chunks);
    Shape strides = contiguous_strides(sizes);
    strides.resize(rows.size());
    std::byte* states = at_byte_offset(workspace_, static_cast<std::int64_t>(used_));
    used_ += static_cast<std::uint64_t>(element_count(sizes)) * kStateBytes;
    call.operands.resize(1 + outputs_.size(),
                         {states, kStateBytes, DType::kFloat, strides, 0, Access::kWrite, true, chunks - 1});
    OutputsConstants outputs;
    // All operands after the input alias the states, because partial kernels write nothing else.
    outputs.kOutputs = ~0U;
    add_constants(call, outputs);
    add_call(call, count, chunk, step);
    // The remaining dims and the chunks merge into one dim of states.
    const std::int64_t left = element_count(rest) * chunks;
    strides.resize(row_sizes_.size());
    return {states, true, strides, {{left}, {{1}}}};
  }

  void add_outputs(RowCall& call) {
    OutputsConstants constants;
    const Tensor* any = nullptr;
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      if (!outputs_[i]) continue;
      constants.kOutputs |= 1U << i;
      any = any ? any : outputs_[i];
    }
    for (const Tensor* output : outputs_) {
      const Tensor& out = output ? *output : *any;
      call.operands.push_back({out.address(), size_of(out.dtype), out.dtype, output_strides(out, self_, row_dims_), 0,
                               Access::kWrite, true, 0});
    }
    add_constants(call, constants);
    if (!self_.empty()) return;
    // An empty input may have no memory, so the output replaces it as an operand.
    const DType dtype = call.operands[0].dtype;
    call.operands[0] = call.operands[1];
    call.operands[0].dtype = dtype;
    call.operands[0].access = Access::kRead;
  }

  /// Splits rows that span more than 2 GiB, and rows of one broadcast element that would take too many iterations, into
  /// several kernels.
  void add_call(RowCall& call, std::int64_t count, std::int64_t chunk, std::int64_t step) {
    const std::int64_t row_bytes = step * static_cast<std::int64_t>(call.operands[0].bytes);
    const std::int64_t fit = kMaxRowBytes / std::max<std::int64_t>(row_bytes, 1);
    const std::int64_t most = chunk == 0 ? count : std::max(fit / chunk * chunk, chunk);
    call.chunk = chunk;
    const RowCall whole = call;
    ReductionArguments arguments;
    arguments.argument = reduction_.argument;
    std::int64_t at = 0;
    do {
      call.count = std::min(most, count - at);
      // Only shaders with an index read it, and plan_select() refuses rows for which it has too few bits.
      arguments.before = static_cast<uint>(at);
      set_arguments(call, arguments);
      call.operands[0].start = at_byte_offset(whole.operands[0].start, at * row_bytes);
      if (chunk > 0) {
        for (std::size_t k = 1; k < call.operands.size(); ++k) {
          call.operands[k].start =
              at_byte_offset(whole.operands[k].start, at / chunk * static_cast<std::int64_t>(kStateBytes));
          call.operands[k].extra_elements = chunks_of(call.count, chunk) - 1;
        }
      }
      auto kernels = row_kernels(call, reduction_.execution);
      std::move(kernels.begin(), kernels.end(), std::back_inserter(kernels_));
      at += most;
    } while (at < count);
  }

  const Reduction& reduction_;
  const Tensor& self_;
  const std::vector<const Tensor*>& outputs_;
  const Dims row_dims_;
  const Shape row_sizes_;
  std::byte* const workspace_;
  std::uint64_t used_ = 0;
  std::vector<runtime::Kernel> kernels_;
};

}  // namespace

std::vector<runtime::Kernel> reduction_kernels(const Reduction& reduction, const Tensor& self,
                                               const std::vector<const Tensor*>& outputs, std::byte* workspace) {
  return ReductionLevels(reduction, self, outputs, workspace).release_kernels();
}

std::uint64_t reduction_workspace(const Reduction& reduction, const Tensor& self, std::size_t outputs) {
  // Only the sizes of states count here, so the output has no address.
  const Tensor result{reduced_shape(self, reduction.dims, false), {}, 0, {}, self.dtype, 0, nullptr};
  Tensor strided = result;
  strided.strides = contiguous_strides(result.shape);
  return ReductionLevels(reduction, self, std::vector<const Tensor*>(outputs, &strided), nullptr).bytes();
}

std::shared_ptr<Executor> reduction_executor(const Reduction& reduction, const Tensor& self,
                                             const std::vector<const Tensor*>& outputs,
                                             const std::vector<const char*>& names) {
  TensorSlots slots;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (names[i]) slots.add(outputs[i], outputs[i] ? outputs[i] + 1 : nullptr);
  }
  auto build = [reduction, names](const Executor::Operands& bound) {
    std::vector<const Tensor*> outs;
    std::size_t slot = 0;
    for (const char* name : names) {
      outs.push_back(name ? tensor_in(bound.outputs, slot++) : nullptr);
      if (!outs.back()) continue;
      check_distinct(*outs.back(), name);
      check_overlap(*outs.back(), name, bound.input(0), "self");
    }
    return reduction_kernels(reduction, bound.input(0), outs, bound.workspace);
  };
  return std::make_shared<Executor>(reduction.name, Executor::Operands{{&self}, std::move(slots)}, std::move(build),
                                    reduction_workspace(reduction, self, outputs.size()));
}

DimMask all_dims(const Tensor& self) { return (1U << self.shape.size()) - 1; }

DimMask mask_of(const Tensor& self, std::int64_t dim, const char* name) {
  const auto rank = static_cast<std::int64_t>(std::max<std::size_t>(self.shape.size(), 1));
  check(dim >= -rank && dim < rank, Code::kNnInvalid, "{} is {}; a tensor of shape {} has dims {} to {}.", name, dim,
        self.shape, -rank, rank - 1);
  return self.shape.empty() ? 0 : 1U << (dim < 0 ? dim + rank : dim);
}

DimMask mask_of(const Tensor& self, const std::vector<std::int64_t>& dims, const char* name) {
  if (dims.empty()) return all_dims(self);
  DimMask mask = 0;
  for (const std::int64_t dim : dims) {
    const DimMask bit = mask_of(self, dim, name);
    check((mask & bit) == 0, Code::kNnInvalid, "{} names dim {} twice.", name, dim);
    mask |= bit;
  }
  return mask;
}

Shape reduced_shape(const Tensor& self, DimMask dims, bool keep) {
  Shape shape;
  for (std::size_t i = 0; i < self.shape.size(); ++i) {
    if (!is_in(dims, i)) shape.push_back(self.shape[i]);
    if (is_in(dims, i) && keep) shape.push_back(1);
  }
  return shape;
}

void check_reduced_shape(const Tensor& out, const char* name, const Tensor& self, DimMask dims, bool keep) {
  const Shape expected = reduced_shape(self, dims, keep);
  if (element_count(expected) == 1 && element_count(out.shape) == 1) return;
  check_shape(out, name, expected, "self is reduced to");
}

void check_not_empty(const Tensor& self, const char* name, DimMask dims) {
  const bool has_results = element_count(reduced_shape(self, dims, false)) > 0;
  check(!self.empty() || !has_results, Code::kNnInvalid,
        "{} has shape {}; one element at least is expected along the reduced dims.", name, self.shape);
}

std::int64_t reduced_count(const Tensor& self, DimMask dims) {
  std::int64_t count = 1;
  for (std::size_t i = 0; i < self.shape.size(); ++i) count *= is_in(dims, i) ? self.shape[i] : 1;
  return count;
}

}  // namespace aclvk::ops
