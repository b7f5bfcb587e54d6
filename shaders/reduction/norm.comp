#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// The rows of ops/reduction/norm.def.

#include "reduction/fold.glsl"
#include "common/math/exponential.glsl"
#include "common/math/power.glsl"

T identity() {
  uint place = 0;
#define FOLD(name, identity, element, combine, result) if (kOperator == place++) return identity;
#include "ops/reduction/norm.def"
#undef FOLD
  return T(0);
}

T element(T x) {
  uint place = 0;
#define FOLD(name, identity, element, combine, result) if (kOperator == place++) return element;
#include "ops/reduction/norm.def"
#undef FOLD
  return x;
}

T combine(T x, T y) {
  uint place = 0;
#define FOLD(name, identity, element, combine, result) if (kOperator == place++) return combine;
#include "ops/reduction/norm.def"
#undef FOLD
  return x;
}

T result(T x) {
  uint place = 0;
#define FOLD(name, identity, element, combine, result) if (kOperator == place++) return result;
#include "ops/reduction/norm.def"
#undef FOLD
  return x;
}
