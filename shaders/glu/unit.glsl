// Functions for the rows of ops/glu/glu.def, and the specialization constant that selects a row.

#include "common/arithmetic.glsl"
#include "common/math/activation.glsl"
#include "common/math/derivative.glsl"
#include "common/math/order.glsl"

ACLVK_CONSTANTS(UNIT_CONSTANTS)
#undef FIRST_CONSTANT
#define FIRST_CONSTANT (FRAME_CONSTANTS + ACLVK_CONSTANT_COUNT(UNIT_CONSTANTS))

T swish_up_to(T x, T alpha, T limit) {
  const T low = minimum(x, limit);
  return mul(low, sigmoid_of(mul(alpha, low)));
}
