// z = operator(x): the frame of the kernels for ops/elementwise/unary.def, one for each topic of that table. A shader defines
// ROW_<topic>(value) as SELECT(value) before it includes this, includes what its rows are made of, and then the table:
//
//     ROWS
//
// a, b and c are the operator's scalars. Rows are chosen one behind the other rather than by early returns, each of which would
// cost the driver's compiler a level of control flow.

#define OPERANDS 2
#define FAMILY_WORDS 6
#define FAMILY_ARGUMENTS uint scalars[6];
#include "common/strided.glsl"
#include "common/arithmetic.glsl"

layout(constant_id = FIRST_CONSTANT + 1) const uint kOperator = 0;

T apply(T x, T a, T b, T c);

T argument(uint index) {
  return value_of(uvec4(ACLVK_ARGUMENT(scalars[2 * index]), ACLVK_ARGUMENT(scalars[2 * index + 1]), 0u, 0u));
}

void main() {
  const T a = argument(0);
  const T b = argument(1);
  const T c = argument(2);
  if (!find_lanes()) return;
  T x[LANES];
  LOAD(0, x);
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    const T z = apply(x[i], a, b, c);
    x[i] = kDtype1 == kPromoted ? z : narrow(z);  // encoding rounds to its own dtype
  }
  STORE(1, x);
}
