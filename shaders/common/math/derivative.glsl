// Gradients of activations that need exponentials: the derivative at y, for the classes f32 and f64.

#include "common/math/special.glsl"

// Of y sigmoid(scale y).
T swish_derivative(T y, T scale) {
  const T s = sigmoid_of(scale * y);
  return s * (T(1) + scale * y * (T(1) - s));
}

// Of y tanh(softplus(y)).
T mish_derivative(T y) {
  const T t = tanh_of(softplus_of(y));
  return t + y * sigmoid_of(y) * (T(1) - t * t);
}

// Of y times the normal distribution. At infinity NaN, as the product is in PyTorch.
T gelu_derivative(T y) {
  const T density = T(0.39894228040143267794lf) * exp_of(T(-0.5) * y * y);
  return normal_cdf_of(y) + y * density;
}

// Of its approximation with tanh.
T gelu_tanh_derivative(T y) {
  const T scale = T(0.79788456080286535588lf);
  const T cubic = T(0.044715lf);
  const T inner = scale * (y + cubic * y * y * y);
  const T inner_slope = scale * (T(1) + T(3) * cubic * y * y);
  const T s = sigmoid_of(T(2) * inner);  // (1 + tanh(inner)) / 2, which cancels below 0
  const T bend = s * sigmoid_of(T(-2) * inner);
  return s + (bend == T(0) && !isinf(y) ? T(0) : T(2) * y * bend * inner_slope);
}
