// The frame of every pointwise kernel; ops/strided.cpp is its other half. A thread computes four neighbours along the innermost
// dim; the last operand is the output. A shader defines, before it includes this:
//
//     OPERANDS           how many operands it has
//     FAMILY_WORDS       how many uint its own arguments take
//     FAMILY_ARGUMENTS   their declarations
//
// and writes main() as: Lanes lanes; if (!find_lanes(lanes)) return; LOAD(0, lanes, x); ... STORE(k, lanes, z);
// Its own specialization constants start at FIRST_CONSTANT.

#extension GL_EXT_control_flow_attributes : enable

layout(local_size_x = 64) in;

// Dims that fit into 128 bytes of push constants, or all eight.
#define RECORD (1 + OPERANDS)
#define PUSH_RANK ((128 - 8 * OPERANDS - 4 - 4 * FAMILY_WORDS) / (4 * RECORD))
#if BLOCK
#define DIMS 8
#else
#define DIMS (PUSH_RANK < 8 ? PUSH_RANK : 8)
#endif
#define ARGUMENTS uint threads; FAMILY_ARGUMENTS uint dims[DIMS * RECORD];
#include "common/kernel.glsl"

layout(constant_id = 0) const uint kRank = 1;
layout(constant_id = 1) const uint kModes = 0;
layout(constant_id = 2) const uint kDtype0 = 0;
layout(constant_id = 3) const uint kDtype1 = 0;
#if OPERANDS > 2
layout(constant_id = 4) const uint kDtype2 = 0;
#endif
#if OPERANDS > 3
layout(constant_id = 5) const uint kDtype3 = 0;
#endif
#if OPERANDS > 4
layout(constant_id = 6) const uint kDtype4 = 0;
#endif
#define FIRST_CONSTANT (2 + OPERANDS)
layout(constant_id = FIRST_CONSTANT) const uint kPromoted = 0;

// Bytes of an element of each operand, as constant expressions: drivers fold them when they specialize.
#define DTYPE(member, name, value, bytes, kind) +(SIZED == value ? uint(bytes) : 0u)
#define SIZED kDtype0
const uint kSize0 = 0u
#include "ops/dtype.def"
    ;
#undef SIZED
#define SIZED kDtype1
const uint kSize1 = 0u
#include "ops/dtype.def"
    ;
#undef SIZED
#if OPERANDS > 2
#define SIZED kDtype2
const uint kSize2 = 0u
#include "ops/dtype.def"
    ;
#undef SIZED
#endif
#if OPERANDS > 3
#define SIZED kDtype3
const uint kSize3 = 0u
#include "ops/dtype.def"
    ;
#undef SIZED
#endif
#if OPERANDS > 4
#define SIZED kDtype4
const uint kSize4 = 0u
#include "ops/dtype.def"
    ;
#undef SIZED
#endif
#undef DTYPE

#include "common/compute.glsl"

const uint kRepeat = 0;    // one element for all four lanes
const uint kVector = 1;    // four neighbours, aligned
const uint kStrided = 2;   // any stride; the last thread of a row may have fewer lanes
const uint kArgument = 3;  // the value comes from the arguments

uint mode_of(uint operand) { return kModes >> 2 * operand & 3u; }

// What a thread works on: the element that its first lane has in each operand, the step to the next lane, how many lanes count.
struct Lanes {
  uint starts[OPERANDS];
  uint steps[OPERANDS];
  uint count;
};

bool find_lanes(out Lanes lanes) {
  const uint threads = ACLVK_ARGUMENT(threads);
  const uint thread = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 64 + gl_LocalInvocationID.x;
  const uint last = (kRank - 1) * RECORD;
  const uint row = ACLVK_ARGUMENT(dims[last]);
  uint rest = thread;
  uint first = thread * 4;
  if (kRank > 1) {
    const uint quads = (row + 3) / 4;
    rest = thread / quads;
    first = (thread - rest * quads) * 4;
  }
  lanes.count = min(4u, row - first);
  [[unroll]] for (uint k = 0; k < OPERANDS; ++k) {
    lanes.steps[k] = ACLVK_ARGUMENT(dims[last + 1 + k]);
    lanes.starts[k] = first * lanes.steps[k];
  }
  for (uint dim = kRank - 1; dim > 0; --dim) {
    const uint at = (dim - 1) * RECORD;
    const uint size = ACLVK_ARGUMENT(dims[at]);
    const uint outer = rest / size;
    const uint index = rest - outer * size;
    rest = outer;
    [[unroll]] for (uint k = 0; k < OPERANDS; ++k) lanes.starts[k] += index * ACLVK_ARGUMENT(dims[at + 1 + k]);
  }
  return thread < threads;
}

uint lane_element(Lanes lanes, uint operand, uint lane) {
  return lanes.starts[operand] + min(lane, lanes.count - 1) * lanes.steps[operand];
}

// One element's bits; four aligned neighbours' bits; the same for stores. Sizes are constants, so one branch remains.
#define ACLVK_ELEMENTS(k)                                                                                   \
  uvec4 element_##k(uvec2 slot, uint index, uint size) {                                                    \
    const uint at = index * size;                                                                           \
    if (size == 16) return words4_##k(slot, at);                                                            \
    if (size == 8) return uvec4(words2_##k(slot, at), 0u, 0u);                                              \
    const uint word = word_##k(slot, at);                                                                   \
    if (size == 4) return uvec4(word, 0u, 0u, 0u);                                                          \
    const uint shift = (base_of(slot) + at & 3u) * 8;                                                       \
    return uvec4(word >> shift & (size == 2 ? 0xFFFFu : 0xFFu), 0u, 0u, 0u);                                \
  }                                                                                                         \
  void quad_##k(uvec2 slot, uint index, uint size, out uvec4 raw[4]) {                                      \
    const uint at = index * size;                                                                           \
    if (size == 1) {                                                                                        \
      const uint word = word_##k(slot, at);                                                                 \
      [[unroll]] for (uint i = 0; i < 4; ++i) raw[i] = uvec4(word >> 8 * i & 0xFFu, 0u, 0u, 0u);            \
    } else if (size == 2) {                                                                                 \
      const uvec2 words = words2_##k(slot, at);                                                             \
      [[unroll]] for (uint i = 0; i < 4; ++i)                                                               \
        raw[i] = uvec4(words[i / 2] >> 16 * (i & 1u) & 0xFFFFu, 0u, 0u, 0u);                                \
    } else if (size == 4) {                                                                                 \
      const uvec4 words = words4_##k(slot, at);                                                             \
      [[unroll]] for (uint i = 0; i < 4; ++i) raw[i] = uvec4(words[i], 0u, 0u, 0u);                         \
    } else if (size == 8) {                                                                                 \
      const uvec4 low = words4_##k(slot, at);                                                               \
      const uvec4 high = words4_##k(slot, at + 16);                                                         \
      raw[0] = low;                                                                                         \
      raw[1] = low.zwxy;                                                                                    \
      raw[2] = high;                                                                                        \
      raw[3] = high.zwxy;                                                                                   \
    } else {                                                                                                \
      [[unroll]] for (uint i = 0; i < 4; ++i) raw[i] = words4_##k(slot, at + 16 * i);                       \
    }                                                                                                       \
  }                                                                                                         \
  void set_element_##k(uvec2 slot, uint index, uint size, uvec4 raw) {                                      \
    const uint at = index * size;                                                                           \
    if (size == 16) {                                                                                       \
      set_words4_##k(slot, at, raw);                                                                        \
    } else if (size == 8) {                                                                                 \
      set_words2_##k(slot, at, raw.xy);                                                                     \
    } else if (size == 4) {                                                                                 \
      set_word_##k(slot, at, raw.x);                                                                        \
    } else {                                                                                                \
      const uint shift = (base_of(slot) + at & 3u) * 8;                                                     \
      merge_word_##k(slot, at, (size == 2 ? 0xFFFFu : 0xFFu) << shift, raw.x << shift);                     \
    }                                                                                                       \
  }                                                                                                         \
  void set_quad_##k(uvec2 slot, uint index, uint size, uvec4 raw[4]) {                                      \
    const uint at = index * size;                                                                           \
    if (size == 1) {                                                                                        \
      uint word = 0;                                                                                        \
      [[unroll]] for (uint i = 0; i < 4; ++i) word |= (raw[i].x & 0xFFu) << 8 * i;                          \
      set_word_##k(slot, at, word);                                                                         \
    } else if (size == 2) {                                                                                 \
      set_words2_##k(slot, at, uvec2(raw[0].x & 0xFFFFu | raw[1].x << 16, raw[2].x & 0xFFFFu | raw[3].x << 16)); \
    } else if (size == 4) {                                                                                 \
      set_words4_##k(slot, at, uvec4(raw[0].x, raw[1].x, raw[2].x, raw[3].x));                              \
    } else if (size == 8) {                                                                                 \
      set_words4_##k(slot, at, uvec4(raw[0].xy, raw[1].xy));                                                \
      set_words4_##k(slot, at + 16, uvec4(raw[2].xy, raw[3].xy));                                           \
    } else {                                                                                                \
      [[unroll]] for (uint i = 0; i < 4; ++i) set_words4_##k(slot, at + 16 * i, raw[i]);                    \
    }                                                                                                       \
  }                                                                                                         \
  void load_##k(Lanes lanes, out T values[4]) {                                                             \
    const uvec2 slot = slot_of(k);                                                                          \
    const uint size = kSize##k;                                                                             \
    uvec4 raw[4];                                                                                           \
    if (mode_of(k) == kVector) {                                                                            \
      quad_##k(slot, lanes.starts[k], size, raw);                                                           \
    } else if (mode_of(k) == kStrided) {                                                                    \
      [[unroll]] for (uint i = 0; i < 4; ++i) raw[i] = element_##k(slot, lane_element(lanes, k, i), size);  \
    }                                                                                                       \
    if (mode_of(k) == kRepeat) {                                                                            \
      const T value = decode(element_##k(slot, lanes.starts[k], size), kDtype##k);                          \
      [[unroll]] for (uint i = 0; i < 4; ++i) values[i] = value;                                            \
    } else {                                                                                                \
      [[unroll]] for (uint i = 0; i < 4; ++i) values[i] = decode(raw[i], kDtype##k);                        \
    }                                                                                                       \
  }                                                                                                         \
  void store_##k(Lanes lanes, T values[4]) {                                                                \
    const uvec2 slot = slot_of(k);                                                                          \
    const uint size = kSize##k;                                                                             \
    uvec4 raw[4];                                                                                           \
    [[unroll]] for (uint i = 0; i < 4; ++i) raw[i] = encode(values[i], kDtype##k);                          \
    if (mode_of(k) == kVector) {                                                                            \
      set_quad_##k(slot, lanes.starts[k], size, raw);                                                       \
    } else {                                                                                                \
      [[unroll]] for (uint i = 0; i < 4; ++i) {                                                             \
        if (i < lanes.count) set_element_##k(slot, lane_element(lanes, k, i), size, raw[i]);                \
      }                                                                                                     \
    }                                                                                                       \
  }

ACLVK_ELEMENTS(0)
ACLVK_ELEMENTS(1)
#if OPERANDS > 2
ACLVK_ELEMENTS(2)
#endif
#if OPERANDS > 3
ACLVK_ELEMENTS(3)
#endif
#if OPERANDS > 4
ACLVK_ELEMENTS(4)
#endif

#define LOAD(k, lanes, values) load_##k(lanes, values)
#define STORE(k, lanes, values) store_##k(lanes, values)
