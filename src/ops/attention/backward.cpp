#include "ops/attention/backward.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "attention/backward.args.h"
#include "attention/row_stats.args.h"
#include "base/error.hpp"
#include "ops/create/fill.hpp"
#include "ops/kernel/access.hpp"
#include "ops/kernel/kernel_builder.hpp"
#include "ops/kernel/operand.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(SequenceArguments, SEQUENCE_MEMBERS);
ARGUMENT_STRUCT(BackwardArguments, BACKWARD_ARGUMENTS);
CONSTANT_STRUCT(BackwardConstants, BACKWARD_CONSTANTS);
ARGUMENT_STRUCT(RowStatsArguments, ROW_STATS_ARGUMENTS);
CONSTANT_STRUCT(RowStatsConstants, ROW_STATS_CONSTANTS);

constexpr std::size_t kSequences = std::tuple_size_v<decltype(BackwardArguments::all)>;  // per kernel
/// Floats of own rows that a thread holds, and as many accumulators: more rows share a load of the other side, but
/// more floats do not fit in registers.
constexpr std::int64_t kMaxSums = 128;
constexpr std::uint32_t kThreadsPerGroup = 32;  // on GPUs; subgroups may be smaller, and share nothing
constexpr std::int64_t kMaxColumns = 512;       // a thread holds 1 / lanes of a row in registers
/// The window is clamped to this distance, so that the shader's 32-bit sums of positions do not overflow.
constexpr std::int64_t kMaxDistance = std::int64_t{1} << 30;
/// Byte offsets in the shader have 32 bits.
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 32;

std::int64_t columns(const Tensor& tensor) { return tensor.shape[3]; }

/// One of the two passes. Rows are those of queries, which sum up dQ, or those of keys, which sum up dK and dV. A score
/// is the product of the `qk` tensors, dP that of the `vdy` tensors. One writer for each row makes the order of sums
/// fixed, without atomics.
struct GradientPass {
  bool of_keys;
  const Tensor& own_qk;   ///< q, or k in the pass over keys
  const Tensor& own_vdy;  ///< dY, or v in the pass over keys
  const Tensor& other_qk;
  const Tensor& other_vdy;
  const Tensor& qk_grad;
  const Tensor& v_grad;

  GradientPass(const AttentionGradient& gradient, bool keys)
      : of_keys(keys),
        own_qk(keys ? gradient.forward.k : gradient.forward.q),
        own_vdy(keys ? gradient.forward.v : gradient.forward.out),
        other_qk(keys ? gradient.forward.q : gradient.forward.k),
        other_vdy(keys ? gradient.forward.out : gradient.forward.v),
        qk_grad(keys ? gradient.dk : gradient.dq),
        // The pass over queries has no second result.
        v_grad(keys ? gradient.dv : gradient.dq) {}

  std::int64_t Sequence::*own() const { return of_keys ? &Sequence::keys : &Sequence::queries; }
  std::int64_t Sequence::*others() const { return of_keys ? &Sequence::queries : &Sequence::keys; }
};

std::int64_t max_of(const Attention& attention, std::int64_t Sequence::*member) {
  std::int64_t most = 0;
  for (const Sequence& sequence : attention.sequences) most = std::max(most, sequence.*member);
  return most;
}

/// Returns the heads of q that share a head of k (GQA).
std::int64_t group_of(const Attention& attention) {
  const std::int64_t heads = attention.k.shape[1];
  return heads == 0 ? 0 : attention.q.shape[1] / heads;
}

/// The part of the loops that one kernel executes: other rows, and heads of q that share a head of k (one in the pass
/// over queries).
struct LoopRange {
  std::int64_t from;
  std::int64_t to;
  std::int64_t first_head;
  std::int64_t last_head;

  bool continues() const { return from > 0 || first_head > 0; }
};

std::int64_t heads_of(const Attention& attention, bool of_keys) {
  return of_keys ? std::max<std::int64_t>(group_of(attention), 1) : 1;
}

std::int64_t heads_per_kernel(const Attention& attention, bool of_keys) {
  // With more heads others_per_kernel() would be below 1.
  constexpr std::int64_t kMaxHeads = kMaxIterations / 3;
  // Fewer heads leave 58 other rows a kernel.
  constexpr std::int64_t kHeadsPerKernel = 1000;
  const std::int64_t heads = heads_of(attention, of_keys);
  return heads <= kMaxHeads ? heads : kHeadsPerKernel;
}

std::int64_t others_per_kernel(const Attention& attention, bool of_keys) {
  // Each head costs one iteration, and the inner loop's last look at its condition another one.
  return kMaxIterations / heads_per_kernel(attention, of_keys) - 2;
}

/// The partition of a pass into workgroups and tiles.
struct Tiling {
  std::uint32_t lanes;
  std::uint32_t threads;
  std::uint32_t rows;
  std::int64_t row_tiles;
  std::int64_t qk_vec8s;
  std::int64_t v_vec8s;
};

Tiling tiling_of(const Attention& attention, const GradientPass& pass, runtime::Execution execution) {
  Tiling tiling{};
  tiling.threads = execution.is_cpu_device ? std::max(execution.subgroup_size, 1U) : kThreadsPerGroup;
  tiling.lanes = std::min({tiling.threads, execution.subgroup_size, 8U});
  const auto vec8s = [&](const Tensor& tensor) {
    return (columns(tensor) + kVec8 * tiling.lanes - 1) / (kVec8 * tiling.lanes);
  };
  tiling.qk_vec8s = vec8s(attention.q);
  tiling.v_vec8s = vec8s(attention.v);
  const std::int64_t most = max_of(attention, pass.own());
  const std::int64_t numbers = kVec8 * (tiling.qk_vec8s + tiling.v_vec8s);
  // Rows double while own rows and accumulators of a thread fit: more rows use each load of the other side more
  // often.
  tiling.rows = 1;
  while (tiling.rows < 4 && tiling.rows < most && 2 * tiling.rows * numbers <= kMaxSums) tiling.rows *= 2;
  tiling.row_tiles = (most + tiling.rows - 1) / tiling.rows;
  return tiling;
}

void set_strides(std::array<uint, 3>& strides, const Tensor* tensor) {
  if (tensor) assign_words(strides, Shape(tensor->strides.begin(), tensor->strides.begin() + 3));
}

const Tensor* pointer_to(const std::optional<Tensor>& tensor) { return tensor ? &*tensor : nullptr; }

void set_sequences(BackwardArguments& arguments, const Attention& attention, std::size_t first, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const Sequence& tokens = attention.sequences[first + i];
    const bool from_end = attention.window && attention.window->from_end;
    SequenceArguments& to = arguments.all[i];
    to.first_query = word(tokens.first_query);
    to.queries = word(tokens.queries);
    to.first_key = word(tokens.first_key);
    to.keys = word(tokens.keys);
    to.window_offset = signed_word(from_end ? tokens.keys - tokens.queries : 0);
    to.visible_prefix = word(tokens.visible_prefix);
  }
}

BackwardArguments arguments_of(const AttentionGradient& gradient, const GradientPass& pass, const Tiling& tiling,
                               std::size_t first, std::size_t count, const LoopRange& range) {
  const Attention& attention = gradient.forward;
  const AttentionWindow window = attention.window.value_or(AttentionWindow{});
  BackwardArguments arguments;
  arguments.sequences = static_cast<uint>(count);
  arguments.heads = word(pass.own_qk.shape[1]);
  arguments.group = word(group_of(attention));
  arguments.qk_dim = word(columns(attention.q));
  arguments.v_dim = word(columns(attention.v));
  arguments.row_tiles = word(tiling.row_tiles);
  arguments.scale = static_cast<float>(attention.scale);
  arguments.before = static_cast<int>(std::clamp(window.before, -kMaxDistance, kMaxDistance));
  arguments.after = static_cast<int>(std::clamp(window.after, -kMaxDistance, kMaxDistance));
  arguments.from = word(range.from);
  arguments.to = word(range.to);
  arguments.first_head = word(range.first_head);
  arguments.last_head = word(range.last_head);
  set_strides(arguments.own_qk_strides, &pass.own_qk);
  set_strides(arguments.own_vdy_strides, &pass.own_vdy);
  set_strides(arguments.other_qk_strides, &pass.other_qk);
  set_strides(arguments.other_vdy_strides, &pass.other_vdy);
  set_strides(arguments.qk_grad_strides, &pass.qk_grad);
  set_strides(arguments.v_grad_strides, &pass.v_grad);
  set_strides(arguments.mask_strides, pointer_to(attention.mask));
  set_strides(arguments.bias_strides, pointer_to(attention.position_bias));
  set_strides(arguments.row_strides, &gradient.row_stats);
  arguments.position_offset = signed_word(attention.position_offset);
  arguments.dropout_scale = static_cast<float>(attention.dropout_scale);
  if (attention.bias_of_last_rows) arguments.bias_columns = word(columns(*attention.position_bias));
  set_sequences(arguments, attention, first, count);
  return arguments;
}

BackwardConstants constants_of(const Attention& attention, const GradientPass& pass, const Tiling& tiling,
                               bool continues) {
  const bool sees_more = max_of(attention, &Sequence::visible_prefix) > 0;
  BackwardConstants constants;
  constants.local_size = tiling.threads;
  constants.kLanes = tiling.lanes;
  constants.kRows = tiling.rows;
  constants.kQkVec8s = word(tiling.qk_vec8s);
  constants.kVVec8s = word(tiling.v_vec8s);
  constants.kWindow = attention.window ? (sees_more ? 2U : 1U) : 0U;
  constants.kMask = attention.mask ? (attention.drops ? 2U : 1U) : 0U;
  if (attention.position_bias) constants.kPositionBias = static_cast<uint>(attention.position_bias_kind);
  constants.kLastRows = attention.bias_of_last_rows;
  constants.kKeys = pass.of_keys;
  constants.kContinues = continues;
  constants.kDtype0 = static_cast<uint>(pass.own_qk.dtype);
  constants.kDtype5 = static_cast<uint>(pass.qk_grad.dtype);
  constants.kDtype6 = static_cast<uint>(pass.v_grad.dtype);
  constants.kDtype8 = static_cast<uint>(attention.position_bias ? attention.position_bias->dtype : DType::kFloat);
  return constants;
}

/// Returns the operand for a tensor, starting at a sequence.
runtime::Operand operand_from(const AttentionGradient& gradient, const Tensor& tensor, std::size_t first,
                              Access access) {
  const ByteSpan span = span_of(tensor);
  check(span.end - span.begin < kMaxBytes, Code::kNnInvalid,
        "a tensor of {} spans {} bytes; less than 2^32 are supported.", gradient.forward.name, span.end - span.begin);
  const std::int64_t elements = static_cast<std::int64_t>(first) * tensor.strides[0];
  const std::byte* start =
      at_byte_offset(tensor.address(), elements * static_cast<std::int64_t>(size_of(tensor.dtype)));
  return {start, static_cast<std::uint64_t>(reinterpret_cast<const std::byte*>(span.end) - start), access};
}

runtime::Kernel kernel_for(const AttentionGradient& gradient, const GradientPass& pass, const Tiling& tiling,
                           std::size_t first, const LoopRange& range) {
  const Attention& attention = gradient.forward;
  const std::size_t count = std::min(attention.sequences.size() - first, kSequences);
  KernelBuilder kernel(attention.name, "attention/backward_f32");
  const auto add = [&](const Tensor* tensor, Access access) {
    // The shader has all operands; an absent one is bound to memory that it does not read.
    const bool exists = tensor && !tensor->empty();
    kernel.add_operand(operand_from(gradient, exists ? *tensor : gradient.row_stats, first, access));
  };
  for (const Tensor* tensor : {&pass.own_qk, &pass.own_vdy, &pass.other_qk, &pass.other_vdy, &gradient.row_stats}) {
    add(tensor, Access::kRead);
  }
  const Access written = range.continues() ? Access::kReadWrite : Access::kWrite;
  add(&pass.qk_grad, written);
  add(pass.of_keys ? &pass.v_grad : nullptr, pass.of_keys ? written : Access::kRead);
  add(pointer_to(attention.mask), Access::kRead);
  add(pointer_to(attention.position_bias), Access::kRead);
  kernel.add_constants(constants_of(attention, pass, tiling, range.continues()));
  kernel.add_arguments(arguments_of(gradient, pass, tiling, first, count, range));
  const auto tiles = static_cast<std::uint64_t>(tiling.row_tiles * pass.own_qk.shape[1]) * count;
  kernel.set_threads(tiles * tiling.lanes, tiling.threads);
  return kernel.build();
}

std::vector<LoopRange> loop_ranges_of(const Attention& attention, bool of_keys, std::int64_t others) {
  const std::int64_t heads = heads_of(attention, of_keys);
  const std::int64_t heads_each = heads_per_kernel(attention, of_keys);
  const std::int64_t others_each = others_per_kernel(attention, of_keys);
  std::vector<LoopRange> ranges;
  for (std::int64_t head = 0; head < heads; head += heads_each) {
    for (std::int64_t from = 0; from < others; from += others_each) {
      ranges.push_back({from, std::min(from + others_each, others), head, std::min(head + heads_each, heads)});
    }
  }
  return ranges;
}

/// Appends the kernels of one pass.
void append_pass(Kernels& kernels, const AttentionGradient& gradient, bool of_keys, runtime::Execution execution) {
  const GradientPass pass(gradient, of_keys);
  const Attention& attention = gradient.forward;
  if (pass.qk_grad.empty() || max_of(attention, pass.own()) == 0) return;
  const Tiling tiling = tiling_of(attention, pass, execution);
  const std::int64_t most = std::max<std::int64_t>(max_of(attention, pass.others()), 1);
  const std::vector<LoopRange> ranges = loop_ranges_of(attention, of_keys, most);
  for (std::size_t first = 0; first < attention.sequences.size(); first += kSequences) {
    for (const LoopRange& range : ranges) append(kernels, {kernel_for(gradient, pass, tiling, first, range)});
  }
}

}  // namespace

Kernels row_stats_kernels(const char* name, const Tensor& dy, const Tensor& y, const Tensor& row_max,
                          const Tensor& row_sum, const Tensor* sinks, const Tensor& row_stats) {
  if (row_stats.empty()) return {};
  RowStatsArguments arguments;
  arguments.rows = word(dy.shape[0] * dy.shape[1] * dy.shape[2]);
  arguments.heads = word(dy.shape[1]);
  arguments.tokens = word(dy.shape[2]);
  arguments.columns = word(columns(dy));
  set_strides(arguments.dy_strides, &dy);
  set_strides(arguments.y_strides, &y);
  set_strides(arguments.row_max_strides, &row_max);
  set_strides(arguments.row_sum_strides, &row_sum);
  if (sinks) arguments.sink_stride = word(sinks->strides[0]);
  KernelBuilder kernel(name, "attention/row_stats_f32");
  // Without sinks their operand is bound to the maxima and not read.
  for (const Tensor* tensor : {&dy, &y, &row_max, &row_sum, sinks ? sinks : &row_max}) {
    const Tensor& there = tensor->empty() ? row_stats : *tensor;
    const ByteSpan span = span_of(there);
    check(span.end - span.begin < kMaxBytes, Code::kNnInvalid,
          "a tensor of {} spans {} bytes; less than 2^32 are supported.", name, span.end - span.begin);
    kernel.add_tensor(there, Access::kRead);
  }
  kernel.add_tensor(row_stats, Access::kWrite);
  RowStatsConstants constants;
  constants.kDtype0 = static_cast<uint>(dy.dtype);
  constants.kSink = sinks ? 1 : 0;
  constants.kDtype4 = static_cast<uint>(sinks ? sinks->dtype : DType::kFloat);
  kernel.add_constants(constants);
  kernel.add_arguments(arguments);
  kernel.set_threads(arguments.rows);
  return {kernel.build()};
}

bool needs_several_kernels(const Attention& attention, bool of_keys) {
  const std::int64_t others = max_of(attention, of_keys ? &Sequence::queries : &Sequence::keys);
  return others > others_per_kernel(attention, of_keys) ||
         heads_of(attention, of_keys) > heads_per_kernel(attention, of_keys);
}

Kernels gradient_kernels(const AttentionGradient& gradient, runtime::Execution execution) {
  const Attention& attention = gradient.forward;
  for (const auto& [tensor, name] : {std::pair(&attention.q, "query"), std::pair(&attention.v, "value")}) {
    check(columns(*tensor) <= kMaxColumns, Code::kNnInvalid, "{} has {} columns; {} takes at most {}.", name,
          columns(*tensor), attention.name, kMaxColumns);
  }
  Kernels kernels;
  append_pass(kernels, gradient, false, execution);
  append_pass(kernels, gradient, true, execution);
  return kernels;
}

}  // namespace aclvk::ops
