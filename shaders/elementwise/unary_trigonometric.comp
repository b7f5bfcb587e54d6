#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 c64 c128
// The rows of ops/elementwise/unary.def with the topic TRIGONOMETRIC.

#define LONG_ROWS 1
#define UNARY_TOPIC_TRIGONOMETRIC
#define INPUTS 1
#include "common/pointwise.glsl"
#include "common/arithmetic.glsl"
#include "common/math/complex.glsl"
#include "common/unary_rows.glsl"
