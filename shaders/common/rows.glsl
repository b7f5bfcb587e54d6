// The frame of kernels over rows: reductions, softmax, normalisations, scans. ops/kernel/rows.cpp is the host's half. A row is the elements
// along one dim, `count` of them with a step for each operand. Rows are numbered through a loop nest. Long rows may be split into
// chunks, which then count as rows. A team of kTeam threads (a power of two) works on a row. A shader defines, before it includes this:
//
//     OPERANDS        the number of operands
//     OWN_ARGUMENTS   the list of the shader's own arguments (common/declare.glsl), if it has any
//
// and writes main() as
//
//     if (!find_row()) return;
//     SWEEP(visit)                      calls visit(at, 8u) or visit(at, 1u) for the elements of this thread
//
// where visit(uint at, const uint n) uses LOAD(k, at, n, x) and STORE(k, at, n, y) with T x[8], of which the first n are valid. The
// shader declares these functions with ROW_INPUT(k) and ROW_OUTPUT(k) for each operand. Its specialization constants start at
// FIRST_CONSTANT.
//
// A shader that reads rows more than once can hold a thread's elements in registers (RowCall::rows_in_registers). kRegisterVec8s is
// then the number of vec8s of a thread; 0 for rows that are too long, or are not aligned vec8s:
//
//     SWEEP_REGISTERS(visit)            calls visit(at, i) for vec8 i of this thread, which starts at element `at`
//
// On CPU devices kSpanVec8s is 2 for 16-bit elements: two vec8s, a line of 32 bytes, are loaded and stored at once, since a line costs
// little more than half of one. So each visit must do the same LOADs and STOREs as the one before it.
//
// A shader that also holds shared operands in registers (RowCall::shared_in_registers) works on kRowsPerTeam rows: find_row(0),
// find_row(1), and so on.

#extension GL_EXT_control_flow_attributes : enable
#extension GL_KHR_shader_subgroup_basic : require
#include "common/rows.args.h"
#ifndef OWN_ARGUMENTS
#define OWN_ARGUMENTS(ARGUMENT, ARRAY)
#endif

#define DIM_WORDS (1 + OPERANDS)
#define FIXED_WORDS (ACLVK_ARGUMENT_WORDS(ROWS_ARGUMENTS) + OPERANDS + ACLVK_ARGUMENT_WORDS(OWN_ARGUMENTS))
#define PUSH_RANK ((128 - 8 * OPERANDS - 4 * FIXED_WORDS) / (4 * DIM_WORDS))
#if BLOCK
#define DIMS 8
#else
#define DIMS (PUSH_RANK > 8 ? 8 : PUSH_RANK < 1 ? 1 : PUSH_RANK)
#endif
#define ARGUMENTS \
  ACLVK_ARGUMENTS(ROWS_ARGUMENTS) uint steps[OPERANDS]; ACLVK_ARGUMENTS(OWN_ARGUMENTS) uint dims[DIMS * DIM_WORDS];
#include "common/kernel.glsl"

ACLVK_CONSTANTS(ROWS_CONSTANTS)
#undef FIRST_CONSTANT
#define FIRST_CONSTANT ACLVK_CONSTANT_COUNT(ROWS_CONSTANTS)
#include "common/operand_dtypes.glsl"
#define FRAME_CONSTANTS (ACLVK_CONSTANT_COUNT(ROWS_CONSTANTS) + OPERANDS + 1)
#undef FIRST_CONSTANT
#define FIRST_CONSTANT FRAME_CONSTANTS

#include "common/compute.glsl"
#include "common/elements.glsl"

// A T as words, for passing it between kernels and threads: unpack(pack(x)) is x.
#if INTEGER_CLASS
uvec4 pack(T value) { return integer_to_bits(value, WIDE_INTEGERS == 1 ? kInt64 : kInt32); }
#elif COMPLEX_CLASS
uvec4 pack(T value) { return complex_to_bits(value, WIDE_FLOATS == 1 ? kComplex128 : kComplex64); }
#else
uvec4 pack(T value) { return real_to_bits(value, WIDE_FLOATS == 1 ? kDouble : kFloat); }
#endif
#define unpack(words) value_of(words)

// The row (or chunk) of a thread.
struct Row {
  uvec2 slots[OPERANDS];  // where the operands are
  uint starts[OPERANDS];  // the row's first element in each operand
  uint steps[OPERANDS];
  uint count;   // elements
  uint index;   // of the row among all rows, without chunks
  uint chunk;   // of the row
  uint first;   // the chunk's first element
  bool exists;  // false for a thread without a row, which still takes part in the barriers and shuffles of its team
  uint lane;    // of the thread in its team
  uint lead;    // elements before the first aligned span
  uint body;    // the end of the last whole span
};
Row row;

const uint kSpan = 8 * kSpanVec8s;

// The alignment of a span in elements: a line of 32 bytes, at most kSpan elements.
uint span_elements(uint size) { return min(kSpan, 32u / max(size, 1u)); }

void find_lead() {
  const uint size = size_of(kDtype0);
  const uint line = span_elements(size);
  const uint past = (base_of(row.slots[0]) / size + row.starts[0]) & line - 1u;
  row.lead = min((line - past) & line - 1u, row.count);
  row.body = row.lead + (row.count - row.lead & ~(kSpan - 1u));
}

// Finds the row of an iteration. Returns false for a thread that may return: it has no row, and its team needs no barriers.
bool find_row(uint iteration) {
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint count = ACLVK_ARGUMENT(count);
  const uint chunk = ACLVK_ARGUMENT(chunk);
  const uint chunks = ACLVK_ARGUMENT(chunks);
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint team = kTeamIsSubgroup != 0 ? gl_SubgroupID : gl_LocalInvocationID.x / kTeam;
  const uint number = (group * (gl_WorkGroupSize.x / kTeam) + team) * kRowsPerTeam + iteration;
  const bool exists = kExact != 0 || number < rows;
  row.exists = exists;
  row.lane = kTeamIsSubgroup != 0 ? gl_SubgroupInvocationID : gl_LocalInvocationID.x & kTeam - 1u;
  row.index = !exists ? 0u : kChunked != 0 ? number / chunks : number;  // CPU devices divide lane by lane
  row.chunk = exists && kChunked != 0 ? number - row.index * chunks : 0u;
  row.first = row.chunk * chunk;
  row.count = exists ? min(chunk, count - row.first) : 0u;
  [[unroll]] for (uint k = 0; k < OPERANDS; ++k) {
    row.slots[k] = slot_of(k);
    row.steps[k] = ACLVK_ARGUMENT(steps[k]);
    row.starts[k] = row.first * row.steps[k];
  }
  uint rest = row.index;
  for (uint dim = kRank; dim > 1; --dim) {
    const uint at = (dim - 1) * DIM_WORDS;
    const uint size = ACLVK_ARGUMENT(dims[at]);
    const uint outer = rest / size;
    const uint index = rest - outer * size;
    rest = outer;
    [[unroll]] for (uint k = 0; k < OPERANDS; ++k) row.starts[k] += index * ACLVK_ARGUMENT(dims[at + 1 + k]);
  }
  if (kRank > 0) {
    [[unroll]] for (uint k = 0; k < OPERANDS; ++k) row.starts[k] += rest * ACLVK_ARGUMENT(dims[1 + k]);
  }
  if (kVector != 0) find_lead();
  return exists || kTeam > 1;
}

bool find_row() { return find_row(0); }

// Returns true for the thread of a team that writes the row's result.
bool writes_for_team() { return row.lane == 0 && row.exists; }

uint half_span;  // the vec8 of a span that is visited

#define VISIT_VEC8S(visit, at)                                                                                     \
  {                                                                                                                \
    half_span = 0;                                                                                                 \
    visit(at, 8u);                                                                                                 \
    if (kSpanVec8s == 2) {                                                                                         \
      half_span = 1;                                                                                               \
      visit(at + 8, 8u);                                                                                           \
    }                                                                                                              \
  }

// Visits the whole spans, then single elements at both ends.
#define SWEEP(visit)                                                                                               \
  {  /* iterations: row_unroll_factor() of ops/kernel/rows.cpp counts those of both loops */                      \
    if (kVector != 0) {                                                                                            \
      for (uint from = row.lead + kSpan * row.lane; from < row.body; from += kSpan * kTeam * kUnroll) {            \
        [[unroll]] for (uint i = 0; i < kUnroll; ++i) {                                                            \
          const uint at = from + i * kSpan * kTeam;                                                                \
          if (kUnroll == 1 || at < row.body) VISIT_VEC8S(visit, at)                                                \
        }                                                                                                          \
      }                                                                                                            \
    }                                                                                                              \
    const uint ragged = kVector != 0 ? row.lead + row.count - row.body : row.count;                                \
    for (uint from = row.lane; from < ragged; from += kTeam * kUnroll) {                                           \
      [[unroll]] for (uint j = 0; j < kUnroll; ++j) {                                                              \
        const uint i = from + j * kTeam;                                                                           \
        if (kUnroll == 1 || i < ragged) visit(kVector != 0 && i >= row.lead ? i - row.lead + row.body : i, 1u);    \
      }                                                                                                            \
    }                                                                                                              \
  }

#define SWEEP_REGISTERS(visit)                                        \
  [[unroll]] for (uint i = 0; i < kRegisterVec8s / kSpanVec8s; ++i) { \
    const uint at = kSpan * (row.lane + i * kTeam);                   \
    if (kExact != 0 || at < row.count) {                              \
      half_span = 0;                                                  \
      visit(at, kSpanVec8s * i);                                      \
      if (kSpanVec8s == 2) {                                          \
        half_span = 1;                                                \
        visit(at + 8, 2 * i + 1);                                     \
      }                                                               \
    }                                                                 \
  }

// With kSpanVec8s == 2 the first load of a pair reads the line for both, and the second store writes it.
#define ROW_INPUT(k)                                                                                                 \
  ELEMENT_INPUT(k)                                                                                                   \
  Words read_##k;                                                                                                    \
  void vec8_of_row_##k(uvec2 slot, uint index, uint size) {                                                          \
    if (kSpanVec8s == 2 && size == 2) {                                                                              \
      if (half_span == 0) read_##k = words8_##k(slot, index * size);                                                 \
      halves_to_raw(half_span == 0 ? read_##k.low : read_##k.high);                                                  \
    } else {                                                                                                         \
      vec8_##k(slot, index, size);                                                                                   \
    }                                                                                                                \
  }                                                                                                                  \
  void load_##k(uint at, const uint n, out T values[8]) {                                                            \
    const uint size = size_of(kDtype##k);                                                                            \
    if (n == 8u) {                                                                                                   \
      vec8_of_row_##k(row.slots[k], row.starts[k] + at, size);                                                       \
      [[unroll]] for (uint i = 0; i < 8; ++i) values[i] = decode(raw[i], kDtype##k);                                 \
    } else {                                                                                                         \
      values[0] = decode(element_##k(row.slots[k], row.starts[k] + at * row.steps[k], size), kDtype##k);             \
    }                                                                                                                \
  }

#define ROW_OUTPUT(k)                                                                                              \
  ELEMENT_OUTPUT(k)                                                                                                \
  uvec4 written_##k;                                                                                               \
  void set_vec8_of_row_##k(uvec2 slot, uint index, uint size) {                                                    \
    if (kSpanVec8s == 2 && size == 2) {                                                                            \
      if (half_span == 1) set_words8_##k(slot, index * size - 16, Words(written_##k, halves_of_raw()));            \
      written_##k = halves_of_raw();                                                                               \
    } else {                                                                                                       \
      set_vec8_##k(slot, index, size);                                                                             \
    }                                                                                                              \
  }                                                                                                                \
  void store_##k(uint at, const uint n, T values[8]) {                                                             \
    const uint size = size_of(kDtype##k);                                                                          \
    if (n == 8u) {                                                                                                 \
      [[unroll]] for (uint i = 0; i < 8; ++i) raw[i] = encode(values[i], kDtype##k);                               \
      set_vec8_of_row_##k(row.slots[k], row.starts[k] + at, size);                                                 \
    } else {                                                                                                       \
      const uint index = row.starts[k] + at * row.steps[k];                                                        \
      set_element_##k(row.slots[k], index, size, encode(values[0], kDtype##k));                                    \
    }                                                                                                              \
  }                                                                                                                \
  void store_bits_##k(uvec4 bits) { set_element_##k(row.slots[k], row.starts[k], size_of(kDtype##k), bits); }

#define LOAD(k, at, n, values) load_##k(at, n, values)
#define STORE(k, at, n, values) store_##k(at, n, values)
// Stores the bits of an operand with one element per row.
#define STORE_ONE(k, bits) store_bits_##k(bits)
