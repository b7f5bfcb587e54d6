#include "ops/attention/flash.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "attention/flash.args.h"
#include "base/error.hpp"
#include "ops/attention/tiling.hpp"
#include "ops/kernel/access.hpp"
#include "ops/kernel/kernel_builder.hpp"
#include "ops/kernel/operand.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(SequenceArguments, SEQUENCE_MEMBERS);
ARGUMENT_STRUCT(FlashArguments, FLASH_ARGUMENTS);
ARGUMENT_STRUCT(FlashSegmentArguments, FLASH_SEGMENT_ARGUMENTS);
ARGUMENT_STRUCT(FlashSequences, FLASH_SEQUENCES);
CONSTANT_STRUCT(FlashConstants, FLASH_CONSTANTS);

constexpr std::size_t kSequences = std::tuple_size_v<decltype(FlashSequences::all)>;  // per kernel
constexpr std::int64_t kMaxColumns = 512;  // a thread holds 1 / lanes of a row in registers
/// The window is clamped to this distance, so that the shader's 32-bit sums of positions do not overflow.
constexpr std::int64_t kMaxDistance = std::int64_t{1} << 30;
/// Byte offsets in the shader have 32 bits.
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 32;

/// The operands, in the order of the shader.
enum Operand : std::size_t { kQ, kK, kV, kOut, kMask, kPositionBias, kTable, kStats, kSinks, kState, kOperands };
using Operands = std::array<const Tensor*, kOperands>;

Operands operands_of(const Attention& attention) {
  // The shader has all operands; an absent one is bound to `out`, which it does not read.
  const auto or_dummy = [&](const Tensor& tensor) { return tensor.empty() ? &attention.out : &tensor; };
  const auto or_out = [&](const std::optional<Tensor>& tensor) { return tensor ? or_dummy(*tensor) : &attention.out; };
  return {or_dummy(attention.q),
          or_dummy(attention.k),
          or_dummy(attention.v),
          &attention.out,
          or_out(attention.mask),
          or_out(attention.position_bias),
          or_out(attention.padding ? attention.padding : attention.table),
          or_out(attention.stats),
          or_out(attention.sinks),
          or_out(attention.state)};
}

/// Returns whether the operand has a dim of sequences.
bool is_by_sequence(const Attention& attention, std::size_t operand) {
  if (operand == kK || operand == kV) return !attention.table;
  if (operand == kTable) return attention.table.has_value();
  return operand != kSinks && operand != kState;
}

std::int64_t columns(const Tensor& tensor) { return tensor.shape[3]; }

/// Consecutive sequences of one kernel.
struct Chunk {
  std::size_t first;
  std::size_t count;
};

/// The keys and the tiles of one of several kernels that visit the keys one after the other.
struct KeySegment {
  std::int64_t from;
  std::int64_t to;
  std::int64_t first_tile;
  std::int64_t tiles;
};

std::int64_t window_offset_of(const Attention& attention, const Sequence& tokens) {
  return attention.window && attention.window->from_end ? tokens.keys - tokens.queries : 0;
}

void set_strides(std::array<uint, 3>& strides, const std::optional<Tensor>& tensor) {
  if (tensor) assign_words(strides, Shape(tensor->strides.begin(), tensor->strides.begin() + 3));
}

FlashArguments arguments_of(const Attention& attention, const AttentionTiling& tiling, std::size_t sequences) {
  const AttentionWindow window = attention.window.value_or(AttentionWindow{});
  FlashArguments arguments;
  arguments.sequences = static_cast<uint>(sequences);
  arguments.heads = word(attention.k.shape[1]);
  arguments.group = word(tiling.group);
  arguments.qk_dim = word(columns(attention.q));
  arguments.v_dim = word(columns(attention.v));
  arguments.row_tiles = tiling.row_tiles;
  arguments.scale = static_cast<float>(attention.scale);
  arguments.before = static_cast<int>(std::clamp(window.before, -kMaxDistance, kMaxDistance));
  arguments.after = static_cast<int>(std::clamp(window.after, -kMaxDistance, kMaxDistance));
  set_strides(arguments.q_strides, attention.q);
  set_strides(arguments.k_strides, attention.k);
  set_strides(arguments.v_strides, attention.v);
  set_strides(arguments.out_strides, attention.out);
  set_strides(arguments.mask_strides, attention.mask);
  set_strides(arguments.bias_strides, attention.position_bias);
  if (attention.table) arguments.table_stride = word(attention.table->strides[0]);
  arguments.page = word(attention.k.shape[2]);
  arguments.pages = word(attention.k.shape[0]);
  arguments.k_page = word(attention.k.strides[0]);
  arguments.v_page = word(attention.v.strides[0]);
  set_strides(arguments.stats_strides, attention.stats);
  arguments.position_offset = signed_word(attention.position_offset);
  arguments.dropout_scale = static_cast<float>(attention.dropout_scale);
  if (attention.bias_of_last_rows) arguments.bias_columns = word(columns(*attention.position_bias));
  if (attention.sinks) arguments.sink_stride = word(attention.sinks->strides[0]);
  return arguments;
}

FlashSegmentArguments arguments_of(const KeySegment& segment) {
  FlashSegmentArguments arguments;
  arguments.from = word(segment.from);
  arguments.to = word(segment.to);
  arguments.first_tile = word(segment.first_tile);
  arguments.tiles = word(segment.tiles);
  return arguments;
}

FlashSequences sequences_of(const Attention& attention, const Chunk& chunk) {
  FlashSequences sequences;
  for (std::size_t i = 0; i < chunk.count; ++i) {
    const Sequence& tokens = attention.sequences[chunk.first + i];
    SequenceArguments& to = sequences.all[i];
    to.first_query = word(tokens.first_query);
    to.queries = word(tokens.queries);
    to.first_key = word(tokens.first_key);
    to.keys = word(tokens.keys);
    to.window_offset = signed_word(window_offset_of(attention, tokens));
    to.visible_prefix = word(tokens.visible_prefix);
  }
  return sequences;
}

void check_reach(const Attention& attention, const Tensor& tensor) {
  const ByteSpan span = span_of(tensor);
  check(span.end - span.begin < kMaxBytes, Code::kNnInvalid,
        "a tensor of {} spans {} bytes; less than 2^32 are supported.", attention.name, span.end - span.begin);
}

// A constant of the kernel: without a window its code has no comparison of positions.
std::uint32_t window_constant(const Attention& attention) {
  const auto sees_more = [](const Sequence& sequence) { return sequence.visible_prefix > 0; };
  const bool any = std::any_of(attention.sequences.begin(), attention.sequences.end(), sees_more);
  return attention.window ? (any ? 2U : 1U) : 0U;
}

FlashConstants constants_of(const Attention& attention, const AttentionTiling& tiling) {
  const auto dtype_of = [](const std::optional<Tensor>& tensor, DType otherwise) {
    return static_cast<std::uint32_t>(tensor ? tensor->dtype : otherwise);
  };
  const auto vec8s_of = [&](const Tensor& tensor) {
    return word((columns(tensor) + kVec8 * tiling.lanes - 1) / (kVec8 * tiling.lanes));
  };
  FlashConstants constants;
  constants.local_size = tiling.threads;
  constants.kLanes = tiling.lanes;
  constants.kRows = tiling.rows;
  constants.kVVec8s = vec8s_of(attention.v);
  constants.kQkVec8s = vec8s_of(attention.q);
  constants.kWindow = window_constant(attention);
  constants.kMask = attention.mask ? (attention.drops ? 2U : 1U) : 0U;
  if (attention.position_bias) constants.kPositionBias = static_cast<uint>(attention.position_bias_kind);
  constants.kTable = attention.padding ? 2U : attention.table ? 1U : 0U;
  constants.kStats = static_cast<uint>(attention.stats_kind);
  constants.kDtype0 = static_cast<uint>(attention.q.dtype);
  constants.kDtype3 = static_cast<uint>(attention.out.dtype);
  constants.kDtype5 = dtype_of(attention.position_bias, DType::kFloat);
  constants.kDtype6 = dtype_of(attention.padding ? attention.padding : attention.table, DType::kInt32);
  constants.kSink = attention.sinks ? 1 : 0;
  constants.kDtype8 = dtype_of(attention.sinks, DType::kFloat);
  constants.kLastRows = attention.bias_of_last_rows;
  return constants;
}

/// Returns the address of sequence `first`.
const std::byte* start_of(const Tensor& tensor, std::size_t first) {
  return at_byte_offset(tensor.address(), static_cast<std::int64_t>(first) * tensor.strides[0] *
                                              static_cast<std::int64_t>(size_of(tensor.dtype)));
}

Access access_of(const Attention& attention, std::size_t operand, const std::optional<KeySegment>& segment) {
  if (operand == kState) return segment->from > 0 ? Access::kReadWrite : Access::kWrite;
  const bool is_written = operand == kOut || (operand == kStats && attention.stats);
  return is_written ? Access::kWrite : Access::kRead;
}

runtime::Kernel kernel_for(const Attention& attention, const AttentionTiling& tiling, const Chunk& chunk,
                           const std::optional<KeySegment>& segment = std::nullopt) {
  KernelBuilder kernel(attention.name, segment ? "attention/flash_segment" : "attention/flash_f32");
  const Operands operands = operands_of(attention);
  for (std::size_t operand = 0; operand < (segment ? kOperands : kState); ++operand) {
    const Tensor& tensor = *operands[operand];
    check_reach(attention, tensor);
    const std::byte* start = is_by_sequence(attention, operand) ? start_of(tensor, chunk.first) : tensor.address();
    const ByteSpan span = span_of(tensor);
    // The view covers the maxima; each sum follows its maximum.
    const bool pair = operand == kStats && attention.stats_kind == SoftmaxStats::kMaxAndSum;
    const auto end = reinterpret_cast<const std::byte*>(span.end) + (pair ? sizeof(float) : 0);
    kernel.add_operand(start, static_cast<std::uint64_t>(end - start), access_of(attention, operand, segment));
  }
  kernel.add_constants(constants_of(attention, tiling));
  kernel.add_arguments(arguments_of(attention, tiling, chunk.count));
  if (segment) kernel.add_arguments(arguments_of(*segment));
  kernel.add_arguments(sequences_of(attention, chunk));
  const std::uint64_t tiles =
      segment ? static_cast<std::uint64_t>(segment->tiles)
              : std::uint64_t{tiling.row_tiles} * static_cast<std::uint64_t>(attention.k.shape[1]) * chunk.count;
  kernel.set_threads(tiles * tiling.lanes, tiling.threads);
  return kernel.build();
}

std::vector<Chunk> chunks_of(const Attention& attention) {
  std::vector<Chunk> chunks;
  for (std::size_t first = 0; first < attention.sequences.size(); first += kSequences) {
    chunks.push_back({first, std::min(attention.sequences.size() - first, kSequences)});
  }
  return chunks;
}

std::int64_t longest_of(const Attention& attention, const Chunk& chunk) {
  std::int64_t longest = 0;
  for (std::size_t i = 0; i < chunk.count; ++i) {
    longest = std::max(longest, attention.sequences[chunk.first + i].keys);
  }
  return longest;
}

/// Appends the kernels of all segments, for batches of tiles whose states fit into memory. Segments beyond the
/// `longest` sequence get no groups instead of being left out, so that an update with other lengths finds as many
/// kernels.
void append_segments(Kernels& kernels, const Attention& attention, const AttentionTiling& tiling, const Chunk& chunk,
                     std::int64_t longest) {
  const std::int64_t keys = keys_per_segment(attention, tiling);
  const auto sequences = static_cast<std::int64_t>(chunk.count);
  const std::int64_t tiles = tiling.row_tiles * attention.k.shape[1] * sequences;
  const std::int64_t batch = tiles_at_once(attention, tiling, sequences);
  for (std::int64_t tile = 0; tile < tiles; tile += batch) {
    for (std::int64_t from = 0; from < most_keys(attention); from += keys) {
      const KeySegment segment{from, from + keys, tile, std::min(batch, tiles - tile)};
      runtime::Kernel kernel = kernel_for(attention, tiling, chunk, segment);
      if (from >= longest) kernel.groups = {};
      append(kernels, {std::move(kernel)});
    }
  }
}

/// Returns how many packed sequences can be longer than a segment: their keys share one dim.
std::size_t most_long_ones(const Attention& attention, const AttentionTiling& tiling) {
  const std::int64_t most = most_keys(attention) / (keys_per_segment(attention, tiling) + 1);
  return std::min(attention.sequences.size(), static_cast<std::size_t>(most));
}

/// Returns the kernels of packed sequences. Few of them can be long; each long one gets segments of its own, the others
/// share the usual kernels.
Kernels packed_kernels(const Attention& attention, const AttentionTiling& tiling) {
  Attention rest = attention;
  std::vector<std::size_t> long_ones;
  for (std::size_t i = 0; i < attention.sequences.size(); ++i) {
    if (attention.sequences[i].keys <= keys_per_segment(attention, tiling)) continue;
    long_ones.push_back(i);
    // An empty sequence keeps its number and has no rows, so the usual kernels skip it.
    rest.sequences[i] = {};
  }
  Kernels kernels;
  for (const Chunk& chunk : chunks_of(rest)) kernels.push_back(kernel_for(rest, tiling, chunk));
  for (std::size_t i = 0; i < most_long_ones(attention, tiling); ++i) {
    // Shapes bound the number of long sequences, so calls of other lengths have as many kernels; those without a
    // sequence do nothing.
    const bool exists = i < long_ones.size();
    const Chunk one{exists ? long_ones[i] : 0, 1};
    append_segments(kernels, attention, tiling, one, exists ? longest_of(attention, one) : 0);
  }
  return kernels;
}

bool needs_segments(const Attention& attention, const AttentionTiling& tiling) {
  return most_keys(attention) > keys_per_segment(attention, tiling);
}

}  // namespace

std::int64_t attention_state(const Attention& attention, runtime::Execution execution) {
  if (attention.out.empty()) return 0;
  const AttentionTiling tiling = tiling_of(attention, execution);
  if (!needs_segments(attention, tiling)) return 0;
  const std::size_t sequences = attention.packed ? 1 : std::min(attention.sequences.size(), kSequences);
  return state_of_tile(attention, tiling) * tiles_at_once(attention, tiling, static_cast<std::int64_t>(sequences));
}

Kernels attention_kernels(const Attention& attention, runtime::Execution execution) {
  for (const auto& [tensor, name] : {std::pair(&attention.q, "query"), std::pair(&attention.v, "value")}) {
    check(columns(*tensor) <= kMaxColumns, Code::kNnInvalid, "{} has {} columns; {} takes at most {}.", name,
          columns(*tensor), attention.name, kMaxColumns);
  }
  Kernels kernels;
  if (attention.out.empty()) {
    // A launch without work still needs a kernel.
    return {KernelBuilder(attention.name, "attention/flash_f32").build()};
  }
  const AttentionTiling tiling = tiling_of(attention, execution);
  const bool in_segments = needs_segments(attention, tiling);
  if (in_segments && attention.packed) return packed_kernels(attention, tiling);
  for (const Chunk& chunk : chunks_of(attention)) {
    if (in_segments) {
      append_segments(kernels, attention, tiling, chunk, std::max<std::int64_t>(longest_of(attention, chunk), 1));
    } else {
      kernels.push_back(kernel_for(attention, tiling, chunk));
    }
  }
  return kernels;
}

}  // namespace aclvk::ops
