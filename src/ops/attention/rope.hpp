#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

// Rotary position embedding: elements of the last dim are the coordinates of points, which are turned by the angles
// whose cosines and sines are given.

/// Which two elements are a point.
enum class Rotary {
  kHalf,           ///< one of each half
  kInterleaved,    ///< neighbours
  kQuarter,        ///< one of each quarter of a half
  kInterleavedIn,  ///< neighbours in x; one of each half in the result
};

/// aclnnRotaryPositionEmbedding: `mode` 0 to 3 is a Rotary.
std::shared_ptr<Executor> plan_rotary(const void* x, const void* cos, const void* sin, std::int64_t mode,
                                      const void* out);
/// aclnnInterleaveRope.
std::shared_ptr<Executor> plan_interleave_rope(const void* x, const void* cos, const void* sin, const void* out);
/// aclnnApplyRotaryPosEmb and its second version: query and key in place. `layout` is 1 to `layouts`; `mode` is "half",
/// "interleave" or "quarter".
std::shared_ptr<Executor> plan_apply_rotary(const char* name, const void* query, const void* key, const void* cos,
                                            const void* sin, std::int64_t layout, std::int64_t layouts,
                                            const char* mode);

/// What aclnnRopeWithSinCosCache is called with. Names are those of its parameters.
struct RopeWithCache {
  const void* positions;
  const void* query;
  const void* key;
  const void* cache;
  const void* sections;
  std::int64_t head_size;
  bool is_neox_style;
  const void* query_out;
  const void* key_out;
};
std::shared_ptr<Executor> plan_rope_with_cache(const RopeWithCache& call);

}  // namespace aclvk::ops
