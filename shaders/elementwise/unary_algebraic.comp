#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 i32 i64 i64f c64 c128
// The rows of ops/elementwise/unary.def with the topic ALGEBRAIC.

#define UNARY_TOPIC_ALGEBRAIC
#define INPUTS 1
#include "common/pointwise.glsl"
#include "common/arithmetic.glsl"
#include "common/math/algebra.glsl"
#include "common/unary_rows.glsl"
