#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 c64 c128
// Forms Q (operand 2) from the reflectors of qr.comp: one thread a column applies them to a column of the identity, the
// last reflector first. A kernel applies `steps` of them.

#include "linalg/qr.args.h"
#define OWN_ARGUMENTS QR_Q_ARGUMENTS
#define OPERANDS 3
#define THREADS 64
#include "linalg/matrices.glsl"
MATRIX(0)
MATRIX(1)
MATRIX(2)

ACLVK_CONSTANTS(QR_Q_CONSTANTS)

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint columns = ACLVK_ARGUMENT(columns);
  const uint q_columns = ACLVK_ARGUMENT(q_columns);
  const uint reflectors = min(rows, columns);
  const uint first = ACLVK_ARGUMENT(first_step);
  const uint last = first + ACLVK_ARGUMENT(steps);
  const uvec2 a_slot = slot_of(0);
  const uvec2 reflections = slot_of(1);
  const uvec2 q_slot = slot_of(2);
  const uint matrix = thread_number() / q_columns;
  if (matrix >= count) return;
  const uint a = matrix * rows * columns;
  const uint column = thread_number() - matrix * q_columns;
  const uint q = matrix * rows * q_columns + column;
  if (first == 0) {
    LOOP_OVER(row, 0u, rows, 1u) set_2(q_slot, q + row * q_columns, real_number(row == column ? R(1) : R(0)));
  }
  for (uint done = first; done < last; ++done) {  // iterations: ranges_of_steps() of ops/linalg
    const uint step = reflectors - 1 - done;
    const T tau = at_1(reflections, (matrix * reflectors + step) * 3 + 1);
    const T scale = at_1(reflections, (matrix * reflectors + step) * 3 + 2);
    T along = at_2(q_slot, q + step * q_columns);
    LOOP_OVER(row, step + 1, rows, 1u) {
      const T v = mul(at_0(a_slot, a + row * columns + step), scale);
      along = add(along, mul(conjugated(v), at_2(q_slot, q + row * q_columns)));
    }
    along = mul(along, tau);
    set_2(q_slot, q + step * q_columns, sub(at_2(q_slot, q + step * q_columns), along));
    LOOP_OVER(row, step + 1, rows, 1u) {
      const T v = mul(at_0(a_slot, a + row * columns + step), scale);
      set_2(q_slot, q + row * q_columns, sub(at_2(q_slot, q + row * q_columns), mul(v, along)));
    }
  }
}
