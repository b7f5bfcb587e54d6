#include "ops/attention/backward.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/error.hpp"
#include "ops/create/fill.hpp"
#include "ops/grid.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

constexpr std::size_t kSequences = 32;  // of a kernel; SEQUENCES of shaders/attention/backward.comp
constexpr std::int64_t kVec8 = 8;
constexpr std::int64_t kMostSums = 128;        // numbers that a thread holds of rows, and as many of their sums
constexpr std::uint32_t kThreadsOfGroup = 32;  // on GPUs; subgroups of fewer threads are fine
constexpr std::int64_t kMostColumns = 512;
constexpr std::int64_t kFar = std::int64_t{1} << 30;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;

std::uint32_t word(std::int64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t bits(double value) {
  const auto narrow = static_cast<float>(value);
  std::uint32_t result;
  std::memcpy(&result, &narrow, sizeof(result));
  return result;
}

std::int64_t columns(const Tensor& tensor) { return tensor.shape[3]; }

/// One of the two ways: rows are those of queries, or those of keys and values.
struct Way {
  bool of_keys;
  const Tensor& first;  ///< q or k
  const Tensor& second;
  const Tensor& other_first;
  const Tensor& other_second;
  const Tensor& first_out;
  const Tensor& second_out;

  Way(const AttentionGradient& gradient, bool keys)
      : of_keys(keys),
        first(keys ? gradient.forward.k : gradient.forward.q),
        second(keys ? gradient.forward.v : gradient.forward.out),
        other_first(keys ? gradient.forward.q : gradient.forward.k),
        other_second(keys ? gradient.forward.out : gradient.forward.v),
        first_out(keys ? gradient.dk : gradient.dq),
        second_out(keys ? gradient.dv : gradient.dq) {}

  std::int64_t Sequence::*own() const { return of_keys ? &Sequence::keys : &Sequence::queries; }
  std::int64_t Sequence::*others() const { return of_keys ? &Sequence::queries : &Sequence::keys; }
};

std::int64_t most_of(const Attention& attention, std::int64_t Sequence::*member) {
  std::int64_t most = 0;
  for (const Sequence& sequence : attention.sequences) most = std::max(most, sequence.*member);
  return most;
}

/// Heads of queries that share one of keys.
std::int64_t group_of(const Attention& attention) {
  const std::int64_t heads = attention.k.shape[1];
  return heads == 0 ? 0 : attention.q.shape[1] / heads;
}

/// What a kernel looks at: others, and heads of query that share one of key (1 for rows of queries).
struct Piece {
  std::int64_t from;
  std::int64_t to;
  std::int64_t first_head;
  std::int64_t last_head;

  bool has_some_before() const { return from > 0 || first_head > 0; }
};

std::int64_t heads_of(const Attention& attention, bool of_keys) {
  return of_keys ? std::max<std::int64_t>(group_of(attention), 1) : 1;
}

std::int64_t heads_of_piece(const Attention& attention, bool of_keys) {
  constexpr std::int64_t kMostHeads = kMaxIterations / 3;
  constexpr std::int64_t kHeadsOfMany = 1000;
  const std::int64_t heads = heads_of(attention, of_keys);
  return heads <= kMostHeads ? heads : kHeadsOfMany;
}

std::int64_t others_of_piece(const Attention& attention, bool of_keys) {
  // The loop over heads takes a turn of its own for each, and one to find out that the inner loop has ended.
  return kMaxIterations / heads_of_piece(attention, of_keys) - 2;
}

/// How the work is cut.
struct Cut {
  std::uint32_t lanes;
  std::uint32_t threads;
  std::uint32_t rows;
  std::int64_t row_tiles;
  std::int64_t depth_vec8s;
  std::int64_t column_vec8s;
};

Cut cut_of(const Attention& attention, const Way& way, runtime::Execution execution) {
  Cut cut{};
  cut.threads = execution.takes_turns ? std::max(execution.together, 1U) : kThreadsOfGroup;
  cut.lanes = std::min({cut.threads, execution.together, 8U});
  const auto vec8s = [&](const Tensor& tensor) {
    return (columns(tensor) + kVec8 * cut.lanes - 1) / (kVec8 * cut.lanes);
  };
  cut.depth_vec8s = vec8s(attention.q);
  cut.column_vec8s = vec8s(attention.v);
  const std::int64_t most = most_of(attention, way.own());
  const std::int64_t numbers = kVec8 * (cut.depth_vec8s + cut.column_vec8s);
  cut.rows = 1;
  while (cut.rows < 4 && cut.rows < most && 2 * cut.rows * numbers <= kMostSums) cut.rows *= 2;
  cut.row_tiles = (most + cut.rows - 1) / cut.rows;
  return cut;
}

using Words = InlineVector<std::uint32_t, 64>;

void add_steps(Words& words, const Tensor* tensor) {
  for (std::size_t dim = 0; dim < 3; ++dim) words.push_back(tensor ? word(tensor->strides[dim]) : 0);
}

const Tensor* pointer_to(const std::optional<Tensor>& tensor) { return tensor ? &*tensor : nullptr; }

runtime::Arguments arguments_for(const AttentionGradient& gradient, const Way& way, const Cut& cut, std::size_t first,
                                 std::size_t count, const Piece& piece) {
  const Attention& attention = gradient.forward;
  const Window window = attention.window.value_or(Window{});
  Words words{word(static_cast<std::int64_t>(count)),
              word(way.first.shape[1]),
              word(group_of(attention)),
              word(columns(attention.q)),
              word(columns(attention.v)),
              word(cut.row_tiles),
              bits(attention.scale),
              word(std::clamp(window.before, -kFar, kFar)),
              word(std::clamp(window.behind, -kFar, kFar)),
              word(piece.from),
              word(piece.to),
              word(piece.first_head),
              word(piece.last_head)};
  for (const Tensor* tensor :
       {&way.first, &way.second, &way.other_first, &way.other_second, &way.first_out, &way.second_out,
        pointer_to(attention.mask), pointer_to(attention.shift), &gradient.rows}) {
    add_steps(words, tensor);
  }
  words.push_back(word(attention.apart));
  words.push_back(bits(attention.gain));
  words.push_back(attention.shift_of_last ? word(columns(*attention.shift)) : 0);
  for (std::size_t i = 0; i < kSequences; ++i) {
    const Sequence tokens = i < count ? attention.sequences[first + i] : Sequence{};
    const bool from_end = window.from_end && attention.window;
    for (const std::int64_t value : {tokens.first_query, tokens.queries, tokens.first_key, tokens.keys,
                                     from_end ? tokens.keys - tokens.queries : 0, tokens.seen}) {
      words.push_back(word(value));
    }
  }
  const auto* bytes = reinterpret_cast<const std::byte*>(words.data());
  return {bytes, bytes + words.size() * sizeof(std::uint32_t)};
}

vk::Constants constants_for(const Attention& attention, const Way& way, const Cut& cut, bool more) {
  const bool sees_more = most_of(attention, &Sequence::seen) > 0;
  return {cut.threads,
          cut.lanes,
          cut.rows,
          word(cut.depth_vec8s),
          word(cut.column_vec8s),
          attention.window ? (sees_more ? 2U : 1U) : 0U,
          attention.mask ? (attention.drops ? 2U : 1U) : 0U,
          attention.shift ? static_cast<std::uint32_t>(attention.shift_kind) : 0U,
          attention.shift_of_last,
          way.of_keys,
          more,
          static_cast<std::uint32_t>(way.first.dtype),
          static_cast<std::uint32_t>(way.first_out.dtype),
          static_cast<std::uint32_t>(way.second_out.dtype),
          static_cast<std::uint32_t>(attention.shift ? attention.shift->dtype : DType::kFloat)};
}

/// The bytes of a tensor from a sequence on.
runtime::Operand operand_from(const AttentionGradient& gradient, const Tensor& tensor, std::size_t first,
                              Access access) {
  const ByteSpan span = span_of(tensor);
  check(span.end - span.begin < kMostBytes, Code::kNnInvalid,
        "a tensor of {} spans {} bytes; less than 2^32 are supported.", gradient.forward.name, span.end - span.begin);
  const std::int64_t elements = static_cast<std::int64_t>(first) * tensor.strides[0];
  const std::byte* start =
      at_byte_offset(tensor.address(), elements * static_cast<std::int64_t>(size_of(tensor.dtype)));
  return {start, static_cast<std::uint64_t>(reinterpret_cast<const std::byte*>(span.end) - start), access};
}

runtime::Kernel kernel_for(const AttentionGradient& gradient, const Way& way, const Cut& cut, std::size_t first,
                           const Piece& piece) {
  const Attention& attention = gradient.forward;
  const std::size_t count = std::min(attention.sequences.size() - first, kSequences);
  runtime::Kernel kernel;
  kernel.name = attention.name;
  kernel.shader = "attention/backward_f32";
  const auto add = [&](const Tensor* tensor, Access access) {
    // What is not there is never read, but has a place.
    const bool is_there = tensor && !tensor->empty();
    kernel.operands.push_back(operand_from(gradient, is_there ? *tensor : gradient.rows, first, access));
  };
  for (const Tensor* tensor : {&way.first, &way.second, &way.other_first, &way.other_second, &gradient.rows}) {
    add(tensor, Access::kRead);
  }
  const Access written = piece.has_some_before() ? Access::kReadWrite : Access::kWrite;
  add(&way.first_out, written);
  add(way.of_keys ? &way.second_out : nullptr, way.of_keys ? written : Access::kRead);
  add(pointer_to(attention.mask), Access::kRead);
  add(pointer_to(attention.shift), Access::kRead);
  kernel.constants = constants_for(attention, way, cut, piece.has_some_before());
  kernel.arguments = arguments_for(gradient, way, cut, first, count, piece);
  const auto tiles = static_cast<std::uint64_t>(cut.row_tiles * way.first.shape[1]) * count;
  kernel.groups = row_of_groups(tiles * cut.lanes, cut.threads);
  return kernel;
}

std::vector<Piece> pieces_of(const Attention& attention, bool of_keys, std::int64_t others) {
  const std::int64_t heads = heads_of(attention, of_keys);
  const std::int64_t some_heads = heads_of_piece(attention, of_keys);
  const std::int64_t some_others = others_of_piece(attention, of_keys);
  std::vector<Piece> pieces;
  for (std::int64_t head = 0; head < heads; head += some_heads) {
    for (std::int64_t from = 0; from < others; from += some_others) {
      pieces.push_back({from, std::min(from + some_others, others), head, std::min(head + some_heads, heads)});
    }
  }
  return pieces;
}

/// The gradients of queries, or those of keys and values.
void append_way(Kernels& kernels, const AttentionGradient& gradient, bool of_keys, runtime::Execution execution) {
  const Way way(gradient, of_keys);
  const Attention& attention = gradient.forward;
  if (way.first_out.empty() || most_of(attention, way.own()) == 0) return;
  const Cut cut = cut_of(attention, way, execution);
  const std::int64_t most = std::max<std::int64_t>(most_of(attention, way.others()), 1);
  const std::vector<Piece> pieces = pieces_of(attention, of_keys, most);
  for (std::size_t first = 0; first < attention.sequences.size(); first += kSequences) {
    for (const Piece& piece : pieces) append(kernels, {kernel_for(gradient, way, cut, first, piece)});
  }
}

}  // namespace

Kernels row_facts_kernels(const char* name, const Tensor& dy, const Tensor& y, const Tensor& top, const Tensor& sum,
                          const Tensor& rows) {
  if (rows.empty()) return {};
  Words words{word(dy.shape[0] * dy.shape[1] * dy.shape[2]), word(dy.shape[1]), word(dy.shape[2]), word(columns(dy))};
  runtime::Kernel kernel;
  kernel.name = name;
  kernel.shader = "attention/row_sums_f32";
  for (const Tensor* tensor : {&dy, &y, &top, &sum}) {
    add_steps(words, tensor);
    const Tensor& there = tensor->empty() ? rows : *tensor;
    const ByteSpan span = span_of(there);
    check(span.end - span.begin < kMostBytes, Code::kNnInvalid,
          "a tensor of {} spans {} bytes; less than 2^32 are supported.", name, span.end - span.begin);
    kernel.operands.push_back({there.address(), span.end - span.begin, Access::kRead});
  }
  const ByteSpan span = span_of(rows);
  kernel.operands.push_back({rows.address(), span.end - span.begin, Access::kWrite});
  kernel.constants = {static_cast<std::uint32_t>(dy.dtype)};
  const auto* bytes = reinterpret_cast<const std::byte*>(words.data());
  kernel.arguments = {bytes, bytes + words.size() * sizeof(std::uint32_t)};
  kernel.groups = row_of_groups(words[0]);
  return {kernel};
}

bool takes_pieces(const Attention& attention, bool of_keys) {
  const std::int64_t others = most_of(attention, of_keys ? &Sequence::queries : &Sequence::keys);
  return others > others_of_piece(attention, of_keys) ||
         heads_of(attention, of_keys) > heads_of_piece(attention, of_keys);
}

Kernels gradient_kernels(const AttentionGradient& gradient, runtime::Execution execution) {
  const Attention& attention = gradient.forward;
  for (const auto& [tensor, name] : {std::pair(&attention.q, "query"), std::pair(&attention.v, "value")}) {
    check(columns(*tensor) <= kMostColumns, Code::kNnInvalid, "{} has {} columns; {} takes at most {}.", name,
          columns(*tensor), attention.name, kMostColumns);
  }
  Kernels kernels;
  append_way(kernels, gradient, false, execution);
  append_way(kernels, gradient, true, execution);
  return kernels;
}

}  // namespace aclvk::ops
