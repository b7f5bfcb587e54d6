// The frame of pooling kernels: an element of the result is a position of a window over the last three dims of x;
// ops/pooling/window_call.cpp is the host's half. Operand 0 is x, with lanes along its other dims; operand 1 numbers
// the window positions; the last operand is the result. A shader defines, before it includes this:
//
//     OPERANDS, INDEXED_OPERANDS   as for common/strided.glsl; INDEXED_OPERANDS is 2 at least
//     OWN_ARGUMENTS             WINDOWS_ARGUMENTS, and its own ones after them
//
// and implements the visitor of its lanes' windows, which is called for one tap after the other, for all lanes each:
//
//     void visit(const uint lane, bool counts, T x, uint index)      x[index] of the last three dims, if `counts`
//
// Its own specialization constants start at FIRST_CONSTANT.

#include "common/declare.glsl"
#include "pooling/windows.args.h"
#define WINDOW_DIMS 3
struct WindowArguments {
  ACLVK_ARGUMENTS(WINDOW_MEMBERS)
};
const uint kWindowWords = ACLVK_ARGUMENT_WORDS(WINDOW_MEMBERS);
#define ACLVK_WORDS_IN_WindowArguments kWindowWords
#include "common/strided.glsl"

ACLVK_CONSTANTS(WINDOWS_CONSTANTS)
#undef FIRST_CONSTANT
#define FIRST_CONSTANT (FRAME_CONSTANTS + ACLVK_CONSTANT_COUNT(WINDOWS_CONSTANTS))

const uint kMoving = 0;    // windows of one size, a step apart
const uint kAdaptive = 1;  // adaptive windows, whose sizes differ

WindowArguments windows[WINDOW_DIMS];

// The start of each lane's window, which may be negative, and its end where sizes differ.
int first[WINDOW_DIMS][4];
int last[WINDOW_DIMS][4];

// Called before find_lanes(), which may return early.
void read_windows() {
  [[unroll]] for (uint d = 0; d < WINDOW_DIMS; ++d) {
    windows[d].positions = ACLVK_ARGUMENT(windows[d].positions);
    windows[d].extent = ACLVK_ARGUMENT(windows[d].extent);
    windows[d].stride = ACLVK_ARGUMENT(windows[d].stride);
    windows[d].size = ACLVK_ARGUMENT(windows[d].size);
    windows[d].step = ACLVK_ARGUMENT(windows[d].step);
    windows[d].before = ACLVK_ARGUMENT(windows[d].before);
    windows[d].dilation = ACLVK_ARGUMENT(windows[d].dilation);
  }
}

void find_windows() {
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    uint rest = lane_element(1, i);
    [[unroll]] for (uint j = 0; j < WINDOW_DIMS; ++j) {
      const uint d = WINDOW_DIMS - 1 - j;
      const uint outer = rest / windows[d].positions;
      const uint position = rest - outer * windows[d].positions;
      rest = outer;
      const uint extent = uint(windows[d].extent);
      if (kPlacement == kAdaptive) {
        first[d][i] = int(position * extent / windows[d].positions) - windows[d].before;
        last[d][i] = int(((position + 1) * extent + windows[d].positions - 1) / windows[d].positions);
      } else {
        first[d][i] = int(position) * windows[d].step - windows[d].before;
        last[d][i] = windows[d].extent;
      }
    }
  }
}

void visit(const uint lane, bool counts, T x, uint index);

// The index along a dim of a tap of the lane's window; negative if it is outside.
int element_at(const uint d, const uint lane, int tap) {
  const int element = first[d][lane] + tap * windows[d].dilation;
  return element < last[d][lane] ? element : -1;
}

// Taps outside of x load the lane's first element of x, and do not count.
void visit_windows() {
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
        [[unroll]] for (int iteration = 0; iteration < kUnroll; ++iteration) {
          const int c = from_tap + iteration;
          [[unroll]] for (uint i = 0; i < 4; ++i) {
            const int element = element_at(2, i, c);
            const bool counts = inside[i] && element >= 0 && (kUnroll == 1 || c < windows[2].size);
            const uint at = counts ? row[i] + uint(element) * windows[2].stride : from[i];
            visit(i, counts, decode(element_0(slot, at, kSize0), kDtype0), index[i] + uint(element));
          }
        }
      }
    }
  }
}
