#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 c64 c128
// Householder QR of a (rows x columns), one or several work groups a matrix, with LAPACK's signs: the diagonal of R has
// the opposite sign of the column's first element. R is left above the diagonal. The column of a reflector keeps its
// unscaled vector: for each of the reflectors operand 1 has the diagonal element of R, tau, and the factor that scales
// the column below the diagonal to v, where H = I - tau v v^H and v begins with 1.

#include "linalg/qr.args.h"
#define OWN_ARGUMENTS QR_ARGUMENTS
#define OPERANDS 2
#define THREADS 32
#define SHARED
#include "linalg/matrices.glsl"
MATRIX(0)
MATRIX(1)

ACLVK_CONSTANTS(QR_CONSTANTS)

struct Reflection {
  T diagonal;
  T tau;
  T scale;
};

// Below this a number may have no finite reciprocal. Columns that depend on earlier ones become that small: each
// reflector leaves only the rounding errors of the last.
#if WIDE_FLOATS
const R kSafeMin = R(8.9e-308lf);
#else
const R kSafeMin = R(4.7e-38);
#endif

// Scaled by the largest element, so that no square overflows. All threads of a work group compute the same reflector.
Reflection reflection_of(uvec2 slot, uint a, uint rows, uint columns, uint step) {
  const T first = at_0(slot, a + step * columns + step);
  R largest = R(0);
  LOOP_OVER(row, step + 1, rows, 1u) largest = max(largest, size_of_number(at_0(slot, a + row * columns + step)));
  if (largest == R(0) && imaginary_part(first) == R(0)) return Reflection(first, T(0), T(0));
  largest = max(largest, size_of_number(first));
  if (largest < kSafeMin) return Reflection(real_number(real_part(first)), T(0), T(0));
  R squares = R(0);
  LOOP_OVER(row, step, rows, 1u) {
    const T x = at_0(slot, a + row * columns + step);
    const R re = real_part(x) / largest;
    const R im = imaginary_part(x) / largest;
    squares += re * re + im * im;
  }
  const R norm = largest * sqrt(squares);
  const R beta = real_part(first) < R(0) ? norm : -norm;
  const T beyond = sub(first, real_number(beta));
  return Reflection(real_number(beta), div(conjugated(sub(real_number(beta), conjugated(first))), real_number(beta)),
                    div(real_number(R(1)), beyond));
}

// Applies H^H to a later column.
void reflect(uvec2 slot, uint a, uint rows, uint columns, uint step, uint column, Reflection by) {
  T along = at_0(slot, a + step * columns + column);
  LOOP_OVER(row, step + 1, rows, 1u) {
    const T v = mul(at_0(slot, a + row * columns + step), by.scale);
    along = add(along, mul(conjugated(v), at_0(slot, a + row * columns + column)));
  }
  along = mul(along, conjugated(by.tau));
  set_0(slot, a + step * columns + column, sub(at_0(slot, a + step * columns + column), along));
  LOOP_OVER(row, step + 1, rows, 1u) {
    const T v = mul(at_0(slot, a + row * columns + step), by.scale);
    set_0(slot, a + row * columns + column, sub(at_0(slot, a + row * columns + column), mul(v, along)));
  }
}

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint columns = ACLVK_ARGUMENT(columns);
  const uint reflectors = ACLVK_ARGUMENT(reflectors);
  const uvec2 slot = slot_of(0);
  const uvec2 reflections = slot_of(1);
  const uint first = ACLVK_ARGUMENT(first_step);
  const uint last = first + ACLVK_ARGUMENT(steps);
  const uint groups = ACLVK_ARGUMENT(groups);  // several for a single step only: work groups cannot wait for each other
  const uint matrix = group_number() / groups;
  const uint thread = group_number() % groups * THREADS + gl_LocalInvocationID.x;
  if (matrix >= count) return;
  const uint a = matrix * rows * columns;
  for (uint step = first; step < last; ++step) {  // iterations: ranges_of_steps() of ops/linalg
    const Reflection by = reflection_of(slot, a, rows, columns, step);
    if (thread == 0) {
      const uint place = (matrix * reflectors + step) * 3;
      set_1(reflections, place, by.diagonal);
      set_1(reflections, place + 1, by.tau);
      set_1(reflections, place + 2, by.scale);
    }
    if (by.tau != T(0)) {
      for (uint column = step + 1 + thread; column < columns; column += groups * THREADS) {  // iterations: reflect() of ops/linalg/qr.cpp counts them
        reflect(slot, a, rows, columns, step, column, by);
      }
    }
    sync();
  }
}
