#version 460
#extension GL_GOOGLE_include_directive : require
// dst = dst OP src, element by element (aclrtReduceAsync): operand 0 is src, operand 1 is dst. Addresses are multiples of
// the element size, and may have different alignments within a word. A thread computes four words of dst.

#include "builtin/reduce.args.h"
#define OPERANDS 2
#define OWN_ARGUMENTS REDUCE_ARGUMENTS
#include "common/kernel.glsl"
#include "common/dtype.glsl"

layout(local_size_x = 64) in;
ACLVK_CONSTANTS(REDUCE_CONSTANTS)

// aclrtReduceKind
const uint kSum = 10, kMax = 11, kMin = 12, kEqual = 13;
const uint kWordsPerThread = 4;

uint mask() { return kBits == 32u ? ~0u : (1u << kBits) - 1u; }

float to_float(uint bits) {
  return kDtype == kFloat ? uintBitsToFloat(bits) : kDtype == kFloat16 ? half_to_float(bits) : bfloat16_to_float(bits);
}

uint from_float(float value) {
  return kDtype == kFloat     ? floatBitsToUint(value)
         : kDtype == kFloat16 ? float_to_half(value)
                              : float_to_bfloat16(value);
}

// Maxima and minima propagate NaN.
uint combine_floats(uint x_bits, uint y_bits) {
  const float x = to_float(x_bits);
  const float y = to_float(y_bits);
  precise float sum = x + y;
  if (kOperation == kSum) return from_float(sum);
  if (kOperation == kMax) return isnan(x) || x > y ? x_bits : y_bits;
  if (kOperation == kMin) return isnan(x) || x < y ? x_bits : y_bits;
  return x == y ? from_float(1.0) : 0u;
}

uint combine_integers(uint x, uint y) {
  const bool is_unsigned = kDtype == kUint8 || kDtype == kUint16 || kDtype == kUint32;
  const bool less = is_unsigned ? x < y : bitfieldExtract(int(x), 0, int(kBits)) < bitfieldExtract(int(y), 0, int(kBits));
  if (kOperation == kSum) return x + y & mask();
  if (kOperation == kMax) return less ? y : x;
  if (kOperation == kMin) return less ? x : y;
  return uint(x == y);
}

uint combine(uint x, uint y) { return is_floating(kDtype) ? combine_floats(x, y) : combine_integers(x, y); }

void main() {
  const uint bytes = ACLVK_ARGUMENT(bytes);
  const uvec2 src = slot_of(0);
  const uvec2 dst = slot_of(1);
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint first = (group * gl_WorkGroupSize.x + gl_LocalInvocationID.x) * kWordsPerThread;
  const uint lead = base_of(dst) & 3u;
  for (uint i = 0; i < kWordsPerThread; ++i) {
    // The offset of the word from the first byte of dst; negative when the first word starts before dst.
    const int start = int((first + i) * 4u) - int(lead);
    if (start >= int(bytes)) return;
    const uint old = word_1(dst, uint(start));
    uint result = 0;
    uint changed = 0;
    for (uint bit = 0; bit < 32u; bit += kBits) {
      const int at = start + int(bit >> 3);
      if (at < 0 || at >= int(bytes)) continue;
      const uint shift = (base_of(src) + uint(at) & 3u) * 8u + (bit & 7u);
      const uint y = word_0(src, uint(at)) >> shift & mask();
      result |= combine(old >> bit & mask(), y) << bit;
      changed |= mask() << bit;
    }
    if (changed == ~0u) {
      set_word_1(dst, uint(start), result);
    } else {
      merge_word_1(dst, uint(start), changed, result);
    }
  }
}
