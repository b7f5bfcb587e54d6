#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ops/attention/flash.hpp"
#include "ops/handles.hpp"
#include "ops/tensor_parameters.hpp"

namespace aclvk::ops {

// Which tokens attention is about, and which of them see each other.

/// The most that a call can have of each.
struct Extent {
  std::int64_t sequences = 0;
  std::int64_t queries = 0;  ///< tokens of a sequence; of all of them where they are packed
  std::int64_t keys = 0;
};

/// An aclIntArray of numbers of tokens, or none.
class Lengths {
 public:
  /// 161001 for a handle that is not alive.
  Lengths(const void* handle, const char* name);

  explicit operator bool() const { return values_ != nullptr; }
  std::int64_t count() const { return values_ ? static_cast<std::int64_t>(values_->size()) : 0; }
  std::int64_t operator[](std::size_t i) const { return (*values_)[i]; }
  const char* name() const { return name_; }

 private:
  std::shared_ptr<const IntArray> values_;
  const char* name_;
};

/// A number for each sequence, or one for all; without any each has all tokens. 161002 for another count, and for a
/// number that is negative or more than there are.
std::vector<Sequence> sequences_of(const Lengths& queries, const Lengths& keys, const Extent& extent);
/// Where each sequence ends among all of them; of keys in pages how many it has. 161002 for numbers that go down or
/// lead beyond the tokens. Zeros behind other numbers close the list: sequences that are not there, and are empty.
std::vector<Sequence> packed_sequences(const Lengths& queries, const Lengths& keys, const Extent& extent,
                                       bool is_paged);

/// Which sequence has a window of its own.
enum class Edge { kNone, kFirst, kLast };

/// What sparseMode makes of preTokens, nextTokens and the mask.
struct Visibility {
  std::optional<Window> window{};
  bool reads_mask = false;
  bool sees_prefix = false;  ///< each sequence sees some first keys besides
  Edge edge = Edge::kNone;
  std::optional<Window> edge_window{};
};
/// Modes 0 to 4: a mask and the window where there is a mask; the mask alone; keys up to the token's own place, counted
/// from the first key or from the last; the window counted from the last. 5 and 6: as 3, with the prefix besides. 7: as
/// 3, but the last sequence as 4; 8: as 2, but the first one as 4. 161002 for others, and where 1 has no mask.
Visibility visibility_of(std::int64_t sparse_mode, std::int64_t before, std::int64_t behind, bool has_mask);

/// Sequences that follow each other and have the same window.
struct Stretch {
  std::size_t first = 0;
  std::size_t count = 0;
  std::optional<Window> window{};
};
std::vector<Stretch> stretches_of(const Visibility& visible, const std::vector<Sequence>& sequences);

/// Where tokens begin when they are the last ones of the tensor: as the padding's kernel expects it.
void align_last(std::vector<Sequence>& sequences, std::int64_t Sequence::*first, std::int64_t Sequence::*count,
                std::int64_t all);

/// That a tensor has an element for each pair of a query and a key that is asked for (161002): (queries, keys), with
/// heads and sequences before, each as many as there are or one; for single queries also (sequences, keys).
void check_pairs(const TensorParameters& tensors, TensorParameters::ParamId place, std::int64_t heads,
                 const std::vector<Sequence>& sequences, const Extent& extent);
/// Such a tensor as `sequences, heads, queries, keys`; `pairs` has the sizes but for the keys.
Tensor over_pairs(const Tensor& tensor, const Shape& pairs);

}  // namespace aclvk::ops
