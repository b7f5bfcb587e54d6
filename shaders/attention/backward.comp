#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// arguments: in memory
// The backward pass of attention (flash.comp), which recomputes the weights instead of reading them (FlashAttention, Dao et al. 2022).
// ops/attention/backward.cpp is the host's half.
//
//     P = exp(score - row_max) / row_sum     dP = dY V^T     dS = P (dP - delta), delta = rowsum(dY Y)
//     dQ = scale dS K     dK = scale dS^T Q     dV = P^T dY
//
// There are two passes. kLanes threads hold kRows rows of a sequence and a head: of q and dY (kKeys == 0), or of k and v. They visit the
// other rows one by one: k and v, or q and dY. Each thread holds some vec8s of the columns; dot products are summed over the threads with
// shuffles. A score is the product of `own_qk` and `other_qk`, dP that of `own_vdy` and `other_vdy`. Rows of queries accumulate dQ; rows
// of keys accumulate dK and dV over all heads of q that share the head. No two tiles write the same element, so sums need no atomics and
// have a fixed order. With dropout, dP and the weights of dV are masked and multiplied by `dropout_scale`.
//
// Rows consist of vec8s that are aligned. A kernel visits the other rows from `from` to `to` and the heads from first_head to last_head,
// which bounds its loops; with kContinues its accumulators start from what the results hold.

#extension GL_EXT_control_flow_attributes : enable
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

#include "common/declare.glsl"
#include "attention/backward.args.h"
#define OPERANDS 9
#define OWN_ARGUMENTS BACKWARD_ARGUMENTS
struct SequenceArguments {
  ACLVK_ARGUMENTS(SEQUENCE_MEMBERS)
};
#include "common/kernel.glsl"
ACLVK_OPERAND(8)

ACLVK_CONSTANTS(BACKWARD_CONSTANTS)
const uint kPromoted = 0;                         // float

#include "common/compute.glsl"
#include "common/elements.glsl"
ELEMENT_INPUT(0)   // q or k
ELEMENT_INPUT(1)   // dY or v
ELEMENT_INPUT(2)   // k or q
ELEMENT_INPUT(3)   // v or dY
ELEMENT_INPUT(5)   // dQ or dK
ELEMENT_OUTPUT(5)
ELEMENT_INPUT(6)   // nothing or dV
ELEMENT_OUTPUT(6)
ELEMENT_INPUT(7)   // the mask, bytes
ELEMENT_INPUT(8)   // the position bias
#include "common/math/exponential.glsl"

#define kSize size_of(kDtype0)
const uint kQkDim = 8 * kQkVec8s;
const uint kVDim = 8 * kVVec8s;
const uint kSums = kKeys ? kVDim : 8;  // accumulators of dV; the pass over queries has none, but an array needs a size

struct Tile {
  uint sequence;
  uint head;
  uint row;
  uint rows;
  SequenceArguments tokens;
};
Tile tile;
uvec2 slots[OPERANDS];
uint qk_dim;
uint v_dim;

uint tokens[kRows];  // rows past the last one repeat it and are not stored
float own_qk[kRows][kQkDim];
float own_vdy[kRows][kVDim];
float qk_sums[kRows][kQkDim];
float v_sums[kRows][kSums];
vec4 row_stats[kRows];  // of rows of queries: row_max, 1 / row_sum, delta
float other_qk[kQkDim];
float other_vdy[kVDim];

uint lane() { return gl_SubgroupInvocationID & kLanes - 1; }

// Returns a value of another thread of the tile. A subgroup may hold several tiles.
float value_of_lane(float mine, uint thread) {
  const uint start = gl_WorkGroupSize.x == kLanes ? 0 : gl_SubgroupInvocationID & ~(kLanes - 1);
  return kLanes == 1 ? mine : subgroupShuffle(mine, start + thread);
}

float sum_of_tile(float mine) {
  float sum = mine;
  [[unroll]] for (uint level = 0; level < 3; ++level) {
    if ((1u << level) < kLanes) sum += value_of_lane(sum, lane() ^ 1u << level);
  }
  return sum;
}

uint own_first_token() { return kKeys ? tile.tokens.first_key : tile.tokens.first_query; }
uint other_count() { return kKeys ? tile.tokens.queries : tile.tokens.keys; }

bool find_rows() {
  const uint sequences = ACLVK_ARGUMENT(sequences);
  const uint heads = ACLVK_ARGUMENT(heads);
  const uint row_tiles = ACLVK_ARGUMENT(row_tiles);
  qk_dim = ACLVK_ARGUMENT(qk_dim);
  v_dim = ACLVK_ARGUMENT(v_dim);
  [[unroll]] for (uint k = 0; k < OPERANDS; ++k) slots[k] = slot_of(k);
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint tile_number = (group * gl_WorkGroupSize.x + gl_LocalInvocationID.x) / kLanes;
  const uint of_heads = tile_number / row_tiles;
  tile.row = (tile_number - of_heads * row_tiles) * kRows;
  tile.sequence = of_heads / heads;
  tile.head = of_heads - tile.sequence * heads;
  if (tile.sequence >= sequences) return false;
  tile.tokens = ACLVK_ARGUMENT(all[tile.sequence]);
  tile.rows = kKeys ? tile.tokens.keys : tile.tokens.queries;
  return tile.row < tile.rows;
}

#define START(strides, head, token) \
  (tile.sequence * ACLVK_ARGUMENT(strides[0]) + (head) * ACLVK_ARGUMENT(strides[1]) + (token) * ACLVK_ARGUMENT(strides[2]))

// Returns the first column of a vec8 of this thread. A vec8 past the last column reads the last one again and counts as 0.
uint column_of(uint vec) { return 8 * (lane() + vec * kLanes); }

void load_rows() {
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    tokens[r] = min(tile.row + r, tile.rows - 1);
    const uint qk_start = START(own_qk_strides, tile.head, own_first_token() + tokens[r]);
    [[unroll]] for (uint vec = 0; vec < kQkVec8s; ++vec) {
      const uint at = column_of(vec);
      vec8_0(slots[0], qk_start + min(at, qk_dim - 8), kSize);
      [[unroll]] for (uint i = 0; i < 8; ++i) own_qk[r][8 * vec + i] = at < qk_dim ? decode(raw[i], kDtype0) : 0.0;
    }
    const uint v_start = START(own_vdy_strides, tile.head, own_first_token() + tokens[r]);
    [[unroll]] for (uint vec = 0; vec < kVVec8s; ++vec) {
      const uint at = column_of(vec);
      vec8_1(slots[1], v_start + min(at, v_dim - 8), kSize);
      [[unroll]] for (uint i = 0; i < 8; ++i) own_vdy[r][8 * vec + i] = at < v_dim ? decode(raw[i], kDtype0) : 0.0;
    }
    if (!kKeys) row_stats[r] = uintBitsToFloat(words4_4(slots[4], START(row_strides, tile.head, own_first_token() + tokens[r]) * 4u));
  }
}

void load_other(uint qk_start, uint v_start) {
  [[unroll]] for (uint vec = 0; vec < kQkVec8s; ++vec) {
    const uint at = column_of(vec);
    vec8_2(slots[2], qk_start + min(at, qk_dim - 8), kSize);
    [[unroll]] for (uint i = 0; i < 8; ++i) other_qk[8 * vec + i] = at < qk_dim ? decode(raw[i], kDtype0) : 0.0;
  }
  [[unroll]] for (uint vec = 0; vec < kVVec8s; ++vec) {
    const uint at = column_of(vec);
    vec8_3(slots[3], v_start + min(at, v_dim - 8), kSize);
    [[unroll]] for (uint i = 0; i < 8; ++i) other_vdy[8 * vec + i] = at < v_dim ? decode(raw[i], kDtype0) : 0.0;
  }
}

// Finds the range of other rows that some row of the tile sees, or is seen by.
void find_other_range(out uint start, out uint end) {
  start = ACLVK_ARGUMENT(from);
  end = min(ACLVK_ARGUMENT(to), other_count());
  // With a visible prefix the range has a gap, which is_in_window() leaves out.
  if (kWindow != 1) return;
  const int before = ACLVK_ARGUMENT(before);
  const int after = ACLVK_ARGUMENT(after);
  const int low = int(tokens[0]) + (kKeys ? -tile.tokens.window_offset - after : tile.tokens.window_offset - before);
  const int high = int(tokens[kRows - 1]) + (kKeys ? -tile.tokens.window_offset + before : tile.tokens.window_offset + after) + 1;
  start = max(start, uint(max(low, 0)));
  end = min(end, uint(max(high, 0)));
}

bool is_in_window(uint query, uint key) {
  if (kWindow == 0) return true;
  const int distance = int(key) - int(query) - tile.tokens.window_offset;
  const bool is_near = distance >= -ACLVK_ARGUMENT(before) && distance <= ACLVK_ARGUMENT(after);
  return is_near || kWindow == 2 && key < tile.tokens.visible_prefix;
}

float alibi_score(float product, uint head, uint query, uint key, float scale) {
  const uint at = START(bias_strides, head, 0);
  const float slope = decode(element_8(slots[8], at, size_of(kDtype8)), kDtype8);
  const float distance = float(abs(int(query) + ACLVK_ARGUMENT(position_offset) - int(key)));
  return scale * product - slope * (kPositionBias == 3 ? distance : sqrt(distance));
}

uint bias_index(uint head, uint query, uint key) {
  if (!kLastRows) return START(bias_strides, head, query) + key;
  const int row = int(query) - ACLVK_ARGUMENT(position_offset);
  const uint column = key + (row < 0 ? uint(1023 - row) : 0u);
  return START(bias_strides, head, row < 0 ? 1023u : min(uint(row), 1023u)) + min(column, ACLVK_ARGUMENT(bias_columns) - 1u);
}

float score_of(float product, uint head, uint query, uint key) {
  const float scale = ACLVK_ARGUMENT(scale);
  if (kPositionBias == 0) return scale * product;
  if (kPositionBias > 2) return alibi_score(product, head, query, key, scale);
  const float bias = decode(element_8(slots[8], bias_index(head, query, key), size_of(kDtype8)), kDtype8);
  return kPositionBias == 1 ? scale * product + bias : scale * (product + bias);
}

// Returns P. Rounding may put a score a little above row_max; row_max may also be an arbitrary input, so the exponent is bounded.
float weight_of(float score, vec4 stats) {
  const float above = score - stats.x;
  return exp_below(above > 88.0 ? 88.0 : above) * stats.y;
}

void add_pair(const uint r, uint head, uint query, uint key, vec4 stats, float dropout_scale) {
  float product = 0;
  float gradient = 0;
  [[unroll]] for (uint i = 0; i < kQkDim; ++i) product += own_qk[r][i] * other_qk[i];
  [[unroll]] for (uint i = 0; i < kVDim; ++i) gradient += own_vdy[r][i] * other_vdy[i];
  product = sum_of_tile(product);
  gradient = sum_of_tile(gradient);
  const uint mask = kMask != 0 ? element_7(slots[7], START(mask_strides, head, query) + key, 1).x : 0u;
  const bool is_hidden = kMask == 2 ? (mask & 1u) != 0 : mask != 0;
  // Hidden pairs are skipped, not multiplied by 0: their values may be infinite.
  if (is_hidden || !is_in_window(query, key)) return;
  const float dropout_factor = kMask == 2 ? ((mask & 2u) != 0 ? 0.0 : dropout_scale) : 1.0;
  const float weight = weight_of(score_of(product, head, query, key), stats);
  const float change = ACLVK_ARGUMENT(scale) * weight * (dropout_factor * gradient - stats.z);
  [[unroll]] for (uint i = 0; i < kQkDim; ++i) qk_sums[r][i] += change * other_qk[i];
  if (kKeys) {
    const float dropped_weight = weight * dropout_factor;
    [[unroll]] for (uint i = 0; i < kSums; ++i) v_sums[r][i] += dropped_weight * other_vdy[i];
  }
}

// Adds the other rows from `start` to `end` of a head of q.
void add_other_rows(uint head, uint start, uint end, float dropout_scale) {
  const uint other_head = kKeys ? head : head / ACLVK_ARGUMENT(group);
  const uint other_token = kKeys ? tile.tokens.first_query : tile.tokens.first_key;
  const uint qk_stride = ACLVK_ARGUMENT(other_qk_strides[2]);
  const uint v_stride = ACLVK_ARGUMENT(other_vdy_strides[2]);
  const uint qk_start = START(other_qk_strides, other_head, other_token);
  const uint v_start = START(other_vdy_strides, other_head, other_token);
  const uint stats_start = START(row_strides, head, tile.tokens.first_query);
  const uint stats_stride = ACLVK_ARGUMENT(row_strides[2]);
  for (uint other = start; other < end; ++other) {  // iterations: others_per_kernel() of ops/attention/backward.cpp
    load_other(qk_start + other * qk_stride, v_start + other * v_stride);
    vec4 stats = vec4(0);
    if (kKeys) stats = uintBitsToFloat(words4_4(slots[4], (stats_start + other * stats_stride) * 4u));
    [[unroll]] for (uint r = 0; r < kRows; ++r) {
      if (kKeys) {
        add_pair(r, head, other, tokens[r], stats, dropout_scale);
      } else {
        add_pair(r, head, tokens[r], other, row_stats[r], dropout_scale);
      }
    }
  }
}

void begin_rows() {
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    [[unroll]] for (uint i = 0; i < kQkDim; ++i) qk_sums[r][i] = 0;
    [[unroll]] for (uint i = 0; i < kSums; ++i) v_sums[r][i] = 0;
    if (!kContinues) continue;
    const uint qk_start = START(qk_grad_strides, tile.head, own_first_token() + tokens[r]);
    [[unroll]] for (uint vec = 0; vec < kQkVec8s; ++vec) {
      vec8_5(slots[5], qk_start + min(column_of(vec), qk_dim - 8), size_of(kDtype5));
      [[unroll]] for (uint i = 0; i < 8; ++i) qk_sums[r][8 * vec + i] = decode(raw[i], kDtype5);
    }
    if (!kKeys) continue;
    const uint v_start = START(v_grad_strides, tile.head, own_first_token() + tokens[r]);
    [[unroll]] for (uint vec = 0; vec < kSums / 8; ++vec) {
      vec8_6(slots[6], v_start + min(column_of(vec), v_dim - 8), size_of(kDtype6));
      [[unroll]] for (uint i = 0; i < 8; ++i) v_sums[r][8 * vec + i] = decode(raw[i], kDtype6);
    }
  }
}

void store_row(const uint r) {
  const uint qk_start = START(qk_grad_strides, tile.head, own_first_token() + tokens[r]);
  [[unroll]] for (uint vec = 0; vec < kQkVec8s; ++vec) {
    [[unroll]] for (uint i = 0; i < 8; ++i) raw[i] = encode(qk_sums[r][8 * vec + i], kDtype5);
    if (column_of(vec) < qk_dim) set_vec8_5(slots[5], qk_start + column_of(vec), size_of(kDtype5));
  }
  if (!kKeys) return;
  const uint v_start = START(v_grad_strides, tile.head, own_first_token() + tokens[r]);
  [[unroll]] for (uint vec = 0; vec < kSums / 8; ++vec) {
    [[unroll]] for (uint i = 0; i < 8; ++i) raw[i] = encode(v_sums[r][8 * vec + i], kDtype6);
    if (column_of(vec) < v_dim) set_vec8_6(slots[6], v_start + column_of(vec), size_of(kDtype6));
  }
}

void main() {
  if (!find_rows()) return;
  const float dropout_scale = kMask == 2 ? ACLVK_ARGUMENT(dropout_scale) : 1.0;
  const uint group = ACLVK_ARGUMENT(group);
  const uint first_head = kKeys ? ACLVK_ARGUMENT(first_head) : 0u;
  const uint last_head = kKeys ? ACLVK_ARGUMENT(last_head) : 1u;
  load_rows();
  begin_rows();
  uint start;
  uint end;
  find_other_range(start, end);
  for (uint i = first_head; i < last_head; ++i) {  // iterations: others_per_kernel() counts the heads, too
    add_other_rows(kKeys ? tile.head * group + i : tile.head, start, end, dropout_scale);
  }
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    if (tile.row + r < tile.rows) store_row(r);
  }
}
