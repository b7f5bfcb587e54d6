#version 460
#extension GL_EXT_control_flow_attributes : enable
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
// variants: float_shared float_naive transposed_shared transposed_naive half_shared half_naive
// c = a b for contiguous matrices, written by hand: the floor of aclnnMm. "transposed": b is stored transposed; "half": all matrices
// are float16, two per word.
//
//     bindings           set 0: a (m x k), b (k x n; transposed: n x k), c (m x n), 16-byte aligned
//     push constants     uint m, n, k: m is a multiple of 16, n and k are multiples of 8
//     grid               shared: ceil(n / 64) groups along x, m / 16 along y; naive: m n / 64 groups along x
//
// "shared" requires subgroups of at least 8 threads with shuffles. A thread computes a register tile of 16 rows by 8 columns. Per
// iteration K advances by 8: each of 8 threads loads one of the 8 elements of a row of a, and subgroupShuffle distributes them. The
// rows are processed one after the other, so that 8 sums stay in registers. Unrolled loops have no break and no return: otherwise
// they are not unrolled, and the sums stay in memory.

#if defined(VARIANT_float_naive) || defined(VARIANT_transposed_naive) || defined(VARIANT_half_naive)
#define NAIVE 1
layout(local_size_x = 64) in;
#else
#define NAIVE 0
layout(local_size_x = 8) in;
#endif
#if defined(VARIANT_transposed_shared) || defined(VARIANT_transposed_naive)
#define TRANSPOSED 1
#else
#define TRANSPOSED 0
#endif

#if defined(VARIANT_half_shared) || defined(VARIANT_half_naive)
#define HALF 1
#define FOUR uvec2
#define FOUR_OF(raw) vec4(unpackHalf2x16(raw.x), unpackHalf2x16(raw.y))
#define PACK_FOUR(value) uvec2(packHalf2x16(value.xy), packHalf2x16(value.zw))
#else
#define HALF 0
#define FOUR vec4
#define FOUR_OF(raw) (raw)
#define PACK_FOUR(value) (value)
#endif

layout(set = 0, binding = 0, std430) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1, std430) readonly buffer B { FOUR b[]; };
layout(set = 0, binding = 2, std430) writeonly buffer C { FOUR c[]; };
#if NAIVE
layout(set = 0, binding = 1, std430) readonly buffer B1 { uint b1[]; };
layout(set = 0, binding = 2, std430) buffer C1 { uint c1[]; };
#endif
layout(push_constant, std430) uniform Push { uint m; uint n; uint k; } push;

float element_of(uint word, uint index) {
#if HALF
  const vec2 both = unpackHalf2x16(word);
  return (index & 1u) == 0u ? both.x : both.y;
#else
  return uintBitsToFloat(word);
#endif
}

#if NAIVE

float dot_of(uint row, uint column) {
  float sum = 0;
  for (uint i = 0; i < push.k; ++i) {  // iterations: the benchmark's sizes
    const uint x = row * push.k + i;
    const uint y = TRANSPOSED != 0 ? column * push.k + i : i * push.n + column;
    sum += element_of(a[x >> HALF], x) * element_of(b1[y >> HALF], y);
  }
  return sum;
}

// With float16 a thread computes both elements of a word.
void main() {
  const uint item = gl_WorkGroupID.x * 64 + gl_LocalInvocationID.x;
  const uint first = item << HALF;
  if (first >= push.m * push.n) return;
  const uint row = first / push.n;
  const uint column = first - row * push.n;
#if HALF
  c1[item] = packHalf2x16(vec2(dot_of(row, column), dot_of(row, column + 1)));
#else
  c1[item] = floatBitsToUint(dot_of(row, column));
#endif
}

#else

float sums[16][8];
float left[16];
float right[8][8];  // k, column

void load_left(uint row, uint k, uint lane) {
  [[unroll]] for (uint r = 0; r < 16; ++r) {
    const uint at = (row + r) * push.k + k + lane;
    left[r] = element_of(a[at >> HALF], at);
  }
}

void load_right(uint k, uint column) {
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    const uint at = (TRANSPOSED != 0 ? (column + i) * push.k + k : (k + i) * push.n + column) / 4;
    const vec4 low = FOUR_OF(b[at]);
    const vec4 high = FOUR_OF(b[at + 1]);
    [[unroll]] for (uint j = 0; j < 4; ++j) {
#if TRANSPOSED
      right[j][i] = low[j];
      right[j + 4][i] = high[j];
#else
      right[i][j] = low[j];
      right[i][j + 4] = high[j];
#endif
    }
  }
}

void main() {
  const uint lane = gl_SubgroupInvocationID & 7u;
  const uint row = gl_WorkGroupID.y * 16;
  const uint wanted = (gl_WorkGroupID.x * 8 + gl_LocalInvocationID.x) * 8;
  const uint column = min(wanted, push.n - 8);
  [[unroll]] for (uint r = 0; r < 16; ++r) [[unroll]] for (uint j = 0; j < 8; ++j) sums[r][j] = 0;
  const uint k_end = push.k;
  for (uint k = 0; k < k_end; k += 8) {  // iterations: the benchmark's sizes
    load_left(row, k, lane);
    load_right(k, column);
    [[unroll]] for (uint r = 0; r < 16; ++r) {
      [[unroll]] for (uint i = 0; i < 8; ++i) {
        const float x = subgroupShuffle(left[r], i);
        [[unroll]] for (uint j = 0; j < 8; ++j) sums[r][j] += x * right[i][j];
      }
    }
  }
  if (wanted < push.n) {
    [[unroll]] for (uint r = 0; r < 16; ++r) {
      const uint at = ((row + r) * push.n + wanted) / 4;
      const vec4 low = vec4(sums[r][0], sums[r][1], sums[r][2], sums[r][3]);
      const vec4 high = vec4(sums[r][4], sums[r][5], sums[r][6], sums[r][7]);
      c[at] = PACK_FOUR(low);
      c[at + 1] = PACK_FOUR(high);
    }
  }
}

#endif
