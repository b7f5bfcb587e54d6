#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// The rows of ops/reduction/norm.def.

#include "reduction/reduce.glsl"
#include "reduction/norm.glsl"
