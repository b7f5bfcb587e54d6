#version 450
// A kernel of the tests of vk_device, written without shaders/common: y[i] = a * x[i] + y[i] + extra.
// Compiled in all variants of a module, see src/vk_device/modules/embedded_shaders.hpp.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require

layout(local_size_x = 64) in;
layout(constant_id = 0) const uint kExtra = 0;

struct Arguments {
  uvec2 x;
  uvec2 y;
  uint count;
  float a;
  uint padding[32];  // only sent by the tests that want a long block
};

#if ADDRESSES
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Floats { float data[]; };
#else
layout(set = 0, binding = 0, std430) readonly buffer X { float x[]; };
layout(set = 0, binding = 1, std430) buffer Y { float y[]; };
#endif

#if BLOCK && ADDRESSES
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Block { Arguments arguments; };
layout(push_constant) uniform Push { uvec2 block; } push;
#define ARGUMENT(member) Block(push.block).arguments.member
#elif BLOCK
layout(set = 0, binding = 2, std430) readonly buffer Block { Arguments arguments; } block;
#define ARGUMENT(member) block.arguments.member
#else
layout(push_constant, std430) uniform Block { uvec2 x; uvec2 y; uint count; float a; } block;
#define ARGUMENT(member) block.member
#endif

void main() {
  const uint i = gl_GlobalInvocationID.x;
  const float a = ARGUMENT(a);
  const uvec2 x_slot = ARGUMENT(x);
  const uvec2 y_slot = ARGUMENT(y);
  if (i >= ARGUMENT(count)) return;
#if ADDRESSES
  Floats(y_slot).data[i] += a * Floats(x_slot).data[i] + float(kExtra);
#else
  y[y_slot.x / 4 + i] += a * x[x_slot.x / 4 + i] + float(kExtra);
#endif
}
