#include "ops/attention/flash.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/error.hpp"
#include "ops/attention/cut.hpp"
#include "ops/grid.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

constexpr std::size_t kSequences = 32;  // of a kernel; SEQUENCES of shaders/attention/flash.comp
constexpr std::int64_t kVec8 = 8;
constexpr std::int64_t kMostColumns = 512;
constexpr std::int64_t kFar = std::int64_t{1} << 30;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;

/// The operands in the order of the shader.
enum Operand : std::size_t { kQ, kK, kV, kOut, kMask, kShift, kTable, kStatistics, kSinks, kState, kOperands };
using Operands = std::array<const Tensor*, kOperands>;

Operands operands_of(const Attention& attention) {
  // What is not there is never read, but has a place.
  const auto place_of = [&](const Tensor& tensor) { return tensor.empty() ? &attention.out : &tensor; };
  const auto or_out = [&](const std::optional<Tensor>& tensor) { return tensor ? place_of(*tensor) : &attention.out; };
  return {place_of(attention.q),
          place_of(attention.k),
          place_of(attention.v),
          &attention.out,
          or_out(attention.mask),
          or_out(attention.shift),
          or_out(attention.padding ? attention.padding : attention.table),
          or_out(attention.statistics),
          or_out(attention.sinks),
          or_out(attention.state)};
}

/// Whether each sequence has a part of its own.
bool is_by_sequence(const Attention& attention, std::size_t operand) {
  if (operand == kK || operand == kV) return !attention.table;
  if (operand == kTable) return attention.table.has_value();
  return operand != kSinks && operand != kState;
}

std::int64_t columns(const Tensor& tensor) { return tensor.shape[3]; }

/// Sequences that kernels are for.
struct Chunk {
  std::size_t first;
  std::size_t count;
};

/// Keys that a kernel looks at where several follow each other, and tiles that it makes.
struct Part {
  std::int64_t from;
  std::int64_t to;
  std::int64_t first_tile;
  std::int64_t tiles;
};

std::uint32_t word(std::int64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t bits(float value) {
  std::uint32_t result;
  std::memcpy(&result, &value, sizeof(result));
  return result;
}

using Words = InlineVector<std::uint32_t, 64>;

void add_steps(Words& words, const std::optional<Tensor>& tensor, std::size_t count) {
  for (std::size_t dim = 0; dim < count; ++dim) words.push_back(tensor ? word(tensor->strides[dim]) : 0);
}

std::int64_t shift_of(const Attention& attention, const Sequence& tokens) {
  return attention.window && attention.window->from_end ? tokens.keys - tokens.queries : 0;
}

runtime::Arguments arguments_for(const Attention& attention, const AttentionCut& cut, const Chunk& chunk,
                                 const std::optional<Part>& part) {
  const Window window = attention.window.value_or(Window{});
  Words words{word(static_cast<std::int64_t>(chunk.count)),
              word(attention.k.shape[1]),
              word(cut.group),
              word(columns(attention.q)),
              word(columns(attention.v)),
              cut.row_tiles,
              bits(static_cast<float>(attention.scale)),
              word(std::clamp(window.before, -kFar, kFar)),
              word(std::clamp(window.behind, -kFar, kFar))};
  for (const Tensor* tensor : {&attention.q, &attention.k, &attention.v, &attention.out}) add_steps(words, *tensor, 3);
  add_steps(words, attention.mask, 3);
  add_steps(words, attention.shift, 3);
  words.push_back(attention.table ? word(attention.table->strides[0]) : 0);
  words.push_back(word(attention.k.shape[2]));
  words.push_back(word(attention.k.shape[0]));
  words.push_back(word(attention.k.strides[0]));
  words.push_back(word(attention.v.strides[0]));
  add_steps(words, attention.statistics, 3);
  words.push_back(word(attention.apart));
  words.push_back(bits(static_cast<float>(attention.gain)));
  words.push_back(attention.shift_of_last ? word(columns(*attention.shift)) : 0);
  add_steps(words, attention.sinks, 1);
  if (part) {
    for (const std::int64_t value : {part->from, part->to, part->first_tile, part->tiles}) words.push_back(word(value));
  }
  for (std::size_t i = 0; i < kSequences; ++i) {
    const Sequence tokens = i < chunk.count ? attention.sequences[chunk.first + i] : Sequence{};
    for (const std::int64_t value : {tokens.first_query, tokens.queries, tokens.first_key, tokens.keys}) {
      words.push_back(word(value));
    }
    words.push_back(word(shift_of(attention, tokens)));
    words.push_back(word(tokens.seen));
  }
  const auto* bytes = reinterpret_cast<const std::byte*>(words.data());
  return {bytes, bytes + words.size() * sizeof(std::uint32_t)};
}

void check_reach(const Attention& attention, const Tensor& tensor) {
  const ByteSpan span = span_of(tensor);
  check(span.end - span.begin < kMostBytes, Code::kNnInvalid,
        "a tensor of {} spans {} bytes; less than 2^32 are supported.", attention.name, span.end - span.begin);
}

std::uint32_t window_constant(const Attention& attention) {
  const auto sees_more = [](const Sequence& sequence) { return sequence.seen > 0; };
  const bool any = std::any_of(attention.sequences.begin(), attention.sequences.end(), sees_more);
  return attention.window ? (any ? 2U : 1U) : 0U;
}

vk::Constants constants_for(const Attention& attention, const AttentionCut& cut) {
  const auto dtype_of = [](const std::optional<Tensor>& tensor, DType otherwise) {
    return static_cast<std::uint32_t>(tensor ? tensor->dtype : otherwise);
  };
  const auto vec8s_of = [&](const Tensor& tensor) {
    return word((columns(tensor) + kVec8 * cut.lanes - 1) / (kVec8 * cut.lanes));
  };
  return {cut.threads,
          cut.lanes,
          cut.rows,
          vec8s_of(attention.v),
          vec8s_of(attention.q),
          window_constant(attention),
          attention.mask ? (attention.drops ? 2U : 1U) : 0U,
          attention.shift ? static_cast<std::uint32_t>(attention.shift_kind) : 0U,
          attention.padding ? 2U : static_cast<std::uint32_t>(attention.table.has_value()),
          static_cast<std::uint32_t>(attention.statistic),
          static_cast<std::uint32_t>(attention.q.dtype),
          static_cast<std::uint32_t>(attention.out.dtype),
          dtype_of(attention.shift, DType::kFloat),
          dtype_of(attention.padding ? attention.padding : attention.table, DType::kInt32),
          static_cast<std::uint32_t>(attention.sinks.has_value()),
          dtype_of(attention.sinks, DType::kFloat),
          attention.shift_of_last};
}

/// The same tensor from a sequence on.
const std::byte* start_of(const Tensor& tensor, std::size_t first) {
  return at_byte_offset(tensor.address(), static_cast<std::int64_t>(first) * tensor.strides[0] *
                                              static_cast<std::int64_t>(size_of(tensor.dtype)));
}

Access access_of(const Attention& attention, std::size_t operand, const std::optional<Part>& part) {
  if (operand == kState) return part->from > 0 ? Access::kReadWrite : Access::kWrite;
  const bool is_written = operand == kOut || (operand == kStatistics && attention.statistics);
  return is_written ? Access::kWrite : Access::kRead;
}

runtime::Kernel kernel_for(const Attention& attention, const AttentionCut& cut, const Chunk& chunk,
                           const std::optional<Part>& part = std::nullopt) {
  runtime::Kernel kernel;
  kernel.name = attention.name;
  kernel.shader = part ? "attention/flash_part" : "attention/flash_f32";
  const Operands operands = operands_of(attention);
  for (std::size_t operand = 0; operand < (part ? kOperands : kState); ++operand) {
    const Tensor& tensor = *operands[operand];
    check_reach(attention, tensor);
    const std::byte* start = is_by_sequence(attention, operand) ? start_of(tensor, chunk.first) : tensor.address();
    const ByteSpan span = span_of(tensor);
    const bool pair = operand == kStatistics && attention.statistic == Statistic::kTopAndSum;
    const auto end = reinterpret_cast<const std::byte*>(span.end) + (pair ? sizeof(float) : 0);
    kernel.operands.push_back({start, static_cast<std::uint64_t>(end - start), access_of(attention, operand, part)});
  }
  kernel.constants = constants_for(attention, cut);
  kernel.arguments = arguments_for(attention, cut, chunk, part);
  const std::uint64_t tiles =
      part ? static_cast<std::uint64_t>(part->tiles)
           : std::uint64_t{cut.row_tiles} * static_cast<std::uint64_t>(attention.k.shape[1]) * chunk.count;
  kernel.groups = row_of_groups(tiles * cut.lanes, cut.threads);
  return kernel;
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

/// Batches of tiles, and for each the parts of the keys. Those behind the `longest` keys of today have no groups.
void append_parts(Kernels& kernels, const Attention& attention, const AttentionCut& cut, const Chunk& chunk,
                  std::int64_t longest) {
  const std::int64_t keys = keys_of_part(attention, cut);
  const auto sequences = static_cast<std::int64_t>(chunk.count);
  const std::int64_t tiles = cut.row_tiles * attention.k.shape[1] * sequences;
  const std::int64_t batch = tiles_at_once(attention, cut, sequences);
  for (std::int64_t tile = 0; tile < tiles; tile += batch) {
    for (std::int64_t from = 0; from < most_keys(attention); from += keys) {
      const Part part{from, from + keys, tile, std::min(batch, tiles - tile)};
      runtime::Kernel kernel = kernel_for(attention, cut, chunk, part);
      if (from >= longest) kernel.groups = {};
      append(kernels, {std::move(kernel)});
    }
  }
}

/// Sequences of more keys than a part has, of those that share a dim: there are at most so many.
std::size_t most_long_ones(const Attention& attention, const AttentionCut& cut) {
  const std::int64_t most = most_keys(attention) / (keys_of_part(attention, cut) + 1);
  return std::min(attention.sequences.size(), static_cast<std::size_t>(most));
}

/// Sequences that share a dim of many keys: few of them can be long, and each of those has kernels of its own.
Kernels packed_kernels(const Attention& attention, const AttentionCut& cut) {
  Attention rest = attention;
  std::vector<std::size_t> long_ones;
  for (std::size_t i = 0; i < attention.sequences.size(); ++i) {
    if (attention.sequences[i].keys <= keys_of_part(attention, cut)) continue;
    long_ones.push_back(i);
    rest.sequences[i] = {};
  }
  Kernels kernels;
  for (const Chunk& chunk : chunks_of(rest)) kernels.push_back(kernel_for(rest, cut, chunk));
  for (std::size_t i = 0; i < most_long_ones(attention, cut); ++i) {
    const bool is_there = i < long_ones.size();
    const Chunk one{is_there ? long_ones[i] : 0, 1};
    append_parts(kernels, attention, cut, one, is_there ? longest_of(attention, one) : 0);
  }
  return kernels;
}

bool takes_parts(const Attention& attention, const AttentionCut& cut) {
  return most_keys(attention) > keys_of_part(attention, cut);
}

}  // namespace

std::int64_t attention_state(const Attention& attention, runtime::Execution execution) {
  if (attention.out.empty()) return 0;
  const AttentionCut cut = cut_of(attention, execution);
  if (!takes_parts(attention, cut)) return 0;
  const std::size_t sequences = attention.packed ? 1 : std::min(attention.sequences.size(), kSequences);
  return state_of_tile(attention, cut) * tiles_at_once(attention, cut, static_cast<std::int64_t>(sequences));
}

Kernels attention_kernels(const Attention& attention, runtime::Execution execution) {
  for (const auto& [tensor, name] : {std::pair(&attention.q, "query"), std::pair(&attention.v, "value")}) {
    check(columns(*tensor) <= kMostColumns, Code::kNnInvalid, "{} has {} columns; {} takes at most {}.", name,
          columns(*tensor), attention.name, kMostColumns);
  }
  Kernels kernels;
  if (attention.out.empty()) {
    runtime::Kernel nothing;
    nothing.name = attention.name;
    nothing.shader = "attention/flash_f32";
    return {nothing};
  }
  const AttentionCut cut = cut_of(attention, execution);
  const bool in_parts = takes_parts(attention, cut);
  if (in_parts && attention.packed) return packed_kernels(attention, cut);
  for (const Chunk& chunk : chunks_of(attention)) {
    if (in_parts) {
      append_parts(kernels, attention, cut, chunk, std::max<std::int64_t>(longest_of(attention, chunk), 1));
    } else {
      kernels.push_back(kernel_for(attention, cut, chunk));
    }
  }
  return kernels;
}

}  // namespace aclvk::ops
