#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 i32 i64 i64f
// The rows of ops/elementwise/unary.def with the topic STEPWISE.

#define UNARY_TOPIC_STEPWISE
#define INPUTS 1
#include "common/pointwise.glsl"
#include "common/arithmetic.glsl"
#include "common/math/rounding.glsl"
#include "common/unary_rows.glsl"
