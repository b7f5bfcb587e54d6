#include "ops/attention/tokens.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

// The host keeps a Sequence for each; a tensor without elements could have any number of them.
constexpr std::int64_t kMaxSequences = std::int64_t{1} << 20;

/// Returns the length of a sequence.
std::int64_t length_of(const Lengths& lengths, std::size_t sequence, const Extent& extent, std::int64_t most) {
  if (!lengths) return most;
  check(lengths.count() == 1 || lengths.count() == extent.sequences, Code::kNnInvalid,
        "{} has {} numbers for {} sequences; one for all or one for each is expected.", lengths.name(), lengths.count(),
        extent.sequences);
  const std::int64_t length = lengths[lengths.count() == 1 ? 0 : sequence];
  check(length >= 0 && length <= most, Code::kNnInvalid, "{} has {} for sequence {}; 0 to {} tokens are expected.",
        lengths.name(), length, sequence, most);
  return length;
}

/// Returns the end of each sequence. Trailing zeros stand for empty sequences.
std::vector<std::int64_t> ends_of(const Lengths& given, std::int64_t most) {
  std::vector<std::int64_t> ends;
  auto count = static_cast<std::size_t>(given.count());
  while (count > 0 && given[count - 1] == 0) --count;
  std::int64_t start = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(given.count()); ++i) {
    const std::int64_t end = i < count ? given[i] : start;
    check(end >= start && end <= most, Code::kNnInvalid,
          "{} has {} for sequence {}, which begins at token {} of {}; an end between these two is expected.",
          given.name(), end, i, start, most);
    ends.push_back(end);
    start = end;
  }
  return ends;
}

std::int64_t max_of(const std::vector<Sequence>& sequences, std::int64_t Sequence::*member) {
  std::int64_t most = 0;
  for (const Sequence& sequence : sequences) most = std::max(most, sequence.*member);
  return most;
}

/// Prepends dims of size 1, up to four. (sequences, keys) of single queries gets them in between.
Tensor with_four_dims(Tensor tensor, std::int64_t queries, std::int64_t sequences) {
  const bool by_sequence = tensor.shape.size() == 2 && queries == 1 && tensor.shape[0] == sequences;
  if (by_sequence) tensor = repeated(tensor, 1, 1);
  if (tensor.shape.size() == 3) tensor = repeated(tensor, 1, 1);
  return with_rank(std::move(tensor), 4);
}

}  // namespace

Lengths::Lengths(const IntArrayArg& arg)
    : values_(arg ? required(int_array_handles(), arg) : nullptr), name_(arg.name) {
  if (values_ && values_->empty()) values_ = nullptr;
}

std::vector<Sequence> sequences_of(const Lengths& queries, const Lengths& keys, const Extent& extent) {
  check(extent.sequences <= kMaxSequences, Code::kFeatureNotSupported,
        "query has {} sequences; at most {} are supported.", extent.sequences, kMaxSequences);
  std::vector<Sequence> sequences(static_cast<std::size_t>(extent.sequences));
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    sequences[i].queries = length_of(queries, i, extent, extent.queries);
    sequences[i].keys = length_of(keys, i, extent, extent.keys);
  }
  return sequences;
}

std::vector<Sequence> packed_sequences(const Lengths& queries, const Lengths& keys, const Extent& extent,
                                       bool is_paged) {
  check(keys.count() == queries.count(), Code::kNnInvalid,
        "{} has {} numbers and {} has {}; the same number is expected.", queries.name(), queries.count(), keys.name(),
        keys.count());
  // Packed sequences are given by their ends (cumulative lengths); keys in pages by their lengths.
  const std::vector<std::int64_t> query_ends = ends_of(queries, extent.queries);
  const std::vector<std::int64_t> key_ends = is_paged ? std::vector<std::int64_t>{} : ends_of(keys, extent.keys);
  std::vector<Sequence> sequences(query_ends.size());
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    Sequence& sequence = sequences[i];
    sequence.first_query = i == 0 ? 0 : query_ends[i - 1];
    sequence.queries = query_ends[i] - sequence.first_query;
    sequence.first_key = i == 0 || is_paged ? 0 : key_ends[i - 1];
    sequence.keys = is_paged ? length_of(keys, i, extent, extent.keys) : key_ends[i] - sequence.first_key;
  }
  return sequences;
}

Visibility visibility_of(std::int64_t sparse_mode, std::int64_t before, std::int64_t after, bool has_mask) {
  // The interface's value for an unbounded side of a window.
  constexpr std::int64_t kAll = INT32_MAX;
  switch (sparse_mode) {
    case 0:
      if (!has_mask) return {};
      if (before >= kAll && after >= kAll) return {std::nullopt, true};
      return {AttentionWindow{before, after, false}, true};
    case 1:
      check(has_mask, Code::kNnInvalid, "sparseMode is 1, which is the mask alone; the mask is NULL.");
      return {std::nullopt, true};
    // Causal: aligned at the first tokens (2), or at the last ones (3).
    case 2: return {AttentionWindow{kAll, 0, false}};
    case 3: return {AttentionWindow{kAll, 0, true}};
    case 4: return {AttentionWindow{before, after, true}};
    // Causal, and a prefix that all tokens see.
    case 5:
    case 6: return {AttentionWindow{kAll, 0, true}, false, true};
    // Causal for all sequences but the one at the edge, which has a window (docs/adr/0010).
    case 7: return {AttentionWindow{kAll, 0, true}, false, false, Edge::kLast, AttentionWindow{before, after, true}};
    case 8: return {AttentionWindow{kAll, 0, false}, false, false, Edge::kFirst, AttentionWindow{before, after, true}};
    default: fail(Code::kNnInvalid, "sparseMode is {}; expected 0 to 8.", sparse_mode);
  }
}

std::vector<SequenceRange> ranges_of(const Visibility& visible, const std::vector<Sequence>& sequences) {
  const auto has_queries = [](const Sequence& sequence) { return sequence.queries > 0; };
  const std::size_t count = sequences.size();
  std::size_t edge = count;
  if (visible.edge == Edge::kFirst) {
    edge = static_cast<std::size_t>(std::find_if(sequences.begin(), sequences.end(), has_queries) - sequences.begin());
  }
  if (visible.edge == Edge::kLast) {
    const auto last = std::find_if(sequences.rbegin(), sequences.rend(), has_queries);
    edge = last == sequences.rend() ? count : static_cast<std::size_t>(sequences.rend() - last) - 1;
  }
  if (edge == count) return {{0, count, visible.window}};
  std::vector<SequenceRange> ranges;
  if (edge > 0) ranges.push_back({0, edge, visible.window});
  ranges.push_back({edge, 1, visible.edge_window});
  if (edge + 1 < count) ranges.push_back({edge + 1, count - edge - 1, visible.window});
  return ranges;
}

void align_last(std::vector<Sequence>& sequences, std::int64_t Sequence::*first, std::int64_t Sequence::*count,
                std::int64_t all) {
  for (Sequence& sequence : sequences) sequence.*first = all - sequence.*count;
}

void check_pairs(const TensorParameters& tensors, TensorParameters::ParamId param, std::int64_t heads,
                 const std::vector<Sequence>& sequences, const Extent& extent) {
  const Tensor& given = tensors[param];
  const bool has_dims = given.shape.size() >= 2 && given.shape.size() <= 4;
  const Shape shape = has_dims ? with_four_dims(given, extent.queries, extent.sequences).shape : Shape{0, 0, 0, 0};
  const std::int64_t queries = max_of(sequences, &Sequence::queries);
  const std::int64_t keys = max_of(sequences, &Sequence::keys);
  const bool fits = (shape[0] == 1 || shape[0] == extent.sequences) && (shape[1] == 1 || shape[1] == heads) &&
                    (shape[2] == 1 || shape[2] >= queries) && shape[3] >= keys;
  check(has_dims && fits, Code::kNnInvalid,
        "{} has shape {}; the last dimensions {} (queries) and {} (keys) are expected, before them {} heads or 1, and "
        "{} sequences or 1.",
        tensors.name(param), given.shape, queries, keys, heads, extent.sequences);
}

Tensor over_pairs(const Tensor& tensor, const Shape& pairs) {
  Tensor all = with_four_dims(tensor, pairs[2], pairs[0]);
  for (std::size_t dim = 0; dim < 3; ++dim) {
    if (all.shape[dim] == 1) all.strides[dim] = 0;
  }
  all.shape[0] = pairs[0];
  return all;
}

}  // namespace aclvk::ops
