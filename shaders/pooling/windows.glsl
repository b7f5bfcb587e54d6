// The frame of pooling kernels: each element of the result belongs to a place of a window over the last three dims of x;
// ops/pooling/window_call.cpp is its other half. Operand 0 is x, along whose other dims the lanes walk; operand 1 numbers the places,
// the last operand is the result. A shader defines, before it includes this:
//
//     OPERANDS, RANDOM_ACCESS           as for common/strided.glsl; RANDOM_ACCESS is 2 at least
//     WINDOW_OWN_WORDS          how many uint its own arguments take, or nothing
//     WINDOW_OWN_ARGUMENTS      their declarations
//
// and takes what its lanes' windows hold, one place after the other, lane by lane:
//
//     void take(const uint lane, bool counts, T x, uint index)      an element and its number in the last three dims of x, if it counts
//
// Its own specialization constants start at FIRST_WINDOW_CONSTANT.

#define WINDOW_DIMS 3
#define WINDOW_WORDS 7
#ifndef WINDOW_OWN_WORDS
#define WINDOW_OWN_WORDS 0
#define WINDOW_OWN_ARGUMENTS
#endif
#define FAMILY_WORDS (WINDOW_DIMS * WINDOW_WORDS + WINDOW_OWN_WORDS)
#define FAMILY_ARGUMENTS uint windows[WINDOW_DIMS * WINDOW_WORDS]; WINDOW_OWN_ARGUMENTS
#include "common/strided.glsl"

layout(constant_id = FIRST_CONSTANT + 1) const uint kPlaces = 0;
layout(constant_id = FIRST_CONSTANT + 2) const int kUnroll = 1;  // elements of a turn of the inner loop: more for large windows
#define FIRST_WINDOW_CONSTANT (FIRST_CONSTANT + 3)

const uint kMoving = 0;    // a window of one size moves in steps
const uint kAdaptive = 1;  // windows share out x

// A window along one dim, in the order of the arguments.
struct Window {
  uint places;
  int extent;  // of x
  uint stride;
  int size;    // the most elements that it has
  int step;
  int before;   // below 0 where a window is part of a longer one
  int dilation;
};
Window windows[WINDOW_DIMS];

// Where a lane's window begins, maybe before x, and, where windows differ in size, ends.
int first[WINDOW_DIMS][4];
int last[WINDOW_DIMS][4];

// Before find_lanes() returns.
void read_windows() {
  [[unroll]] for (uint d = 0; d < WINDOW_DIMS; ++d) {
    const uint at = d * WINDOW_WORDS;
    windows[d].places = ACLVK_ARGUMENT(windows[at]);
    windows[d].extent = int(ACLVK_ARGUMENT(windows[at + 1]));
    windows[d].stride = ACLVK_ARGUMENT(windows[at + 2]);
    windows[d].size = int(ACLVK_ARGUMENT(windows[at + 3]));
    windows[d].step = int(ACLVK_ARGUMENT(windows[at + 4]));
    windows[d].before = int(ACLVK_ARGUMENT(windows[at + 5]));
    windows[d].dilation = int(ACLVK_ARGUMENT(windows[at + 6]));
  }
}

void find_windows() {
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    uint rest = lane_element(1, i);
    [[unroll]] for (uint j = 0; j < WINDOW_DIMS; ++j) {
      const uint d = WINDOW_DIMS - 1 - j;
      const uint outer = rest / windows[d].places;
      const uint place = rest - outer * windows[d].places;
      rest = outer;
      const uint extent = uint(windows[d].extent);
      if (kPlaces == kAdaptive) {
        first[d][i] = int(place * extent / windows[d].places) - windows[d].before;
        last[d][i] = int(((place + 1) * extent + windows[d].places - 1) / windows[d].places);
      } else {
        first[d][i] = int(place) * windows[d].step - windows[d].before;
        last[d][i] = windows[d].extent;
      }
    }
  }
}

void take(const uint lane, bool counts, T x, uint index);

// The element of x that a lane's window has along a dim; below 0 where there is none.
int element_at(const uint d, const uint lane, int tap) {
  const int place = first[d][lane] + tap * windows[d].dilation;
  return place < last[d][lane] ? place : -1;
}

// What lies outside of x is read at the start of the lane's part of x, and does not count.
void take_elements() {
  const uvec2 slot = lanes.slots[0];
  uint from[4];
  [[unroll]] for (uint i = 0; i < 4; ++i) from[i] = lane_element(0, i);
  for (int a = 0; a < windows[0].size; ++a) {  // iterations: ops/pooling/window_call.cpp counts them
    for (int b = 0; b < windows[1].size; ++b) {  // iterations: as above
      bool inside[4];
      uint row[4];
      uint index[4];
      [[unroll]] for (uint i = 0; i < 4; ++i) {
        const int outer = element_at(0, i, a);
        const int inner = element_at(1, i, b);
        inside[i] = outer >= 0 && inner >= 0;
        row[i] = from[i] + uint(outer) * windows[0].stride + uint(inner) * windows[1].stride;
        index[i] = uint((outer * windows[1].extent + inner) * windows[2].extent);
      }
      for (int from_tap = 0; from_tap < windows[2].size; from_tap += kUnroll) {  // iterations: as above
        [[unroll]] for (int turn = 0; turn < kUnroll; ++turn) {
          const int c = from_tap + turn;
          [[unroll]] for (uint i = 0; i < 4; ++i) {
            const int place = element_at(2, i, c);
            const bool counts = inside[i] && place >= 0 && (kUnroll == 1 || c < windows[2].size);
            const uint at = counts ? row[i] + uint(place) * windows[2].stride : from[i];
            take(i, counts, decode(element_0(slot, at, kSize0), kDtype0), index[i] + uint(place));
          }
        }
      }
    }
  }
}
