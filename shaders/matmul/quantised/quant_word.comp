#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// Converts between the parts of quant words (ops/matmul/quantised/quant_word.hpp) and floats: the lower half is a float scale of 19 bits;
// the upper half has nine bits of an integer offset and a bit that is always set.

#include "matmul/quantised/quant_word.args.h"
#define OPERANDS 2
#include "common/strided.glsl"

ACLVK_CONSTANTS(QUANT_WORD_CONSTANTS)
const uint kCutScale = 0, kRoundedScale = 1, kUpperHalf = 2, kOffset = 3;

const uint kDropped = 0x1FFFu;

T scale_of(T x) {
  const uint bits = floatBitsToUint(x);
  // Infinities and NaN are truncated: rounding would carry into their exponent.
  const bool rounds = kPart == kRoundedScale && (bits & 0x7F800000u) != 0x7F800000u;
  return uintBitsToFloat((rounds ? bits + 0xFFFu + (bits >> 13 & 1u) : bits) & ~kDropped);
}

// The result is an integer below 2^15, exact in a float.
T upper_half_of(T x) { return T((uint(int(clamp(roundEven(x), T(-256), T(255)))) & 0x1FFu) << 5 | 0x4000u); }
T offset_of(T half_word) { return T(bitfieldExtract(int(half_word), 5, 9)); }

void main() {
  if (!find_lanes()) return;
  T x[LANES];
  LOAD(0, x);
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    x[i] = kPart == kOffset ? offset_of(x[i]) : kPart == kUpperHalf ? upper_half_of(x[i]) : scale_of(x[i]);
  }
  STORE(1, x);
}
