#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// Variance (kOperator 0) or standard deviation (1), and mean. The argument is subtracted from the number of elements.

#include "reduction/reduction.args.h"
#define OPERANDS 3
#define OWN_ARGUMENTS REDUCTION_ARGUMENTS
#include "common/rows.glsl"

ROW_INPUT(0)
ROW_OUTPUT(1)
ROW_OUTPUT(2)

ACLVK_CONSTANTS(REDUCTION_CONSTANTS)
#undef FIRST_CONSTANT
#define FIRST_CONSTANT (FRAME_CONSTANTS + ACLVK_CONSTANT_COUNT(REDUCTION_CONSTANTS))
ACLVK_CONSTANTS(OUTPUTS_CONSTANTS)

T argument;

void load_moments(uint at, const uint n, out T x[8]) { LOAD(0, at, n, x); }

#include "common/moments.glsl"

void finish(State s) {
  const T nan = uintBitsToFloat(0x7FC00000u);
  const T degrees = max(s.count - argument, T(0));
  // 0 / 0 is NaN and x / 0 infinite, independent of the driver's division. NaN without elements, whatever the correction.
  const T spread = degrees > T(0) ? s.m2 / degrees : s.m2 > T(0) ? uintBitsToFloat(0x7F800000u) : nan;
  const T variance = s.count == T(0) ? nan : spread;
  if ((kOutputs & 1u) != 0) STORE_ONE(1, encode(kOperator == 1 ? sqrt(variance) : variance, kDtype1));
  if ((kOutputs & 2u) != 0) STORE_ONE(2, encode(s.count == T(0) ? nan : s.mean, kDtype2));
}

#include "reduction/reduction.glsl"
