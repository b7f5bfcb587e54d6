#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 i32 i64 i64f c64 c128
// The rows of ops/reduction/reduce.def.

#include "reduction/reduce.glsl"
// An early return would add a level of control flow on CPU drivers, even when specialization determines the row.
#define CHOOSE(value) if (kOperator == row_number++) chosen = value;

T identity() {
  uint row_number = 0;
  T chosen = T(0);
#define REDUCE(name, identity, element, combine, result) CHOOSE(identity)
#include "ops/reduction/reduce.def"
#undef REDUCE
  return chosen;
}

T element(T x) {
  uint row_number = 0;
  T chosen = x;
#define REDUCE(name, identity, element, combine, result) CHOOSE(element)
#include "ops/reduction/reduce.def"
#undef REDUCE
  return chosen;
}

T combine(T x, T y) {
  uint row_number = 0;
  T chosen = x;
#define REDUCE(name, identity, element, combine, result) CHOOSE(combine)
#include "ops/reduction/reduce.def"
#undef REDUCE
  return chosen;
}

T result(T x) {
  uint row_number = 0;
  T chosen = x;
#define REDUCE(name, identity, element, combine, result) CHOOSE(result)
#include "ops/reduction/reduce.def"
#undef REDUCE
  return chosen;
}
