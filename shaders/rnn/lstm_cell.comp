#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// A step of an LSTM for rows of a batch: c' = f c + i g and h' = o tanh(c'), with i, f, o the sigmoid and g the tanh of
// their preactivations. Operands: c; the preactivations; h'; c'; the gates. Preactivations and gates have i, f, g, o
// side by side in a row. c is operand 0 because its rows decide about alignment.

#define OPERANDS 5
#include "common/rows.glsl"

ROW_INPUT(0)
ROW_INPUT(1)
ROW_OUTPUT(2)
ROW_OUTPUT(3)
ROW_OUTPUT(4)

#include "common/math/exponential.glsl"

uint place_of(uint operand, uint gate, uint at) { return row.starts[operand] + gate * row.count + at; }

T preactivation_of(uint gate, uint at) {
  return decode(element_1(row.slots[1], place_of(1, gate, at), size_of(kDtype1)), kDtype1);
}
void set_gate(uint gate, uint at, T value) {
  set_element_4(row.slots[4], place_of(4, gate, at), size_of(kDtype4), encode(value, kDtype4));
}

void visit(uint at, const uint n) {
  T c[8];
  T h[8];
  LOAD(0, at, n, c);
  [[unroll]] for (uint k = 0; k < 8; ++k) {
    if (k < n) {
      const T i = sigmoid_of(preactivation_of(0, at + k));
      const T f = sigmoid_of(preactivation_of(1, at + k));
      const T g = tanh_of(preactivation_of(2, at + k));
      const T o = sigmoid_of(preactivation_of(3, at + k));
      set_gate(0, at + k, i);
      set_gate(1, at + k, f);
      set_gate(2, at + k, g);
      set_gate(3, at + k, o);
      c[k] = f * c[k] + i * g;
      h[k] = o * tanh_of(c[k]);
    }
  }
  STORE(2, at, n, h);
  STORE(3, at, n, c);
}

void main() {
  if (!find_row()) return;
  SWEEP(visit)
}
