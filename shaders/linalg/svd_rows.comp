#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// What comes before and after the rotations of a singular value decomposition in blocks (svd_gram.comp). Operand 0 is the matrix A (rows x
// columns, rows >= columns), operand 1 the last R of A = Q R, R^T = Q' R' and so on (steps x kPitch). Operand 2 (from x `pitch`, both
// rounded up with zeros) has it, a row of which is a column of R^T, and beside it what turns the rows: V^T, where it is wanted. Operand 3
// becomes R^T V and operand 4 V (columns x columns), both with sorted columns. Operand 5 (3 x from) has the sorted values, the size of
// each column, and by how much A has been divided; operand 6 (1 x width) which sweeps rotate something. A matrix with an infinity or
// NaN has values that are NaN.

#define OPERANDS 7
#define THREADS 64
#include "linalg/matrices.glsl"
MATRIX(0)
MATRIX(1)
MATRIX(2)
MATRIX(3)
MATRIX(4)
MATRIX(5)
MATRIX(6)

layout(constant_id = 0) const uint kStep = 0;
const uint kMeasure = 0, kDivide = 1, kSpread = 2, kSum = 3, kSort = 4;
layout(constant_id = 1) const bool kVectors = true;
layout(constant_id = 2) const uint kAtOnce = 1;  // rows of a turn: more for tall matrices (common/turns.glsl)
layout(constant_id = 3) const uint kPitch = 1;
#include "linalg/svd_scale.glsl"

// A thread a column of A: its largest number; -1 where one is not finite.
T largest_of(uvec2 slot, uint start, uint rows, uint columns) {
  T largest = T(0);
  bool finite = true;
  LOOP_OVER(i, 0u, rows, 1u) {
    const T x = at_0(slot, start + i * columns);
    largest = max(largest, abs(x));
    finite = finite && is_finite(x);
  }
  return finite ? largest : T(-1);
}

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint columns = ACLVK_ARGUMENT(columns);
  const uint width = ACLVK_ARGUMENT(width);
  const uint lines = ACLVK_ARGUMENT(from);  // of operand 2
  const uint pitch = ACLVK_ARGUMENT(pitch);
  const uvec2 a_slot = slot_of(0);
  const uvec2 r_slot = slot_of(1);
  const uint r_rows = ACLVK_ARGUMENT(steps);
  const uvec2 lines_slot = slot_of(2);
  const uvec2 product_slot = slot_of(3);
  const uvec2 v_slot = slot_of(4);
  const uvec2 values_slot = slot_of(5);
  const uvec2 flags = slot_of(6);
  const uint threads = kStep == kSpread ? lines * pitch : kStep == kMeasure || kStep == kDivide ? columns : lines;
  const uint matrix = thread_number() / threads;
  if (matrix >= count) return;
  const uint thread = thread_number() - matrix * threads;
  const uint values = matrix * 3 * lines;
  const uint sizes = values + lines;
  const uint scales = sizes + lines;
  const uint a = matrix * rows * columns;
  if (kStep == kMeasure) set_5(values_slot, sizes + thread, largest_of(a_slot, a + thread, rows, columns));
  if (kStep == kDivide) {
    T largest = T(0);
    bool finite = true;
    LOOP_OVER(other, 0u, columns, 1u) {
      const T size = at_5(values_slot, sizes + other);
      largest = max(largest, size);
      finite = finite && size >= T(0);
    }
    const T scale = power_below(largest);  // dividing by it is exact
    set_5(values_slot, scales + thread, finite ? scale : T(uintBitsToFloat(0x7FC00000u)));
    LOOP_OVER(i, 0u, rows, 1u) {
      const uint at = a + i * columns + thread;
      set_0(a_slot, at, at_0(a_slot, at) / scale);
    }
    for (uint i = 0; i < width && thread == 0; ++i) {  // turns: sweeps, and a pair for each 32 columns
      set_6(flags, matrix * width + i, T(i == 0 && finite ? 1 : 0));
    }
  }
  if (kStep == kSpread) {
    const uint line = thread / pitch;
    const uint column = thread - line * pitch;
    const uint beside = kVectors ? pitch / 2 : pitch;
    T value = T(0);
    if (line < columns) {
      if (column < columns) value = at_1(r_slot, (matrix * r_rows + line) * kPitch + column);
      if (column >= beside) value = T(column - beside == line ? 1 : 0);
    }
    set_2(lines_slot, thread_number(), value);
  }
  const uint start = (matrix * lines + thread) * pitch;
  if (kStep == kSum) {
    T squares = T(0);
    LOOP_OVER(i, 0u, columns, 1u) {
      const T x = at_2(lines_slot, start + i);
      squares += x * x;
    }
    set_5(values_slot, sizes + thread, sqrt(squares));
  }
  if (kStep == kSort) {
    const T scale = at_5(values_slot, scales);
    const T own = at_5(values_slot, sizes + thread);
    uint place = 0;
    LOOP_OVER(other, 0u, lines, 1u) {
      const T theirs = at_5(values_slot, sizes + other);
      if (theirs > own || (theirs == own && other < thread)) ++place;
    }
    if (isnan(scale)) place = thread;
    if (place >= columns) return;
    set_5(values_slot, values + place, own * scale);
    if (kVectors) LOOP_OVER(i, 0u, columns, 1u) {
      const uint at = (matrix * columns + i) * columns + place;
      set_3(product_slot, at, at_2(lines_slot, start + i));
      set_4(v_slot, at, at_2(lines_slot, start + pitch / 2 + i));
    }
  }
}
