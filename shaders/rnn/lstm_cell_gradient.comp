#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// The gradients of lstm_cell.comp, of the preactivations and of c. Operands: c; c'; the gradients of h' and c' side by
// side; the gates; the gradients of the preactivations; that of c. c is operand 0 because its rows decide about
// alignment.

#define OPERANDS 6
#include "common/rows.glsl"

ROW_INPUT(0)
ROW_INPUT(1)
ROW_INPUT(2)
ROW_INPUT(3)
ROW_OUTPUT(4)
ROW_OUTPUT(5)

#include "common/math/exponential.glsl"

uint place_of(uint operand, uint part, uint at) { return row.starts[operand] + part * row.count + at; }

T given(uint part, uint at) {
  return decode(element_2(row.slots[2], place_of(2, part, at), size_of(kDtype2)), kDtype2);
}
T gate(uint number, uint at) {
  return decode(element_3(row.slots[3], place_of(3, number, at), size_of(kDtype3)), kDtype3);
}
void set_gate(uint number, uint at, T value) {
  set_element_4(row.slots[4], place_of(4, number, at), size_of(kDtype4), encode(value, kDtype4));
}

void visit(uint at, const uint n) {
  T before[8];
  T after[8];
  T gradient[8];
  LOAD(0, at, n, before);
  LOAD(1, at, n, after);
  [[unroll]] for (uint k = 0; k < 8; ++k) {
    if (k < n) {
      const T i = gate(0, at + k);
      const T f = gate(1, at + k);
      const T g = gate(2, at + k);
      const T o = gate(3, at + k);
      const T t = tanh_of(after[k]);
      const T dh = given(0, at + k);
      const T dc = dh * o * (T(1) - t * t) + given(1, at + k);
      set_gate(0, at + k, dc * g * i * (T(1) - i));
      set_gate(1, at + k, dc * before[k] * f * (T(1) - f));
      set_gate(2, at + k, dc * i * (T(1) - g * g));
      set_gate(3, at + k, dh * t * o * (T(1) - o));
      gradient[k] = dc * f;
    }
  }
  STORE(5, at, n, gradient);
}

void main() {
  if (!find_row()) return;
  SWEEP(visit)
}
