// The frame of pooling kernels: each element of the result belongs to a place of a window over the last three dims of x;
// ops/pooling/pool_kernels.cpp is its other half. Lanes walk x along the other dims (operand 0), the numbers of the places (1), and
// the results (2 and 3, of which 2 may not be wanted). A shader takes the elements of its lanes' windows one by one:
//
//     void take(const uint lane, T x, uint index)        an element and its number in the last three dims of x

#define OPERANDS 4
#define WHOLE 2
#define WINDOW_DIMS 3
#define WINDOW_WORDS 8
#define FAMILY_WORDS (1 + WINDOW_DIMS * WINDOW_WORDS)
#define FAMILY_ARGUMENTS int divisor; uint windows[WINDOW_DIMS * WINDOW_WORDS];
#include "common/strided.glsl"

layout(constant_id = FIRST_CONSTANT + 1) const bool kAdaptive = false;
layout(constant_id = FIRST_CONSTANT + 2) const bool kIndices = false;
layout(constant_id = FIRST_CONSTANT + 3) const bool kCountsPadding = false;

// A window along one dim, in the order of the arguments.
struct Window {
  uint places;
  int extent;  // of x
  uint stride;
  int size;    // the most elements that it has
  int step;
  int before;
  int dilation;
  int limit;   // where the padding behind x ends
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
    windows[d].limit = int(ACLVK_ARGUMENT(windows[at + 7]));
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
      if (kAdaptive) {
        const uint length = uint(windows[d].extent);
        first[d][i] = int(place * length / windows[d].places);
        last[d][i] = int(((place + 1) * length + windows[d].places - 1) / windows[d].places);
      } else {
        first[d][i] = int(place) * windows[d].step - windows[d].before;
        last[d][i] = windows[d].extent;
      }
    }
  }
}

void take(const uint lane, T x, uint index);

bool is_inside(const uint d, const uint lane, int place) { return place >= 0 && place < last[d][lane]; }

// All lanes take turns at the places of the largest window; what lies outside of a lane's own window is read at its start and left.
void take_elements() {
  const uvec2 slot = lanes.slots[0];
  uint from[4];
  [[unroll]] for (uint i = 0; i < 4; ++i) from[i] = lane_element(0, i);
  for (int a = 0; a < windows[0].size; ++a) {
    for (int b = 0; b < windows[1].size; ++b) {
      bool inside[4];
      uint row[4];
      uint index[4];
      [[unroll]] for (uint i = 0; i < 4; ++i) {
        const int outer = first[0][i] + a * windows[0].dilation;
        const int inner = first[1][i] + b * windows[1].dilation;
        inside[i] = is_inside(0, i, outer) && is_inside(1, i, inner);
        row[i] = from[i] + uint(outer) * windows[0].stride + uint(inner) * windows[1].stride;
        index[i] = uint((outer * windows[1].extent + inner) * windows[2].extent);
      }
      for (int c = 0; c < windows[2].size; ++c) {
        [[unroll]] for (uint i = 0; i < 4; ++i) {
          const int place = first[2][i] + c * windows[2].dilation;
          const bool counts = inside[i] && is_inside(2, i, place);
          const uint at = counts ? row[i] + uint(place) * windows[2].stride : from[i];
          const T x = decode(element_0(slot, at, kSize0), kDtype0);
          if (counts) take(i, x, index[i] + uint(place));
        }
      }
    }
  }
}
