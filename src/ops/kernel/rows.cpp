#include "ops/kernel/rows.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "base/error.hpp"
#include "common/rows.args.h"
#include "ops/kernel/bounded_loop.hpp"
#include "ops/kernel/grid.hpp"
#include "ops/kernel/kernel_builder.hpp"
#include "ops/kernel/kernels.hpp"
#include "ops/kernel/strided.hpp"

namespace aclvk::ops {
namespace {

ARGUMENT_STRUCT(RowsArguments, ROWS_ARGUMENTS);
CONSTANT_STRUCT(RowsConstants, ROWS_CONSTANTS);

/// The threads that work on one row.
struct Team {
  std::uint32_t threads = 1;
  std::uint32_t group = 64;  ///< threads of a workgroup
  bool is_subgroup = false;  ///< the team's threads are a subgroup, so its states are joined by shuffles
  std::uint32_t rows_per_team = 1;
};

std::uint32_t power_of_two_for(std::int64_t count) {
  std::uint32_t power = 1;
  while (power < count && power < 256) power *= 2;
  return power;
}

/// Neighbouring threads should access neighbouring elements (coalescing): elements of one row, unless another dim is
/// the contiguous one. On CPU devices only the threads of a subgroup, the lanes of a vector, run concurrently. A
/// workgroup costs about as much as a short row there, so it has several teams.
Team team_for(const RowCall& call, std::uint64_t rows, bool unit_steps, runtime::Execution execution) {
  // Small workgroups spread few rows over more cores.
  const Team single{1, rows < 16384 ? 16U : 64U};
  if (call.one_thread_per_row) return single;
  const std::int64_t count = call.chunk == 0 ? call.count : std::min(call.chunk, call.count);
  if (execution.is_cpu_device) {
    const bool short_rows = count < kVec8 * execution.subgroup_size;
    if (short_rows || (rows >= 32 && (execution.subgroup_size == 1 || !unit_steps))) return single;
    if (execution.subgroup_size == 1) return {8, 8};
    return {execution.subgroup_size, execution.subgroup_size * (rows < 64 ? 1 : 8), true};
  }
  // In interleaved rows the neighbours of an element belong to other rows, so neighbouring threads take those, if there
  // are enough rows for all threads of a GPU.
  const bool side_by_side = !unit_steps && rows >= 4096;
  const Team team{side_by_side ? 1 : power_of_two_for(count / kVec8), 128};
  return {team.threads, std::max(team.threads, team.group)};
}

/// The alignment in elements of an access to a span of 8 or 16 elements: at most a line of 32 bytes.
std::int64_t line_elements(std::size_t bytes, std::int64_t span) {
  return std::min<std::int64_t>(span, static_cast<std::int64_t>(kLine / bytes));
}

/// The offset of the first row from a line of 32 bytes, in elements.
std::int64_t phase_of(const RowOperand& operand, const std::byte* start, std::int64_t span) {
  const auto address = reinterpret_cast<std::uintptr_t>(start);
  return static_cast<std::int64_t>(address / operand.bytes) % line_elements(operand.bytes, span);
}

/// Where the rows of an operand start, relative to lines of memory. Elements are the unit.
struct RowAlignment {
  std::int64_t line;   ///< the alignment that an access to a span needs
  std::int64_t phase;  ///< of the first row
  const Shape* strides;
};

/// Returns whether each row starts at the same offset from a line in both operands, so that aligned spans start at the
/// same elements of the row.
bool rows_start_alike(const RowAlignment& a, const RowAlignment& b) {
  if (a.phase != b.phase) return false;
  // Operands with elements of other sizes have other lines, so only rows that begin on a line of both fit.
  const bool same_line = a.line == b.line;
  if (!same_line && a.phase != 0) return false;
  const std::int64_t longer_line = std::max(a.line, b.line);
  for (std::size_t dim = 0; dim < a.strides->size(); ++dim) {
    const std::int64_t first = (*a.strides)[dim];
    const std::int64_t second = (*b.strides)[dim];
    const bool alike =
        same_line ? (second - first) % a.line == 0 : first % longer_line == 0 && second % longer_line == 0;
    if (!alike) return false;
  }
  return true;
}

/// Returns whether rows can be accessed by aligned spans: all operands are contiguous along rows, and aligned spans
/// start at the same elements of a row in all of them.
bool has_aligned_spans(const RowCall& call, const std::vector<const std::byte*>& starts, const LoopNest& nest,
                       std::int64_t span) {
  std::optional<RowAlignment> first;  // of the first operand that is accessed by spans
  for (std::size_t k = 0; k < call.operands.size(); ++k) {
    const RowOperand& operand = call.operands[k];
    if (operand.scalar_access) continue;
    if (operand.step != 1) return false;
    const RowAlignment own{line_elements(operand.bytes, span), phase_of(operand, starts[k], span), &nest.strides[k]};
    if (!first) {
      first = own;
    } else if (!rows_start_alike(*first, own)) {
      return false;
    }
  }
  return first && call.count >= span;
}

/// The elements that a thread accesses at once: 8, or 16 on CPU devices when elements have 16 bits, since 16 of them
/// are one line of 32 bytes.
std::int64_t span_for(const RowCall& call, const Team& team, const std::vector<const std::byte*>& starts,
                      const LoopNest& nest, bool is_cpu_device) {
  const std::int64_t both = 2 * kVec8;
  const std::int64_t count = call.chunk == 0 ? call.count : call.chunk;
  const bool halves = std::any_of(call.operands.begin(), call.operands.end(), [](const RowOperand& operand) {
    return !operand.scalar_access && operand.bytes == kLine / both;
  });
  const bool wanted = is_cpu_device && halves && count % both == 0 && count >= both * team.threads;
  return wanted && has_aligned_spans(call, starts, nest, both) ? both : kVec8;
}

/// Returns whether rows consist of aligned spans, without a head or a tail.
bool has_whole_spans(const RowCall& call, const std::vector<const std::byte*>& starts, const LoopNest& nest,
                     std::int64_t span) {
  const std::int64_t line = line_elements(call.operands[0].bytes, span);
  bool whole = call.count % span == 0 && phase_of(call.operands[0], starts[0], span) == 0;
  for (const std::int64_t stride : nest.strides[0]) whole = whole && stride % line == 0;
  return whole;
}

/// The vec8s of a row that a thread holds in registers; 0 when a row has too many. Rounded up, because each number is a
/// kernel of its own that the driver has to compile.
std::uint32_t register_vec8s_for(const RowCall& call, const Team& team, std::int64_t span, bool is_cpu_device) {
  const std::int64_t most = is_cpu_device ? 16 : 4;
  const std::int64_t vec8s = (call.count / span + team.threads - 1) / team.threads * (span / kVec8);
  const std::int64_t rounded = vec8s <= 4 ? vec8s : (vec8s + 3) / 4 * 4;
  return rounded <= most ? static_cast<std::uint32_t>(rounded) : 0;
}

/// The spans or elements that an iteration visits, so that a thread's loops stay below kMaxIterations. An operator
/// reads a row up to four times.
std::uint32_t row_unroll_factor(const RowCall& call, const Team& team, std::int64_t span, bool by_spans) {
  constexpr std::int64_t kMaxPasses = 4;
  const std::int64_t count = call.chunk == 0 ? call.count : std::min(call.chunk, call.count);
  const std::int64_t iterations = count / (team.threads * (by_spans ? span : 1)) * kMaxPasses;
  const std::uint32_t unroll = unroll_factor(iterations);
  check(unroll > 0, Code::kFeatureNotSupported,
        "a row of {} has {} elements; with these strides rows of up to {} are supported.", call.name, call.count,
        count * kMaxIterations * kMaxUnroll / std::max<std::int64_t>(iterations, 1));
  return unroll;
}

/// Several rows per team amortise the loads of shared operands (gamma, beta); few rows are spread over all cores.
std::uint32_t rows_per_team_for(std::uint64_t rows) { return rows >= 2048 ? 8 : rows >= 256 ? 2 : 1; }

/// The rows of one kernel, for which a distribution is chosen.
struct RowNest {
  const RowCall& call;
  const LoopNest& nest;
  const std::vector<const std::byte*>& starts;  ///< of each operand
  std::uint64_t rows;                           ///< with chunks
  bool unit_steps;                              ///< of all operands that are not accessed as scalars
  runtime::Execution execution;
};

/// The distribution of rows over threads, and of the elements of a row over accesses and registers.
struct RowDistribution {
  Team team;
  std::int64_t span = 0;             ///< elements that a thread accesses at once
  bool by_spans = false;             ///< else element by element
  std::uint32_t register_vec8s = 0;  ///< of a row in the registers of a thread; 0: rows are read several times
};

/// Each choice needs those before it: the team, the span, whether spans are aligned, whether a row fits registers, and
/// how many rows share what a team holds in registers.
RowDistribution row_distribution_for(const RowNest& of) {
  const auto& [call, nest, starts, rows, unit_steps, execution] = of;
  RowDistribution chosen;
  chosen.team = team_for(call, rows, unit_steps, execution);
  chosen.span = span_for(call, chosen.team, starts, nest, execution.is_cpu_device);
  chosen.by_spans = has_aligned_spans(call, starts, nest, chosen.span);
  if (call.rows_in_registers && chosen.by_spans && has_whole_spans(call, starts, nest, chosen.span)) {
    chosen.register_vec8s = register_vec8s_for(call, chosen.team, chosen.span, execution.is_cpu_device);
  }
  if (call.shared_in_registers && chosen.register_vec8s > 0 && execution.is_cpu_device) {
    chosen.team.rows_per_team = rows_per_team_for(rows);
  }
  return chosen;
}

/// Returns whether every team has a row and rows fill the registers, so that the shader needs no bounds checks.
bool is_exact(const std::array<std::uint32_t, 3>& groups, const Team& team, std::uint64_t rows, std::uint32_t vec8s,
              std::int64_t count) {
  const std::uint64_t teams = std::uint64_t{groups[0]} * groups[1] * (team.group / team.threads);
  return teams * team.rows_per_team == rows && count == std::int64_t{vec8s} * team.threads * kVec8;
}

std::uint64_t span_bytes(const RowCall& call, const RowOperand& operand, const LoopNest& nest, std::size_t k) {
  std::int64_t last = operand.extra_elements + std::max<std::int64_t>(call.count - 1, 0) * operand.step;
  for (std::size_t dim = 0; dim < nest.sizes.size(); ++dim) last += (nest.sizes[dim] - 1) * nest.strides[k][dim];
  return (static_cast<std::uint64_t>(last) + 1) * operand.bytes;
}

/// Adds the argument block of rows.glsl: its own arguments, steps, the shader's words, and for each dim its size and
/// the stride of each operand.
void add_arguments(KernelBuilder& kernel, const RowCall& call, const LoopNest& nest, std::uint64_t rows) {
  RowsArguments arguments;
  arguments.rows = word(static_cast<std::int64_t>(rows));
  arguments.count = word(call.count);
  arguments.chunk = word(call.chunk == 0 ? call.count : call.chunk);
  arguments.chunks = word(chunks_of(call.count, call.chunk));
  kernel.add_arguments(arguments);
  for (const RowOperand& operand : call.operands) kernel.add_word(operand.step);
  kernel.add_argument_words(call.arguments.begin(), call.arguments.end());
  kernel.add_dims(nest.sizes, nest.strides);
}

runtime::Kernel kernel_for(const RowCall& call, const SubNest& sub_nest, runtime::Execution execution) {
  KernelBuilder kernel(call.name, call.shader);
  const LoopNest& nest = sub_nest.nest;
  std::uint64_t rows = static_cast<std::uint64_t>(chunks_of(call.count, call.chunk));
  for (const std::int64_t size : nest.sizes) rows *= static_cast<std::uint64_t>(size);
  std::vector<const std::byte*> starts;
  bool unit_steps = true;
  for (std::size_t k = 0; k < call.operands.size(); ++k) {
    const RowOperand& operand = call.operands[k];
    starts.push_back(at_byte_offset(operand.start, sub_nest.starts[k] * static_cast<std::int64_t>(operand.bytes)));
    unit_steps = unit_steps && (operand.scalar_access || operand.step == 1);
    kernel.add_operand(starts[k], span_bytes(call, operand, nest, k), operand.access);
  }
  const RowDistribution chosen = row_distribution_for({call, nest, starts, rows, unit_steps, execution});
  const Team& team = chosen.team;
  const auto groups = row_of_groups((rows + team.rows_per_team - 1) / team.rows_per_team * team.threads, team.group);
  RowsConstants constants;
  constants.kTeam = team.threads;
  constants.kVector = chosen.by_spans ? 1 : 0;
  constants.local_size = team.group;
  constants.kTeamIsSubgroup = team.is_subgroup ? 1 : 0;
  constants.kRank = static_cast<std::uint32_t>(nest.sizes.size());
  constants.kRegisterVec8s = chosen.register_vec8s;
  constants.kRowsPerTeam = team.rows_per_team;
  constants.kSpanVec8s = static_cast<std::uint32_t>(chosen.span / kVec8);
  constants.kChunked = call.chunk != 0 ? 1 : 0;
  constants.kExact = is_exact(groups, team, rows, chosen.register_vec8s, call.count) ? 1 : 0;
  constants.kUnroll = chosen.register_vec8s > 0 ? 1 : row_unroll_factor(call, team, chosen.span, chosen.by_spans);
  kernel.add_constants(constants);
  for (const RowOperand& operand : call.operands) kernel.add_dtype(operand.dtype);
  kernel.add_dtype(call.promoted);
  kernel.add_constant_words(call.constants.begin(), call.constants.end());
  add_arguments(kernel, call, nest, rows);
  kernel.set_groups(groups);
  return kernel.build();
}

/// Throws 161002 for a row that spans more than 2 GiB of an operand.
void check_row_span(const RowCall& call, const RowOperand& operand) {
  const auto elements = static_cast<std::uint64_t>(std::max<std::int64_t>(call.count, 1));
  check(elements * static_cast<std::uint64_t>(operand.step) * operand.bytes <= kMaxSpanBytes, Code::kNnInvalid,
        "a row of {} has {} elements, {} elements apart; it must not span more than 2 GiB.", call.name, call.count,
        operand.step);
}

/// Returns whether a row of one element has a step that it never takes, and that is too long to be passed on.
bool has_unused_step(const RowCall& call, const RowOperand& operand) {
  return call.count <= 1 && operand.step > kMaxUnusedStride;
}

RowCall without_unused_steps(RowCall call) {
  for (RowOperand& operand : call.operands) {
    if (has_unused_step(call, operand)) operand.step = 0;
  }
  return call;
}

}  // namespace

RowOperand row_operand(const Tensor& tensor, runtime::Access access) {
  return {tensor.address(), size_of(tensor.dtype), tensor.dtype, {}, 0, access, true, 0};
}

RowOperand operand_along(const Tensor& tensor, std::size_t dim, runtime::Access access) {
  RowOperand operand{tensor.address(), size_of(tensor.dtype), tensor.dtype, tensor.strides, 1, access, false, 0};
  if (tensor.shape.empty()) return operand;
  operand.step = tensor.strides[dim];
  operand.strides.erase(operand.strides.begin() + dim);
  return operand;
}

RowOperand unused_row_operand(const RowCall& rows) {
  RowOperand filler = rows.operands[0];
  filler.strides = Shape(rows.rows.size(), 0);
  filler.step = 0;
  filler.scalar_access = true;
  filler.access = runtime::Access::kRead;
  return filler;
}

Shape values_of_dims(const Shape& values, const InlineVector<std::size_t, kMaxRank>& dims) {
  Shape picked;
  for (const std::size_t dim : dims) picked.push_back(values[dim]);
  return picked;
}

std::vector<runtime::Kernel> row_kernels(const RowCall& call, runtime::Execution execution) {
  if (element_count(call.rows) == 0) return {KernelBuilder(call.name, call.shader).build()};
  constexpr std::int64_t kMaxRowElements = 0xFFFFFFFF;  // shaders count with 32 bits
  check(call.count <= kMaxRowElements, Code::kFeatureNotSupported,
        "a row of {} has {} elements; at most {} are supported.", call.name, call.count, kMaxRowElements);
  const auto is_unused = [&](const RowOperand& operand) { return has_unused_step(call, operand); };
  if (std::any_of(call.operands.begin(), call.operands.end(), is_unused)) {
    return row_kernels(without_unused_steps(call), execution);
  }
  LoopNest nest{call.rows, {}};
  ElementBytes element_bytes;
  for (const RowOperand& operand : call.operands) {
    nest.strides.push_back(operand.strides);
    element_bytes.push_back(operand.bytes);
    check_row_span(call, operand);
  }
  std::vector<runtime::Kernel> kernels;
  // Chunks count as rows.
  SplitLimits limits;
  limits.elements /= static_cast<std::uint64_t>(chunks_of(call.count, call.chunk));
  for (const SubNest& sub_nest : split(collapse(std::move(nest)), element_bytes, limits)) {
    kernels.push_back(kernel_for(call, sub_nest, execution));
  }
  return kernels;
}

}  // namespace aclvk::ops
