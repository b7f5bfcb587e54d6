// The frame of matrix products: out = alpha * a b + beta * summand for each matrix of a batch; ops/matmul/gemm.cpp is its other
// half. Operands are a (m x k), b (k x n), the summand and the result (m x n), each with any strides. A group of threads makes a
// tile of the result: find_tile() tells which.

#extension GL_EXT_control_flow_attributes : enable
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

#define OPERANDS 4
#define RECORD (1 + OPERANDS)
#if BLOCK
#define DIMS 8
#else
#define DIMS 1
#endif
#define ARGUMENTS                                                                                       \
  uint rows; uint columns; uint depth; uint row_tiles; uint column_tiles; uint batches;                 \
  uint row_steps[OPERANDS]; uint column_steps[OPERANDS]; uint alpha[2]; uint beta[2]; uint jump; uint dims[DIMS * RECORD];
#include "common/kernel.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kLanes = 8;    // threads next to each other that share what they load of a; at most 8
layout(constant_id = 2) const uint kRows = 16;    // of a tile
layout(constant_id = 3) const uint kAlong = 0;    // b is read in eights: 1 along its columns, 2 along the depth, else 0
layout(constant_id = 4) const uint kWholeDepth = 0;  // the depth is a multiple of eight
layout(constant_id = 5) const uint kWideStore = 0;   // so is the number of columns, and eights of the result are one access
layout(constant_id = 6) const uint kSummand = 0;  // there is one
layout(constant_id = 7) const uint kRank = 0;     // of the batch
layout(constant_id = 8) const uint kDtype0 = 0;
layout(constant_id = 9) const uint kDtype1 = 0;
layout(constant_id = 10) const uint kDtype2 = 0;
layout(constant_id = 11) const uint kDtype3 = 0;
layout(constant_id = 12) const uint kPromoted = 0;
// A factor that lies in blocks: 1 for the rows of a, 2 for its columns, 3 and 4 for those of b, and from the third bit on which power
// of two of them are a part. From one part to the next it is `jump` elements further than the step says.
layout(constant_id = 13) const uint kCut = 0;

#include "common/compute.glsl"
#include "common/elements.glsl"
ELEMENT_INPUT(0)
ELEMENT_INPUT(1)
ELEMENT_INPUT(2)
ELEMENT_OUTPUT(3)

#define kSize0 size_of(kDtype0)
#define kSize1 size_of(kDtype1)
#define kSize2 size_of(kDtype2)
#define kSize3 size_of(kDtype3)

// A tile and the matrices that it belongs to. The arguments are read once, by find_tile().
struct Tile {
  uint row;     // the number of the tile, among the rows of tiles
  uint column;
  uvec2 slots[OPERANDS];
  uint starts[OPERANDS];  // of the matrices, in elements
  uint row_steps[OPERANDS];
  uint column_steps[OPERANDS];
  uint jump;
  uint rows;     // of the result
  uint columns;
  uint depth;
};
Tile tile;

// Tiles below each other follow one another: they read the same columns of b. False behind the last tile.
bool find_tile() {
  const uint row_tiles = ACLVK_ARGUMENT(row_tiles);
  const uint column_tiles = ACLVK_ARGUMENT(column_tiles);
  const uint batches = ACLVK_ARGUMENT(batches);
  tile.rows = ACLVK_ARGUMENT(rows);
  tile.columns = ACLVK_ARGUMENT(columns);
  tile.depth = ACLVK_ARGUMENT(depth);
  tile.jump = ACLVK_ARGUMENT(jump);
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint column = group / row_tiles;
  tile.row = group - column * row_tiles;
  const uint batch = column / column_tiles;
  tile.column = column - batch * column_tiles;
  [[unroll]] for (uint k = 0; k < OPERANDS; ++k) {
    tile.slots[k] = slot_of(k);
    tile.row_steps[k] = ACLVK_ARGUMENT(row_steps[k]);
    tile.column_steps[k] = ACLVK_ARGUMENT(column_steps[k]);
    tile.starts[k] = 0;
  }
  uint rest = batch;
  for (uint dim = kRank; dim > 0; --dim) {
    const uint at = (dim - 1) * RECORD;
    const uint size = ACLVK_ARGUMENT(dims[at]);
    const uint outer = rest / size;
    const uint index = rest - outer * size;
    rest = outer;
    [[unroll]] for (uint k = 0; k < OPERANDS; ++k) tile.starts[k] += index * ACLVK_ARGUMENT(dims[at + 1 + k]);
  }
  return batch < batches;
}

T alpha() { return value_of(uvec4(ACLVK_ARGUMENT(alpha[0]), ACLVK_ARGUMENT(alpha[1]), 0u, 0u)); }
T beta() { return value_of(uvec4(ACLVK_ARGUMENT(beta[0]), ACLVK_ARGUMENT(beta[1]), 0u, 0u)); }

// Where an element of operand k is.
uint place_of(const uint k, uint row, uint column) {
  const uint place = tile.starts[k] + row * tile.row_steps[k] + column * tile.column_steps[k];
  if ((kCut & 7u) == 2 * k + 1) return place + (row >> (kCut >> 3)) * tile.jump;
  if ((kCut & 7u) == 2 * k + 2) return place + (column >> (kCut >> 3)) * tile.jump;
  return place;
}

T element_of_a(uint row, uint depth) { return decode(element_0(tile.slots[0], place_of(0, row, depth), kSize0), kDtype0); }
T element_of_b(uint depth, uint column) {
  return decode(element_1(tile.slots[1], place_of(1, depth, column), kSize1), kDtype1);
}

// What another thread of the subgroup has. Drivers need not hand around 64 bits at once.
#if defined(VARIANT_f64)
T value_in(T mine, uint thread) {
  return kLanes == 1 ? mine : packDouble2x32(subgroupShuffle(unpackDouble2x32(mine), thread));
}
#elif defined(VARIANT_i64)
T value_in(T mine, uint thread) {
  return kLanes == 1 ? mine : T(packUint2x32(subgroupShuffle(unpackUint2x32(U(mine)), thread)));
}
#else
T value_in(T mine, uint thread) { return kLanes == 1 ? mine : subgroupShuffle(mine, thread); }
#endif

// What the result has for a sum of products. A summand whose beta is 0 is not there at all, so it adds no NaN.
T result_of(T sum, T alpha, T beta, uint row, uint column) {
  const T scaled = alpha * sum;
  if (kSummand == 0) return scaled;
  return scaled + beta * decode(element_2(tile.slots[2], place_of(2, row, column), kSize2), kDtype2);
}

void store_element(uint row, uint column, T value) {
  set_element_3(tile.slots[3], place_of(3, row, column), kSize3, encode(value, kDtype3));
}

// --- rows of eight sums, which a thread makes ---

T sums[kRows][8];

void clear_sums() {
  [[unroll]] for (uint r = 0; r < kRows; ++r) [[unroll]] for (uint j = 0; j < 8; ++j) sums[r][j] = T(0);
}

void store_row(const uint r, uint row, uint first, T scale, T share) {
  if (kWideStore != 0) {
    [[unroll]] for (uint j = 0; j < 8; ++j) raw[j] = encode(result_of(sums[r][j], scale, share, row, first + j), kDtype3);
    set_vec8_3(tile.slots[3], place_of(3, row, first), kSize3);
  } else {
    [[unroll]] for (uint j = 0; j < 8; ++j) {
      const uint column = first + j;
      if (column < tile.columns) store_element(row, column, result_of(sums[r][j], scale, share, row, column));
    }
  }
}

// The columns from `first` on. Without break and return: a loop that ends early is not unrolled, and the sums would be in memory all
// the time.
void store_sums(uint first) {
  const T scale = alpha();
  const T share = beta();
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    const uint row = tile.row * kRows + r;
    if (row < tile.rows && first < tile.columns) store_row(r, row, first, scale, share);
  }
}
