#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 c64 c128
// One-sided Jacobi rotations (Hestenes), one or several work groups a matrix: make the columns of A pairwise
// orthogonal. Operand 0 is A^T (columns x rows), operand 1 V^T, which is rotated along with kVectors. A sweep rotates
// each pair of columns once, in rounds of disjoint pairs; a kernel does `rounds` rounds of sweep `sweep`. Operand 2 has
// a flag for each sweep; the sweep returns at once where the one before it rotated nothing.

#include "linalg/svd/svd.args.h"
#define OWN_ARGUMENTS SVD_ROTATE_ARGUMENTS
#define OPERANDS 3
#define THREADS 32
#define SHARED
#include "linalg/matrices.glsl"
MATRIX(0)
MATRIX(1)
MATRIX(2)

ACLVK_CONSTANTS(SVD_ROTATE_CONSTANTS)

#if WIDE_FLOATS
const R kRounding = R(2.220446049250313e-16lf);
#else
const R kRounding = R(1.1920929e-7);
#endif

R square_of(T x) {
  const R re = real_part(x);
  const R im = imaginary_part(x);
  return re * re + im * im;
}

// Rotation p' = c p - s q', q'' = s p + c q', where q' is q with the phase of <p, q> removed; p and q are the offsets
// of the columns. Returns whether they were not orthogonal to working precision.
bool rotate(uvec2 a_slot, uvec2 v_slot, uint p, uint q, uint rows, uint v_p, uint v_q, uint columns) {
  R p_square = R(0);
  R q_square = R(0);
  T along = T(0);
  LOOP_OVER(i, 0u, rows, 1u) {
    const T x = at_0(a_slot, p + i);
    const T y = at_0(a_slot, q + i);
    p_square += square_of(x);
    q_square += square_of(y);
    along = add(along, mul(conjugated(x), y));
  }
  const R size = sqrt(square_of(along));
  const R limit = kRounding * (R(4) + sqrt(R(rows)));
  const R negligible = kRounding * kRounding * kRounding * kRounding;
  const bool rotates = size > limit * sqrt(p_square) * sqrt(q_square) && p_square > negligible && q_square > negligible;
  if (rotates) {
    const T phase = conjugated(along) / size;
    const R zeta = (q_square - p_square) / (R(2) * size);
    const R steep = R(1) / (abs(zeta) + sqrt(R(1) + zeta * zeta));
    const R tangent = zeta < R(0) ? -steep : steep;
    // With tan(angle / 2) the rounding error of a small rotation is small, too.
    const R sine = tangent / sqrt(R(1) + tangent * tangent);
    const R half_tangent = sine / (R(1) + sqrt(R(1) - sine * sine));
    LOOP_OVER(i, 0u, rows, 1u) {
      const T x = at_0(a_slot, p + i);
      const T y = mul(at_0(a_slot, q + i), phase);
      set_0(a_slot, p + i, sub(x, sine * add(y, half_tangent * x)));
      set_0(a_slot, q + i, add(y, sine * sub(x, half_tangent * y)));
    }
    if (kVectors) LOOP_OVER(i, 0u, columns, 1u) {
      const T x = at_1(v_slot, v_p + i);
      const T y = mul(at_1(v_slot, v_q + i), phase);
      set_1(v_slot, v_p + i, sub(x, sine * add(y, half_tangent * x)));
      set_1(v_slot, v_q + i, add(y, sine * sub(x, half_tangent * y)));
    }
  }
  return rotates;
}

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint columns = ACLVK_ARGUMENT(columns);
  const uint sweep = ACLVK_ARGUMENT(sweep);
  const uint first_round = ACLVK_ARGUMENT(first_round);
  const uint last = first_round + ACLVK_ARGUMENT(rounds);
  const uint groups = ACLVK_ARGUMENT(groups);  // several for a single round only: work groups cannot wait for each other
  const uvec2 a_slot = slot_of(0);
  const uvec2 v_slot = slot_of(1);
  const uvec2 flags = slot_of(2);
  const uint matrix = group_number() / groups;
  const uint thread = group_number() % groups * THREADS + gl_LocalInvocationID.x;
  if (matrix >= count) return;
  if (real_part(at_2(flags, matrix * kSweeps + sweep)) == R(0)) return;
  const uint a = matrix * rows * columns;
  const uint v = matrix * columns * columns;
  const uint even_columns = columns + (columns & 1u);  // the circle method of round-robin tournaments: one column stays, the others rotate
  bool rotated = false;
  for (uint round = first_round; round < last; ++round) {  // iterations: rotate() of ops/linalg/svd/svd.cpp counts them
    for (uint pair = thread; pair < even_columns / 2; pair += groups * THREADS) {  // iterations: one
      const uint one = pair == 0 ? even_columns - 1 : (round + pair) % (even_columns - 1);
      const uint other = (round + even_columns - 1 - pair) % (even_columns - 1);
      const uint p = min(one, other);
      const uint q = max(one, other);
      if (q < columns) {
        const bool changed = rotate(a_slot, v_slot, a + p * rows, a + q * rows, rows, v + p * columns, v + q * columns, columns);
        rotated = rotated || changed;
      }
    }
    sync();
  }
  if (rotated) set_2(flags, matrix * kSweeps + sweep + 1, real_number(R(1)));
}
