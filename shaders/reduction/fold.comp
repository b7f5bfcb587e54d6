#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 i32 i64 i64f c64 c128
// The rows of ops/reduction/fold.def.

#include "reduction/fold.glsl"
T identity() {
  uint place = 0;
#define FOLD(name, identity, element, combine, result) if (kOperator == place++) return identity;
#include "ops/reduction/fold.def"
#undef FOLD
  return T(0);
}

T element(T x) {
  uint place = 0;
#define FOLD(name, identity, element, combine, result) if (kOperator == place++) return element;
#include "ops/reduction/fold.def"
#undef FOLD
  return x;
}

T combine(T x, T y) {
  uint place = 0;
#define FOLD(name, identity, element, combine, result) if (kOperator == place++) return combine;
#include "ops/reduction/fold.def"
#undef FOLD
  return x;
}

T result(T x) {
  uint place = 0;
#define FOLD(name, identity, element, combine, result) if (kOperator == place++) return result;
#include "ops/reduction/fold.def"
#undef FOLD
  return x;
}
