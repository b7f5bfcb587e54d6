// The row kOperator of ops/reduction/norm.def. Before it includes this, a shader defines
//
//     T argument            the exponent
//     uint kOperator        the row
//     T highest()           infinity
//
// and includes common/arithmetic.glsl.

#include "common/math/exponential.glsl"
#include "common/math/power.glsl"

// An early return would add a level of control flow on CPU drivers, even when specialization determines the row.
#define CHOOSE(value) if (kOperator == row_number++) chosen = value;

T identity() {
  uint row_number = 0;
  T chosen = T(0);
#define REDUCE(name, identity, element, combine, result) CHOOSE(identity)
#include "ops/reduction/norm.def"
#undef REDUCE
  return chosen;
}

T element(T x) {
  uint row_number = 0;
  T chosen = x;
#define REDUCE(name, identity, element, combine, result) CHOOSE(element)
#include "ops/reduction/norm.def"
#undef REDUCE
  return chosen;
}

T combine(T x, T y) {
  uint row_number = 0;
  T chosen = x;
#define REDUCE(name, identity, element, combine, result) CHOOSE(combine)
#include "ops/reduction/norm.def"
#undef REDUCE
  return chosen;
}

T result(T x) {
  uint row_number = 0;
  T chosen = x;
#define REDUCE(name, identity, element, combine, result) CHOOSE(result)
#include "ops/reduction/norm.def"
#undef REDUCE
  return chosen;
}
