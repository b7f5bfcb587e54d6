// Threads next to each other load an element each and hand them around: loads are what a driver for CPUs pays for.

#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

layout(constant_id = 1) const uint kLanes = 8;  // the threads that do so; at most 8

uint lane() { return gl_SubgroupInvocationID & kLanes - 1; }

// What another of them has. Drivers need not hand around 64 bits at once.
#if defined(VARIANT_f64)
T shuffled(T mine, uint thread) {
  return kLanes == 1 ? mine : packDouble2x32(subgroupShuffle(unpackDouble2x32(mine), thread));
}
#else
T shuffled(T mine, uint thread) { return kLanes == 1 ? mine : subgroupShuffle(mine, thread); }
#endif
