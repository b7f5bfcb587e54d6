#version 460
// variants: half_few_64 half_few_256 half_vec4_64 half_vec4_256 half_wide_64 half_wide_256 float_few_64 float_few_256 float_vec4_64 float_vec4_256 float_wide_64 float_wide_256 int_few_64 int_few_256 int_vec4_64 int_vec4_256 int_wide_64 int_wide_256
// z = x in another type, written by hand: the floor of aclnnCast. "half" is float32 to float16, "float" is float16 to
// float32, "int" is float32 to int32. The fastest variant that a device supports counts; "wide" moves 64-bit words and needs shaderInt64.
// The driver's own conversions are used: they may round and saturate differently from aclnnCast.
//
//     bindings           set 0: x, z, each `count` elements, 16-byte aligned ("wide": 32)
//     push constants     uint count
//     items              count / (few: 2 with half and float, 1 with int; 4: vec4; 8: wide); count is a multiple of that
//     grid               groups = ceil(items / local), spread over x and y: y = ceil(groups / 65535), x = ceil(groups / y)
#if defined(VARIANT_half_few_64) || defined(VARIANT_half_vec4_64) || defined(VARIANT_half_wide_64) || \
    defined(VARIANT_float_few_64) || defined(VARIANT_float_vec4_64) || defined(VARIANT_float_wide_64) || \
    defined(VARIANT_int_few_64) || defined(VARIANT_int_vec4_64) || defined(VARIANT_int_wide_64)
layout(local_size_x = 64) in;
#else
layout(local_size_x = 256) in;
#endif

#if defined(VARIANT_half_few_64) || defined(VARIANT_half_few_256)
#define WIDTH 2
#define FROM vec2
#define TO uint
TO convert(FROM x) { return packHalf2x16(x); }

#elif defined(VARIANT_half_vec4_64) || defined(VARIANT_half_vec4_256)
#define WIDTH 4
#define FROM vec4
#define TO uvec2
TO convert(FROM x) { return uvec2(packHalf2x16(x.xy), packHalf2x16(x.zw)); }

#elif defined(VARIANT_half_wide_64) || defined(VARIANT_half_wide_256)
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#define WIDTH 8
#define FROM u64vec4
#define TO u64vec2
uint halves(uint64_t pair) { return packHalf2x16(uintBitsToFloat(unpackUint2x32(pair))); }
TO convert(FROM x) { return TO(packUint2x32(uvec2(halves(x.x), halves(x.y))), packUint2x32(uvec2(halves(x.z), halves(x.w)))); }

#elif defined(VARIANT_float_few_64) || defined(VARIANT_float_few_256)
#define WIDTH 2
#define FROM uint
#define TO vec2
TO convert(FROM x) { return unpackHalf2x16(x); }

#elif defined(VARIANT_float_vec4_64) || defined(VARIANT_float_vec4_256)
#define WIDTH 4
#define FROM uvec2
#define TO vec4
TO convert(FROM x) { return vec4(unpackHalf2x16(x.x), unpackHalf2x16(x.y)); }

#elif defined(VARIANT_float_wide_64) || defined(VARIANT_float_wide_256)
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#define WIDTH 8
#define FROM u64vec2
#define TO u64vec4
uint64_t floats(uint halves) { return packUint2x32(floatBitsToUint(unpackHalf2x16(halves))); }
TO convert(FROM x) {
  const uvec2 low = unpackUint2x32(x.x);
  const uvec2 high = unpackUint2x32(x.y);
  return TO(floats(low.x), floats(low.y), floats(high.x), floats(high.y));
}

#elif defined(VARIANT_int_few_64) || defined(VARIANT_int_few_256)
#define WIDTH 1
#define FROM float
#define TO int
TO convert(FROM x) { return int(x); }

#elif defined(VARIANT_int_vec4_64) || defined(VARIANT_int_vec4_256)
#define WIDTH 4
#define FROM vec4
#define TO ivec4
TO convert(FROM x) { return ivec4(x); }

#else
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#define WIDTH 8
#define FROM u64vec4
#define TO u64vec4
uint64_t whole(uint64_t pair) { return packUint2x32(uvec2(ivec2(uintBitsToFloat(unpackUint2x32(pair))))); }
TO convert(FROM x) { return TO(whole(x.x), whole(x.y), whole(x.z), whole(x.w)); }
#endif

layout(set = 0, binding = 0, std430) readonly buffer X { FROM x[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Z { TO z[]; };
layout(push_constant, std430) uniform Push { uint count; } push;

void main() {
  const uint items = push.count / WIDTH;
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint item = group * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (item < items) z[item] = convert(x[item]);
}
