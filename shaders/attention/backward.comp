#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// arguments: in memory
// Gradients of attention (flash.comp) without its matrix of weights, by the rows of queries or of keys: no two tiles change the same
// element, so the sums have one order. ops/attention/backward.cpp is the other half.
//
//     P = exp(score - top) / sum     dP = dY V^T     dS = P (dP - rowsum(dY Y))     dQ = scale dS K     dK = scale dS^T Q     dV = P^T dY
//
// kLanes threads hold kRows rows of a sequence and a head together: of queries q and dY (kKeys == 0), or of keys k and v. They walk over
// the others one by one, k and v or q and dY; a thread has eights of columns, and the sums over columns go around. Both ways a score is
// the product of the first kinds and dP that of the second ones; rows of queries sum up dQ, those of keys, over all heads of q that share
// them, dK and dV. Where weights are dropped, dP and the weights of dV are, too, and what is left is multiplied with `gain`.
//
// Rows consist of eights that begin on lines. Others from `from` to `to`, of some of the heads, are looked at, so that loops are not long; with kMore
// sums go on from what the results hold.

#extension GL_EXT_control_flow_attributes : enable
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

#define OPERANDS 9
#define SEQUENCES 32
struct Sequence {
  uint first_query;  // tokens of q that come before its first one
  uint queries;
  uint first_key;
  uint keys;
  int shift;  // of the window: 0, or the keys that there are before the first token of q
  uint seen;  // first keys that every token sees, whatever the window says
};
#define ARGUMENTS                                                                                                  \
  uint sequences; uint heads; uint group; uint depth; uint columns; uint row_tiles; float scale; int before;       \
  int behind; uint from; uint to; uint first_head; uint last_head; uint first_steps[3]; uint second_steps[3]; uint other_first_steps[3];            \
  uint other_second_steps[3]; uint first_out_steps[3]; uint second_out_steps[3]; uint mask_steps[3];               \
  uint shift_steps[3]; uint row_steps[3]; int apart; float gain; uint shift_columns; Sequence all[SEQUENCES];
#include "common/kernel.glsl"
ACLVK_OPERAND(8)

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kLanes = 8;
layout(constant_id = 2) const uint kRows = 4;
layout(constant_id = 3) const uint kDepthVec8s = 1;   // of q and k that a thread has
layout(constant_id = 4) const uint kColumnVec8s = 1;  // of v and dY
layout(constant_id = 5) const uint kWindow = 0;        // as those of flash.comp
layout(constant_id = 6) const uint kMask = 0;
layout(constant_id = 7) const uint kShift = 0;
layout(constant_id = 8) const bool kLastRows = false;
layout(constant_id = 9) const bool kKeys = false;
layout(constant_id = 10) const bool kMore = false;
layout(constant_id = 11) const uint kDtype0 = 0;  // of q, k, v and dY
layout(constant_id = 12) const uint kDtype5 = 0;  // of the first result
layout(constant_id = 13) const uint kDtype6 = 0;  // of the second one
layout(constant_id = 14) const uint kDtype8 = 0;  // of the shift
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
ELEMENT_INPUT(8)   // the shift
#include "common/math/exponential.glsl"

#define kSize size_of(kDtype0)
const uint kDepth = 8 * kDepthVec8s;
const uint kColumns = 8 * kColumnVec8s;
const uint kSums = kKeys ? kColumns : 8;  // of the second result

struct Place {
  uint sequence;
  uint head;
  uint row;
  uint rows;
  Sequence tokens;
};
Place place;
uvec2 slots[OPERANDS];
uint depth_of_all;
uint columns_of_all;

uint tokens[kRows];  // those behind the last repeat it, and are not stored
float first[kRows][kDepth];
float second[kRows][kColumns];
float first_sums[kRows][kDepth];
float second_sums[kRows][kSums];
vec4 facts[kRows];  // of rows of queries: top, 1 / sum, rowsum(dY Y)
float other_first[kDepth];
float other_second[kColumns];

uint lane() { return gl_SubgroupInvocationID & kLanes - 1; }

// What a thread of the same tile has. A subgroup may hold several tiles.
float value_in(float mine, uint thread) {
  const uint start = gl_WorkGroupSize.x == kLanes ? 0 : gl_SubgroupInvocationID & ~(kLanes - 1);
  return kLanes == 1 ? mine : subgroupShuffle(mine, start + thread);
}

float sum_of_all(float mine) {
  float sum = mine;
  [[unroll]] for (uint level = 0; level < 3; ++level) {
    if ((1u << level) < kLanes) sum += value_in(sum, lane() ^ 1u << level);
  }
  return sum;
}

uint own_first() { return kKeys ? place.tokens.first_key : place.tokens.first_query; }
uint other_count() { return kKeys ? place.tokens.queries : place.tokens.keys; }

bool find_rows() {
  const uint sequences = ACLVK_ARGUMENT(sequences);
  const uint heads = ACLVK_ARGUMENT(heads);
  const uint row_tiles = ACLVK_ARGUMENT(row_tiles);
  depth_of_all = ACLVK_ARGUMENT(depth);
  columns_of_all = ACLVK_ARGUMENT(columns);
  [[unroll]] for (uint k = 0; k < OPERANDS; ++k) slots[k] = slot_of(k);
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint tile = (group * gl_WorkGroupSize.x + gl_LocalInvocationID.x) / kLanes;
  const uint of_heads = tile / row_tiles;
  place.row = (tile - of_heads * row_tiles) * kRows;
  place.sequence = of_heads / heads;
  place.head = of_heads - place.sequence * heads;
  if (place.sequence >= sequences) return false;
  place.tokens = ACLVK_ARGUMENT(all[place.sequence]);
  place.rows = kKeys ? place.tokens.keys : place.tokens.queries;
  return place.row < place.rows;
}

#define START(steps, head, token) \
  (place.sequence * ACLVK_ARGUMENT(steps[0]) + (head) * ACLVK_ARGUMENT(steps[1]) + (token) * ACLVK_ARGUMENT(steps[2]))

// The column where an eight of this thread begins. Threads beside the last one read the last eight again.
uint column_of(uint vec) { return 8 * (lane() + vec * kLanes); }

void hold_rows() {
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    tokens[r] = min(place.row + r, place.rows - 1);
    const uint first_start = START(first_steps, place.head, own_first() + tokens[r]);
    [[unroll]] for (uint vec = 0; vec < kDepthVec8s; ++vec) {
      const uint at = column_of(vec);
      vec8_0(slots[0], first_start + min(at, depth_of_all - 8), kSize);
      [[unroll]] for (uint i = 0; i < 8; ++i) first[r][8 * vec + i] = at < depth_of_all ? decode(raw[i], kDtype0) : 0.0;
    }
    const uint second_start = START(second_steps, place.head, own_first() + tokens[r]);
    [[unroll]] for (uint vec = 0; vec < kColumnVec8s; ++vec) {
      const uint at = column_of(vec);
      vec8_1(slots[1], second_start + min(at, columns_of_all - 8), kSize);
      [[unroll]] for (uint i = 0; i < 8; ++i) second[r][8 * vec + i] = at < columns_of_all ? decode(raw[i], kDtype0) : 0.0;
    }
    if (!kKeys) facts[r] = uintBitsToFloat(words4_4(slots[4], START(row_steps, place.head, own_first() + tokens[r]) * 4u));
  }
}

void load_others(uint first_start, uint second_start) {
  [[unroll]] for (uint vec = 0; vec < kDepthVec8s; ++vec) {
    const uint at = column_of(vec);
    vec8_2(slots[2], first_start + min(at, depth_of_all - 8), kSize);
    [[unroll]] for (uint i = 0; i < 8; ++i) other_first[8 * vec + i] = at < depth_of_all ? decode(raw[i], kDtype0) : 0.0;
  }
  [[unroll]] for (uint vec = 0; vec < kColumnVec8s; ++vec) {
    const uint at = column_of(vec);
    vec8_3(slots[3], second_start + min(at, columns_of_all - 8), kSize);
    [[unroll]] for (uint i = 0; i < 8; ++i) other_second[8 * vec + i] = at < columns_of_all ? decode(raw[i], kDtype0) : 0.0;
  }
}

// The others that some row of the tile sees, or is seen by: from `start` to behind `end`.
void find_others(out uint start, out uint end) {
  start = ACLVK_ARGUMENT(from);
  end = min(ACLVK_ARGUMENT(to), other_count());
  if (kWindow != 1) return;
  const int before = ACLVK_ARGUMENT(before);
  const int behind = ACLVK_ARGUMENT(behind);
  const int low = int(tokens[0]) + (kKeys ? -place.tokens.shift - behind : place.tokens.shift - before);
  const int high = int(tokens[kRows - 1]) + (kKeys ? -place.tokens.shift + before : place.tokens.shift + behind) + 1;
  start = max(start, uint(max(low, 0)));
  end = min(end, uint(max(high, 0)));
}

bool is_in_window(uint query, uint key) {
  if (kWindow == 0) return true;
  const int distance = int(key) - int(query) - place.tokens.shift;
  const bool is_near = distance >= -ACLVK_ARGUMENT(before) && distance <= ACLVK_ARGUMENT(behind);
  return is_near || kWindow == 2 && key < place.tokens.seen;
}

float slope_score(float product, uint head, uint query, uint key, float scale) {
  const uint at = START(shift_steps, head, 0);
  const float slope = decode(element_8(slots[8], at, size_of(kDtype8)), kDtype8);
  const float distance = float(abs(int(query) + ACLVK_ARGUMENT(apart) - int(key)));
  return scale * product - slope * (kShift == 3 ? distance : sqrt(distance));
}

uint place_of_shift(uint head, uint query, uint key) {
  if (!kLastRows) return START(shift_steps, head, query) + key;
  const int row = int(query) - ACLVK_ARGUMENT(apart);
  const uint column = key + (row < 0 ? uint(1023 - row) : 0u);
  return START(shift_steps, head, row < 0 ? 1023u : min(uint(row), 1023u)) + min(column, ACLVK_ARGUMENT(shift_columns) - 1u);
}

float score_of(float product, uint head, uint query, uint key) {
  const float scale = ACLVK_ARGUMENT(scale);
  if (kShift == 0) return scale * product;
  if (kShift > 2) return slope_score(product, head, query, key, scale);
  const float shift = decode(element_8(slots[8], place_of_shift(head, query, key), size_of(kDtype8)), kDtype8);
  return kShift == 1 ? scale * product + shift : scale * (product + shift);
}

// The power of a score that is a little above the top by rounding, or much, where tops are not those of the forward pass.
float weight_of(float score, vec4 fact) {
  const float above = score - fact.x;
  return exp_below(above > 88.0 ? 88.0 : above) * fact.y;
}

void add_pair(const uint r, uint head, uint query, uint key, vec4 fact, float gain) {
  float product = 0;
  float gradient = 0;
  [[unroll]] for (uint i = 0; i < kDepth; ++i) product += first[r][i] * other_first[i];
  [[unroll]] for (uint i = 0; i < kColumns; ++i) gradient += second[r][i] * other_second[i];
  product = sum_of_all(product);
  gradient = sum_of_all(gradient);
  const uint mark = kMask != 0 ? element_7(slots[7], START(mask_steps, head, query) + key, 1).x : 0u;
  const bool is_hidden = kMask == 2 ? (mark & 1u) != 0 : mark != 0;
  // What a hidden pair has may be infinite, which 0 times it does not undo.
  if (is_hidden || !is_in_window(query, key)) return;
  const float kept = kMask == 2 ? ((mark & 2u) != 0 ? 0.0 : gain) : 1.0;
  const float weight = weight_of(score_of(product, head, query, key), fact);
  const float change = ACLVK_ARGUMENT(scale) * weight * (kept * gradient - fact.z);
  [[unroll]] for (uint i = 0; i < kDepth; ++i) first_sums[r][i] += change * other_first[i];
  if (kKeys) {
    const float dropped = weight * kept;
    [[unroll]] for (uint i = 0; i < kSums; ++i) second_sums[r][i] += dropped * other_second[i];
  }
}

// Over the others from `start` to `end` that belong to a head of q.
void add_others(uint head, uint start, uint end, float gain) {
  const uint other_head = kKeys ? head : head / ACLVK_ARGUMENT(group);
  const uint other_token = kKeys ? place.tokens.first_query : place.tokens.first_key;
  const uint first_step = ACLVK_ARGUMENT(other_first_steps[2]);
  const uint second_step = ACLVK_ARGUMENT(other_second_steps[2]);
  const uint first_start = START(other_first_steps, other_head, other_token);
  const uint second_start = START(other_second_steps, other_head, other_token);
  const uint facts_start = START(row_steps, head, place.tokens.first_query);
  const uint facts_step = ACLVK_ARGUMENT(row_steps[2]);
  for (uint other = start; other < end; ++other) {  // iterations: others_of_piece() of ops/attention/backward.cpp
    load_others(first_start + other * first_step, second_start + other * second_step);
    vec4 fact = vec4(0);
    if (kKeys) fact = uintBitsToFloat(words4_4(slots[4], (facts_start + other * facts_step) * 4u));
    [[unroll]] for (uint r = 0; r < kRows; ++r) {
      if (kKeys) {
        add_pair(r, head, other, tokens[r], fact, gain);
      } else {
        add_pair(r, head, tokens[r], other, facts[r], gain);
      }
    }
  }
}

void begin_rows() {
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    [[unroll]] for (uint i = 0; i < kDepth; ++i) first_sums[r][i] = 0;
    [[unroll]] for (uint i = 0; i < kSums; ++i) second_sums[r][i] = 0;
    if (!kMore) continue;
    const uint first_start = START(first_out_steps, place.head, own_first() + tokens[r]);
    [[unroll]] for (uint vec = 0; vec < kDepthVec8s; ++vec) {
      vec8_5(slots[5], first_start + min(column_of(vec), depth_of_all - 8), size_of(kDtype5));
      [[unroll]] for (uint i = 0; i < 8; ++i) first_sums[r][8 * vec + i] = decode(raw[i], kDtype5);
    }
    if (!kKeys) continue;
    const uint second_start = START(second_out_steps, place.head, own_first() + tokens[r]);
    [[unroll]] for (uint vec = 0; vec < kSums / 8; ++vec) {
      vec8_6(slots[6], second_start + min(column_of(vec), columns_of_all - 8), size_of(kDtype6));
      [[unroll]] for (uint i = 0; i < 8; ++i) second_sums[r][8 * vec + i] = decode(raw[i], kDtype6);
    }
  }
}

void store_row(const uint r) {
  const uint first_start = START(first_out_steps, place.head, own_first() + tokens[r]);
  [[unroll]] for (uint vec = 0; vec < kDepthVec8s; ++vec) {
    [[unroll]] for (uint i = 0; i < 8; ++i) raw[i] = encode(first_sums[r][8 * vec + i], kDtype5);
    if (column_of(vec) < depth_of_all) set_vec8_5(slots[5], first_start + column_of(vec), size_of(kDtype5));
  }
  if (!kKeys) return;
  const uint second_start = START(second_out_steps, place.head, own_first() + tokens[r]);
  [[unroll]] for (uint vec = 0; vec < kSums / 8; ++vec) {
    [[unroll]] for (uint i = 0; i < 8; ++i) raw[i] = encode(second_sums[r][8 * vec + i], kDtype6);
    if (column_of(vec) < columns_of_all) set_vec8_6(slots[6], second_start + column_of(vec), size_of(kDtype6));
  }
}

void main() {
  if (!find_rows()) return;
  const float gain = kMask == 2 ? ACLVK_ARGUMENT(gain) : 1.0;
  const uint group = ACLVK_ARGUMENT(group);
  const uint first_head = kKeys ? ACLVK_ARGUMENT(first_head) : 0u;
  const uint last_head = kKeys ? ACLVK_ARGUMENT(last_head) : 1u;
  hold_rows();
  begin_rows();
  uint start;
  uint end;
  find_others(start, end);
  for (uint i = first_head; i < last_head; ++i) {  // iterations: others_of_piece() counts the heads, too
    add_others(kKeys ? place.head * group + i : place.head, start, end, gain);
  }
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    if (place.row + r < place.rows) store_row(r);
  }
}
