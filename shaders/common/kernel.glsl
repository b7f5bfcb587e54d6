// The interface between a kernel and vk_device (vk_device/modules/embedded_shaders.hpp): access to operands and arguments. Each source is
// compiled several times: ADDRESSES is 1 for buffer device addresses and 0 for descriptors, BLOCK is 1 for arguments in memory and 0
// for push constants, WIDE is 1 for 64-bit words. A shader defines, before it includes this:
//
//     OPERANDS       the number of operands (2 to 8); the functions below exist for each operand k
//     OWN_ARGUMENTS  the list of its arguments (common/declare.glsl), which follow the operand slots; a frame defines ARGUMENTS instead
//
// Memory is accessed as 32-bit words for all dtypes, so no driver needs 8- or 16-bit storage (docs/adr/0009). With WIDE two words are
// one 64-bit word, because some CPU drivers pay per component of an access, whatever its width. Byte offsets in an operand are below
// 2^32 (ops/kernel/strided.cpp splits larger operands).
//
//     uvec2 slot_of(k)                                   where operand k is; copy it into a local first
//     uint word_k(slot, byte)                            the word with this byte of the operand
//     uvec2 words2_k, uvec4 words4_k (slot, byte)        8 or 16 bytes, aligned to that
//     Words words8_k(slot, byte)                         32 bytes, aligned to that
//     void set_word_k, set_words2_k, set_words4_k, set_words8_k (slot, byte, value)
//     void merge_word_k(slot, byte, mask, bits)          changes some bits of a word, of which other threads may change others
//     ACLVK_ARGUMENT(member)                             an argument; copy it into a local first
//
// A shader that defines JOINABLE declares uvec2 own_block when ACLVK_JOINED is 1: joined_block() in a joined dispatch, else push.address.

#include "common/declare.glsl"
#ifndef ARGUMENTS
#define ARGUMENTS ACLVK_ARGUMENTS(OWN_ARGUMENTS)
#endif

struct Words {
  uvec4 low;
  uvec4 high;
};

#if WIDE
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#define ACLVK_TWO uint64_t
#define ACLVK_FOUR u64vec2
uvec2 unpack_two(uint64_t two) { return unpackUint2x32(two); }
uvec4 unpack_four(u64vec2 four) { return uvec4(unpackUint2x32(four.x), unpackUint2x32(four.y)); }
uint64_t pack_two(uvec2 words) { return packUint2x32(words); }
u64vec2 pack_four(uvec4 words) { return u64vec2(packUint2x32(words.xy), packUint2x32(words.zw)); }
#else
#define ACLVK_TWO uvec2
#define ACLVK_FOUR uvec4
#define unpack_two(two) (two)
#define unpack_four(four) (four)
#define pack_two(words) (words)
#define pack_four(words) (words)
#endif

#if ADDRESSES
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words1 { uint data[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Words2 { ACLVK_TWO data[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Words4 { ACLVK_FOUR data[]; };
#if WIDE
layout(buffer_reference, std430, buffer_reference_align = 32) buffer Words8 { u64vec4 data[]; };
#endif
#endif

struct Arguments {
  uvec2 slots[OPERANDS];
  ARGUMENTS
};

#if BLOCK && ADDRESSES
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer ArgumentBlock { Arguments arguments; };
layout(push_constant, std430) uniform Push { uvec2 address; } push;
#ifdef JOINABLE
// Several launches of a kernel can be one dispatch (ops/kernel/joined_kernels.cpp). The push constant is then the address of this list: the
// argument blocks of the launches, and for each workgroup its launch and its number within the launch.
#define ACLVK_JOINED 1
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer JoinedLaunches {
  uint first_block;
  uint block_bytes;
  uint groups[];
};
uint group_of_all() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }
uint joined_group() { return JoinedLaunches(push.address).groups[group_of_all()]; }
uvec2 joined_block() {
  JoinedLaunches launches = JoinedLaunches(push.address);
  uint carry;
  const uint low = uaddCarry(push.address.x, launches.first_block + (joined_group() & 0xFFFFu) * launches.block_bytes, carry);
  return uvec2(low, push.address.y + carry);
}
#define ACLVK_BLOCK ArgumentBlock(own_block)
#else
#define ACLVK_BLOCK ArgumentBlock(push.address)
#endif
#elif BLOCK
layout(set = 0, binding = OPERANDS, std430) readonly buffer ArgumentBlock { Arguments arguments; } block;
#define ACLVK_BLOCK block
#else
layout(push_constant, std430) uniform Push { Arguments arguments; } block;
#define ACLVK_BLOCK block
#endif
#define ACLVK_ARGUMENT(member) ACLVK_BLOCK.arguments.member
#define slot_of(k) ACLVK_BLOCK.arguments.slots[k]

#if ADDRESSES
// Slots are addresses. References start at the 32-byte line of the operand's first byte, so that offsets are computed as in the variants
// with descriptors.
uvec2 line_of(uvec2 slot) { return uvec2(slot.x & ~31u, slot.y); }
uint base_of(uvec2 slot) { return slot.x & 31u; }
#define ACLVK_WORDS(k)
#define ACLVK_VIEW1(k) Words1(line_of(slot))
#define ACLVK_VIEW2(k) Words2(line_of(slot))
#define ACLVK_VIEW4(k) Words4(line_of(slot))
#define ACLVK_VIEW8(k) Words8(line_of(slot))
#else
// Slots are byte offsets into the binding, whose start is aligned for all views.
uint base_of(uvec2 slot) { return slot.x; }
#if WIDE
#define ACLVK_WORDS8(k) layout(set = 0, binding = k, std430) buffer Words8_##k { u64vec4 data[]; } words8_in_##k;
#else
#define ACLVK_WORDS8(k)
#endif
#define ACLVK_WORDS(k)                                                                             \
  layout(set = 0, binding = k, std430) buffer Words1_##k { uint data[]; } words1_in_##k;           \
  layout(set = 0, binding = k, std430) buffer Words2_##k { ACLVK_TWO data[]; } words2_in_##k;      \
  layout(set = 0, binding = k, std430) buffer Words4_##k { ACLVK_FOUR data[]; } words4_in_##k;     \
  ACLVK_WORDS8(k)
#define ACLVK_VIEW1(k) words1_in_##k
#define ACLVK_VIEW2(k) words2_in_##k
#define ACLVK_VIEW4(k) words4_in_##k
#define ACLVK_VIEW8(k) words8_in_##k
#endif

#if WIDE
#define ACLVK_LINES(k)                                                                                                \
  Words words8_##k(uvec2 slot, uint at) {                                                                             \
    const u64vec4 line = ACLVK_VIEW8(k).data[(base_of(slot) + at) >> 5];                                              \
    return Words(unpack_four(line.xy), unpack_four(line.zw));                                                         \
  }                                                                                                                   \
  void set_words8_##k(uvec2 slot, uint at, Words value) {                                                             \
    ACLVK_VIEW8(k).data[(base_of(slot) + at) >> 5] = u64vec4(pack_four(value.low), pack_four(value.high));            \
  }
#else
#define ACLVK_LINES(k)                                                                                                \
  Words words8_##k(uvec2 slot, uint at) { return Words(words4_##k(slot, at), words4_##k(slot, at + 16)); }            \
  void set_words8_##k(uvec2 slot, uint at, Words value) {                                                             \
    set_words4_##k(slot, at, value.low);                                                                              \
    set_words4_##k(slot, at + 16, value.high);                                                                        \
  }
#endif

// merge_word uses an atomic exclusive-or, which leaves the other bits as they are even when other threads change them concurrently; a
// plain store would overwrite them.
#define ACLVK_OPERAND(k)                                                                                              \
  ACLVK_WORDS(k)                                                                                                      \
  uint word_##k(uvec2 slot, uint at) { return ACLVK_VIEW1(k).data[(base_of(slot) + at) >> 2]; }                       \
  uvec2 words2_##k(uvec2 slot, uint at) { return unpack_two(ACLVK_VIEW2(k).data[(base_of(slot) + at) >> 3]); }        \
  uvec4 words4_##k(uvec2 slot, uint at) { return unpack_four(ACLVK_VIEW4(k).data[(base_of(slot) + at) >> 4]); }       \
  void set_word_##k(uvec2 slot, uint at, uint value) { ACLVK_VIEW1(k).data[(base_of(slot) + at) >> 2] = value; }      \
  void set_words2_##k(uvec2 slot, uint at, uvec2 value) {                                                             \
    ACLVK_VIEW2(k).data[(base_of(slot) + at) >> 3] = pack_two(value);                                                 \
  }                                                                                                                   \
  void set_words4_##k(uvec2 slot, uint at, uvec4 value) {                                                             \
    ACLVK_VIEW4(k).data[(base_of(slot) + at) >> 4] = pack_four(value);                                                \
  }                                                                                                                   \
  ACLVK_LINES(k)                                                                                                      \
  void merge_word_##k(uvec2 slot, uint at, uint mask, uint bits) {                                                    \
    const uint i = (base_of(slot) + at) >> 2;                                                                         \
    const uint old = ACLVK_VIEW1(k).data[i];                                                                          \
    atomicXor(ACLVK_VIEW1(k).data[i], (old ^ bits) & mask);                                                           \
  }

ACLVK_OPERAND(0)
ACLVK_OPERAND(1)
#if OPERANDS > 2
ACLVK_OPERAND(2)
#endif
#if OPERANDS > 3
ACLVK_OPERAND(3)
#endif
#if OPERANDS > 4
ACLVK_OPERAND(4)
#endif
#if OPERANDS > 5
ACLVK_OPERAND(5)
#endif
#if OPERANDS > 6
ACLVK_OPERAND(6)
#endif
#if OPERANDS > 7
ACLVK_OPERAND(7)
#endif
