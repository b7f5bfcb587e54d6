// The state of reductions that need mean and variance: count, mean, and the sum of squared distances from it. A chunk is read
// twice, for its mean and for the distances, which loses no digits where the mean is far from 0; chunks are joined by Chan's
// formula. The shader defines load_moments(at, n, x), which gives the elements.

struct State {
  T count;
  T mean;
  T distances;
};

State nothing() { return State(T(0), T(0), T(0)); }

State join(State x, State y) {
  const T count = x.count + y.count;
  const T share = count > T(0) ? y.count / count : T(0);
  const T apart = y.mean - x.mean;
  const State both = State(count, x.mean + apart * share, x.distances + y.distances + apart * apart * x.count * share);
  return State(count, y.count == T(0) ? x.mean : x.count == T(0) ? y.mean : both.mean,
               y.count == T(0) ? x.distances : x.count == T(0) ? y.distances : both.distances);
}

uvec4 words_of(State s) { return uvec4(floatBitsToUint(s.count), floatBitsToUint(s.mean), floatBitsToUint(s.distances), 0u); }
State state_of(uvec4 words) {
  return State(uintBitsToFloat(words.x), uintBitsToFloat(words.y), uintBitsToFloat(words.z));
}

T sums[8];
T squares[8];
uint seen;
T center;

void take_sum(uint at, const uint n) {
  T x[8];
  load_moments(at, n, x);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) sums[i] += x[i];
  }
  seen += n;
}

void take_distance(uint at, const uint n) {
  T x[8];
  load_moments(at, n, x);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) {
      const T distance = x[i] - center;
      sums[i] += distance;
      squares[i] += distance * distance;
    }
  }
}

T sum_of(T values[8]) {
  return ((values[0] + values[4]) + (values[2] + values[6])) + ((values[1] + values[5]) + (values[3] + values[7]));
}

State state_of_elements() {
  seen = 0;
  [[unroll]] for (uint i = 0; i < 8; ++i) sums[i] = squares[i] = T(0);
  SWEEP(take_sum)
  if (seen == 0) return nothing();
  const T count = T(seen);
  center = sum_of(sums) / count;
  [[unroll]] for (uint i = 0; i < 8; ++i) sums[i] = T(0);
  SWEEP(take_distance)
  // What rounding left of the mean is made good.
  const T rest = sum_of(sums) / count;
  return State(count, center + rest, max(sum_of(squares) - rest * rest * count, T(0)));
}
