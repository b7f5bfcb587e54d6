// Functions of two reals that use logarithms, for the classes f32 and f64.

#include "common/math/exponential.glsl"
#include "common/math/trigonometric.glsl"

// x * log(y) as in xlogy: 0 when x is 0, unless y is NaN.
T times_log(T x, T logarithm, T y) { return isnan(y) ? y : x == T(0) ? T(0) : x * logarithm; }

// log(e^x + e^y), with the larger argument factored out. Equal infinities are handled separately: their difference is NaN.
T log_add_exp(T x, T y) {
  const T larger = maximum(x, y);
  return x == y && isinf(x) ? x : larger + log1p_of(exp_of(-abs(x - y)));
}

T log_add_exp2(T x, T y) {
  const T larger = maximum(x, y);
  return x == y && isinf(x) ? x : larger + log1p_of(exp2_of(-abs(x - y))) * kLog2E;
}
