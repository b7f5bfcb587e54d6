#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ops/executor/operator.hpp"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {

/// The queries and keys of one sequence of a batch.
struct Sequence {
  std::int64_t first_query = 0;  ///< index of its first token in q
  std::int64_t queries = 0;
  std::int64_t first_key = 0;
  std::int64_t keys = 0;
  std::int64_t visible_prefix = 0;  ///< the number of first keys that each token sees, inside of the window or not
};

/// The keys that a token sees (sliding window): from `before` positions before its own to `after` positions after it.
/// Positions count from the first key; with `from_end` they are aligned so that the last token and the last key have
/// the same position.
struct AttentionWindow {
  std::int64_t before = 0;
  std::int64_t after = 0;
  bool from_end = false;
};

/// The way in which a position bias enters the score: added after the scale, or before it; or ALiBi (Press et al.
/// 2021): minus the head's slope times the distance between query and key, or times the square root of that distance.
/// The values are those of kPositionBias in shaders/attention/flash.comp.
enum class PositionBias : std::uint32_t { kAfterScale = 1, kBeforeScale = 2, kAlibi = 3, kAlibiSqrt = 4 };

/// A position bias that depends on the distance alone may be given for the last kLastRows queries only.
constexpr std::int64_t kLastRows = 1024;

/// The softmax statistics that a kernel writes for each row.
enum class SoftmaxStats : std::uint32_t { kNone = 0, kLogSumExp = 1, kMaxAndSum = 2 };

/// One attention: softmax(scale * q k^T + position bias) v for each sequence and head. Tensors are views with the dims
/// sequences, heads, tokens, columns. The rows of q, k, v, out, mask and position bias are read and written as vec8s
/// (shape/matrix_view.hpp). A dim of sequences with stride 0 holds packed sequences, which `sequences` delimits.
/// Consecutive heads of q share a head of k and v (grouped-query attention). With `padding`, the tokens and keys of a
/// sequence end where the padding begins; first_query and first_key assume a padding of 0.
struct Attention {
  std::string_view name;  ///< the operator's; a string literal
  Tensor q;
  Tensor k;  ///< paged: pages, heads, tokens of a page, columns
  Tensor v;
  Tensor out;
  std::vector<Sequence> sequences{};
  bool packed = false;  ///< sequences follow one another in one dim of tokens (TND)
  double scale = 1;
  std::optional<AttentionWindow> window{};
  std::optional<Tensor> mask{};  ///< bytes: sequences, heads, tokens, keys; a key is hidden where it is not 0
  /// True for a combined mask (dropout): bit 0 of a byte hides a key, bit 1 drops its weight, and kept weights are
  /// multiplied by `dropout_scale`.
  bool drops = false;
  double dropout_scale = 1;
  std::optional<Tensor> position_bias{};  ///< the dims of the mask; ALiBi slopes have sequences and heads only
  PositionBias position_bias_kind = PositionBias::kAfterScale;
  bool bias_of_last_rows = false;    ///< the bias has kLastRows rows: the first is that of token `position_offset`
  std::int64_t position_offset = 0;  ///< position of the first token minus that of the first key, for ALiBi
  std::optional<Tensor> table{};     ///< block table of PagedAttention: sequences, pages of each
  std::optional<Tensor> padding{};   ///< two integers: tokens of padding after q and after k; excludes a table
  std::optional<Tensor> sinks{};     ///< attention sinks: a logit of each head that has no value
  SoftmaxStats stats_kind = SoftmaxStats::kNone;
  std::optional<Tensor> stats{};  ///< float: sequences, heads, tokens; pairs for kMaxAndSum
  std::optional<Tensor> state{};  ///< attention_state() floats, where that is not 0
};

/// Returns the floats that kernels hand to one another, 0 unless a sequence can have more keys than one kernel visits.
std::int64_t attention_state(const Attention& attention, runtime::Execution execution);

/// Returns the kernels of an attention. Sums are made in float and in a fixed order. A token that sees no key gets
/// zeros. The number of kernels depends on shapes and on the number of sequences, not on their lengths, so that an
/// update with other lengths replaces kernel by kernel.
Kernels attention_kernels(const Attention& attention, runtime::Execution execution);

}  // namespace aclvk::ops
