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
};

/// The keys that a token sees: from `before` before its own place to `behind` behind it. Places are counted from the
/// first key, or so that the last token has the place of the last key.
struct Window {
  std::int64_t before = 0;
  std::int64_t behind = 0;
  bool from_end = false;
};

/// What is kept of the sums of a row.
enum class Statistic : std::uint32_t { kNone = 0, kLogarithm = 1, kTopAndSum = 2 };

/// softmax(scale * q k + shift) v for each sequence and head. Tensors are views of four dims: sequences, heads, tokens,
/// columns; their last dims have eights (shape/matrix_view.hpp), those of mask and shift too. A dim of sequences with
/// stride 0 holds all of them one after the other, as the Sequences tell. Each head of k and v belongs to as many heads
/// of q that follow each other.
struct Attention {
  std::string_view name;  ///< the operator's; a string literal
  Tensor q;
  Tensor k;  ///< of pages: pages, heads, tokens of a page, columns
  Tensor v;
  Tensor out;
  std::vector<Sequence> sequences{};
  double scale = 1;
  std::optional<Window> window{};
  std::optional<Tensor> mask{};   ///< bytes: sequences, heads, tokens, keys; hides keys where not 0
  std::optional<Tensor> shift{};  ///< the same dims; added to scores
  bool shift_is_scaled = false;
  std::optional<Tensor> table{};  ///< integers: sequences, pages of each
  Statistic statistic = Statistic::kNone;
  std::optional<Tensor> statistics{};  ///< float: sequences, heads, tokens; a pair for kTopAndSum
};

/// Sums are made in float, in the same order in each run. A token that sees no key gets zeros. How many kernels there
/// are depends on the number of sequences alone.
Kernels attention_kernels(const Attention& attention, runtime::Execution execution);

}  // namespace aclvk::ops
