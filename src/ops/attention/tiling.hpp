#pragma once

#include <cstdint>

#include "ops/attention/flash.hpp"
#include "runtime/device/execution.hpp"

namespace aclvk::ops {

/// How the work of attention is cut.
struct AttentionTiling {
  std::uint32_t lanes;      ///< threads that make rows together: a tile
  std::uint32_t threads;    ///< of a group
  std::uint32_t rows;       ///< of a tile
  std::uint32_t row_tiles;  ///< of a sequence and a head of key
  std::int64_t group;       ///< heads of query that share one of key
};

/// By the shapes, not by the tokens of today: an update with other lengths finds the same kernels.
AttentionTiling tiling_of(const Attention& attention, runtime::Execution execution);

/// The most keys that a kernel may walk over; whole steps of a tile.
std::int64_t keys_per_segment(const Attention& attention, const AttentionTiling& tiling);
/// The most keys that a sequence can have.
std::int64_t most_keys(const Attention& attention);

/// Floats that a tile leaves to the next part, as shaders/attention/flash.comp counts them.
std::int64_t state_of_tile(const Attention& attention, const AttentionTiling& tiling);
/// Tiles whose state is in memory at the same time, of `sequences` of them.
std::int64_t tiles_at_once(const Attention& attention, const AttentionTiling& tiling, std::int64_t sequences);

}  // namespace aclvk::ops
