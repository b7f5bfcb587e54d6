#pragma once

#include <optional>
#include <vector>

#include "ops/attention/attention.hpp"
#include "ops/attention/layout.hpp"
#include "ops/attention/parameters.hpp"
#include "ops/attention/tokens.hpp"
#include "ops/executor/tensor_parameters.hpp"

namespace aclvk::ops {

/// A checked call: everything that kernels are made from but for addresses, which may change between runs.
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
  std::int64_t prefix = 0;  ///< shared keys in front of those of each sequence
  std::int64_t kv_mode = 0;
  std::int64_t key_mode = 0;
  std::int64_t value_mode = 0;
  /// The dtype in which the kernel reads q, k and v. Operands that have another dtype, a rope or a prefix are assembled
  /// in the workspace first (assemble.hpp).
  DType computes_in{};
  bool assembles_query = false;
  bool assembles_keys = false;

  bool packed() const { return is_packed(layout); }
  bool is_quantised() const { return tensors[at.key].dtype != tensors[at.query].dtype; }
  bool drops() const { return keep_prob < 1; }
  bool is_padded() const { return tensors.has(at.query_padding) || tensors.has(at.key_padding); }
  /// Returns whether the kernel itself reads pages' positions from the block table.
  bool reads_table() const { return is_paged && !assembles_keys; }
  std::int64_t batch() const { return static_cast<std::int64_t>(sequences.size()); }
};

/// Checks all arguments of a call in the documented order. Throws 161001, 161002 or 207000.
AttentionPlan checked_plan(const AttentionCall& call);

/// Returns the numbers in an element of keys: an INT32 packs eight 4-bit integers.
inline std::int64_t numbers_of(const Tensor& tensor) { return tensor.dtype == DType::kInt32 ? 8 : 1; }

/// Returns a view of keys or values with the dims sequences, heads, tokens, columns; paged: pages, heads, tokens of a
/// page, columns.
Tensor keys_by_heads(const AttentionPlan& plan, const Tensor& tensor, const char* name);
/// Returns a view of a page pool: pages, heads, tokens of a page, column blocks, columns of a block. All but 5-dim
/// pools have one column block.
Tensor pages_by_heads(const Tensor& tensor, const char* name, std::int64_t heads);
/// Returns the shape of keys_by_heads() in numbers, not in elements.
Shape key_sizes(const AttentionPlan& plan, const Tensor& tensor, const char* name);

}  // namespace aclvk::ops
