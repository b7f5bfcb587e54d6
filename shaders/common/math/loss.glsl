// Element-wise losses and their derivatives, for the class f32.

#include "common/math/exponential.glsl"
#include "common/math/logarithm.glsl"

// Smooth L1: quadratic below beta, linear from beta on.
T smooth_distance(T distance, T beta) {
  return distance < beta ? T(0.5) * distance * (distance / beta) : distance - T(0.5) * beta;
}

T smooth_slope(T difference, T beta) {
  const T sign = T(difference > T(0)) - T(difference < T(0));
  return abs(difference) >= beta ? sign : difference / beta;
}

T sign_of_difference(T x, T y) { return T(x > y) - T(x < y); }

// Binary cross entropy: -y log(x) - (1 - y) log(1 - x), with logarithms clamped to -100 as in PyTorch.
T cross_entropy(T x, T y) {
  const T least = T(-100);
  return (y - T(1)) * maximum(log1p_of(-x), least) - y * maximum(log_of(x), least);
}

T cross_entropy_slope(T x, T y) { return (x - y) / maximum((T(1) - x) * x, T(1.0e-12)); }

// Binary cross entropy of x = sigmoid(z), with a factor for y (pos_weight). Written with softplus, which does not cancel.
T logits_cross_entropy(T z, T y, T factor) {
  return (T(1) - y) * softplus_of(z) + factor * y * softplus_of(-z);
}

T logits_cross_entropy_slope(T z, T y, T factor) {
  return (T(1) - y) * sigmoid_of(z) - factor * y * sigmoid_of(-z);
}

// The derivative of logit: NaN outside of [0, 1], and 0 where x is clamped to [eps, 1 - eps].
T logit_slope(T x, T eps) {
  const T slope = T(1) / (x * (T(1) - x));
  const bool outside = eps < T(0) ? x < T(0) || x > T(1) : x < eps || x > T(1) - eps;
  return outside ? (eps < T(0) ? not_a_number() : T(0)) : slope;
}
