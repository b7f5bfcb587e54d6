#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// z[n] is drawn from a distribution: the rows of ops/random/distribution.def. A Philox block yields four elements, or two in double
// precision.

#include "random/draw.args.h"
#include "random/source.args.h"
#define OPERANDS 5
#define INDEXED_OPERANDS 2
#define OWN_ARGUMENTS(ARGUMENT, ARRAY) SOURCE_ARGUMENTS(ARGUMENT, ARRAY) DRAW_ARGUMENTS(ARGUMENT, ARRAY)
#include "common/strided.glsl"
#include "common/math/exponential.glsl"
#include "common/math/trigonometric.glsl"
#include "random/source.glsl"

ACLVK_CONSTANTS(DRAW_CONSTANTS)

#if WIDE_FLOATS
const uint kPerBlock = 2;
#else
const uint kPerBlock = 4;
#endif

// The words of an element, and those of the pair of elements that share a Box-Muller transform, of which it is the first or the second.
struct Drawn {
  uvec2 own;
  uvec2 first;
  uvec2 second;
  bool is_second;
};
Drawn drawn;

void find_words(uvec4 block, uint which) {
  drawn.is_second = (which & 1u) != 0u;
#if WIDE_FLOATS
  drawn.first = block.xy;
  drawn.second = block.zw;
#else
  const bool upper = (which & 2u) != 0u;
  drawn.first = uvec2(upper ? block.z : block.x, 0u);
  drawn.second = uvec2(upper ? block.w : block.y, 0u);
#endif
  drawn.own = drawn.is_second ? drawn.second : drawn.first;
}

// Uniform in [0, 1), with all digits of R.
R unit_of(uvec2 bits) {
#if WIDE_FLOATS
  return (R(bits.y) * 4294967296.0lf + R(bits.x & ~0x7FFu)) * 5.42101086242752217e-20lf;
#else
  return unit_float(bits.x);
#endif
}

// The exponential distribution with mean 1; never 0. Near 1 a float has too few digits for its logarithm; 1 minus it, which the inverted
// bits represent, has enough for log1p.
R exponential_of(uvec2 bits) {
#if WIDE_FLOATS
  return -log_of((R(bits.y) * 4294967296.0lf + R(bits.x & ~0xFFFu | 0x800u)) * 5.42101086242752217e-20lf);
#else
  const bool near_one = (bits.x & 0x80000000u) != 0u;
  precise const R u = (R(near_one ? ~bits.x : bits.x) + R(0.5)) * R(2.3283064365386962890625e-10lf);
  return near_one ? -log1p_of(-u) : -log_of(u);
#endif
}

// Box-Muller transform: a pair of normal samples from an exponential sample and an angle, of which two bits select the quadrant.
R standard_normal() {
#if WIDE_FLOATS
  const uint quadrant = drawn.second.y >> 30;
  const uvec2 rest = uvec2(drawn.second.x << 2, drawn.second.y << 2 | drawn.second.x >> 30);
#else
  const uint quadrant = drawn.second.x >> 30;
  const uvec2 rest = uvec2(drawn.second.x << 2, 0u);
#endif
  const R angle = (unit_of(rest) - R(0.5)) * (R(0.5) * kPi);
  const R radius = sqrt(R(2) * exponential_of(drawn.first));
  const R sine = sin_near(angle);
  const R cosine = cos_near(angle);
  const bool swapped = ((quadrant & 1u) != 0u) != drawn.is_second;
  const R part = swapped ? sine : cosine;
  const bool negative = drawn.is_second ? quadrant >= 2u : quadrant == 1u || quadrant == 2u;
  return radius * (negative ? -part : part);
}

// The upper end is excluded, also after rounding to the dtype, which may not hold it and then rounds past it.
R uniform_between(R low, R high) {
  precise const R value = low + unit_of(drawn.own) * (high - low);
  const R rounded = is_floating(kDtype4) ? round_real(value, kDtype4) : value;
  return rounded >= high ? low : value;
}

bool is_drawn(R probability) {
#if WIDE_FLOATS
  return unit_of(drawn.own) < probability;
#else
  const bool always = probability >= R(1);
  return always || drawn.own.x < uint(probability > R(0) && !always ? probability * R(4294967296.0) : R(0));
#endif
}

R draw(R a, R b, R c) {
  uint next_row = 0;
  R z = a;
#define ROW(name, value) \
  if (kDistribution == next_row++) z = value;
#include "ops/random/distribution.def"
#undef ROW
  return z;
}

#define PARAMETER(k, given, values)                                      \
  if (mode_of(k) == kNotLoaded) {                                        \
    [[unroll]] for (uint i = 0; i < 4; ++i) values[i] = given;           \
  } else {                                                               \
    LOAD(k, values);                                                     \
  }

void main() {
  const Source given = SOURCE_GIVEN;
  const T first = value_of(uvec4(ACLVK_ARGUMENT(first[0]), ACLVK_ARGUMENT(first[1]), 0u, 0u));
  const T second = value_of(uvec4(ACLVK_ARGUMENT(second[0]), ACLVK_ARGUMENT(second[1]), 0u, 0u));
  const T third = value_of(uvec4(ACLVK_ARGUMENT(third[0]), ACLVK_ARGUMENT(third[1]), 0u, 0u));
  if (!find_lanes()) return;
  const Source source = source_now(given);
  T a[LANES];
  T b[LANES];
  PARAMETER(2, first, a)
  PARAMETER(3, second, b)
  uvec4 block;
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const uint number = lane_element(0, i);
    if (!kInOrder || i % kPerBlock == 0u) block = block_of(source, number / kPerBlock);
    find_words(block, (kInOrder ? i : number) % kPerBlock);
    a[i] = draw(a[i], b[i], third);
  }
  STORE(4, a);
}
