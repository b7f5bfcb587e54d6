#version 460
// variants: scalar_64 scalar_256 vec4_64 vec4_256 wide_64 wide_256 stride_64 stride_256
// z = x + alpha * y on float32, written by hand for this operation: the floor of aclnnAdd. The fastest variant that a device
// supports counts; "wide" moves eight floats per thread as 64-bit words and needs shaderInt64.
//
//     bindings           set 0: x, y, z, each `count` floats, 16-byte aligned ("wide": 32)
//     push constants     uint count; float alpha
//     items              count / (1: scalar, stride; 4: vec4; 8: wide); count is a multiple of that
//     grid               groups = ceil(items / local), spread over x and y: y = ceil(groups / 65535), x = ceil(groups / y).
//                        "stride" accepts any grid: its threads loop over the items (grid-stride loop)
#if defined(VARIANT_scalar_64) || defined(VARIANT_vec4_64) || defined(VARIANT_wide_64) || defined(VARIANT_stride_64)
layout(local_size_x = 64) in;
#else
layout(local_size_x = 256) in;
#endif

#if defined(VARIANT_wide_64) || defined(VARIANT_wide_256)
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#define ITEM u64vec4
#define WIDTH 8
#elif defined(VARIANT_vec4_64) || defined(VARIANT_vec4_256)
#define ITEM vec4
#define WIDTH 4
#else
#define ITEM float
#define WIDTH 1
#endif

layout(set = 0, binding = 0, std430) readonly buffer X { ITEM x[]; };
layout(set = 0, binding = 1, std430) readonly buffer Y { ITEM y[]; };
layout(set = 0, binding = 2, std430) writeonly buffer Z { ITEM z[]; };
layout(push_constant, std430) uniform Push {
  uint count;
  float alpha;
} push;

ITEM combine(ITEM a, ITEM b, float alpha) {
#if WIDTH == 8
  u64vec4 sums;
  for (int i = 0; i < 4; ++i) {
    sums[i] = packUint2x32(floatBitsToUint(uintBitsToFloat(unpackUint2x32(a[i])) + alpha * uintBitsToFloat(unpackUint2x32(b[i]))));
  }
  return sums;
#else
  return a + alpha * b;
#endif
}

void main() {
  const uint items = push.count / WIDTH;
  const float alpha = push.alpha;
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint item = group * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
#if defined(VARIANT_stride_64) || defined(VARIANT_stride_256)
  const uint step = gl_NumWorkGroups.x * gl_NumWorkGroups.y * gl_WorkGroupSize.x;
  for (uint i = item; i < items; i += step) z[i] = combine(x[i], y[i], alpha);  // iterations: the benchmark's sizes
#else
  if (item < items) z[item] = combine(x[item], y[item], alpha);
#endif
}
