#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 c64 c128
// The rows of ops/elementwise/unary.def with the topic EXPONENTIAL.

#if defined(VARIANT_c64) || defined(VARIANT_c128)
#define LONG_ROWS 1
#endif
#define UNARY_TOPIC_EXPONENTIAL
#define INPUTS 1
#include "common/pointwise.glsl"
#include "common/arithmetic.glsl"
#include "common/math/complex.glsl"
#include "common/unary_rows.glsl"
