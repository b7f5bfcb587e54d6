// z = operator(x): the frame of the kernels for ops/elementwise/unary.def, one for each topic of that table. A shader defines
// UNARY_TOPIC_<topic> before it includes this, and includes what its rows are made of and common/unary_rows.glsl behind it;
// and LONG_ROWS as 1 if its rows take the driver so long to compile that eight copies, one for each lane, are too many.
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

#ifdef LONG_ROWS
#define EACH_LANE [[dont_unroll]]
#else
#define EACH_LANE [[unroll]]
#endif

void main() {
  const T a = argument(0);
  const T b = argument(1);
  const T c = argument(2);
  if (!find_lanes()) return;
  T x[LANES];
  LOAD(0, x);
  EACH_LANE for (uint i = 0; i < kLanes; ++i) {
    const T z = apply(x[i], a, b, c);
    x[i] = kDtype1 == kPromoted ? z : narrow(z);  // encoding rounds to its own dtype
  }
  STORE(1, x);
}
