#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 segment
// arguments: in memory
// FlashAttention (Dao et al. 2022): softmax(scale * q k^T + position bias, masked) v with an online softmax (Milakov & Gimelshein 2018),
// so that no matrix of weights is stored. ops/attention/flash.cpp is the host's half.
//
// Heads of q that share a head of k and v are a group (GQA). A row is a query token and a head of the group; kLanes threads of a subgroup
// compute kRows rows of a sequence and a head of k. They visit the keys in steps of 8 * kLanes, eight keys a thread: scores as in
// matmul/products/gemm.comp, or as in matmul/products/dot.comp for few rows; then the weights exp(score - row_max); then weights times v,
// for which each thread accumulates some vec8s of the result's columns and hands its weights to the others with shuffles. When row_max
// grows, accumulators and row_sum are rescaled. The visible keys of a token follow from its sequence's length, a sliding window and the
// mask. Dropout, ALiBi, sinks and left padding are enabled by specialization constants: kernels without them contain no code for them.
//
// Where a sequence has more keys than a loop may have iterations, kernels of the variant `segment` run one after the other:
// flash_segment.glsl.
//
// Rows of q, k, v and the result consist of aligned vec8s. Rows of the mask and of the position bias are aligned, too, and readable up to
// the end of the vec8 that has the last key.

#extension GL_EXT_control_flow_attributes : enable
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

#include "common/declare.glsl"
#include "attention/flash.args.h"
#if defined(VARIANT_segment)
#define OPERANDS 10
#define OWN_ARGUMENTS(ARGUMENT, ARRAY) \
  FLASH_ARGUMENTS(ARGUMENT, ARRAY) FLASH_SEGMENT_ARGUMENTS(ARGUMENT, ARRAY) FLASH_SEQUENCES(ARGUMENT, ARRAY)
#else
#define OPERANDS 9
#define OWN_ARGUMENTS(ARGUMENT, ARRAY) FLASH_ARGUMENTS(ARGUMENT, ARRAY) FLASH_SEQUENCES(ARGUMENT, ARRAY)
#endif
struct SequenceArguments {
  ACLVK_ARGUMENTS(SEQUENCE_MEMBERS)
};
#include "common/kernel.glsl"
ACLVK_OPERAND(8)  // common/kernel.glsl declares operands 0 to 7

ACLVK_CONSTANTS(FLASH_CONSTANTS)
const uint kPromoted = 0;                         // float

#include "common/compute.glsl"
#include "common/elements.glsl"
ELEMENT_INPUT(0)   // q
ELEMENT_INPUT(1)   // k
ELEMENT_INPUT(2)   // v
ELEMENT_OUTPUT(3)  // the result
ELEMENT_INPUT(4)   // the mask, bytes
ELEMENT_INPUT(5)   // the position bias
ELEMENT_INPUT(6)   // the block table, or the paddings of q and k
ELEMENT_OUTPUT(7)  // the softmax statistics
ELEMENT_INPUT(8)   // attention sinks: a logit for each head, without a value
#include "common/math/exponential.glsl"

// kLanes threads share the loads of eight elements of a row of q.
const uint kParts = 8 / kLanes;
const bool kFewRows = kRows <= 4;
#define kSize size_of(kDtype0)
// The start of row_max. Unlike -infinity it leaves no NaN where all scores are -infinity: their weights are exp(-infinity - kLowest) =
// 0.
const float kLowest = -3.402823466e38;

// The tile of this thread. Arguments are read once, because each read is a load.
struct Tile {
  uint head;  // of k and v
  uint sequence;
  uint row;
  uint rows;
  SequenceArguments tokens;
};
Tile tile;
uvec2 slots[OPERANDS];
uint qk_dim;
uint v_dim;
uint page;
uint pages;
uint table_start;
uint k_start;
uint v_start;
uint k_token;  // strides
uint v_token;
uint k_page;
uint v_page;

// The rows of the tile. Those past the last row repeat it and are not stored.
uint tokens[kRows];
uint heads[kRows];
uint q_starts[kRows];

float scores[kRows][8];  // of this thread's keys; then the weights
float acc[kRows][8 * kVVec8s];
float row_max[kRows];
float row_sum[kRows];
float q_frag[kRows][kParts];
float kv_frag[8][8];
float queries[kRows][8 * kQkVec8s];  // for few rows

uint lane() { return gl_SubgroupInvocationID & kLanes - 1; }

#if defined(VARIANT_segment)
#include "attention/flash_segment.glsl"
#endif

// Returns a value of another thread of the tile. A subgroup may hold several tiles; where it holds one, the thread's number is a
// constant, and a shuffle costs nothing on CPU drivers.
float value_of_lane(float mine, uint thread) {
  const uint first = gl_WorkGroupSize.x == kLanes ? 0 : gl_SubgroupInvocationID & ~(kLanes - 1);
  return kLanes == 1 ? mine : subgroupShuffle(mine, first + thread);
}

// Returns the first token of a sequence in front of its padding. The argument `first` assumes a padding of 0. A padding larger than the
// room before counts as all of it.
uint without_padding(uint number, uint first) {
  const uvec4 padding = element_6(slots[6], number, size_of(kDtype6));
  const bool wide = kDtype6 == kInt64;
  const bool is_negative = int(wide ? padding.y : padding.x) < 0;
  return is_negative ? first : first - (wide && padding.y != 0 ? first : min(padding.x, first));
}

bool find_rows() {
  const uint sequences = ACLVK_ARGUMENT(sequences);
  const uint heads_of_keys = ACLVK_ARGUMENT(heads);
  const uint row_tiles = ACLVK_ARGUMENT(row_tiles);
  [[unroll]] for (uint k = 0; k < OPERANDS; ++k) slots[k] = slot_of(k);
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  uint tile_number = (group * gl_WorkGroupSize.x + gl_LocalInvocationID.x) / kLanes;
#if defined(VARIANT_segment)
  if (!locate_state(tile_number)) return false;
#endif
  const uint of_heads = tile_number / row_tiles;
  tile.row = (tile_number - of_heads * row_tiles) * kRows;
  tile.sequence = of_heads / heads_of_keys;
  tile.head = of_heads - tile.sequence * heads_of_keys;
  if (tile.sequence >= sequences) return false;
  tile.tokens = ACLVK_ARGUMENT(all[tile.sequence]);
  if (kTable == 2) {
    tile.tokens.first_query = without_padding(0, tile.tokens.first_query);
    tile.tokens.first_key = without_padding(1, tile.tokens.first_key);
  }
  tile.rows = tile.tokens.queries * ACLVK_ARGUMENT(group);
  return tile.row < tile.rows;
}

void read_arguments() {
  const uint group = ACLVK_ARGUMENT(group);
  qk_dim = ACLVK_ARGUMENT(qk_dim);
  v_dim = ACLVK_ARGUMENT(v_dim);
  page = ACLVK_ARGUMENT(page);
  pages = ACLVK_ARGUMENT(pages);
  k_token = ACLVK_ARGUMENT(k_strides[2]);
  v_token = ACLVK_ARGUMENT(v_strides[2]);
  k_page = ACLVK_ARGUMENT(k_page);
  v_page = ACLVK_ARGUMENT(v_page);
  k_start = tile.head * ACLVK_ARGUMENT(k_strides[1]);
  v_start = tile.head * ACLVK_ARGUMENT(v_strides[1]);
  if (kTable != 1) {
    k_start += tile.sequence * ACLVK_ARGUMENT(k_strides[0]) + tile.tokens.first_key * k_token;
    v_start += tile.sequence * ACLVK_ARGUMENT(v_strides[0]) + tile.tokens.first_key * v_token;
  }
  table_start = tile.sequence * ACLVK_ARGUMENT(table_stride);
  const uint q_start = tile.sequence * ACLVK_ARGUMENT(q_strides[0]);
  const uint q_head = ACLVK_ARGUMENT(q_strides[1]);
  const uint q_token = ACLVK_ARGUMENT(q_strides[2]);
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    const uint row = min(tile.row + r, tile.rows - 1);
    tokens[r] = row / group;
    heads[r] = tile.head * group + row - tokens[r] * group;
    q_starts[r] = q_start + (tile.tokens.first_query + tokens[r]) * q_token + heads[r] * q_head;
  }
}

// Finds the range of keys that some row of the tile sees.
void find_key_range(out uint first, out uint last) {
  first = 0;
  last = tile.tokens.keys;
  if (kWindow != 0) {
    const int lowest = int(tokens[0]) + tile.tokens.window_offset - ACLVK_ARGUMENT(before);
    const int end = int(tokens[kRows - 1]) + tile.tokens.window_offset + ACLVK_ARGUMENT(after) + 1;
    first = uint(max(lowest, 0)) & ~(8 * kLanes - 1);
    last = uint(clamp(end, 0, int(last)));
  }
  if (kWindow == 2) {
    first = 0;
    last = max(last, min(tile.tokens.visible_prefix, tile.tokens.keys));
  }
}

// Returns the offset of a key from the start of k, or of its value from that of v. A block table may hold any numbers: those out of range
// stand for the last page.
uint key_offset(uint key, uint start, uint token_stride, uint page_stride) {
  if (kTable != 1) return start + key * token_stride;
  const uint number = key / page;
  const uvec4 block = element_6(slots[6], table_start + number, size_of(kDtype6));
  const uint there = kDtype6 == kInt64 && block.y != 0 ? pages - 1 : min(block.x, pages - 1);
  return start + there * page_stride + (key - number * page) * token_stride;
}

void load_q(uint d) {
  [[unroll]] for (uint part = 0; part < kParts; ++part) {
    const uint at = d + part * kLanes + lane();
    [[unroll]] for (uint r = 0; r < kRows; ++r) q_frag[r][part] = decode(element_0(slots[0], q_starts[r] + at, kSize), kDtype0);
  }
}

void compute_scores(uint first) {
  uint keys[8];
  [[unroll]] for (uint j = 0; j < 8; ++j) {
    keys[j] = key_offset(min(first + 8 * lane() + j, tile.tokens.keys - 1), k_start, k_token, k_page);
  }
  [[unroll]] for (uint r = 0; r < kRows; ++r) [[unroll]] for (uint j = 0; j < 8; ++j) scores[r][j] = 0;
  for (uint d = 0; d < qk_dim; d += 8) {  // iterations: keys_per_segment() of ops/attention/tiling.cpp
    load_q(d);
    [[unroll]] for (uint j = 0; j < 8; ++j) {
      vec8_1(slots[1], keys[j] + d, kSize);
      [[unroll]] for (uint q = 0; q < 8; ++q) kv_frag[q][j] = decode(raw[q], kDtype0);
    }
    [[unroll]] for (uint r = 0; r < kRows; ++r) {
      [[unroll]] for (uint q = 0; q < 8; ++q) {
        const float x = value_of_lane(q_frag[r][q / kLanes], q % kLanes);
        [[unroll]] for (uint j = 0; j < 8; ++j) scores[r][j] += x * kv_frag[q][j];
      }
    }
  }
}

// Threads past the last column hold zeros; they read the last vec8 again.
void load_queries() {
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    [[unroll]] for (uint vec = 0; vec < kQkVec8s; ++vec) {
      const uint at = 8 * (lane() + vec * kLanes);
      vec8_0(slots[0], q_starts[r] + min(at, qk_dim - 8), kSize);
      [[unroll]] for (uint i = 0; i < 8; ++i) queries[r][8 * vec + i] = at < qk_dim ? decode(raw[i], kDtype0) : 0.0;
    }
  }
}

// Returns an index into a mask or bias that includes the padding of q and k.
uint padded(uint at, uint token_stride) {
  return kTable == 2 ? at + tile.tokens.first_query * token_stride + tile.tokens.first_key : at;
}

// Adds ALiBi. q and k may be parts of a sequence, so positions differ by position_offset.
void add_alibi(const uint r, uint key, float scale) {
  const uint at = tile.sequence * ACLVK_ARGUMENT(bias_strides[0]) + heads[r] * ACLVK_ARGUMENT(bias_strides[1]);
  const float slope = decode(element_5(slots[5], at, size_of(kDtype5)), kDtype5);
  const int first = int(tokens[r]) + ACLVK_ARGUMENT(position_offset) - int(key);
  [[unroll]] for (uint j = 0; j < 8; ++j) {
    const float distance = float(abs(first - int(j)));
    scores[r][j] = scale * scores[r][j] - slope * (kPositionBias == 3 ? distance : sqrt(distance));
  }
}

// Loads a bias that depends on the distance alone and has rows for the last 1024 tokens only. An earlier token uses the last row, further
// right. Keys past its end are hidden in such calls.
void load_last_rows(const uint r, uint start, uint key) {
  const int row = int(tokens[r]) - ACLVK_ARGUMENT(position_offset);
  const uint end = ACLVK_ARGUMENT(bias_columns) - 1u;
  const uint at = start + (row < 0 ? 1023u : min(uint(row), 1023u)) * ACLVK_ARGUMENT(bias_strides[2]);
  const uint first = key + (row < 0 ? uint(1023 - row) : 0u);
  [[unroll]] for (uint j = 0; j < 8; ++j) raw[j] = element_5(slots[5], at + min(first + j, end), size_of(kDtype5));
}

// Adds the position bias of this thread's keys; elements past the last key do not matter. With left padding vec8s are not aligned, so
// elements are loaded one by one.
void add_position_bias(const uint r, uint key, float scale) {
  const uint stride = ACLVK_ARGUMENT(bias_strides[2]);
  const uint start = tile.sequence * ACLVK_ARGUMENT(bias_strides[0]) + heads[r] * ACLVK_ARGUMENT(bias_strides[1]);
  const uint at = start + tokens[r] * stride + key;
  if (kLastRows) {
    load_last_rows(r, start, key);
  } else if (kTable == 2) {
    const uint last = tile.tokens.keys - 1 - key;
    [[unroll]] for (uint j = 0; j < 8; ++j) raw[j] = element_5(slots[5], padded(at + min(j, last), stride), size_of(kDtype5));
  } else {
    vec8_5(slots[5], at, size_of(kDtype5));
  }
  [[unroll]] for (uint j = 0; j < 8; ++j) {
    const float bias = decode(raw[j], kDtype5);
    scores[r][j] = kPositionBias == 1 ? scale * scores[r][j] + bias : scale * (scores[r][j] + bias);
  }
}

void load_mask(const uint r, uint key) {
  const uint stride = ACLVK_ARGUMENT(mask_strides[2]);
  const uint at = tile.sequence * ACLVK_ARGUMENT(mask_strides[0]) + heads[r] * ACLVK_ARGUMENT(mask_strides[1]) + tokens[r] * stride + key;
  if (kTable == 2) {
    const uint last = tile.tokens.keys - 1 - key;
    [[unroll]] for (uint j = 0; j < 8; ++j) raw[j] = element_4(slots[4], padded(at + min(j, last), stride), 1);
  } else {
    vec8_4(slots[4], at, 1);
  }
}

bool is_hidden(const uint j) { return kMask == 2 ? (raw[j].x & 1u) != 0 : kMask != 0 && raw[j].x != 0; }
bool is_dropped(const uint j) { return kMask == 2 && (raw[j].x & 2u) != 0; }

bool is_in_window(const uint r, uint key) {
  if (kWindow == 0) return true;
  const int distance = int(key) - int(tokens[r]) - tile.tokens.window_offset;
  const bool is_near = distance >= -ACLVK_ARGUMENT(before) && distance <= ACLVK_ARGUMENT(after);
  return is_near || kWindow == 2 && key < tile.tokens.visible_prefix;
}

// Butterfly reductions over the threads of the tile. Loops count levels, because Mesa does not unroll a loop that doubles its variable,
// nor one around it, and then the arrays of all rows live in memory.
float max_of_tile(float mine) {
  float max_score = mine;
  [[unroll]] for (uint level = 0; level < 3; ++level) {
    if ((1u << level) < kLanes) max_score = max(max_score, value_of_lane(max_score, lane() ^ 1u << level));
  }
  return max_score;
}

float sum_of_tile(float mine) {
  float sum = mine;
  [[unroll]] for (uint level = 0; level < 3; ++level) {
    if ((1u << level) < kLanes) sum += value_of_lane(sum, lane() ^ 1u << level);
  }
  return sum;
}

// Computes scores of few rows as dot products: each key is read as one contiguous stream. What threads past the last column read may be
// infinite, so it is left out, not multiplied by their zeros.
void compute_scores_by_dots(uint first, uint threads) {
  for (uint thread = 0; thread < threads; ++thread) {  // iterations: of a subgroup
    [[unroll]] for (uint j = 0; j < 8; ++j) {
      const uint start = key_offset(min(first + 8 * thread + j, tile.tokens.keys - 1), k_start, k_token, k_page);
      float mine[kRows];
      [[unroll]] for (uint r = 0; r < kRows; ++r) mine[r] = 0;
      [[unroll]] for (uint vec = 0; vec < kQkVec8s; ++vec) {
        const uint at = 8 * (lane() + vec * kLanes);
        const bool counts = vec + 1 < kQkVec8s || at < qk_dim;
        vec8_1(slots[1], start + min(at, qk_dim - 8), kSize);
        float part[kRows];
        [[unroll]] for (uint r = 0; r < kRows; ++r) part[r] = 0;
        [[unroll]] for (uint i = 0; i < 8; ++i) {
          const float y = decode(raw[i], kDtype0);
          [[unroll]] for (uint r = 0; r < kRows; ++r) part[r] += queries[r][8 * vec + i] * y;
        }
        [[unroll]] for (uint r = 0; r < kRows; ++r) mine[r] += counts ? part[r] : 0.0;
      }
      [[unroll]] for (uint r = 0; r < kRows; ++r) {
        const float sum = sum_of_tile(mine[r]);
        scores[r][j] = lane() == thread ? sum : scores[r][j];
      }
    }
  }
}

// One step of the online softmax: scores become weights, accumulators are rescaled. Keys out of range, hidden ones and scores of
// -infinity get the weight 0.
void update_softmax(uint first) {
  const float scale = ACLVK_ARGUMENT(scale);
  const uint mine = first + 8 * lane();
  const uint there = min(mine, tile.tokens.keys - 1 & ~7u);
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    if (kPositionBias > 2) {
      add_alibi(r, there, scale);
    } else if (kPositionBias != 0) {
      add_position_bias(r, there, scale);
    } else {
      [[unroll]] for (uint j = 0; j < 8; ++j) scores[r][j] *= scale;
    }
    if (kMask != 0) load_mask(r, there);
    float max_score = kLowest;
    [[unroll]] for (uint j = 0; j < 8; ++j) {
      const bool counts = mine + j < tile.tokens.keys && is_in_window(r, mine + j) && !is_hidden(j);
      scores[r][j] = counts ? scores[r][j] : uintBitsToFloat(0xFF800000u);
      max_score = max(max_score, scores[r][j]);
    }
    const float new_max = max(row_max[r], max_of_tile(max_score));
    const float rescale = exp_below(row_max[r] - new_max);
    row_max[r] = new_max;
    row_sum[r] *= rescale;
    [[unroll]] for (uint c = 0; c < 8 * kVVec8s; ++c) acc[r][c] *= rescale;
    [[unroll]] for (uint j = 0; j < 8; ++j) {
      scores[r][j] = exp_below(scores[r][j] - new_max);
      row_sum[r] += scores[r][j];
      if (is_dropped(j)) scores[r][j] = 0;
    }
  }
}

void load_values(uint first, uint column) {
  [[unroll]] for (uint q = 0; q < 8; ++q) {
    const uint at = key_offset(min(first + q, tile.tokens.keys - 1), v_start, v_token, v_page);
    vec8_2(slots[2], at + min(column, v_dim - 8), kSize);
    [[unroll]] for (uint j = 0; j < 8; ++j) kv_frag[q][j] = decode(raw[j], kDtype0);
  }
  if (first + 8 <= tile.tokens.keys) return;
  // Rows past the last key are clamped to it. Its value may be infinite, which a weight of 0 does not undo.
  [[unroll]] for (uint q = 0; q < 8; ++q) {
    [[unroll]] for (uint j = 0; j < 8; ++j) kv_frag[q][j] = first + q < tile.tokens.keys ? kv_frag[q][j] : 0.0;
  }
}

void add_values(uint first, uint threads) {
  for (uint thread = 0; thread < threads; ++thread) {  // iterations: of a subgroup
    [[unroll]] for (uint vec = 0; vec < kVVec8s; ++vec) {
      load_values(first + 8 * thread, 8 * (lane() + vec * kLanes));
      [[unroll]] for (uint r = 0; r < kRows; ++r) {
        [[unroll]] for (uint q = 0; q < 8; ++q) {
          const float weight = value_of_lane(scores[r][q], thread);
          [[unroll]] for (uint j = 0; j < 8; ++j) acc[r][8 * vec + j] += weight * kv_frag[q][j];
        }
      }
    }
  }
}

void store_row(const uint r, float factor) {
  const uint start = tile.sequence * ACLVK_ARGUMENT(out_strides[0]) + heads[r] * ACLVK_ARGUMENT(out_strides[1]) +
                     (tile.tokens.first_query + tokens[r]) * ACLVK_ARGUMENT(out_strides[2]);
  [[unroll]] for (uint vec = 0; vec < kVVec8s; ++vec) {
    const uint column = 8 * (lane() + vec * kLanes);
    [[unroll]] for (uint j = 0; j < 8; ++j) raw[j] = encode(acc[r][8 * vec + j] * factor, kDtype3);
    if (column < v_dim) set_vec8_3(slots[3], start + column, size_of(kDtype3));
  }
}

void store_stats(const uint r, float sum) {
  const uint at = tile.sequence * ACLVK_ARGUMENT(stats_strides[0]) + heads[r] * ACLVK_ARGUMENT(stats_strides[1]) +
                  (tile.tokens.first_query + tokens[r]) * ACLVK_ARGUMENT(stats_strides[2]);
  const float logarithm = sum > 0 || isnan(sum) ? row_max[r] + log_of(sum) : uintBitsToFloat(0x7F800000u);
  set_element_7(slots[7], at, 4, uvec4(floatBitsToUint(kStats == 1 ? logarithm : row_max[r]), 0u, 0u, 0u));
  if (kStats == 2) set_element_7(slots[7], at + 1, 4, uvec4(floatBitsToUint(sum), 0u, 0u, 0u));
}

// Starts a row. A sink is a first score; one thread counts its weight.
void begin_row(const uint r) {
  row_max[r] = kLowest;
  row_sum[r] = 0;
  if (kSink != 0) {
    const float score = decode(element_8(slots[8], heads[r] * ACLVK_ARGUMENT(sink_stride), size_of(kDtype8)), kDtype8);
    row_max[r] = max(score, kLowest);
    row_sum[r] = lane() == 0 ? exp_below(score - row_max[r]) : 0.0;
  }
}

void main() {
  if (!find_rows()) return;
  read_arguments();
  const float dropout_scale = kMask == 2 ? ACLVK_ARGUMENT(dropout_scale) : 1.0;
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    begin_row(r);
    [[unroll]] for (uint c = 0; c < 8 * kVVec8s; ++c) acc[r][c] = 0;
  }
  uint first;
  uint last;
  find_key_range(first, last);
#if defined(VARIANT_segment)
  if (!begin_segment(first, last)) return;
#endif
  if (kFewRows) load_queries();
  for (uint at = first; at < last; at += 8 * kLanes) {  // iterations: keys_per_segment() of ops/attention/tiling.cpp
    const uint threads = min(kLanes, (last - at + 7) / 8);  // threads with a visible key
    if (kFewRows) {
      compute_scores_by_dots(at, threads);
    } else {
      compute_scores(at);
    }
    update_softmax(at);
    add_values(at, threads);
  }
#if defined(VARIANT_segment)
  if (end_segment()) return;
#endif
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    const float sum = sum_of_tile(row_sum[r]);
    if (tile.row + r < tile.rows) {
      store_row(r, sum > 0 || isnan(sum) ? dropout_scale / sum : 0.0);
      if (kStats != 0 && lane() == 0) store_stats(r, sum);
    }
  }
}
