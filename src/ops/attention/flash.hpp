#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ops/operator.hpp"
#include "runtime/device/execution.hpp"

namespace aclvk::ops {

/// The tokens of one sequence of a batch.
struct Sequence {
  std::int64_t first_query = 0;  ///< tokens of q before its own
  std::int64_t queries = 0;
  std::int64_t first_key = 0;
  std::int64_t keys = 0;
  std::int64_t visible_prefix = 0;  ///< first keys that each token sees, whatever the window says
};

/// The keys that a token sees: from `before` before its own place to `behind` behind it. Places are counted from the
/// first key, or so that the last token has the place of the last key.
struct Window {
  std::int64_t before = 0;
  std::int64_t after = 0;
  bool from_end = false;
};

/// What is added to scores: a number for each pair, behind their scale or before it, or minus a slope of the head times
/// how far apart the tokens are, or the root of that. As shaders/attention/flash.comp has them.
enum class PositionBias : std::uint32_t { kAfterScale = 1, kBeforeScale = 2, kAlibi = 3, kAlibiSqrt = 4 };

/// A shift that depends on how far apart tokens are may be given for so many of the last tokens only.
constexpr std::int64_t kLastRows = 1024;

/// What is kept of the sums of a row.
enum class SoftmaxStats : std::uint32_t { kNone = 0, kLogSumExp = 1, kMaxAndSum = 2 };

/// softmax(scale * q k + shift) v for each sequence and head. Tensors are views of four dims: sequences, heads, tokens,
/// columns; their last dims have eights (shape/matrix_view.hpp), those of mask and shift too. A dim of sequences with
/// stride 0 holds all of them one after the other, as the Sequences tell. Each head of k and v belongs to as many heads
/// of q that follow each other. With a padding tokens and keys of a sequence are the last ones before it: their first
/// ones are where they were without padding.
struct Attention {
  std::string_view name;  ///< the operator's; a string literal
  Tensor q;
  Tensor k;  ///< of pages: pages, heads, tokens of a page, columns
  Tensor v;
  Tensor out;
  std::vector<Sequence> sequences{};
  bool packed = false;  ///< sequences share a dim of keys
  double scale = 1;
  std::optional<Window> window{};
  std::optional<Tensor> mask{};  ///< bytes: sequences, heads, tokens, keys; hides keys where not 0
  /// The lowest bit of the mask hides a key, the next one drops its weight, and what is left is multiplied with `gain`.
  bool drops = false;
  double dropout_scale = 1;
  std::optional<Tensor> position_bias{};  ///< the same dims; a slope has sequences and heads only
  PositionBias position_bias_kind = PositionBias::kAfterScale;
  bool bias_of_last_rows = false;    ///< the shift has kLastRows tokens: those from `apart` on
  std::int64_t position_offset = 0;  ///< how far the first token is behind the first key, for slopes
  std::optional<Tensor> table{};     ///< integers: sequences, pages of each
  std::optional<Tensor> padding{};   ///< two integers: how much of it follows q and k. Not with a table
  std::optional<Tensor> sinks{};     ///< a score for each head that weighs, but has no value
  SoftmaxStats stats_kind = SoftmaxStats::kNone;
  std::optional<Tensor> stats{};  ///< float: sequences, heads, tokens; a pair for kMaxAndSum
  std::optional<Tensor> state{};  ///< attention_state() floats in a row, where that is not 0
};

/// Floats that rows keep between kernels: where a sequence can have more keys than one walks over.
std::int64_t attention_state(const Attention& attention, runtime::Execution execution);

/// Sums are made in float, in the same order in each run. A token that sees no key gets zeros. How many kernels there
/// are depends on shapes and the number of sequences, and not on their lengths.
Kernels attention_kernels(const Attention& attention, runtime::Execution execution);

}  // namespace aclvk::ops
