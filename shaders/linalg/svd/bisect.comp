#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// Singular values of bidiagonal matrices (operand 0, 1 x 2 columns: d e d e ... d) by bisection, one thread a value.
// They are the nonnegative eigenvalues of a symmetric tridiagonal matrix of 2 columns rows, with a zero diagonal and
// the elements of operand 0 beside it (J. Demmel and W. Kahan, Accurate Singular Values of Bidiagonal Matrices, 1990).
// A Sturm count, the number of negative pivots of its LDL^T factorisation shifted by x, says how many eigenvalues are
// below x. A kernel does `halvings` halvings from `first_halving` on; operand 1 (2 x columns) stores the bounds between
// kernels. Operand 2 (3 x columns) receives the values in descending order, multiplied by its last row, the divisor of
// divide.comp.

#include "linalg/svd/svd.args.h"
#define OWN_ARGUMENTS SVD_BISECT_ARGUMENTS
#define OWN_CONSTANTS SVD_BISECT_CONSTANTS
#define OPERANDS 3
#include "linalg/matrices.glsl"
#include "linalg/shuffle.glsl"
MATRIX(0)
MATRIX(1)
MATRIX(2)

// A smaller pivot counts as -kMinPivot. Its quotients with squares of the elements beside the diagonal stay finite.
#if WIDE_FLOATS
const T kMinPivot = T(1e-250lf);
#else
const T kMinPivot = T(1e-25);
#endif

// The number of singular values below x > 0.
uint values_below(uvec2 slot, uint start, uint columns, T x) {
  const uint others = 2 * columns - 1;
  T pivot = -x;
  uint below = 1;
  for (uint i = 0; i < others; i += kLanes) {  // iterations: bisect() of ops/linalg/svd/values.cpp counts them
    const uint own = i + lane();
    const T mine = own < others ? at_0(slot, start + own) : T(0);
    const T square = mine * mine;
    [[unroll]] for (uint k = 0; k < kLanes; ++k) {
      const T beside = shuffled(square, k);
      pivot = -x - beside / pivot;
      if (abs(pivot) < kMinPivot) pivot = -kMinPivot;
      if (pivot < T(0) && i + k < others) ++below;
    }
  }
  // Each singular value is an eigenvalue with both signs: `columns` of them are negative.
  return below - columns;
}

T largest_of(uvec2 slot, uint start, uint columns) {
  T largest = T(0);
  for (uint i = 0; i < 2 * columns; i += kLanes) {  // iterations: as above
    const uint own = i + lane();
    const T mine = own + 1 < 2 * columns ? abs(at_0(slot, start + own)) : T(0);
    [[unroll]] for (uint k = 0; k < kLanes; ++k) largest = max(largest, shuffled(mine, k));
  }
  return largest;
}

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint columns = ACLVK_ARGUMENT(columns);
  const uint first_halving = ACLVK_ARGUMENT(first_halving);
  const uint last = first_halving + ACLVK_ARGUMENT(halvings);
  const uint groups = ACLVK_ARGUMENT(groups);
  const uvec2 slot = slot_of(0);
  const uvec2 bounds = slot_of(1);
  const uvec2 values = slot_of(2);
  const uint matrix = group_number() / groups;
  if (matrix >= count) return;
  const uint thread = (group_number() - matrix * groups) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  const bool inside = thread < columns;  // threads beyond the last value still load and shuffle
  const uint start = matrix * 2 * columns;
  const uint place = inside ? thread : columns - 1;
  T low = T(0);
  T high = T(0);
  if (first_halving == 0) {
    // Gershgorin: a row has two elements beside a diagonal of 0.
    high = T(2) * largest_of(slot, start, columns);
  } else {
    low = at_1(bounds, start + place);
    high = at_1(bounds, start + columns + place);
  }
  for (uint halving = first_halving; halving < last; ++halving) {  // iterations: as above
    const T middle = low + T(0.5) * (high - low);
    if (values_below(slot, start, columns, middle) < columns - place) {
      low = middle;
    } else {
      high = middle;
    }
  }
  if (!inside) return;
  set_1(bounds, start + place, low);
  set_1(bounds, start + columns + place, high);
  if (last < kHalvings) return;
  const uint value = 3 * matrix * columns + place;
  set_2(values, value, (low + T(0.5) * (high - low)) * at_2(values, value + 2 * columns));
}
