// Mean and variance of a row in one pass. The state is the count, the mean, and M2, the sum of squared differences from the mean;
// states are joined by the formula of Chan, Golub & LeVeque (1979). A thread subtracts its first element from all others, which keeps
// digits when the mean is large compared with the variance. The shader defines load_moments(at, n, x), which loads elements.

struct State {
  T count;
  T mean;
  T m2;
};

State nothing() { return State(T(0), T(0), T(0)); }

State join(State x, State y) {
  const T count = x.count + y.count;
  const T fraction = count > T(0) ? y.count / count : T(0);
  const T delta = y.mean - x.mean;
  const State both = State(count, x.mean + delta * fraction, x.m2 + y.m2 + delta * delta * x.count * fraction);
  return State(count, y.count == T(0) ? x.mean : x.count == T(0) ? y.mean : both.mean,
               y.count == T(0) ? x.m2 : x.count == T(0) ? y.m2 : both.m2);
}

uvec4 words_of(State s) { return uvec4(floatBitsToUint(s.count), floatBitsToUint(s.mean), floatBitsToUint(s.m2), 0u); }
State state_of(uvec4 words) {
  return State(uintBitsToFloat(words.x), uintBitsToFloat(words.y), uintBitsToFloat(words.z));
}

State running;  // of elements minus `origin`
T origin;

T sum_of(T values[8]) {
  return ((values[0] + values[4]) + (values[2] + values[6])) + ((values[1] + values[5]) + (values[3] + values[7]));
}

void add_moments(T x[8], const uint n) {
  if (running.count == T(0)) origin = x[0];
  [[unroll]] for (uint i = 0; i < 8; ++i) x[i] = i < n ? x[i] - origin : T(0);
  const T mean = sum_of(x) * (T(1) / T(n));
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    const T distance = x[i] - mean;
    x[i] = i < n ? distance * distance : T(0);
  }
  const T count = running.count + T(n);
  const T fraction = T(n) / count;
  const T delta = mean - running.mean;
  running.m2 += sum_of(x) + delta * delta * running.count * fraction;
  running.mean += delta * fraction;
  running.count = count;
}

void accumulate_moments(uint at, const uint n) {
  T x[8];
  load_moments(at, n, x);
  add_moments(x, n);
}

State state_of_elements() {
  running = nothing();
  origin = T(0);
  SWEEP(accumulate_moments)
  return State(running.count, origin + running.mean, running.m2);
}
