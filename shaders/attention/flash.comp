#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 part
// arguments: in memory
// Attention without its matrix of weights: softmax(scale * q k + shift, masked) v. ops/attention/flash.cpp is the other half.
//
// Heads of q that share a head of k and v are a group. A row is a token of q and a head of the group; kLanes threads make kRows rows of
// a batch and a head of k together. They walk over the keys in tiles of 8 * kLanes, eight keys a thread: products with q, as in
// matmul/gemm.comp, or in matmul/dot.comp for few rows; then the weights exp(score - top of the row), then their products with v, for
// which each thread makes eights of columns of the result and hands its weights around. When a tile raises the top, what was summed
// up before is scaled down. Which keys a token sees is a window that moves with it, the sequence's length and a mask. What few callers
// ask for (weights that are dropped, slopes, sinks, padding in front) is behind specialization constants: it costs the others nothing.
//
// More keys than a loop may have turns are walked over by several kernels of the variant `part`, one after the other: flash_part.glsl.
//
// Rows of q, k, v and the result consist of eights that begin on lines; those of the mask and of the shift begin on lines, and an
// eight that their last key is part of can be read.

#extension GL_EXT_control_flow_attributes : enable
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

#if defined(VARIANT_part)
#define OPERANDS 10
#define PART_ARGUMENTS uint from; uint to; uint first_tile; uint tiles;
#else
#define OPERANDS 9
#define PART_ARGUMENTS
#endif
#define SEQUENCES 32
struct Sequence {
  uint first_query;  // tokens of q that come before its first one
  uint queries;
  uint first_key;
  uint keys;
  int shift;  // of the window: 0, or the keys that there are before the first token of q
  uint seen;  // first keys that every token sees, whatever the window says
};
#define ARGUMENTS                                                                                              \
  uint sequences; uint heads; uint group; uint depth; uint columns; uint row_tiles; float scale; int before;   \
  int behind; uint q_steps[3]; uint k_steps[3]; uint v_steps[3]; uint out_steps[3]; uint mask_steps[3];        \
  uint shift_steps[3]; uint table_step; uint page; uint pages; uint k_page; uint v_page; uint statistic_steps[3]; \
  int apart; float gain; uint shift_columns; uint sink_step; PART_ARGUMENTS Sequence all[SEQUENCES];
#include "common/kernel.glsl"
ACLVK_OPERAND(8)  // few other kernels have so many

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kLanes = 8;
layout(constant_id = 2) const uint kRows = 16;
layout(constant_id = 3) const uint kColumnVec8s = 2;  // of the result that a thread makes
layout(constant_id = 4) const uint kDepthVec8s = 2;   // of a row of q that a thread holds where there are few rows
layout(constant_id = 5) const uint kWindow = 0;  // 2: some keys are seen besides
layout(constant_id = 6) const uint kMask = 0;    // 1: not 0 hides a key; 2: the lowest bit does, and the next drops its weight
// Added to scores: 1 after they are scaled, 2 before. Or 3 a slope for each head times how far a key is in front of, or behind the
// token, 4 the root of that.
layout(constant_id = 7) const uint kShift = 0;
layout(constant_id = 8) const uint kTable = 0;  // 1: k and v are in pages; 2: two numbers, how much padding follows q and k
layout(constant_id = 9) const uint kStatistic = 0;  // 1 the logarithm of a row's sum, 2 its top and its sum
layout(constant_id = 10) const uint kDtype0 = 0;    // of q, k and v
layout(constant_id = 11) const uint kDtype3 = 0;
layout(constant_id = 12) const uint kDtype5 = 0;
layout(constant_id = 13) const uint kDtype6 = 0;  // of the table
layout(constant_id = 14) const uint kSink = 0;
layout(constant_id = 15) const uint kDtype8 = 0;
layout(constant_id = 16) const bool kLastRows = false;  // the shift has 1024 rows, for the tokens from `apart` on
const uint kPromoted = 0;                         // float

#include "common/compute.glsl"
#include "common/elements.glsl"
ELEMENT_INPUT(0)   // q
ELEMENT_INPUT(1)   // k
ELEMENT_INPUT(2)   // v
ELEMENT_OUTPUT(3)  // the result
ELEMENT_INPUT(4)   // the mask, bytes
ELEMENT_INPUT(5)   // the shift
ELEMENT_INPUT(6)   // the table of pages, or the padding
ELEMENT_OUTPUT(7)  // the statistic
ELEMENT_INPUT(8)   // a score for each head that takes part in the softmax, and has no value
#include "common/math/exponential.glsl"

const uint kParts = 8 / kLanes;
const bool kFewRows = kRows <= 4;
#define kSize size_of(kDtype0)
const float kLowest = -3.402823466e38;

// What the threads of a tile work on. The arguments are read once.
struct Place {
  uint head;  // of k and v
  uint sequence;
  uint row;
  uint rows;
  Sequence tokens;
};
Place place;
uvec2 slots[OPERANDS];
uint depth_of_all;
uint columns;
uint page;
uint pages;
uint table_start;
uint k_start;
uint v_start;
uint k_token;  // steps
uint v_token;
uint k_page;
uint v_page;

// Of the rows. Those behind the last repeat it, and are not stored.
uint tokens[kRows];
uint heads[kRows];
uint q_starts[kRows];

float scores[kRows][8];  // of this thread's keys; then their weights
float sums[kRows][8 * kColumnVec8s];
float top[kRows];
float total[kRows];
float left[kRows][kParts];
float right[8][8];
float queries[kRows][8 * kDepthVec8s];  // where there are few rows

uint lane() { return gl_SubgroupInvocationID & kLanes - 1; }

#if defined(VARIANT_part)
#include "attention/flash_part.glsl"
#endif

// What a thread of the same tile has. A subgroup may hold several tiles; where it is one, the number of the thread is a constant,
// which drivers for CPUs hand around for nothing.
float value_in(float mine, uint thread) {
  const uint first = gl_WorkGroupSize.x == kLanes ? 0 : gl_SubgroupInvocationID & ~(kLanes - 1);
  return kLanes == 1 ? mine : subgroupShuffle(mine, first + thread);
}

// Without the padding the last token is the last of the tensor, where the arguments put it. More padding than there is room counts
// as all the room.
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
  uint tile = (group * gl_WorkGroupSize.x + gl_LocalInvocationID.x) / kLanes;
#if defined(VARIANT_part)
  if (!find_state(tile)) return false;
#endif
  const uint of_heads = tile / row_tiles;
  place.row = (tile - of_heads * row_tiles) * kRows;
  place.sequence = of_heads / heads_of_keys;
  place.head = of_heads - place.sequence * heads_of_keys;
  if (place.sequence >= sequences) return false;
  place.tokens = ACLVK_ARGUMENT(all[place.sequence]);
  if (kTable == 2) {
    place.tokens.first_query = without_padding(0, place.tokens.first_query);
    place.tokens.first_key = without_padding(1, place.tokens.first_key);
  }
  place.rows = place.tokens.queries * ACLVK_ARGUMENT(group);
  return place.row < place.rows;
}

void read_arguments() {
  const uint group = ACLVK_ARGUMENT(group);
  depth_of_all = ACLVK_ARGUMENT(depth);
  columns = ACLVK_ARGUMENT(columns);
  page = ACLVK_ARGUMENT(page);
  pages = ACLVK_ARGUMENT(pages);
  k_token = ACLVK_ARGUMENT(k_steps[2]);
  v_token = ACLVK_ARGUMENT(v_steps[2]);
  k_page = ACLVK_ARGUMENT(k_page);
  v_page = ACLVK_ARGUMENT(v_page);
  k_start = place.head * ACLVK_ARGUMENT(k_steps[1]);
  v_start = place.head * ACLVK_ARGUMENT(v_steps[1]);
  if (kTable != 1) {
    k_start += place.sequence * ACLVK_ARGUMENT(k_steps[0]) + place.tokens.first_key * k_token;
    v_start += place.sequence * ACLVK_ARGUMENT(v_steps[0]) + place.tokens.first_key * v_token;
  }
  table_start = place.sequence * ACLVK_ARGUMENT(table_step);
  const uint q_start = place.sequence * ACLVK_ARGUMENT(q_steps[0]);
  const uint q_head = ACLVK_ARGUMENT(q_steps[1]);
  const uint q_token = ACLVK_ARGUMENT(q_steps[2]);
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    const uint row = min(place.row + r, place.rows - 1);
    tokens[r] = row / group;
    heads[r] = place.head * group + row - tokens[r] * group;
    q_starts[r] = q_start + (place.tokens.first_query + tokens[r]) * q_token + heads[r] * q_head;
  }
}

// The keys that some row of the tile sees: from first to behind last.
void find_keys(out uint first, out uint last) {
  first = 0;
  last = place.tokens.keys;
  if (kWindow != 0) {
    const int lowest = int(tokens[0]) + place.tokens.shift - ACLVK_ARGUMENT(before);
    const int highest = int(tokens[kRows - 1]) + place.tokens.shift + ACLVK_ARGUMENT(behind) + 1;
    first = uint(max(lowest, 0)) & ~(8 * kLanes - 1);
    last = uint(clamp(highest, 0, int(last)));
  }
  if (kWindow == 2) {
    first = 0;
    last = max(last, min(place.tokens.seen, place.tokens.keys));
  }
}

// Where a key is, in elements from the start of k, or its value from that of v. A table may have any numbers: one beyond the pages
// stands for the last.
uint key_place(uint key, uint start, uint token_step, uint page_step) {
  if (kTable != 1) return start + key * token_step;
  const uint number = key / page;
  const uvec4 block = element_6(slots[6], table_start + number, size_of(kDtype6));
  const uint there = kDtype6 == kInt64 && block.y != 0 ? pages - 1 : min(block.x, pages - 1);
  return start + there * page_step + (key - number * page) * token_step;
}

void load_left(uint depth) {
  [[unroll]] for (uint part = 0; part < kParts; ++part) {
    const uint at = depth + part * kLanes + lane();
    [[unroll]] for (uint r = 0; r < kRows; ++r) left[r][part] = decode(element_0(slots[0], q_starts[r] + at, kSize), kDtype0);
  }
}

void find_scores(uint first) {
  uint keys[8];
  [[unroll]] for (uint j = 0; j < 8; ++j) {
    keys[j] = key_place(min(first + 8 * lane() + j, place.tokens.keys - 1), k_start, k_token, k_page);
  }
  [[unroll]] for (uint r = 0; r < kRows; ++r) [[unroll]] for (uint j = 0; j < 8; ++j) scores[r][j] = 0;
  for (uint depth = 0; depth < depth_of_all; depth += 8) {  // iterations: keys_of_part() of ops/attention/cut.cpp
    load_left(depth);
    [[unroll]] for (uint j = 0; j < 8; ++j) {
      vec8_1(slots[1], keys[j] + depth, kSize);
      [[unroll]] for (uint q = 0; q < 8; ++q) right[q][j] = decode(raw[q], kDtype0);
    }
    [[unroll]] for (uint r = 0; r < kRows; ++r) {
      [[unroll]] for (uint q = 0; q < 8; ++q) {
        const float x = value_in(left[r][q / kLanes], q % kLanes);
        [[unroll]] for (uint j = 0; j < 8; ++j) scores[r][j] += x * right[q][j];
      }
    }
  }
}

// Threads beside the last column hold zeros, and read the last eight of keys again.
void hold_queries() {
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    [[unroll]] for (uint vec = 0; vec < kDepthVec8s; ++vec) {
      const uint at = 8 * (lane() + vec * kLanes);
      vec8_0(slots[0], q_starts[r] + min(at, depth_of_all - 8), kSize);
      [[unroll]] for (uint i = 0; i < 8; ++i) queries[r][8 * vec + i] = at < depth_of_all ? decode(raw[i], kDtype0) : 0.0;
    }
  }
}

// Where a pair's element is in a tensor that has padding where q and k have it, beside `at`.
uint padded(uint at, uint token_step) {
  return kTable == 2 ? at + place.tokens.first_query * token_step + place.tokens.first_key : at;
}

// How far apart tokens are, in a sequence of which q and k may be parts.
void add_slope(const uint r, uint key, float scale) {
  const uint at = place.sequence * ACLVK_ARGUMENT(shift_steps[0]) + heads[r] * ACLVK_ARGUMENT(shift_steps[1]);
  const float slope = decode(element_5(slots[5], at, size_of(kDtype5)), kDtype5);
  const int first = int(tokens[r]) + ACLVK_ARGUMENT(apart) - int(key);
  [[unroll]] for (uint j = 0; j < 8; ++j) {
    const float distance = float(abs(first - int(j)));
    scores[r][j] = scale * scores[r][j] - slope * (kShift == 3 ? distance : sqrt(distance));
  }
}

// A shift of which the last rows are given depends on how far apart tokens are. For a token before them the last row tells, further
// right; what would be behind its end is a key that such calls hide.
void load_last_rows(const uint r, uint start, uint key) {
  const int row = int(tokens[r]) - ACLVK_ARGUMENT(apart);
  const uint end = ACLVK_ARGUMENT(shift_columns) - 1u;
  const uint at = start + (row < 0 ? 1023u : min(uint(row), 1023u)) * ACLVK_ARGUMENT(shift_steps[2]);
  const uint first = key + (row < 0 ? uint(1023 - row) : 0u);
  [[unroll]] for (uint j = 0; j < 8; ++j) raw[j] = element_5(slots[5], at + min(first + j, end), size_of(kDtype5));
}

// The eights of the mask and of the shift for this thread's keys; what is behind the last key does not matter. Behind padding they
// begin anywhere.
void add_shift(const uint r, uint key, float scale) {
  const uint step = ACLVK_ARGUMENT(shift_steps[2]);
  const uint start = place.sequence * ACLVK_ARGUMENT(shift_steps[0]) + heads[r] * ACLVK_ARGUMENT(shift_steps[1]);
  const uint at = start + tokens[r] * step + key;
  if (kLastRows) {
    load_last_rows(r, start, key);
  } else if (kTable == 2) {
    const uint last = place.tokens.keys - 1 - key;
    [[unroll]] for (uint j = 0; j < 8; ++j) raw[j] = element_5(slots[5], padded(at + min(j, last), step), size_of(kDtype5));
  } else {
    vec8_5(slots[5], at, size_of(kDtype5));
  }
  [[unroll]] for (uint j = 0; j < 8; ++j) {
    const float shift = decode(raw[j], kDtype5);
    scores[r][j] = kShift == 1 ? scale * scores[r][j] + shift : scale * (scores[r][j] + shift);
  }
}

void load_mask(const uint r, uint key) {
  const uint step = ACLVK_ARGUMENT(mask_steps[2]);
  const uint at = place.sequence * ACLVK_ARGUMENT(mask_steps[0]) + heads[r] * ACLVK_ARGUMENT(mask_steps[1]) + tokens[r] * step + key;
  if (kTable == 2) {
    const uint last = place.tokens.keys - 1 - key;
    [[unroll]] for (uint j = 0; j < 8; ++j) raw[j] = element_4(slots[4], padded(at + min(j, last), step), 1);
  } else {
    vec8_4(slots[4], at, 1);
  }
}

bool is_hidden(const uint j) { return kMask == 2 ? (raw[j].x & 1u) != 0 : kMask != 0 && raw[j].x != 0; }
bool is_dropped(const uint j) { return kMask == 2 && (raw[j].x & 2u) != 0; }

bool is_in_window(const uint r, uint key) {
  if (kWindow == 0) return true;
  const int distance = int(key) - int(tokens[r]) - place.tokens.shift;
  const bool is_near = distance >= -ACLVK_ARGUMENT(before) && distance <= ACLVK_ARGUMENT(behind);
  return is_near || kWindow == 2 && key < place.tokens.seen;
}

// Over the threads of the tile: pairs, pairs of pairs, and so on. Counted by level, because a loop that doubles its variable is not
// unrolled, and nor is one around it: the rows' values would be in memory all the time.
float highest_of_all(float mine) {
  float highest = mine;
  [[unroll]] for (uint level = 0; level < 3; ++level) {
    if ((1u << level) < kLanes) highest = max(highest, value_in(highest, lane() ^ 1u << level));
  }
  return highest;
}

float sum_of_all(float mine) {
  float sum = mine;
  [[unroll]] for (uint level = 0; level < 3; ++level) {
    if ((1u << level) < kLanes) sum += value_in(sum, lane() ^ 1u << level);
  }
  return sum;
}

// For few rows. Keys are read one by one, as they lie, so that memory sees one stream of them. What threads beside the last column
// read may be infinite, so their part is left out, though their queries are 0.
void find_scores_by_dots(uint first, uint threads) {
  for (uint thread = 0; thread < threads; ++thread) {  // iterations: of a subgroup
    [[unroll]] for (uint j = 0; j < 8; ++j) {
      const uint start = key_place(min(first + 8 * thread + j, place.tokens.keys - 1), k_start, k_token, k_page);
      float mine[kRows];
      [[unroll]] for (uint r = 0; r < kRows; ++r) mine[r] = 0;
      [[unroll]] for (uint vec = 0; vec < kDepthVec8s; ++vec) {
        const uint at = 8 * (lane() + vec * kLanes);
        const bool counts = vec + 1 < kDepthVec8s || at < depth_of_all;
        vec8_1(slots[1], start + min(at, depth_of_all - 8), kSize);
        float part[kRows];
        [[unroll]] for (uint r = 0; r < kRows; ++r) part[r] = 0;
        [[unroll]] for (uint i = 0; i < 8; ++i) {
          const float y = decode(raw[i], kDtype0);
          [[unroll]] for (uint r = 0; r < kRows; ++r) part[r] += queries[r][8 * vec + i] * y;
        }
        [[unroll]] for (uint r = 0; r < kRows; ++r) mine[r] += counts ? part[r] : 0.0;
      }
      [[unroll]] for (uint r = 0; r < kRows; ++r) {
        const float sum = sum_of_all(mine[r]);
        scores[r][j] = lane() == thread ? sum : scores[r][j];
      }
    }
  }
}

// Scores become weights. A key that is not there weighs nothing, nor does one whose score is -infinity.
void find_weights(uint first) {
  const float scale = ACLVK_ARGUMENT(scale);
  const uint mine = first + 8 * lane();
  const uint there = min(mine, place.tokens.keys - 1 & ~7u);
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    if (kShift > 2) {
      add_slope(r, there, scale);
    } else if (kShift != 0) {
      add_shift(r, there, scale);
    } else {
      [[unroll]] for (uint j = 0; j < 8; ++j) scores[r][j] *= scale;
    }
    if (kMask != 0) load_mask(r, there);
    float highest = kLowest;
    [[unroll]] for (uint j = 0; j < 8; ++j) {
      const bool counts = mine + j < place.tokens.keys && is_in_window(r, mine + j) && !is_hidden(j);
      scores[r][j] = counts ? scores[r][j] : uintBitsToFloat(0xFF800000u);
      highest = max(highest, scores[r][j]);
    }
    const float above = max(top[r], highest_of_all(highest));
    const float fading = exp_below(top[r] - above);
    top[r] = above;
    total[r] *= fading;
    [[unroll]] for (uint c = 0; c < 8 * kColumnVec8s; ++c) sums[r][c] *= fading;
    [[unroll]] for (uint j = 0; j < 8; ++j) {
      scores[r][j] = exp_below(scores[r][j] - above);
      total[r] += scores[r][j];
      if (is_dropped(j)) scores[r][j] = 0;
    }
  }
}

void load_values(uint first, uint column) {
  [[unroll]] for (uint q = 0; q < 8; ++q) {
    const uint at = key_place(min(first + q, place.tokens.keys - 1), v_start, v_token, v_page);
    vec8_2(slots[2], at + min(column, columns - 8), kSize);
    [[unroll]] for (uint j = 0; j < 8; ++j) right[q][j] = decode(raw[j], kDtype0);
  }
  if (first + 8 <= place.tokens.keys) return;
  // The last value stands for those that are not there. It may be infinite, which 0 times it does not undo.
  [[unroll]] for (uint q = 0; q < 8; ++q) {
    [[unroll]] for (uint j = 0; j < 8; ++j) right[q][j] = first + q < place.tokens.keys ? right[q][j] : 0.0;
  }
}

void add_values(uint first, uint threads) {
  for (uint thread = 0; thread < threads; ++thread) {  // iterations: of a subgroup
    [[unroll]] for (uint vec = 0; vec < kColumnVec8s; ++vec) {
      load_values(first + 8 * thread, 8 * (lane() + vec * kLanes));
      [[unroll]] for (uint r = 0; r < kRows; ++r) {
        [[unroll]] for (uint q = 0; q < 8; ++q) {
          const float weight = value_in(scores[r][q], thread);
          [[unroll]] for (uint j = 0; j < 8; ++j) sums[r][8 * vec + j] += weight * right[q][j];
        }
      }
    }
  }
}

void store_row(const uint r, float factor) {
  const uint start = place.sequence * ACLVK_ARGUMENT(out_steps[0]) + heads[r] * ACLVK_ARGUMENT(out_steps[1]) +
                     (place.tokens.first_query + tokens[r]) * ACLVK_ARGUMENT(out_steps[2]);
  [[unroll]] for (uint vec = 0; vec < kColumnVec8s; ++vec) {
    const uint column = 8 * (lane() + vec * kLanes);
    [[unroll]] for (uint j = 0; j < 8; ++j) raw[j] = encode(sums[r][8 * vec + j] * factor, kDtype3);
    if (column < columns) set_vec8_3(slots[3], start + column, size_of(kDtype3));
  }
}

void store_statistic(const uint r, float sum) {
  const uint at = place.sequence * ACLVK_ARGUMENT(statistic_steps[0]) + heads[r] * ACLVK_ARGUMENT(statistic_steps[1]) +
                  (place.tokens.first_query + tokens[r]) * ACLVK_ARGUMENT(statistic_steps[2]);
  const float logarithm = sum > 0 || isnan(sum) ? top[r] + log_of(sum) : uintBitsToFloat(0x7F800000u);
  set_element_7(slots[7], at, 4, uvec4(floatBitsToUint(kStatistic == 1 ? logarithm : top[r]), 0u, 0u, 0u));
  if (kStatistic == 2) set_element_7(slots[7], at + 1, 4, uvec4(floatBitsToUint(sum), 0u, 0u, 0u));
}

// A sink is a first score, whose weight one thread counts.
void begin_row(const uint r) {
  top[r] = kLowest;
  total[r] = 0;
  if (kSink != 0) {
    const float score = decode(element_8(slots[8], heads[r] * ACLVK_ARGUMENT(sink_step), size_of(kDtype8)), kDtype8);
    top[r] = max(score, kLowest);
    total[r] = lane() == 0 ? exp_below(score - top[r]) : 0.0;
  }
}

void main() {
  if (!find_rows()) return;
  read_arguments();
  const float gain = kMask == 2 ? ACLVK_ARGUMENT(gain) : 1.0;
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    begin_row(r);
    [[unroll]] for (uint c = 0; c < 8 * kColumnVec8s; ++c) sums[r][c] = 0;
  }
  uint first;
  uint last;
  find_keys(first, last);
#if defined(VARIANT_part)
  if (!begin_part(first, last)) return;
#endif
  if (kFewRows) hold_queries();
  for (uint at = first; at < last; at += 8 * kLanes) {  // iterations: keys_of_part() of ops/attention/cut.cpp
    const uint threads = min(kLanes, (last - at + 7) / 8);  // whose keys some row sees
    if (kFewRows) {
      find_scores_by_dots(at, threads);
    } else {
      find_scores(at);
    }
    find_weights(at);
    add_values(at, threads);
  }
#if defined(VARIANT_part)
  if (leave_part()) return;
#endif
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    const float sum = sum_of_all(total[r]);
    if (place.row + r < place.rows) {
      store_row(r, sum > 0 || isnan(sum) ? gain / sum : 0.0);
      if (kStatistic != 0 && lane() == 0) store_statistic(r, sum);
    }
  }
}
