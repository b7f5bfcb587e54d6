// The reduction state of gradients: a sum, and a sum of products, each as eight partial sums that are added at the end.
// reduction/team.glsl joins the states of threads.

struct State {
  T sum;
  T product;
};

State join(State x, State y) { return State(x.sum + y.sum, x.product + y.product); }

uvec4 words_of(State s) { return uvec4(floatBitsToUint(s.sum), floatBitsToUint(s.product), 0u, 0u); }
State state_of(uvec4 words) { return State(uintBitsToFloat(words.x), uintBitsToFloat(words.y)); }

T sums[8];
T products[8];

void begin_sums() {
  [[unroll]] for (uint i = 0; i < 8; ++i) sums[i] = products[i] = T(0);
}

void add_to_sums(T g[8], T x[8], const uint n) {
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) {
      sums[i] += g[i];
      products[i] += g[i] * x[i];
    }
  }
}

T sum_of(T values[8]) {
  return ((values[0] + values[4]) + (values[2] + values[6])) + ((values[1] + values[5]) + (values[3] + values[7]));
}

State state_of_sums() { return State(sum_of(sums), sum_of(products)); }
