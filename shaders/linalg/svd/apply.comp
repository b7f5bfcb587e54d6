#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// Multiplies the rows of each pair of blocks (operand 0, rows x `pitch`) from the left by the matrix that gram.comp
// found for the pair in round `round` (operand 1). Operand 2 has the flags: pairs that do not rotate are skipped. A
// thread has eight columns of a pair.

#include "linalg/svd/svd.args.h"
#define OWN_ARGUMENTS SVD_APPLY_ARGUMENTS
#define OWN_CONSTANTS SVD_APPLY_CONSTANTS
#define OPERANDS 3
#include "linalg/matrices.glsl"
#include "linalg/shuffle.glsl"
#include "linalg/svd/pairs.glsl"
MATRIX(0)
VEC8(0)
MATRIX(1)
MATRIX(2)

const uint kParts = kPair / kLanes;

T given[kPair][8];
T left[kParts];

void main() {
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint count = ACLVK_ARGUMENT(count);
  const uint round = ACLVK_ARGUMENT(round);
  const uint pitch = ACLVK_ARGUMENT(pitch);
  const uint pairs = ACLVK_ARGUMENT(pairs);
  const uint groups = ACLVK_ARGUMENT(groups);
  const uvec2 slot = slot_of(0);
  const uvec2 rotations = slot_of(1);
  const uvec2 flags = slot_of(2);
  const uint matrix = group_number() / groups;
  if (matrix >= count) return;
  const uint group = group_number() - matrix * groups;
  const uint groups_of_pair = groups / pairs;
  const uint number = group / groups_of_pair;
  if (at_2(flags, matrix * kFlags + kFlags - pairs + number) == T(0)) return;
  const Pair pair = pair_in(round, number, rows);
  const uint start = (group - number * groups_of_pair) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  const bool inside = 8 * start < pitch;
  const uint at = matrix * rows * pitch + (inside ? 8 * start : 0u);
  [[unroll]] for (uint k = 0; k < kPair; ++k) given[k] = vec8_at_0(slot, at + row_in(pair, k) * pitch);
  const uint rotation = (matrix * pairs + number) * kPair * kPair;
  for (uint row = 0; row < kPair; ++row) {
    [[unroll]] for (uint part = 0; part < kParts; ++part) {
      left[part] = at_1(rotations, rotation + row * kPair + part * kLanes + lane());
    }
    T sums[8];
    [[unroll]] for (uint j = 0; j < 8; ++j) sums[j] = T(0);
    [[unroll]] for (uint k = 0; k < kPair; ++k) {
      const T x = shuffled(left[k / kLanes], k % kLanes);
      [[unroll]] for (uint j = 0; j < 8; ++j) sums[j] += x * given[k][j];
    }
    if (inside) set_vec8_0(slot, at + row_in(pair, row) * pitch, sums);
  }
}
