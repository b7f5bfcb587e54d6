#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : enable
// variants: f32 f64
// The matrix of a windowed discrete Fourier transform: element (n, f) is window[n] * e^(-2 pi i n f / size) * scale,
// real parts in operand 1 and imaginary parts in operand 2 (size x frequencies both). The window (operand 0) has `taps`
// elements, centred and surrounded by zeros; without one it is 1. One thread an element. n f is reduced modulo size in
// integers, so that the angle has no rounding error however large n f is.

#include "linalg/dft.args.h"
#define OPERANDS 3
#define OWN_ARGUMENTS DFT_ARGUMENTS
#include "common/kernel.glsl"

layout(local_size_x = 64) in;
ACLVK_CONSTANTS(DFT_CONSTANTS)

#if defined(VARIANT_f64)
#define DTYPE_OF_R 11
#else
#define DTYPE_OF_R 0
#endif
const uint kPromoted = DTYPE_OF_R;
#include "common/compute.glsl"
#include "common/math/trigonometric.glsl"

#if defined(VARIANT_f64)
R number_0(uvec2 slot, uint index) { return packDouble2x32(words2_0(slot, 8 * index)); }
void set_number_1(uvec2 slot, uint index, R value) { set_words2_1(slot, 8 * index, unpackDouble2x32(value)); }
void set_number_2(uvec2 slot, uint index, R value) { set_words2_2(slot, 8 * index, unpackDouble2x32(value)); }
R scale_of(uint low, uint high) { return packDouble2x32(uvec2(low, high)); }
#else
R number_0(uvec2 slot, uint index) { return uintBitsToFloat(word_0(slot, 4 * index)); }
void set_number_1(uvec2 slot, uint index, R value) { set_word_1(slot, 4 * index, floatBitsToUint(value)); }
void set_number_2(uvec2 slot, uint index, R value) { set_word_2(slot, 4 * index, floatBitsToUint(value)); }
R scale_of(uint low, uint high) { return uintBitsToFloat(low); }
#endif

void main() {
  const uint size = ACLVK_ARGUMENT(size);
  const uint frequencies = ACLVK_ARGUMENT(frequencies);
  const uint taps = ACLVK_ARGUMENT(taps);
  const uint first = ACLVK_ARGUMENT(first);
  const R scale = scale_of(ACLVK_ARGUMENT(scale_low), ACLVK_ARGUMENT(scale_high));
  const uvec2 window_slot = slot_of(0);
  const uvec2 real_slot = slot_of(1);
  const uvec2 imaginary_slot = slot_of(2);
  const uint element = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  const uint n = element / frequencies;
  if (n >= size) return;
  // Four times the phase is a quadrant and a remainder. Beyond the middle of a quadrant sin and cos are swapped, so
  // that the polynomials see angles up to pi / 4.
  const uint phase = n * (element - n * frequencies) % size * 4u;
  const uint quadrant = phase / size;
  const uint rest = phase - quadrant * size;
  const bool late = 2u * rest > size;
  const R angle = R(late ? size - rest : rest) / R(size) * (kPi / R(2));
  const R s = sin_near(angle);
  const R c = cos_near(angle);
  const R sine = late ? c : s;
  const R cosine = late ? s : c;
  const bool swapped = (quadrant & 1u) != 0u;
  const R re = (quadrant + 1u & 2u) != 0u ? -(swapped ? sine : cosine) : (swapped ? sine : cosine);
  const R im = (quadrant & 2u) != 0u ? (swapped ? cosine : sine) : -(swapped ? cosine : sine);
  const uint at = n - first;  // wraps around where n < first
  const bool inside = at < taps;
  R window_re = inside ? scale : R(0);
  R window_im = R(0);
  if (kWindow == 1u && inside) window_re = scale * number_0(window_slot, at);
  if (kWindow == 2u && inside) {
    window_re = scale * number_0(window_slot, 2u * at);
    window_im = scale * number_0(window_slot, 2u * at + 1u);
  }
  set_number_1(real_slot, element, window_re * re - window_im * im);
  set_number_2(imaginary_slot, element, window_re * im + window_im * re);
}
