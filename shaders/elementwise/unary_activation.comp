#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// The rows of ops/elementwise/unary.def with the topic ACTIVATION.

#define UNARY_TOPIC_ACTIVATION
#define INPUTS 1
#include "common/pointwise.glsl"
#include "common/arithmetic.glsl"
#include "common/math/activation.glsl"
#include "common/unary_rows.glsl"
