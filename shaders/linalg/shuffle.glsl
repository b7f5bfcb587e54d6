// Neighbouring threads each load one element and share it by subgroup shuffles, because on CPU drivers loads are the
// expensive instruction and a shuffle is nearly free (docs/adr/0024). A shader declares the constant kLanes, how many share; at most 8.

#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

uint lane() { return gl_SubgroupInvocationID & kLanes - 1; }

// The value of another of these threads. Drivers need not support shuffles of 64-bit types, so a double is shuffled as
// two words.
#if defined(VARIANT_f64)
T shuffled(T mine, uint thread) {
  return kLanes == 1 ? mine : packDouble2x32(subgroupShuffle(unpackDouble2x32(mine), thread));
}
#else
T shuffled(T mine, uint thread) { return kLanes == 1 ? mine : subgroupShuffle(mine, thread); }
#endif
