#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// Rotary position embedding (RoPE; Su et al. 2021): pairs of elements of the last dim are rotated by angles whose
// cosines and sines are given.

/// The two elements that form a pair.
enum class Rotary {
  kHalf,           ///< element i of each half (GPT-NeoX)
  kInterleaved,    ///< elements 2i and 2i + 1 (GPT-J)
  kQuarter,        ///< as kHalf, but within each half of the dim
  kInterleavedIn,  ///< kInterleaved in x, kHalf in the result
};

/// Plans aclnnRotaryPositionEmbedding; `mode` 0 to 3 is a Rotary.
std::shared_ptr<Executor> plan_rotary(const InputArg& x, const InputArg& cos, const InputArg& sin, std::int64_t mode,
                                      const OutputArg& out);
/// The parameters that aclnnApplyRotaryPosEmb and its second version share.
struct ApplyRotaryHandles {
  UpdatedArg query;
  UpdatedArg key;
  InputArg cos;
  InputArg sin;
  std::int64_t layout;
};
/// Plans aclnnApplyRotaryPosEmb and its second version, which rotate query and key in place. The layout is 1 to
/// `layouts`; `mode` is "half", "interleave" or "quarter".
std::shared_ptr<Executor> plan_apply_rotary(const char* name, const ApplyRotaryHandles& handles, std::int64_t layouts,
                                            const char* mode);

/// The arguments of aclnnRopeWithSinCosCache, named after its parameters.
struct RopeWithCache {
  InputArg positions;
  InputArg query;
  InputArg key;
  InputArg cache;
  IntArrayArg sections;
  std::int64_t head_size;
  bool is_neox_style;
  OutputArg query_out;
  OutputArg key_out;
};
/// Plans aclnnRopeWithSinCosCache.
std::shared_ptr<Executor> plan_rope_with_cache(const RopeWithCache& call);

}  // namespace aclvk::ops
