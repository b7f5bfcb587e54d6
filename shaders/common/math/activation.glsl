// Activation functions of reals.

#ifndef ACLVK_MATH_ACTIVATION
#define ACLVK_MATH_ACTIVATION

#include "common/math/exponential.glsl"

const R kSeluAlpha = R(1.6732632423543772848170429916717lf);
const R kSeluScale = R(1.0507009873554804934193349852946lf);

R elu_of(R x, R alpha, R scale, R input_scale) { return x > R(0) ? scale * x : scale * alpha * expm1_of(input_scale * x); }

// x tanh(log(1 + e^x)) = x n / (n + 2) with n = e^x (e^x + 2): needs one exponential.
R mish_of(R x) {
  const R e = exp_of(min(x, R(24)));
  const R n = e * (e + R(2));
  return isnan(x) ? x : x > R(24) ? x : x * (n / (n + R(2)));
}

// The argument of tanh in the tanh approximation of GELU.
R gelu_slope(R x) { return R(0.7978845608028653558798lf) * (x + R(0.044715lf) * x * x * x); }

// log(x / (1 - x)). Near 1/2 the quotient is close to 1, and x - (1 - x) is exact, so log1p of the difference keeps all digits.
R logit_of(R x) {
  precise R rest = R(1) - x;
  precise R distance = x - rest;
  return x < R(0.25) ? log_of(x) - log1p_of(-x) : log1p_of(distance / rest);
}

#endif
