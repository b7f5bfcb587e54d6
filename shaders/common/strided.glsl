// The frame of pointwise kernels; ops/kernel/strided.cpp is the host's half. A thread computes four adjacent elements along the innermost
// dim ("lanes"), or eight when all operands have aligned rows. The last operand is the output. A shader defines, before it includes this:
//
//     OPERANDS        the number of operands
//     OWN_ARGUMENTS   the list of the shader's own arguments (common/declare.glsl), if it has any
//
// and writes main() as: if (!find_lanes()) return; LOAD(0, x); ... STORE(k, z); where x and z are T[LANES], of which the first
// kLanes are valid. A shader that indexes operands itself, such as a gather, defines INDEXED_OPERANDS as their number. They are its
// first operands: they are accessed at any index, and lane_element(k, lane) is the start index of the lane, which follows the
// operand's steps. Arguments are read before the return: all threads are active until there, so a CPU driver reads an argument once
// for a whole subgroup. The shader's own specialization constants start at FIRST_CONSTANT.
//
// `lanes` and `raw` are global because drivers take long to remove the copies that parameters make.

#extension GL_EXT_control_flow_attributes : enable
#include "common/strided.args.h"
#ifndef OWN_ARGUMENTS
#define OWN_ARGUMENTS(ARGUMENT, ARRAY)
#endif

// The dims that fit into 128 bytes of push constants, or all eight in an argument buffer.
#define DIM_WORDS (1 + OPERANDS)
#ifdef INDEXED_OPERANDS
#define START_INDEX_ARGUMENTS uint firsts[INDEXED_OPERANDS];
#else
#define INDEXED_OPERANDS 0
#define START_INDEX_ARGUMENTS
#endif
#define FIXED_WORDS (ACLVK_ARGUMENT_WORDS(STRIDED_ARGUMENTS) + ACLVK_ARGUMENT_WORDS(OWN_ARGUMENTS) + INDEXED_OPERANDS)
#define PUSH_RANK ((128 - 8 * OPERANDS - 4 * FIXED_WORDS) / (4 * DIM_WORDS))
#if BLOCK
#define DIMS 8
#else
#define DIMS (PUSH_RANK < 1 ? 1 : PUSH_RANK < 8 ? PUSH_RANK : 8)
#endif
#define ARGUMENTS \
  ACLVK_ARGUMENTS(STRIDED_ARGUMENTS) ACLVK_ARGUMENTS(OWN_ARGUMENTS) START_INDEX_ARGUMENTS uint dims[DIMS * DIM_WORDS];
#define JOINABLE
#include "common/kernel.glsl"

ACLVK_CONSTANTS(STRIDED_CONSTANTS)
#undef FIRST_CONSTANT
#define FIRST_CONSTANT ACLVK_CONSTANT_COUNT(STRIDED_CONSTANTS)
#include "common/operand_dtypes.glsl"
#define FRAME_CONSTANTS (ACLVK_CONSTANT_COUNT(STRIDED_CONSTANTS) + OPERANDS + 1)
#undef FIRST_CONSTANT
#define FIRST_CONSTANT FRAME_CONSTANTS

// The bytes of an element of each operand, as constant expressions, which drivers fold during specialization.
#define DTYPE(member, name, value, bytes, kind) +(SIZED == value ? uint(bytes) : 0u)
#define SIZED kDtype0
const uint kSize0 = 0u
#include "ops/tensor/dtype.def"
    ;
#undef SIZED
#define SIZED kDtype1
const uint kSize1 = 0u
#include "ops/tensor/dtype.def"
    ;
#undef SIZED
#if OPERANDS > 2
#define SIZED kDtype2
const uint kSize2 = 0u
#include "ops/tensor/dtype.def"
    ;
#undef SIZED
#endif
#if OPERANDS > 3
#define SIZED kDtype3
const uint kSize3 = 0u
#include "ops/tensor/dtype.def"
    ;
#undef SIZED
#endif
#if OPERANDS > 4
#define SIZED kDtype4
const uint kSize4 = 0u
#include "ops/tensor/dtype.def"
    ;
#undef SIZED
#endif
#if OPERANDS > 5
#define SIZED kDtype5
const uint kSize5 = 0u
#include "ops/tensor/dtype.def"
    ;
#undef SIZED
#endif
#undef DTYPE

#include "common/compute.glsl"

// The access modes of an operand, two bits of kAccessModes for each (enum AccessMode of ops/kernel/strided.cpp).
const uint kRepeat = 0;    // one element for all lanes (broadcast)
const uint kVector = 1;    // adjacent elements, aligned
const uint kStrided = 2;   // any stride; the last thread of a row may have fewer lanes
const uint kNotLoaded = 3;  // the shader does not LOAD it: it reads an argument, accesses the operand by itself, or ignores it

// The distributions of elements over lanes (enum LaneLayout of ops/kernel/strided.cpp).
const uint kNest = 0;          // rows of four lanes, any modes
const uint kOneRow = 1;        // one row of a multiple of eight elements; no operand is kStrided
const uint kOneRaggedRow = 2;  // one row of any length, so the last thread has fewer lanes; no operand is kStrided
const uint kSeveralRows = 3;   // several rows of whole vec8s; no operand is kStrided

const uint kLaneLayout = kLaneLayoutAndJoin & 3u;
const bool kJoined = (kLaneLayoutAndJoin & 4u) != 0;  // several launches are one dispatch
#ifdef ACLVK_JOINED
uvec2 own_block = kJoined ? joined_block() : push.address;
#endif

#define LANES 8
const uint kLanes = kLaneLayout == kNest ? 4u : 8u;

uint mode_of(uint operand) { return kAccessModes >> 2 * operand & 3u; }

// The eight lanes of a thread are adjacent, or two quads of four: all first quads of the workgroup, then all second ones. Split quads
// let adjacent threads access adjacent memory (coalescing) when an access has at most 16 bytes.
#if WIDE
const bool kSplitQuads = false;
#elif OPERANDS == 2
const bool kSplitQuads = kLaneLayout == kSeveralRows ? false : kSize0 > 2 || kSize1 > 2;
#elif OPERANDS == 3
const bool kSplitQuads = kLaneLayout == kSeveralRows ? false : kSize0 > 2 || kSize1 > 2 || kSize2 > 2;
#else
const bool kSplitQuads = kLaneLayout != kSeveralRows;
#endif

// The elements of a thread.
struct Lanes {
  uvec2 slots[OPERANDS];  // where the operands are
  uint starts[OPERANDS];  // the first lane's element in each operand
  uint steps[OPERANDS];   // from lane to lane
  uint count;             // valid lanes (kNest), or elements of the row (other forms)
};
Lanes lanes;

// The bits of each lane's element.
uvec4 raw[LANES];

bool find_row_lanes(uint group) {
  const uint first = group * gl_WorkGroupSize.x * 8 + gl_LocalInvocationID.x * (kSplitQuads ? 4 : 8);
  lanes.count = ACLVK_ARGUMENT(dims[0]);
  [[unroll]] for (uint k = 0; k < OPERANDS; ++k) lanes.starts[k] = mode_of(k) == kVector ? first : 0;
  return first < lanes.count;
}

// a / b for a below 2^31. CPU drivers divide integers lane by lane, but multiply floats as vectors. The first float quotient is off by
// some units when it is large, the corrected one by at most one, which the remainder shows.
uint quotient(uint a, uint b) {
  const float per_unit = 1.0 / float(int(b));
  int q = int(float(int(a)) * per_unit);
  q += int(float(int(a) - q * int(b)) * per_unit);
  const int rest = int(a) - q * int(b);
  return uint(q - int(rest < 0) + int(rest >= int(b)));
}

bool find_nest_lanes(uint group) {
  const uint threads = ACLVK_ARGUMENT(threads);
  const uint thread = group * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  const uint last = (kRank - 1) * DIM_WORDS;
  const uint row = ACLVK_ARGUMENT(dims[last]);
  uint rest = thread;
  uint first = thread * kLanes;
  if (kRank > 1) {
    const uint parts = (row + kLanes - 1) / kLanes;
    rest = quotient(thread, parts);
    first = (thread - rest * parts) * kLanes;
  }
  lanes.count = min(kLanes, row - first);
  [[unroll]] for (uint k = 0; k < OPERANDS; ++k) {
    lanes.steps[k] = ACLVK_ARGUMENT(dims[last + 1 + k]);
    lanes.starts[k] = first * lanes.steps[k];
  }
#if INDEXED_OPERANDS
  [[unroll]] for (uint k = 0; k < INDEXED_OPERANDS; ++k) lanes.starts[k] += ACLVK_ARGUMENT(firsts[k]);
#endif
  for (uint dim = kRank - 1; dim > 0; --dim) {
    const uint at = (dim - 1) * DIM_WORDS;
    const uint size = ACLVK_ARGUMENT(dims[at]);
    const uint outer = dim > 1 ? quotient(rest, size) : 0;
    const uint index = rest - outer * size;
    rest = outer;
    [[unroll]] for (uint k = 0; k < OPERANDS; ++k) lanes.starts[k] += index * ACLVK_ARGUMENT(dims[at + 1 + k]);
  }
  return thread < threads;
}

// The number of the workgroup within its launch.
uint group_number() {
#ifdef ACLVK_JOINED
  if (kJoined) return joined_group() >> 16;
#endif
  return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}

bool find_lanes() {
  const uint group = group_number();
  [[unroll]] for (uint k = 0; k < OPERANDS; ++k) lanes.slots[k] = slot_of(k);
  return kLaneLayout == kNest || kLaneLayout == kSeveralRows ? find_nest_lanes(group) : find_row_lanes(group);
}

uint lane_element(uint operand, uint lane) {
  return lanes.starts[operand] + min(lane, lanes.count - 1) * lanes.steps[operand];
}

// The distance of a thread's two quads. In the last workgroup the second one may be past the end of the row.
uint quad_distance() { return kSplitQuads ? gl_WorkGroupSize.x * 4 : 4; }

// Lanes as words, for stores.
uint four_bytes(uint from) {
  uint word = 0;
  [[unroll]] for (uint i = 0; i < 4; ++i) word |= (raw[from + i].x & 0xFFu) << 8 * i;
  return word;
}
uint two_halves(uint from) { return raw[from].x & 0xFFFFu | raw[from + 1].x << 16; }
uvec4 four_words(uint from) {
  return uvec4(raw[from].x, raw[from + 1].x, raw[from + 2].x, raw[from + 3].x);
}

#include "common/single_element.glsl"

// Loads and stores of one element, of an aligned quad, and of an aligned vec8, as bits. Sizes are constants, so one branch remains.
#define ACLVK_LOADS(k)                                                                                             \
  SINGLE_INPUT(k)                                                                                                  \
  void quad_##k(uvec2 slot, uint index, uint size, uint to) {                                                      \
    const uint at = index * size;                                                                                  \
    if (size == 1) {                                                                                               \
      const uint word = word_##k(slot, at);                                                                        \
      [[unroll]] for (uint i = 0; i < 4; ++i) raw[to + i] = uvec4(word >> 8 * i & 0xFFu, 0u, 0u, 0u);              \
    } else if (size == 2) {                                                                                        \
      const uvec2 words = words2_##k(slot, at);                                                                    \
      [[unroll]] for (uint i = 0; i < 4; ++i)                                                                      \
        raw[to + i] = uvec4(words[i / 2] >> 16 * (i & 1u) & 0xFFFFu, 0u, 0u, 0u);                                  \
    } else if (size == 4) {                                                                                        \
      const uvec4 words = words4_##k(slot, at);                                                                    \
      [[unroll]] for (uint i = 0; i < 4; ++i) raw[to + i] = uvec4(words[i], 0u, 0u, 0u);                           \
    } else if (size == 8) {                                                                                        \
      const Words words = words8_##k(slot, at);                                                                    \
      raw[to] = words.low;                                                                                         \
      raw[to + 1] = words.low.zwxy;                                                                                \
      raw[to + 2] = words.high;                                                                                    \
      raw[to + 3] = words.high.zwxy;                                                                               \
    } else {                                                                                                       \
      [[unroll]] for (uint i = 0; i < 4; ++i) raw[to + i] = words4_##k(slot, at + 16 * i);                         \
    }                                                                                                              \
  }                                                                                                                \
  void vec8_##k(uint index, uint size) {                                                                           \
    const uvec2 slot = lanes.slots[k];                                                                             \
    const uint at = index * size;                                                                                  \
    if (kSplitQuads || size > 4) {                                                                                 \
      const uint second = index + quad_distance();                                                                 \
      quad_##k(slot, index, size, 0);                                                                              \
      quad_##k(slot, kSplitQuads || kLaneLayout == kOneRaggedRow ? min(second, lanes.count - 1 & ~3u) : second, size, 4); \
    } else if (size == 1) {                                                                                        \
      const uvec2 words = words2_##k(slot, at);                                                                    \
      [[unroll]] for (uint i = 0; i < 8; ++i) raw[i] = uvec4(words[i / 4] >> 8 * (i & 3u) & 0xFFu, 0u, 0u, 0u);    \
    } else if (size == 2) {                                                                                        \
      const uvec4 words = words4_##k(slot, at);                                                                    \
      [[unroll]] for (uint i = 0; i < 8; ++i) raw[i] = uvec4(words[i / 2] >> 16 * (i & 1u) & 0xFFFFu, 0u, 0u, 0u); \
    } else {                                                                                                       \
      const Words words = words8_##k(slot, at);                                                                    \
      [[unroll]] for (uint i = 0; i < 4; ++i) raw[i] = uvec4(words.low[i], 0u, 0u, 0u);                            \
      [[unroll]] for (uint i = 0; i < 4; ++i) raw[i + 4] = uvec4(words.high[i], 0u, 0u, 0u);                       \
    }                                                                                                              \
  }                                                                                                                \
  void load_##k(out T values[LANES]) {                                                                             \
    const uvec2 slot = lanes.slots[k];                                                                             \
    const uint size = kSize##k;                                                                                    \
    if (mode_of(k) == kVector) {                                                                                   \
      if (kLaneLayout == kNest) quad_##k(slot, lanes.starts[k], size, 0);                                          \
      else vec8_##k(lanes.starts[k], size);                                                                        \
    } else if (mode_of(k) == kStrided) {                                                                           \
      [[unroll]] for (uint i = 0; i < 4; ++i) raw[i] = element_##k(slot, lane_element(k, i), size);                \
    }                                                                                                              \
    if (mode_of(k) == kRepeat) {                                                                                   \
      const T value = decode(element_##k(slot, lanes.starts[k], size), kDtype##k);                                 \
      [[unroll]] for (uint i = 0; i < kLanes; ++i) values[i] = value;                                              \
    } else {                                                                                                       \
      [[unroll]] for (uint i = 0; i < kLanes; ++i) values[i] = decode(raw[i], kDtype##k);                          \
    }                                                                                                              \
  }

#define ACLVK_STORES(k)                                                                                                  \
  SINGLE_OUTPUT(k)                                                                                                       \
  void set_quad_##k(uvec2 slot, uint index, uint size, uint from) {                                                      \
    const uint at = index * size;                                                                                        \
    if (size == 1) {                                                                                                     \
      set_word_##k(slot, at, four_bytes(from));                                                                          \
    } else if (size == 2) {                                                                                              \
      set_words2_##k(slot, at, uvec2(two_halves(from), two_halves(from + 2)));                                           \
    } else if (size == 4) {                                                                                              \
      set_words4_##k(slot, at, four_words(from));                                                                        \
    } else if (size == 8) {                                                                                              \
      set_words8_##k(slot, at, Words(uvec4(raw[from].xy, raw[from + 1].xy), uvec4(raw[from + 2].xy, raw[from + 3].xy))); \
    } else {                                                                                                             \
      [[unroll]] for (uint i = 0; i < 4; ++i) set_words4_##k(slot, at + 16 * i, raw[from + i]);                          \
    }                                                                                                                    \
  }                                                                                                                      \
  void set_vec8_##k(uvec2 slot, uint index, uint size) {                                                                 \
    const uint at = index * size;                                                                                        \
    if (kSplitQuads || size > 4) {                                                                                       \
      set_quad_##k(slot, index, size, 0);                                                                                \
      if (!kSplitQuads || index + quad_distance() < lanes.count) set_quad_##k(slot, index + quad_distance(), size, 4);   \
    } else if (size == 1) {                                                                                              \
      set_words2_##k(slot, at, uvec2(four_bytes(0), four_bytes(4)));                                                     \
    } else if (size == 2) {                                                                                              \
      set_words4_##k(slot, at, uvec4(two_halves(0), two_halves(2), two_halves(4), two_halves(6)));                       \
    } else {                                                                                                             \
      set_words8_##k(slot, at, Words(four_words(0), four_words(4)));                                                     \
    }                                                                                                                    \
  }                                                                                                                      \
  void set_pair_##k(uvec2 slot, uint index, uint size, uvec4 first, uvec4 second) {                                      \
    const uint at = index * size;                                                                                        \
    if (size == 1) {                                                                                                     \
      const uint shift = (base_of(slot) + at & 2u) * 8;                                                                  \
      merge_word_##k(slot, at, 0xFFFFu << shift, (first.x & 0xFFu | second.x << 8 & 0xFF00u) << shift);                  \
    } else if (size == 2) {                                                                                              \
      set_word_##k(slot, at, first.x & 0xFFFFu | second.x << 16);                                                        \
    } else if (size == 4) {                                                                                              \
      set_words2_##k(slot, at, uvec2(first.x, second.x));                                                                \
    } else {                                                                                                             \
      set_words4_##k(slot, at, uvec4(first.xy, second.xy));                                                              \
    }                                                                                                                    \
  }                                                                                                                      \
  void set_ragged_##k(uint start, uint size) {                                                                           \
    const uvec2 slot = lanes.slots[k];                                                                                   \
    const bool first_is_full = start + 4 <= lanes.count;                                                                 \
    if (first_is_full) set_quad_##k(slot, start, size, 0);                                                               \
    const uint at = first_is_full ? start + quad_distance() : start;                                                     \
    uvec4 rest[3];                                                                                                       \
    [[unroll]] for (uint i = 0; i < 3; ++i) rest[i] = first_is_full ? raw[4 + i] : raw[i];                               \
    const uint left = at < lanes.count ? lanes.count - at : 0;                                                           \
    if ((left & 2u) != 0) set_pair_##k(slot, at, size, rest[0], rest[1]);                                                \
    if ((left & 1u) != 0) set_element_##k(slot, at + (left & 2u), size, (left & 2u) != 0 ? rest[2] : rest[0]);           \
  }                                                                                                                      \
  void store_bits_##k() {                                                                                                \
    const uvec2 slot = lanes.slots[k];                                                                                   \
    const uint size = kSize##k;                                                                                          \
    const uint start = lanes.starts[k];                                                                                  \
    if (kLaneLayout == kNest && mode_of(k) == kVector) {                                                                 \
      set_quad_##k(slot, start, size, 0);                                                                                \
    } else if (kLaneLayout == kNest) {                                                                                   \
      [[unroll]] for (uint i = 0; i < 4; ++i) {                                                                          \
        if (i < lanes.count) set_element_##k(slot, lane_element(k, i), size, raw[i]);                                    \
      }                                                                                                                  \
    } else if (kLaneLayout == kOneRow || kLaneLayout == kSeveralRows || start + quad_distance() + 4 <= lanes.count) {    \
      set_vec8_##k(slot, start, size);                                                                                   \
    } else {                                                                                                             \
      set_ragged_##k(start, size);                                                                                       \
    }                                                                                                                    \
  }                                                                                                                      \
  void store_##k(T values[LANES]) {                                                                                      \
    [[unroll]] for (uint i = 0; i < kLanes; ++i) raw[i] = encode(values[i], kDtype##k);                                  \
    store_bits_##k();                                                                                                    \
  }

// The last operand is only stored, the others are only loaded: functions that are never called would still cost compile time.
#define LOAD(k, values) load_##k(values)
#define STORE(k, values) store_##k(values)
#define STORE_BITS(k) store_bits_##k()  // stores the bits in raw
ACLVK_LOADS(0)
#if OPERANDS == 2
ACLVK_STORES(1)
#elif OPERANDS == 3
ACLVK_LOADS(1)
ACLVK_STORES(2)
#elif OPERANDS == 4
ACLVK_LOADS(1)
ACLVK_LOADS(2)
ACLVK_STORES(3)
#elif OPERANDS == 5
ACLVK_LOADS(1)
ACLVK_LOADS(2)
ACLVK_LOADS(3)
ACLVK_STORES(4)
#else
ACLVK_LOADS(1)
ACLVK_LOADS(2)
ACLVK_LOADS(3)
ACLVK_LOADS(4)
ACLVK_STORES(5)
#endif
