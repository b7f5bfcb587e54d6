// What is made of logarithms and angles of two reals, for the classes f32 and f64.

#include "common/math/exponential.glsl"
#include "common/math/trigonometric.glsl"

// 0 times the logarithm of anything but NaN is 0.
T times_log(T x, T logarithm, T y) { return isnan(y) ? y : x == T(0) ? T(0) : x * logarithm; }

// log(e^x + e^y) from the larger one; infinities that are equal have no difference.
T log_add_exp(T x, T y) {
  const T larger = maximum(x, y);
  return x == y && isinf(x) ? x : larger + log1p_of(exp_of(-abs(x - y)));
}

T log_add_exp2(T x, T y) {
  const T larger = maximum(x, y);
  return x == y && isinf(x) ? x : larger + log1p_of(exp2_of(-abs(x - y))) * kLog2E;
}
