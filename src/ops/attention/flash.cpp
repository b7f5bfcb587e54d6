#include "ops/attention/flash.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/error.hpp"
#include "ops/grid.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

constexpr std::size_t kSequences = 32;  // of a kernel; SEQUENCES of shaders/attention/flash.comp
constexpr std::int64_t kEight = 8;
constexpr std::uint32_t kMostRows = 16;
// Eights that a thread sums up. Twice as many, for 512 columns, took lavapipe three times as long to compile.
constexpr std::int64_t kMostSums = 64;
constexpr std::uint32_t kThreadsOfGroup = 32;  // on GPUs; subgroups of fewer threads are fine
constexpr std::int64_t kMostColumns = 512;
constexpr std::int64_t kFar = std::int64_t{1} << 30;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;

/// The operands in the order of the shader.
enum Operand : std::size_t { kQ, kK, kV, kOut, kMask, kShift, kTable, kStatistics, kSinks, kOperands };
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
          or_out(attention.sinks)};
}

/// Whether each sequence has a part of its own.
bool is_by_sequence(const Attention& attention, std::size_t operand) {
  if (operand == kK || operand == kV) return !attention.table;
  if (operand == kTable) return attention.table.has_value();
  return operand != kSinks;
}

std::int64_t columns(const Tensor& tensor) { return tensor.shape[3]; }

/// How the work is cut.
struct Cut {
  std::uint32_t lanes;
  std::uint32_t threads;
  std::uint32_t rows;
  std::uint32_t row_tiles;
  std::int64_t group;
};

Cut cut_of(const Attention& attention, runtime::Execution execution) {
  Cut cut{};
  cut.threads = execution.takes_turns ? std::max(execution.together, 1U) : kThreadsOfGroup;
  cut.lanes = std::min({cut.threads, execution.together, 8U});
  const std::int64_t heads = attention.k.shape[1];
  cut.group = heads == 0 ? 0 : attention.q.shape[1] / heads;
  // By the tensor, not by the tokens of today: an update with other lengths finds the same kernel.
  const std::int64_t most = attention.q.shape[2] * cut.group;
  cut.rows = 1;
  const std::int64_t eights = (columns(attention.v) + kEight * cut.lanes - 1) / (kEight * cut.lanes);
  while (cut.rows < kMostRows && cut.rows < most && 2 * cut.rows * eights <= kMostSums) cut.rows *= 2;
  cut.row_tiles = static_cast<std::uint32_t>((most + cut.rows - 1) / cut.rows);
  return cut;
}

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

std::vector<std::byte> arguments_for(const Attention& attention, const Cut& cut, std::size_t first, std::size_t count) {
  const Window window = attention.window.value_or(Window{});
  Words words{word(static_cast<std::int64_t>(count)),
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
  for (std::size_t i = 0; i < kSequences; ++i) {
    const Sequence tokens = i < count ? attention.sequences[first + i] : Sequence{};
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

/// The loops of a thread go over all keys of its sequence.
void check_keys(const Attention& attention, const Cut& cut) {
  constexpr std::int64_t kFewRows = 4;  // whose products are made in another way
  const std::int64_t lanes = cut.lanes;
  const std::int64_t for_scores = cut.rows <= kFewRows ? lanes : columns(attention.q) / kEight;
  const std::int64_t most = kMostTurns / (1 + for_scores + lanes) * kEight * lanes;
  for (const Sequence& sequence : attention.sequences) {
    check(sequence.keys <= most, Code::kFeatureNotSupported,
          "a sequence of {} has {} keys; with rows of {} columns up to {} are supported.", attention.name,
          sequence.keys, columns(attention.q), most);
  }
}

std::uint32_t window_constant(const Attention& attention) {
  const auto sees_more = [](const Sequence& sequence) { return sequence.seen > 0; };
  const bool any = std::any_of(attention.sequences.begin(), attention.sequences.end(), sees_more);
  return attention.window ? (any ? 2U : 1U) : 0U;
}

vk::Constants constants_for(const Attention& attention, const Cut& cut) {
  const auto dtype_of = [](const std::optional<Tensor>& tensor, DType otherwise) {
    return static_cast<std::uint32_t>(tensor ? tensor->dtype : otherwise);
  };
  const auto eights_of = [&](const Tensor& tensor) {
    return word((columns(tensor) + kEight * cut.lanes - 1) / (kEight * cut.lanes));
  };
  return {cut.threads,
          cut.lanes,
          cut.rows,
          eights_of(attention.v),
          eights_of(attention.q),
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
  return moved(tensor.address(),
               static_cast<std::int64_t>(first) * tensor.strides[0] * static_cast<std::int64_t>(size_of(tensor.dtype)));
}

runtime::Kernel kernel_for(const Attention& attention, const Cut& cut, std::size_t first) {
  const std::size_t count = std::min(attention.sequences.size() - first, kSequences);
  runtime::Kernel kernel;
  kernel.name = attention.name;
  kernel.shader = "attention/flash_f32";
  const Operands operands = operands_of(attention);
  for (std::size_t operand = 0; operand < kOperands; ++operand) {
    const Tensor& tensor = *operands[operand];
    check_reach(attention, tensor);
    const std::byte* start = is_by_sequence(attention, operand) ? start_of(tensor, first) : tensor.address();
    const ByteSpan span = span_of(tensor);
    const bool pair = operand == kStatistics && attention.statistic == Statistic::kTopAndSum;
    const auto end = reinterpret_cast<const std::byte*>(span.end) + (pair ? sizeof(float) : 0);
    const bool written = operand == kOut || (operand == kStatistics && attention.statistics);
    kernel.operands.push_back(
        {start, static_cast<std::uint64_t>(end - start), written ? Access::kWrite : Access::kRead});
  }
  kernel.constants = constants_for(attention, cut);
  kernel.arguments = arguments_for(attention, cut, first, count);
  const std::uint64_t tiles = std::uint64_t{cut.row_tiles} * static_cast<std::uint64_t>(attention.k.shape[1]) * count;
  kernel.groups = row_of_groups(tiles * cut.lanes, cut.threads);
  return kernel;
}

}  // namespace

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
  const Cut cut = cut_of(attention, execution);
  check_keys(attention, cut);
  for (std::size_t first = 0; first < attention.sequences.size(); first += kSequences) {
    kernels.push_back(kernel_for(attention, cut, first));
  }
  return kernels;
}

}  // namespace aclvk::ops
