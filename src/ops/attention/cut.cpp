#include "ops/attention/cut.hpp"

#include <algorithm>

namespace aclvk::ops {
namespace {

constexpr std::int64_t kVec8 = 8;
constexpr std::uint32_t kMostRows = 16;
// Eights that a thread sums up. Twice as many, for 512 columns, took lavapipe three times as long to compile.
constexpr std::int64_t kMostSums = 64;
constexpr std::uint32_t kThreadsOfGroup = 32;  // on GPUs; subgroups of fewer threads are fine
constexpr std::int64_t kMostStateBytes = std::int64_t{64} << 20;

std::int64_t columns(const Tensor& tensor) { return tensor.shape[3]; }

/// Eights of the result that a thread makes.
std::int64_t vec8s_of_thread(const Attention& attention, std::uint32_t lanes) {
  return (columns(attention.v) + kVec8 * lanes - 1) / (kVec8 * lanes);
}

}  // namespace

AttentionCut cut_of(const Attention& attention, runtime::Execution execution) {
  AttentionCut cut{};
  cut.threads = execution.takes_turns ? std::max(execution.together, 1U) : kThreadsOfGroup;
  cut.lanes = std::min({cut.threads, execution.together, 8U});
  const std::int64_t heads = attention.k.shape[1];
  cut.group = heads == 0 ? 0 : attention.q.shape[1] / heads;
  const std::int64_t most = attention.q.shape[2] * cut.group;
  cut.rows = 1;
  const std::int64_t vec8s = vec8s_of_thread(attention, cut.lanes);
  while (cut.rows < kMostRows && cut.rows < most && 2 * cut.rows * vec8s <= kMostSums) cut.rows *= 2;
  cut.row_tiles = static_cast<std::uint32_t>((most + cut.rows - 1) / cut.rows);
  return cut;
}

std::int64_t keys_of_part(const Attention& attention, const AttentionCut& cut) {
  constexpr std::int64_t kFewRows = 4;  // whose products are made in another way
  const std::int64_t lanes = cut.lanes;
  const std::int64_t for_scores = cut.rows <= kFewRows ? lanes : columns(attention.q) / kVec8;
  // A step is a turn, with an inner loop for scores and one for values; both look at their condition once more.
  return kMaxIterations / (1 + for_scores + 1 + lanes + 1) * kVec8 * lanes;
}

std::int64_t most_keys(const Attention& attention) {
  return attention.table ? attention.table->shape[1] * attention.k.shape[2] : attention.k.shape[2];
}

std::int64_t state_of_tile(const Attention& attention, const AttentionCut& cut) {
  return std::int64_t{cut.lanes} * cut.rows * kVec8 * (vec8s_of_thread(attention, cut.lanes) + 1);
}

std::int64_t tiles_at_once(const Attention& attention, const AttentionCut& cut, std::int64_t sequences) {
  const std::int64_t tiles = cut.row_tiles * attention.k.shape[1] * sequences;
  const auto bytes = state_of_tile(attention, cut) * static_cast<std::int64_t>(sizeof(float));
  return std::min(tiles, kMostStateBytes / bytes);
}

}  // namespace aclvk::ops
