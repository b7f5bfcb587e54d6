// Derivatives of activation functions at y, for the classes f32 and f64.

#include "common/math/special.glsl"

// The derivative of y sigmoid(scale y).
T swish_derivative(T y, T scale) {
  const T s = sigmoid_of(scale * y);
  return s * (T(1) + scale * y * (T(1) - s));
}

// The derivative of y tanh(softplus(y)).
T mish_derivative(T y) {
  const T t = tanh_of(softplus_of(y));
  return t + y * sigmoid_of(y) * (T(1) - t * t);
}

// The derivative of GELU, y normal_cdf(y). NaN at infinity, as in PyTorch.
T gelu_derivative(T y) {
  const T density = T(0.39894228040143267794lf) * exp_of(T(-0.5) * y * y);
  return normal_cdf_of(y) + y * density;
}

// The derivative of the tanh approximation of GELU.
T gelu_tanh_derivative(T y) {
  const T scale = T(0.79788456080286535588lf);
  const T cubic = T(0.044715lf);
  const T inner = scale * (y + cubic * y * y * y);
  const T inner_slope = scale * (T(1) + T(3) * cubic * y * y);
  const T s = sigmoid_of(T(2) * inner);  // equals (1 + tanh(inner)) / 2, which would cancel for negative arguments
  const T bend = s * sigmoid_of(T(-2) * inner);
  return s + (bend == T(0) && !isinf(y) ? T(0) : T(2) * y * bend * inner_slope);
}
