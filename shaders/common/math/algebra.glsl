// Negation, absolute value and sign, for each compute class.

#ifndef ACLVK_MATH_ALGEBRA
#define ACLVK_MATH_ALGEBRA

#if INTEGER_CLASS

T neg_of(T x) { return T(0) - x; }
T abs_of(T x) { return x < T(0) ? T(0) - x : x; }
T sign_of(T x) { return T(x > T(0)) - T(x < T(0)); }

#else

#include "common/math/complex.glsl"

#endif
#endif
