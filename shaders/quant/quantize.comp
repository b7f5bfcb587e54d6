#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// Quantisation: z = activation(x) * scale + offset, or activation(x) / scale + offset. Integers and 8-bit floats are rounded to nearest
// even and saturate. Scale and offset are operands that broadcast, or arguments.

#include "quant/quantize.args.h"
#define FLOAT8
#define OPERANDS 4
#define OWN_ARGUMENTS QUANTIZE_ARGUMENTS
#include "common/strided.glsl"
#include "common/arithmetic.glsl"
#include "common/math/activation.glsl"
#include "common/math/special.glsl"

ACLVK_CONSTANTS(QUANTIZE_CONSTANTS)
const uint kGelu = 1, kGeluTanh = 2;

T activation_of(T x) {
  T z = x;
  if (kActivation == kGelu) z = mul(x, normal_cdf_of(x));
  if (kActivation == kGeluTanh) z = mul(x, sigmoid_of(T(2) * gelu_slope(x)));
  return z;
}

// Rounds integers, and clamps 8-bit floats to their largest finite value. encode() saturates integers.
T quantized(T x) {
  const T most = kDtype3 == kFloat8E5M2 ? T(57344) : T(448);
  return is_floating(kDtype3) ? x : is_float8(kDtype3) ? (isnan(x) ? x : clamp(x, -most, most)) : roundEven(x);
}

T scaled_by(T x, T scale) {
  if (!kDivides) return mul(x, scale);
  return kKeepsZeros && x == T(0) && scale == T(0) ? T(0) : div(x, scale);
}

#define LOAD_OR(k, values, otherwise)                                    \
  if (mode_of(k) == kNotLoaded) {                                        \
    [[unroll]] for (uint i = 0; i < kLanes; ++i) values[i] = otherwise;  \
  } else {                                                               \
    LOAD(k, values);                                                     \
  }

void main() {
  const T one_scale = ACLVK_ARGUMENT(scale);
  const T one_offset = ACLVK_ARGUMENT(offset);
  if (!find_lanes()) return;
  T x[LANES];
  T scale[LANES];
  T offset[LANES];
  LOAD(0, x);
  LOAD_OR(1, scale, one_scale)
  LOAD_OR(2, offset, one_offset)
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    const T activated = activation_of(x[i]);
    x[i] = quantized(add(scaled_by(activated, scale[i]), offset[i]));
  }
  STORE(3, x);
}
