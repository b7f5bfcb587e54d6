#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// The rows of ops/elementwise/unary.def with the topic HYPERBOLIC.

#define UNARY_TOPIC_HYPERBOLIC
#define INPUTS 1
#include "common/pointwise.glsl"
#include "common/arithmetic.glsl"
#include "common/math/exponential.glsl"
#include "common/unary_rows.glsl"
