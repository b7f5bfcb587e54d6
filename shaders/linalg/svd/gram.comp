#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// Finds the Jacobi rotations of a pair of blocks of 16 rows (operand 0: rows x `pitch`, `columns` columns take part),
// one work group a pair. Computes the 32 x 32 Gram matrix of the rows and does one sweep of two-sided Jacobi rotations
// on it: over all pairs of rows or, with kAcross, over pairs with one row of each block. Operand 1 receives the product
// of the rotations, its rows sorted by descending norm; apply.comp multiplies the rows by it, which makes them
// orthogonal, or nearly. Operand 2: flags of sweeps that rotate, then of the pairs of this round that do.

#include "linalg/svd/svd.args.h"
#define OWN_ARGUMENTS SVD_GRAM_ARGUMENTS
#define OWN_CONSTANTS SVD_GRAM_CONSTANTS
#define OPERANDS 3
#include "linalg/matrices.glsl"
#include "linalg/shuffle.glsl"
#include "linalg/svd/pairs.glsl"
MATRIX(0)
VEC8(0)
MATRIX(1)
MATRIX(2)

#if WIDE_FLOATS
const T kRounding = T(2.220446049250313e-16lf);
#else
const T kRounding = T(1.1920929e-7);
#endif
const T kNegligible = kRounding * kRounding * kRounding * kRounding;

const uint kHalf = kPair / 2;          // rotations of a round
const uint kElements = kPair * kPair;
const uint kParts = kHalf / kLanes;

const uint kSteps = kAcross ? kBlock : kPair - 1;

// The upper triangle of the Gram matrix before and after a round (two buffers that alternate). Rounds follow the circle
// method of round-robin tournaments: a round rotates the rows at positions 2 k and 2 k + 1, which initially are rows of
// different blocks; then rows move to the next position, and after kSteps rounds all are back.
shared T products[2 * kElements];
shared T sines[kHalf];
shared T half_tangents[kHalf];
shared uint places[kPair];
shared uint any_rotates;

T rotation[kPair][kOwn];  // columns of the rotations' product, indexed by position
T sums[8][8];

uint row_at(uint position) { return (position >> 1) + (position & 1u) * kBlock; }
uint next_position(uint position) {
  if (kAcross) return (position & 1u) == 0 ? position : (position + 2) % kPair;
  if ((position & 1u) == 0) return position == 0 ? 0u : position == kPair - 2 ? kPair - 1 : position + 2;
  return position == 1 ? 2u : position - 2;
}
uint element_at(uint x, uint y) { return min(x, y) * kPair + max(x, y); }

void add_products(uvec2 slot, uint at, Pair pair, uint pitch, uint top, uint side) {
  T right[8][8];
  [[unroll]] for (uint j = 0; j < 8; ++j) right[j] = vec8_at_0(slot, at + row_in(pair, row_at(side + j)) * pitch);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    const T left[8] = vec8_at_0(slot, at + row_in(pair, row_at(top + i)) * pitch);
    [[unroll]] for (uint j = 0; j < 8; ++j) {
      [[unroll]] for (uint k = 0; k < 8; ++k) sums[i][j] += left[k] * right[j][k];
    }
  }
}

// Threads split the sum over columns; their partial sums use the second buffer of `products`.
void make_products(uvec2 slot, uint start, Pair pair, uint pitch, uint columns) {
  const uint thread = gl_LocalInvocationID.x;
  for (uint top = 0; top < kPair; top += 8) {
    for (uint side = top; side < kPair; side += 8) {  // iterations: four
      [[unroll]] for (uint i = 0; i < 8; ++i) [[unroll]] for (uint j = 0; j < 8; ++j) sums[i][j] = T(0);
      for (uint k = 8 * thread; k < columns; k += 8 * gl_WorkGroupSize.x) {  // iterations: kMaxBlocked of ops/linalg/svd/blocks.cpp
        add_products(slot, start + k, pair, pitch, top, side);
      }
      barrier();
      [[unroll]] for (uint i = 0; i < 8; ++i) {
        [[unroll]] for (uint j = 0; j < 8; ++j) products[kElements + thread * 64 + i * 8 + j] = sums[i][j];
      }
      barrier();
      for (uint element = thread; element < 64; element += gl_WorkGroupSize.x) {
        T all = T(0);
        for (uint other = 0; other < gl_WorkGroupSize.x; ++other) all += products[kElements + other * 64 + element];  // iterations: 16 at most
        const uint row = top + element / 8;
        const uint column = side + element % 8;
        if (row <= column) products[row * kPair + column] = all;
      }
    }
  }
  barrier();
}

bool is_far(T x, T y, T product, T limit) {
  return abs(product) > limit * sqrt(max(x, T(0))) * sqrt(max(y, T(0))) && x > kNegligible && y > kNegligible;
}

// Returns whether some pair of rows is not orthogonal to working precision.
bool needs_rotation(T limit) {
  if (gl_LocalInvocationID.x == 0) any_rotates = 0;
  barrier();
  bool any = false;
  for (uint element = gl_LocalInvocationID.x; element < kElements; element += gl_WorkGroupSize.x) {
    const uint row = element / kPair;
    const uint column = element % kPair;
    if (row < column && is_far(products[row * kPair + row], products[column * kPair + column], products[element], limit)) {
      any = true;
    }
  }
  if (any) any_rotates = 1;
  barrier();
  return any_rotates != 0;
}

// Rotation p' = c p - s q, q' = s p + c q, stored as s and tan(angle / 2): with the half angle's tangent the rounding
// error of a small rotation is small, too.
void find_rotations(uint now, T limit) {
  for (uint k = gl_LocalInvocationID.x; k < kHalf; k += gl_WorkGroupSize.x) {
    const uint at = now + 2 * k * (kPair + 1);
    const T x = products[at];
    const T y = products[at + kPair + 1];
    const T along = products[at + 1];
    T sine = T(0);
    if (is_far(x, y, along, limit)) {
      const T zeta = (y - x) / (T(2) * along);
      const T steep = T(1) / (abs(zeta) + sqrt(T(1) + zeta * zeta));
      const T tangent = zeta < T(0) ? -steep : steep;
      sine = tangent / sqrt(T(1) + tangent * tangent);
    }
    sines[k] = sine;
    half_tangents[k] = sine / (T(1) + sqrt(T(1) - sine * sine));
  }
}

struct Two {
  T p;
  T q;
};
Two rotated(T p, T q, T sine, T half_tangent) {
  return Two(p - sine * (q + half_tangent * p), q + sine * (p - half_tangent * q));
}

// Rotates the 2 x 2 block of rotations `low` (from the left) and `high` (from the right).
void rotate_block(uint now, uint next, uint low, uint high) {
  const uint at = now + 2 * low * kPair + 2 * high;
  const T low_sine = sines[low];
  const T low_half = half_tangents[low];
  const T high_sine = sines[high];
  const T high_half = half_tangents[high];
  const Two left = rotated(products[at], products[at + kPair], low_sine, low_half);
  const Two right = rotated(products[at + 1], products[at + kPair + 1], low_sine, low_half);
  const Two top = rotated(left.p, right.p, high_sine, high_half);
  const Two bottom = rotated(left.q, right.q, high_sine, high_half);
  const uint p = next_position(2 * low);
  const uint q = next_position(2 * low + 1);
  const uint u = next_position(2 * high);
  const uint v = next_position(2 * high + 1);
  products[next + element_at(p, u)] = top.p;
  products[next + element_at(p, v)] = top.q;
  products[next + element_at(q, u)] = bottom.p;
  products[next + element_at(q, v)] = bottom.q;
}

void rotate_diagonal(uint now, uint next, uint k) {
  const uint at = now + 2 * k * (kPair + 1);
  const T sine = sines[k];
  const T tangent = sine / (T(1) - sine * half_tangents[k]);
  const T along = products[at + 1];
  const uint p = next_position(2 * k);
  const uint q = next_position(2 * k + 1);
  products[next + p * (kPair + 1)] = products[at] - tangent * along;
  products[next + q * (kPair + 1)] = products[at + kPair + 1] + tangent * along;
  products[next + element_at(p, q)] = sine == T(0) ? along : T(0);
}

void rotate_products(uint now, uint next) {
  for (uint k = gl_LocalInvocationID.x; k < kHalf; k += gl_WorkGroupSize.x) {
    rotate_diagonal(now, next, k);
    for (uint distance = 1; distance <= kHalf / 2; ++distance) {
      const uint other = (k + distance) % kHalf;
      if (distance < kHalf / 2 || k < other) rotate_block(now, next, min(k, other), max(k, other));
    }
  }
}

void rotate_columns() {
  T sine[kParts];
  T half_tangent[kParts];
  [[unroll]] for (uint part = 0; part < kParts; ++part) {
    sine[part] = sines[part * kLanes + lane()];
    half_tangent[part] = half_tangents[part * kLanes + lane()];
  }
  [[unroll]] for (uint k = 0; k < kHalf; ++k) {
    const T s = shuffled(sine[k / kLanes], k % kLanes);
    const T h = shuffled(half_tangent[k / kLanes], k % kLanes);
    [[unroll]] for (uint i = 0; i < kOwn; ++i) {
      const Two both = rotated(rotation[2 * k][i], rotation[2 * k + 1][i], s, h);
      rotation[2 * k][i] = both.p;
      rotation[2 * k + 1][i] = both.q;
    }
  }
  [[unroll]] for (uint i = 0; i < kOwn; ++i) {
    if (kAcross) {
      const T last = rotation[kPair - 1][i];
      [[unroll]] for (uint position = kPair - 1; position > 1; position -= 2) rotation[position][i] = rotation[position - 2][i];
      rotation[1][i] = last;
      continue;
    }
    const T last = rotation[kPair - 2][i];
    [[unroll]] for (uint position = kPair - 2; position > 2; position -= 2) rotation[position][i] = rotation[position - 2][i];
    rotation[2][i] = rotation[1][i];
    [[unroll]] for (uint position = 1; position < kPair - 1; position += 2) rotation[position][i] = rotation[position + 2][i];
    rotation[kPair - 1][i] = last;
  }
}

// The position of each row if norms descend. The sort is stable, so the zero rows that pad the last block stay last.
void find_sorted_rows(uint now) {
  for (uint row = gl_LocalInvocationID.x; row < kPair; row += gl_WorkGroupSize.x) {
    const T own = max(products[now + row * (kPair + 1)], T(0));
    uint place = 0;
    for (uint other = 0; other < kPair; ++other) {
      const T theirs = max(products[now + other * (kPair + 1)], T(0));
      if (theirs > own || (theirs == own && row_at(other) < row_at(row))) ++place;
    }
    places[row] = place;
  }
}

// A factor for each row of the rotations' product, stored at `to`: rounding makes the rows slightly longer than 1.
void find_scales(uint to) {
  const uint thread = gl_LocalInvocationID.x;
  [[unroll]] for (uint row = 0; row < kPair; ++row) {
    T squares = T(0);
    [[unroll]] for (uint i = 0; i < kOwn; ++i) squares += rotation[row][i] * rotation[row][i];
    products[to + kPair + row * kHalf + thread] = squares;
  }
  barrier();
  for (uint row = thread; row < kPair; row += gl_WorkGroupSize.x) {
    T squares = T(0);
    for (uint other = 0; other < gl_WorkGroupSize.x; ++other) squares += products[to + kPair + row * kHalf + other];  // iterations: 16 at most
    products[to + row] = T(1.5) - T(0.5) * squares;  // one Newton step for 1 / sqrt(squares) from 1
  }
}

void main() {
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint columns = ACLVK_ARGUMENT(columns);
  const uint count = ACLVK_ARGUMENT(count);
  const uint sweep = ACLVK_ARGUMENT(sweep);
  const uint round = ACLVK_ARGUMENT(round);
  const uint pitch = ACLVK_ARGUMENT(pitch);
  const uint pairs = ACLVK_ARGUMENT(groups);
  const uvec2 slot = slot_of(0);
  const uvec2 rotations = slot_of(1);
  const uvec2 flags = slot_of(2);
  const uint matrix = group_number() / pairs;
  if (matrix >= count) return;
  const uint number = group_number() - matrix * pairs;
  const uint thread = gl_LocalInvocationID.x;
  const uint flag = matrix * kFlags + kFlags - pairs + number;
  const Pair pair = pair_in(round, number, rows);
  if (pair.second >= rows || at_2(flags, matrix * kFlags + sweep) == T(0)) {
    if (thread == 0) set_2(flags, flag, T(0));
    return;
  }
  make_products(slot, matrix * rows * pitch, pair, pitch, columns);
  const T limit = kRounding * (T(4) + sqrt(T(columns)));
  const bool rotates = needs_rotation(limit);
  if (thread == 0) set_2(flags, flag, T(rotates ? 1 : 0));
  if (!rotates) return;
  if (thread == 0) set_2(flags, matrix * kFlags + sweep + 1, T(1));
  [[unroll]] for (uint row = 0; row < kPair; ++row) {
    [[unroll]] for (uint i = 0; i < kOwn; ++i) rotation[row][i] = T(row == thread * kOwn + i ? 1 : 0);
  }
  uint now = 0;
  for (uint step = 0; step < kSteps; ++step) {
    find_rotations(now, limit);
    barrier();
    rotate_products(now, kElements - now);
    rotate_columns();
    now = kElements - now;
    barrier();
  }
  find_sorted_rows(now);
  const uint scales = kElements - now;
  find_scales(scales);
  barrier();
  const uint at = (matrix * pairs + number) * kElements;
  [[unroll]] for (uint row = 0; row < kPair; ++row) {
    const uint place = places[row];
    const T scale = products[scales + row];
    [[unroll]] for (uint i = 0; i < kOwn; ++i) set_1(rotations, at + place * kPair + row_at(thread * kOwn + i), scale * rotation[row][i]);
  }
}
