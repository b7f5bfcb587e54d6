#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ops/attention/flash.hpp"
#include "ops/executor/handles.hpp"
#include "ops/executor/tensor_parameters.hpp"

namespace aclvk::ops {

// Sequences and the visibility of keys.

/// The bounds of a call's sequences.
struct Extent {
  std::int64_t sequences = 0;
  std::int64_t queries = 0;  ///< of a sequence; packed: of all sequences
  std::int64_t keys = 0;
};

/// An aclIntArray of sequence lengths, or none. An empty array counts as none.
class Lengths {
 public:
  /// Throws 161001 for an invalid handle.
  explicit Lengths(const IntArrayArg& arg);

  explicit operator bool() const { return values_ != nullptr; }
  std::int64_t count() const { return values_ ? static_cast<std::int64_t>(values_->size()) : 0; }
  std::int64_t operator[](std::size_t i) const { return (*values_)[i]; }
  const char* name() const { return name_; }

 private:
  std::shared_ptr<const IntArray> values_;
  const char* name_;
};

/// Returns the sequences of a batch: `queries` and `keys` have a length for each, or one for all; without lengths each
/// sequence has `extent`. 161002 for another count, and for lengths below 0 or above the extent.
std::vector<Sequence> sequences_of(const Lengths& queries, const Lengths& keys, const Extent& extent);
/// Returns packed sequences: the numbers are cumulative ends; of paged keys they are lengths. 161002 for ends that
/// decrease or exceed the tokens. Trailing zeros are empty sequences.
std::vector<Sequence> packed_sequences(const Lengths& queries, const Lengths& keys, const Extent& extent,
                                       bool is_paged);

/// The sequence that has a window of its own.
enum class Edge { kNone, kFirst, kLast };

/// The visibility rules that sparseMode, preTokens, nextTokens and the mask result in.
struct Visibility {
  std::optional<AttentionWindow> window{};
  bool reads_mask = false;
  bool has_prefix = false;  ///< the first keys of each sequence are visible besides
  Edge edge = Edge::kNone;
  std::optional<AttentionWindow> edge_window{};
};
/// Maps sparseMode. 0: the mask, and the window where there is a mask; 1: the mask alone; 2: causal, aligned at the
/// first key; 3: causal, aligned at the last key; 4: the window, aligned at the last key; 5 and 6: 3 with a visible
/// prefix; 7: 3, but 4 for the last sequence; 8: 2, but 4 for the first one. 161002 for other modes, and for mode 1
/// without a mask.
Visibility visibility_of(std::int64_t sparse_mode, std::int64_t before, std::int64_t after, bool has_mask);

/// Consecutive sequences with the same window. Each range has kernels of its own.
struct SequenceRange {
  std::size_t first = 0;
  std::size_t count = 0;
  std::optional<AttentionWindow> window{};
};
/// Divides sequences into ranges of the same window; a window of the first or last sequence makes one of its own.
std::vector<SequenceRange> ranges_of(const Visibility& visible, const std::vector<Sequence>& sequences);

/// Moves the tokens of each sequence to the end of the dim of size `all`, as kernels expect it with padding.
void align_last(std::vector<Sequence>& sequences, std::int64_t Sequence::*first, std::int64_t Sequence::*count,
                std::int64_t all);

/// Checks that a mask or bias has an element for each pair of a query and a key (161002): (queries, keys) with leading
/// dims heads and sequences, each of full size or 1; for single queries also (sequences, keys).
void check_pairs(const TensorParameters& tensors, TensorParameters::ParamId param, std::int64_t heads,
                 const std::vector<Sequence>& sequences, const Extent& extent);
/// Returns a view of such a tensor with the dims of `pairs` (sequences, heads, queries) and its own keys.
Tensor over_pairs(const Tensor& tensor, const Shape& pairs);

}  // namespace aclvk::ops
