#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 i32 i64 i64f c64 c128
// z = x converted to another dtype. kPromoted is the dtype of x, or FLOAT for 8-bit floats. Bit-exact copies of any dtype run as UINT8,
// UINT16 or UINT32 in the class i32.

#define FLOAT8
#define OPERANDS 2
#include "common/strided.glsl"

void main() {
  if (!find_lanes()) return;
  T x[LANES];
  LOAD(0, x);
  STORE(1, x);
}
