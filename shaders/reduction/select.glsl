// The state of argmax and argmin: the extreme and its index along the row. The first of equal elements wins, and NaN wins over all others.
// kOperator: 0 maximum, 1 minimum.

struct State {
  T value;
  uint index;  // kNoIndex: of no elements
};
const uint kNoIndex = ~0u;

T better(T x, T y) { return (kOperator == 0 ? x > y : x < y) ? x : y; }  // may drop NaN

#if INTEGER_CLASS
T not_a_number() { return T(0); }
bool beats(T x, T y) { return kOperator == 0 ? x > y : x < y; }
#else
T not_a_number() { return T(uintBitsToFloat(0x7FC00000u)); }
bool beats(T x, T y) { return !(kOperator == 0 ? x <= y : x >= y) && y == y; }
#endif

State nothing() { return State(T(0), kNoIndex); }

State join(State x, State y) {
  const bool second = x.index == kNoIndex ||
                      (y.index != kNoIndex && (beats(y.value, x.value) || (y.index < x.index && !beats(x.value, y.value))));
  return State(second ? y.value : x.value, second ? y.index : x.index);
}

uvec4 words_of(State s) { return uvec4(pack(s.value).xy, s.index, 0u); }
State state_of(uvec4 words) { return State(unpack(uvec4(words.xy, 0u, 0u)), words.z); }
