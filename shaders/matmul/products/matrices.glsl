// Shared by the GEMM kernels: out = alpha * a b + beta * c for each matrix of a batch. ops/matmul/products/gemm.cpp is the host's half.
// Operands are a (m x k), b (k x n), c and out (m x n), each with any strides. A workgroup computes a tile of out, which find_tile()
// determines.

#extension GL_EXT_control_flow_attributes : enable
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

#define OPERANDS 4
#define DIM_WORDS (1 + OPERANDS)
#if BLOCK
#define DIMS 8
#else
#define DIMS 1
#endif
#define ARGUMENTS ACLVK_ARGUMENTS(GEMM_ARGUMENTS) uint dims[DIMS * DIM_WORDS];
#include "matmul/products/matrices.args.h"
#include "common/kernel.glsl"

ACLVK_CONSTANTS(GEMM_CONSTANTS)
#undef FIRST_CONSTANT
#define FIRST_CONSTANT ACLVK_CONSTANT_COUNT(GEMM_CONSTANTS)

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

// The tile of this workgroup and its matrices. Arguments are read once, by find_tile(), because each read is a load.
struct Tile {
  uint row;     // index of the tile among the tiles of rows
  uint column;
  uvec2 slots[OPERANDS];
  uint starts[OPERANDS];  // offsets of the matrices in elements
  uint row_strides[OPERANDS];
  uint column_strides[OPERANDS];
  uint gap;
  uint rows;     // of out
  uint columns;
  uint k;
};
Tile tile;

// Finds the tile; false past the last one. Consecutive workgroups take tiles below each other, which read the same columns of b.
bool find_tile() {
  const uint row_tiles = ACLVK_ARGUMENT(row_tiles);
  const uint column_tiles = ACLVK_ARGUMENT(column_tiles);
  const uint batches = ACLVK_ARGUMENT(batches);
  tile.rows = ACLVK_ARGUMENT(rows);
  tile.columns = ACLVK_ARGUMENT(columns);
  tile.k = ACLVK_ARGUMENT(k);
  tile.gap = ACLVK_ARGUMENT(gap);
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint column = group / row_tiles;
  tile.row = group - column * row_tiles;
  const uint batch = column / column_tiles;
  tile.column = column - batch * column_tiles;
  [[unroll]] for (uint k = 0; k < OPERANDS; ++k) {
    tile.slots[k] = slot_of(k);
    tile.row_strides[k] = ACLVK_ARGUMENT(row_strides[k]);
    tile.column_strides[k] = ACLVK_ARGUMENT(column_strides[k]);
    tile.starts[k] = 0;
  }
  uint rest = batch;
  for (uint dim = kRank; dim > 0; --dim) {
    const uint at = (dim - 1) * DIM_WORDS;
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

// Returns the index of an element of operand k.
uint element_index(const uint k, uint row, uint column) {
  const uint index = tile.starts[k] + row * tile.row_strides[k] + column * tile.column_strides[k];
  if ((kBlockedDim & 7u) == 2 * k + 1) return index + (row >> (kBlockedDim >> 3)) * tile.gap;
  if ((kBlockedDim & 7u) == 2 * k + 2) return index + (column >> (kBlockedDim >> 3)) * tile.gap;
  return index;
}

T element_of_a(uint row, uint k) { return decode(element_0(tile.slots[0], element_index(0, row, k), kSize0), kDtype0); }
T element_of_b(uint k, uint column) {
  return decode(element_1(tile.slots[1], element_index(1, k, column), kSize1), kDtype1);
}

// Returns a value of another thread of the subgroup. Drivers need not support shuffles of 64 bits.
#if defined(VARIANT_f64)
T value_of_lane(T mine, uint thread) {
  return kLanes == 1 ? mine : packDouble2x32(subgroupShuffle(unpackDouble2x32(mine), thread));
}
#elif defined(VARIANT_i64)
T value_of_lane(T mine, uint thread) {
  return kLanes == 1 ? mine : T(packUint2x32(subgroupShuffle(unpackUint2x32(U(mine)), thread)));
}
#else
T value_of_lane(T mine, uint thread) { return kLanes == 1 ? mine : subgroupShuffle(mine, thread); }
#endif

// Returns an element of out. c is not read where beta is 0, so that its NaNs do not count.
T result_of(T sum, T alpha, T beta, uint row, uint column) {
  const T scaled = alpha * sum;
  if (kHasC == 0) return scaled;
  return scaled + beta * decode(element_2(tile.slots[2], element_index(2, row, column), kSize2), kDtype2);
}

void store_element(uint row, uint column, T value) {
  set_element_3(tile.slots[3], element_index(3, row, column), kSize3, encode(value, kDtype3));
}

// --- rows of eight sums of a thread ---

T sums[kRows][8];

void clear_sums() {
  [[unroll]] for (uint r = 0; r < kRows; ++r) [[unroll]] for (uint j = 0; j < 8; ++j) sums[r][j] = T(0);
}

void store_row(const uint r, uint row, uint first, T alpha_value, T beta_value) {
  if (kWideStore != 0) {
    [[unroll]] for (uint j = 0; j < 8; ++j) raw[j] = encode(result_of(sums[r][j], alpha_value, beta_value, row, first + j), kDtype3);
    set_vec8_3(tile.slots[3], element_index(3, row, first), kSize3);
  } else {
    [[unroll]] for (uint j = 0; j < 8; ++j) {
      const uint column = first + j;
      if (column < tile.columns) store_element(row, column, result_of(sums[r][j], alpha_value, beta_value, row, column));
    }
  }
}

// Stores the columns from `first` on. There is neither break nor return: Mesa does not unroll a loop that ends early, and then the sums
// live in memory.
void store_sums(uint first) {
  const T alpha_value = alpha();
  const T beta_value = beta();
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    const uint row = tile.row * kRows + r;
    if (row < tile.rows && first < tile.columns) store_row(r, row, first, alpha_value, beta_value);
  }
}
