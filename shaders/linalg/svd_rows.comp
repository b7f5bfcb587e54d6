#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// What comes before and after the rotations of a singular value decomposition in blocks (svd_gram.comp). Operand 0 is the last R of A = Q R, R^T
// = Q' R' and so on (steps x kPitch). Operand 1 (from x `pitch`, both rounded up with zeros) has it, a row of which is a column of R^T,
// and beside it what turns the rows, V^T. Operand 2 becomes R^T V and operand 3 V (columns x columns), both with sorted columns. Operand
// 4 (3 x from) has the sorted values, the size of each column, and by how much A has been divided (svd_divide.comp); operand 5 (1 x
// width) which sweeps rotate something. A matrix with an infinity or NaN has values that are NaN.

#define OPERANDS 6
#define THREADS 64
#include "linalg/matrices.glsl"
MATRIX(0)
MATRIX(1)
MATRIX(2)
MATRIX(3)
MATRIX(4)
MATRIX(5)

layout(constant_id = 0) const uint kStep = 0;
const uint kSpread = 0, kSum = 1, kSort = 2;
layout(constant_id = 1) const uint kUnroll = 1;  // rows of a turn: more for tall matrices (common/bounded_loop.glsl)
layout(constant_id = 2) const uint kPitch = 1;

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint columns = ACLVK_ARGUMENT(columns);
  const uint width = ACLVK_ARGUMENT(width);
  const uint lines = ACLVK_ARGUMENT(from);  // of operand 1
  const uint pitch = ACLVK_ARGUMENT(pitch);
  const uvec2 r_slot = slot_of(0);
  const uint r_rows = ACLVK_ARGUMENT(steps);
  const uvec2 lines_slot = slot_of(1);
  const uvec2 product_slot = slot_of(2);
  const uvec2 v_slot = slot_of(3);
  const uvec2 values_slot = slot_of(4);
  const uvec2 flags = slot_of(5);
  const uint threads = kStep == kSpread ? lines * pitch : lines;
  const uint matrix = thread_number() / threads;
  if (matrix >= count) return;
  const uint thread = thread_number() - matrix * threads;
  const uint values = matrix * 3 * lines;
  const uint sizes = values + lines;
  const uint scales = sizes + lines;
  if (kStep == kSpread) {
    const uint line = thread / pitch;
    const uint column = thread - line * pitch;
    const uint beside = pitch / 2;
    T value = T(0);
    if (line < columns) {
      if (column < columns) value = at_0(r_slot, (matrix * r_rows + line) * kPitch + column);
      if (column >= beside) value = T(column - beside == line ? 1 : 0);
    }
    set_1(lines_slot, thread_number(), value);
    const bool finite = !isnan(at_4(values_slot, scales));
    for (uint i = 0; i < width && thread == 0; ++i) {  // iterations: sweeps, and a pair for each 32 columns
      set_5(flags, matrix * width + i, T(i == 0 && finite ? 1 : 0));
    }
  }
  const uint start = (matrix * lines + thread) * pitch;
  if (kStep == kSum) {
    T squares = T(0);
    LOOP_OVER(i, 0u, columns, 1u) {
      const T x = at_1(lines_slot, start + i);
      squares += x * x;
    }
    set_4(values_slot, sizes + thread, sqrt(squares));
  }
  if (kStep == kSort) {
    const T scale = at_4(values_slot, scales);
    const T own = at_4(values_slot, sizes + thread);
    uint place = 0;
    LOOP_OVER(other, 0u, lines, 1u) {
      const T theirs = at_4(values_slot, sizes + other);
      if (theirs > own || (theirs == own && other < thread)) ++place;
    }
    if (isnan(scale)) place = thread;
    if (place >= columns) return;
    set_4(values_slot, values + place, own * scale);
    LOOP_OVER(i, 0u, columns, 1u) {
      const uint at = (matrix * columns + i) * columns + place;
      set_2(product_slot, at, at_1(lines_slot, start + i));
      set_3(v_slot, at, at_1(lines_slot, start + pitch / 2 + i));
    }
  }
}
