// The frame of kernels on matrices that are contiguous in the workspace, row-major, in the dtype of the variant;
// ops/linalg/matrices.cpp is the host's half. Before including it a shader defines OWN_ARGUMENTS, a list as in
// linalg/matrices.args.h, OPERANDS, and THREADS, the size of a work group (else constants set it: OWN_CONSTANTS, with
// LOCAL_SIZE(0)), and SHARED where the threads of a work group cooperate on one matrix: sync() makes their writes
// visible to each other.
//
//     T at_k(slot, index), void set_k(slot, index, value)           an element of operand k; MATRIX(k) defines them
//     T[8] vec8_at_k(slot, index), void set_vec8_k(slot, index, x)  eight elements; index is a multiple of 8. VEC8(k)
//                                                                    defines them for real matrices

#include "common/declare.glsl"
#include "linalg/matrices.args.h"
#ifndef OWN_CONSTANTS
#define OWN_CONSTANTS MATRICES_CONSTANTS
#endif

// The layout comes before the first use of gl_WorkGroupSize, which is 1 until then.
#ifdef THREADS
layout(local_size_x = THREADS) in;
#else
ACLVK_CONSTANTS(OWN_CONSTANTS)
#endif

#ifdef SHARED
#define buffer coherent buffer
void sync() {
  memoryBarrierBuffer();
  barrier();
}
#endif

#include "common/kernel.glsl"
#include "common/bounded_loop.glsl"

#if defined(VARIANT_f32)
const uint kPromoted = 0;
#elif defined(VARIANT_f64)
const uint kPromoted = 11;
#elif defined(VARIANT_c64)
const uint kPromoted = 16;
#else
const uint kPromoted = 17;
#endif

#include "common/compute.glsl"
#include "common/arithmetic.glsl"

#if defined(VARIANT_f32)
#define MATRIX(k)                                                                            \
  T at_##k(uvec2 slot, uint index) { return uintBitsToFloat(word_##k(slot, 4 * index)); }    \
  void set_##k(uvec2 slot, uint index, T value) { set_word_##k(slot, 4 * index, floatBitsToUint(value)); }
#elif defined(VARIANT_f64)
#define MATRIX(k)                                                                            \
  T at_##k(uvec2 slot, uint index) { return packDouble2x32(words2_##k(slot, 8 * index)); }   \
  void set_##k(uvec2 slot, uint index, T value) { set_words2_##k(slot, 8 * index, unpackDouble2x32(value)); }
#elif defined(VARIANT_c64)
#define MATRIX(k)                                                                            \
  T at_##k(uvec2 slot, uint index) { return uintBitsToFloat(words2_##k(slot, 8 * index)); }  \
  void set_##k(uvec2 slot, uint index, T value) { set_words2_##k(slot, 8 * index, floatBitsToUint(value)); }
#else
#define MATRIX(k)                                                                            \
  T at_##k(uvec2 slot, uint index) {                                                         \
    const uvec4 words = words4_##k(slot, 16 * index);                                        \
    return T(packDouble2x32(words.xy), packDouble2x32(words.zw));                            \
  }                                                                                          \
  void set_##k(uvec2 slot, uint index, T value) {                                            \
    set_words4_##k(slot, 16 * index, uvec4(unpackDouble2x32(value.x), unpackDouble2x32(value.y))); \
  }
#endif

#if defined(VARIANT_f32)
#define VEC8(k)                                                                            \
  T[8] vec8_at_##k(uvec2 slot, uint index) {                                                \
    const Words words = words8_##k(slot, 4 * index);                                         \
    const vec4 low = uintBitsToFloat(words.low);                                             \
    const vec4 high = uintBitsToFloat(words.high);                                           \
    return T[8](low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w);                 \
  }                                                                                          \
  void set_vec8_##k(uvec2 slot, uint index, T x[8]) {                                       \
    set_words8_##k(slot, 4 * index, Words(floatBitsToUint(vec4(x[0], x[1], x[2], x[3])),     \
                                          floatBitsToUint(vec4(x[4], x[5], x[6], x[7]))));   \
  }
#elif defined(VARIANT_f64)
uvec4 words_of_two(T x, T y) { return uvec4(unpackDouble2x32(x), unpackDouble2x32(y)); }
#define VEC8(k)                                                                            \
  T[8] vec8_at_##k(uvec2 slot, uint index) {                                                \
    const Words first = words8_##k(slot, 8 * index);                                         \
    const Words second = words8_##k(slot, 8 * index + 32);                                   \
    return T[8](packDouble2x32(first.low.xy), packDouble2x32(first.low.zw),                  \
                packDouble2x32(first.high.xy), packDouble2x32(first.high.zw),                \
                packDouble2x32(second.low.xy), packDouble2x32(second.low.zw),                \
                packDouble2x32(second.high.xy), packDouble2x32(second.high.zw));             \
  }                                                                                          \
  void set_vec8_##k(uvec2 slot, uint index, T x[8]) {                                       \
    set_words8_##k(slot, 8 * index, Words(words_of_two(x[0], x[1]), words_of_two(x[2], x[3])));      \
    set_words8_##k(slot, 8 * index + 32, Words(words_of_two(x[4], x[5]), words_of_two(x[6], x[7]))); \
  }
#endif

#if COMPLEX_CLASS
T real_number(R x) { return T(x, R(0)); }
T conjugated(T x) { return T(x.x, -x.y); }
R real_part(T x) { return x.x; }
R imaginary_part(T x) { return x.y; }
R size_of_number(T x) { return abs(x.x) + abs(x.y); }
#else
T real_number(R x) { return x; }
T conjugated(T x) { return x; }
R real_part(T x) { return x; }
R imaginary_part(T x) { return R(0); }
R size_of_number(T x) { return abs(x); }
#endif

uint group_number() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }
uint thread_number() { return group_number() * gl_WorkGroupSize.x + gl_LocalInvocationID.x; }
