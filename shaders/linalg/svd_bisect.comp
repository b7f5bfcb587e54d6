#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// Singular values of bidiagonal matrices (operand 0, 1 x 2 columns: d e d e ... d), by bisection, a thread a value. They are the eigenvalues that
// are not negative of a symmetric matrix of 2 columns rows with zeros on the diagonal and the numbers of operand 0 beside it (J. Demmel
// and W. Kahan, Accurate Singular Values of Bidiagonal Matrices, 1990), and pivots of its elimination tell how many are less than a
// number. The kernel takes `steps` halvings from `first` on; operand 1 (2 x columns) has the bounds in between. Operand 2 (3 x
// columns) gets the values, the largest first, times its last row, which is what the matrix has been divided by.

#define OPERANDS 3
#include "linalg/matrices.glsl"
#include "linalg/handed.glsl"
MATRIX(0)
MATRIX(1)
MATRIX(2)

layout(constant_id = 2) const uint kHalvings = 1;  // in all

// A pivot of 0 counts as a tiny one. What is beside the diagonal is large enough for quotients of the two to be finite.
#if WIDE_FLOATS
const T kLeastPivot = T(1e-250lf);
#else
const T kLeastPivot = T(1e-25);
#endif

// Which singular values are less than x > 0.
uint values_below(uvec2 slot, uint start, uint columns, T x) {
  const uint others = 2 * columns - 1;
  T pivot = -x;
  uint below = 1;
  for (uint i = 0; i < others; i += kLanes) {  // iterations: bisect() of ops/linalg/svd_values.cpp counts them
    const uint own = i + lane();
    const T mine = own < others ? at_0(slot, start + own) : T(0);
    const T square = mine * mine;
    [[unroll]] for (uint k = 0; k < kLanes; ++k) {
      const T beside = handed(square, k);
      pivot = -x - beside / pivot;
      if (abs(pivot) < kLeastPivot) pivot = -kLeastPivot;
      if (pivot < T(0) && i + k < others) ++below;
    }
  }
  return below - columns;
}

T largest_of(uvec2 slot, uint start, uint columns) {
  T largest = T(0);
  for (uint i = 0; i < 2 * columns; i += kLanes) {  // iterations: as above
    const uint own = i + lane();
    const T mine = own + 1 < 2 * columns ? abs(at_0(slot, start + own)) : T(0);
    [[unroll]] for (uint k = 0; k < kLanes; ++k) largest = max(largest, handed(mine, k));
  }
  return largest;
}

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint columns = ACLVK_ARGUMENT(columns);
  const uint first = ACLVK_ARGUMENT(first);
  const uint last = first + ACLVK_ARGUMENT(steps);
  const uint groups = ACLVK_ARGUMENT(groups);
  const uvec2 slot = slot_of(0);
  const uvec2 bounds = slot_of(1);
  const uvec2 values = slot_of(2);
  const uint matrix = group_number() / groups;
  if (matrix >= count) return;
  const uint thread = (group_number() - matrix * groups) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  const bool inside = thread < columns;  // others hand around what they load
  const uint start = matrix * 2 * columns;
  const uint place = inside ? thread : columns - 1;
  T low = T(0);
  T high = T(0);
  if (first == 0) {
    high = T(2) * largest_of(slot, start, columns);
  } else {
    low = at_1(bounds, start + place);
    high = at_1(bounds, start + columns + place);
  }
  for (uint halving = first; halving < last; ++halving) {  // iterations: as above
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
