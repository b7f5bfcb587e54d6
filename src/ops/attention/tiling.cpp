#include "ops/attention/tiling.hpp"

#include <algorithm>

#include "ops/kernel/access.hpp"
#include "ops/kernel/word.hpp"

namespace aclvk::ops {
namespace {

/// Rows of a tile: more of them share a load of keys and values, but make fewer tiles for the cores.
constexpr std::uint32_t kMaxRows = 16;
// Accumulators of a thread, in vec8s. With 128, for 512 columns in one thread, lavapipe took three times as long to
// compile.
constexpr std::int64_t kMaxSums = 64;
constexpr std::uint32_t kThreadsPerGroup = 32;  // on GPUs; subgroups may be smaller, and share nothing
/// Limits the workspace for states; more tiles run one batch after the other (docs/adr/0024).
constexpr std::int64_t kMaxStateBytes = std::int64_t{64} << 20;

std::int64_t columns(const Tensor& tensor) { return tensor.shape[3]; }

/// Returns the vec8s of a result row that one thread computes.
std::int64_t vec8s_of_thread(const Attention& attention, std::uint32_t lanes) {
  return (columns(attention.v) + kVec8 * lanes - 1) / (kVec8 * lanes);
}

}  // namespace

AttentionTiling tiling_of(const Attention& attention, runtime::Execution execution) {
  AttentionTiling tiling{};
  tiling.threads = execution.is_cpu_device ? std::max(execution.subgroup_size, 1U) : kThreadsPerGroup;
  tiling.lanes = std::min({tiling.threads, execution.subgroup_size, 8U});
  const std::int64_t heads = attention.k.shape[1];
  tiling.group = heads == 0 ? 0 : attention.q.shape[1] / heads;
  const std::int64_t most = attention.q.shape[2] * tiling.group;
  tiling.rows = 1;
  const std::int64_t vec8s = vec8s_of_thread(attention, tiling.lanes);
  // Rows double while the accumulators of a thread fit: each load of keys and values serves all rows.
  while (tiling.rows < kMaxRows && tiling.rows < most && 2 * tiling.rows * vec8s <= kMaxSums) tiling.rows *= 2;
  tiling.row_tiles = word((most + tiling.rows - 1) / tiling.rows);
  return tiling;
}

std::int64_t keys_per_segment(const Attention& attention, const AttentionTiling& tiling) {
  constexpr std::int64_t kFewRows = 4;  // kFewRows of flash.comp: scores are dot products then
  const std::int64_t lanes = tiling.lanes;
  const std::int64_t for_scores = tiling.rows <= kFewRows ? lanes : columns(attention.q) / kVec8;
  // A step of the outer loop is one iteration and runs a loop for scores and one for values; each of them costs one
  // more iteration for its last look at the condition.
  return kMaxIterations / (1 + for_scores + 1 + lanes + 1) * kVec8 * lanes;
}

std::int64_t most_keys(const Attention& attention) {
  return attention.table ? attention.table->shape[1] * attention.k.shape[2] : attention.k.shape[2];
}

std::int64_t state_of_tile(const Attention& attention, const AttentionTiling& tiling) {
  // For each thread and row: its accumulators, and a vec8 that starts with row_max and row_sum
  // (flash_segment.glsl).
  return std::int64_t{tiling.lanes} * tiling.rows * kVec8 * (vec8s_of_thread(attention, tiling.lanes) + 1);
}

std::int64_t tiles_at_once(const Attention& attention, const AttentionTiling& tiling, std::int64_t sequences) {
  const std::int64_t tiles = tiling.row_tiles * attention.k.shape[1] * sequences;
  const auto bytes = state_of_tile(attention, tiling) * static_cast<std::int64_t>(sizeof(float));
  return std::min(tiles, kMaxStateBytes / bytes);
}

}  // namespace aclvk::ops
