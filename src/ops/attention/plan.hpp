#pragma once

#include <optional>
#include <vector>

#include "ops/attention/attention.hpp"
#include "ops/attention/layout.hpp"
#include "ops/attention/parameters.hpp"
#include "ops/attention/tokens.hpp"
#include "ops/tensor_parameters.hpp"

namespace aclvk::ops {

/// What a call asks for, checked. It does not change when addresses do.
struct AttentionPlan {
  const char* name;
  TensorParameters tensors{};
  AttentionParameters at{};
  Layout layout{};
  Layout result{};
  std::int64_t heads = 0;
  std::int64_t key_heads = 0;
  double scale = 1;
  bool is_paged = false;
  std::vector<Sequence> sequences{};
  std::vector<SequenceRange> ranges{};
  bool reads_mask = false;
  double keep_prob = 1;
  PositionBias position_bias_kind = PositionBias::kAfterScale;
  bool bias_of_last_rows = false;
  std::int64_t position_offset = 0;
  SoftmaxStats stats_kind = SoftmaxStats::kNone;
  std::int64_t prefix = 0;  ///< keys before those of each sequence
  std::int64_t both_mode = 0;
  std::int64_t key_mode = 0;
  std::int64_t value_mode = 0;
  /// What q, k and v are when the kernel reads them. Where that is not what they are, they are assembled in the
  /// workspace: dequantised, with their ropes and prefixes.
  DType computes_in{};
  bool assembles_query = false;
  bool assembles_keys = false;

  bool packed() const { return is_packed(layout); }
  bool is_quantised() const { return tensors[at.key].dtype != tensors[at.query].dtype; }
  bool drops() const { return keep_prob < 1; }
  bool is_padded() const { return tensors.has(at.query_padding) || tensors.has(at.key_padding); }
  /// Whether the kernel itself looks pages up.
  bool reads_table() const { return is_paged && !assembles_keys; }
  std::int64_t batch() const { return static_cast<std::int64_t>(sequences.size()); }
};

AttentionPlan checked_plan(const AttentionCall& call);

/// How many numbers an element of keys holds: eight of four bits are one INT32.
inline std::int64_t numbers_of(const Tensor& tensor) { return tensor.dtype == DType::kInt32 ? 8 : 1; }

/// Keys or values as sequences, heads, tokens, columns; of pages: pages, heads, tokens of one, columns.
Tensor keys_by_heads(const AttentionPlan& plan, const Tensor& tensor, const char* name);
/// The pages of a pool: pages, heads, tokens of one, parts of the columns, columns of a part. Mostly there is one part.
Tensor pages_by_heads(const Tensor& tensor, const char* name, std::int64_t heads);
/// The sizes of the same, in numbers.
Shape key_sizes(const AttentionPlan& plan, const Tensor& tensor, const char* name);

}  // namespace aclvk::ops
