#pragma once

#include <cstdint>

#include "ops/attention/flash.hpp"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {

/// The partition of an attention into workgroups and tiles.
struct AttentionTiling {
  std::uint32_t lanes;      ///< threads of a subgroup that share a tile
  std::uint32_t threads;    ///< of a workgroup
  std::uint32_t rows;       ///< of a tile: pairs of a query token and a head of the group
  std::uint32_t row_tiles;  ///< tiles of a sequence and a head of k
  std::int64_t group;       ///< heads of q that share a head of k (GQA)
};

/// Depends on shapes and not on sequence lengths, so that an update with other lengths finds the same kernels.
AttentionTiling tiling_of(const Attention& attention, runtime::Execution execution);

/// Returns the keys that one kernel may visit within kMaxIterations loop iterations, a multiple of a tile's step.
std::int64_t keys_per_segment(const Attention& attention, const AttentionTiling& tiling);
/// Returns the largest number of keys that a sequence can have.
std::int64_t most_keys(const Attention& attention);

/// Returns the floats of the state that a tile hands to the next kernel; shaders/attention/flash_segment.glsl has its
/// layout.
std::int64_t state_of_tile(const Attention& attention, const AttentionTiling& tiling);
/// Returns how many tiles of `sequences` sequences run at once, limited by the memory for their state.
std::int64_t tiles_at_once(const Attention& attention, const AttentionTiling& tiling, std::int64_t sequences);

}  // namespace aclvk::ops
