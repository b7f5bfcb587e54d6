#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// Applies a linear map along one dim (LineMap of ops/resample/lines.hpp). Forward: z[o] = sum of weight(o, i) x[i] over
// the inputs i that output o reads. Adjoint: z[i] = sum of weight(o, i) x[o] over the outputs o that read input i.
// Except for reflection and circular padding the maps are monotone, so these outputs are a range, which bisection
// finds; no atomics are needed, and the order of sums is fixed. Operand 0 is x, operand 1 numbers z along the dim,
// operand 2 holds the sums of a filter's weights.

#include "resample/line.args.h"
#define OPERANDS 4
#define INDEXED_OPERANDS 3
#define OWN_ARGUMENTS LINE_ARGUMENTS
#include "common/covering.glsl"
#include "common/strided.glsl"

ACLVK_CONSTANTS(LINE_CONSTANTS)

const uint kWindow = 0, kAdaptive = 1, kNearest = 2, kLinear = 3, kCubic = 4, kAntialiasLinear = 5, kAntialiasCubic = 6, kReplicate = 7,
           kReflect = 8, kCircular = 9, kCol2im = 10;
const uint kUndivided = 0, kAllOfWindow = 1, kInsideOfWindow = 2;

const bool kFilters = kMap == kAntialiasLinear || kMap == kAntialiasCubic;
const bool kMirrors = kMap == kReflect || kMap == kCircular;

struct Line {
  int inputs;
  int outputs;
  T scale;
  T offset;    // 0.5 for half-pixel coordinates, else 0
  bool align_corners;
  int size;
  int step;
  int before;
  int after;
};
Line line;

T support_of() { return (kMap == kAntialiasLinear ? T(1) : T(2)) * max(line.scale, T(1)); }

T centre_of(int o) {
  precise T centre = (T(o) + T(0.5)) * line.scale;
  return centre;
}

// The position of an output in the inputs.
T position_of(int o) {
  precise T position = line.align_corners ? T(o) * line.scale : (T(o) + T(0.5)) * line.scale - T(0.5);
  return kMap == kLinear ? max(position, T(0)) : position;
}

int nearest_of(int o) {
  precise T position = (T(o) + line.offset) * line.scale;
  return clamp(int(min(floor(position), T(2147483520.0))), 0, line.inputs - 1);
}

// The range of inputs that an output reads; empty if last < first.
void find_inputs(int o, out int first, out int last) {
  first = o;
  last = o;
  if (kMap == kWindow) {
    const int start = o * line.step - line.before;
    first = max(start, 0);
    last = min(start + line.size, line.inputs) - 1;
  } else if (kMap == kAdaptive) {
    first = int(uint(o) * uint(line.inputs) / uint(line.outputs));
    last = int((uint(o + 1) * uint(line.inputs) + uint(line.outputs) - 1u) / uint(line.outputs)) - 1;
  } else if (kMap == kNearest) {
    first = nearest_of(o);
    last = first;
  } else if (kMap == kLinear) {
    first = min(int(position_of(o)), line.inputs - 1);
    last = min(first + 1, line.inputs - 1);
  } else if (kMap == kCubic) {
    const int at = int(floor(position_of(o)));
    first = clamp(at - 1, 0, line.inputs - 1);
    last = clamp(at + 2, 0, line.inputs - 1);
  } else if (kFilters) {
    first = max(int(centre_of(o) - support_of() + T(0.5)), 0);
    last = min(int(centre_of(o) + support_of() + T(0.5)), line.inputs) - 1;
  } else if (kMap == kReplicate) {
    first = clamp(o - line.before, 0, line.inputs - 1);
    last = first;
  }
}

// Keys' cubic convolution kernel.
T cubic(T x, T a) {
  const T d = abs(x);
  const T near = ((a + T(2)) * d - (a + T(3))) * d * d + T(1);
  const T far = ((a * d - T(5) * a) * d + T(8) * a) * d - T(4) * a;
  return d < T(1) ? near : d < T(2) ? far : T(0);
}

// Taps beyond the ends are clamped, so several may read the same input.
T cubic_weight(int o, int i) {
  const T position = position_of(o);
  const T at = floor(position);
  T weight = T(0);
  [[unroll]] for (int k = -1; k <= 2; ++k) {
    if (clamp(int(at) + k, 0, line.inputs - 1) == i) weight += cubic(position - at - T(k), T(-0.75));
  }
  return weight;
}

T filter_weight(int o, int i) {
  const T inverse = T(1) / max(line.scale, T(1));
  const T x = (T(i) - centre_of(o) + T(0.5)) * inverse;
  return kMap == kAntialiasLinear ? max(T(1) - abs(x), T(0)) : cubic(x, T(-0.5));
}

T linear_weight(int o, int i) {
  int first, last;
  find_inputs(o, first, last);
  const T fraction = clamp(position_of(o) - T(first), T(0), T(1));
  return (i == first ? T(1) - fraction : T(0)) + (i == last ? fraction : T(0));
}

// 1 / divisor of a window along this dim.
T window_weight(int o) {
  const int start = o * line.step - line.before;
  const int end = min(start + line.size, line.inputs + line.after);
  const int count = kDivisor == kAllOfWindow ? end - start : min(end, line.inputs) - max(start, 0);
  return kDivisor == kUndivided ? T(1) : T(1) / T(count);
}

T weight_of(int o, int i, const uvec2 sums) {
  if (kMap == kWindow) return window_weight(o);
  if (kMap == kAdaptive) {
    int first, last;
    find_inputs(o, first, last);
    return T(1) / T(last - first + 1);
  }
  if (kMap == kLinear) return linear_weight(o, i);
  if (kMap == kCubic) return cubic_weight(o, i);
  if (kFilters) {
    const T weight = filter_weight(o, i);
    return kDivisor == kUndivided ? weight : weight / decode(element_2(sums, uint(o), kSize2), kDtype2);
  }
  return T(1);
}

// The range of outputs that may read input i: from the first whose range ends at i or later to the last whose range
// begins at i or earlier.
void find_outputs(int i, out int first, out int last) {
  int low = 0;
  int high = line.outputs;
  while (low < high) {  // iterations: a bisection of 32-bit numbers
    const int middle = (low + high) >> 1;
    int from, to;
    find_inputs(middle, from, to);
    if (to >= i) high = middle;
    else low = middle + 1;
  }
  first = low;
  high = line.outputs;
  while (low < high) {  // iterations: a bisection of 32-bit numbers
    const int middle = (low + high) >> 1;
    int from, to;
    find_inputs(middle, from, to);
    if (from > i) high = middle;
    else low = middle + 1;
  }
  last = low - 1;
}

// The `iteration`-th output of a padded line that copies input i: left image, the input itself, right image. Out of
// range, or -1, if there is none.
int mirrored_output(int i, int iteration) {
  const int end = 2 * (line.inputs - 1);
  const int around = iteration == 1 ? i : kMap == kCircular ? i + (iteration - 1) * line.inputs : iteration == 0 ? -i : end - i;
  const bool own = iteration != 1 && kMap == kReflect && (iteration == 0 ? i == 0 : i == line.inputs - 1);
  return own ? -1 : around + line.before;
}

void main() {
  const uint stride = ACLVK_ARGUMENT(stride);
  const int first_iteration = int(ACLVK_ARGUMENT(first_iteration));
  const int iterations = int(ACLVK_ARGUMENT(iterations));
  const int dilation = int(ACLVK_ARGUMENT(dilation));
  const uint tap_stride = ACLVK_ARGUMENT(tap_stride);
  const T factor = value_of(uvec4(ACLVK_ARGUMENT(factor[0]), ACLVK_ARGUMENT(factor[1]), ACLVK_ARGUMENT(factor[2]), ACLVK_ARGUMENT(factor[3])));
  line.scale = value_of(uvec4(ACLVK_ARGUMENT(scale[0]), ACLVK_ARGUMENT(scale[1]), ACLVK_ARGUMENT(scale[2]), ACLVK_ARGUMENT(scale[3])));
  line.inputs = int(ACLVK_ARGUMENT(inputs));
  line.outputs = int(ACLVK_ARGUMENT(outputs));
  const uint offset = ACLVK_ARGUMENT(offset);
  line.offset = offset == 1u ? T(0.5) : T(0);
  line.align_corners = offset == 2u;
  line.size = int(ACLVK_ARGUMENT(size));
  line.step = int(ACLVK_ARGUMENT(step));
  line.before = int(ACLVK_ARGUMENT(before));
  line.after = int(ACLVK_ARGUMENT(after));
  const Covering covering = Covering(line.inputs, line.size, line.step, dilation, int(ACLVK_ARGUMENT(divisor)),
                                     int(ACLVK_ARGUMENT(period)), int(ACLVK_ARGUMENT(inverse)));
  const int period = kMap == kCol2im ? covering.period : 1;
  if (!find_lanes()) return;
  const uvec2 slot = lanes.slots[0];
  const uvec2 weights = lanes.slots[2];
  int number[4];
  int first[4];
  int count[4];
  T sums[LANES];
  int most = 0;
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    number[i] = int(lane_element(1, i));
    int last = 2;
    first[i] = 0;
    if (kMap == kCol2im) {
      find_taps(covering, number[i] + line.before, first[i], last);
      --last;
    } else if (!kMirrors) {
      if (kAdjoint) find_outputs(number[i], first[i], last);
      else find_inputs(number[i], first[i], last);
      last -= first[i];
    }
    first[i] += first_iteration * period;
    count[i] = min(last + 1 - first_iteration, iterations);
    most = max(most, count[i]);
    sums[i] = T(0);
  }
  for (int iteration = 0; iteration < most; ++iteration) {  // iterations: kIterationsPerKernel of ops/resample/lines.cpp
    [[unroll]] for (uint i = 0; i < 4; ++i) {
      bool counts = iteration < count[i];
      int at = first[i] + iteration * period;
      uint tap = 0;
      if (kMirrors) {
        at = mirrored_output(number[i], at);
        counts = counts && at >= 0 && at < line.outputs;
      }
      if (kMap == kCol2im) {
        const int begin = number[i] + line.before - at * dilation;
        tap = uint(at) * tap_stride;
        at = begin / line.step;
      }
      const uint from = lane_element(0, i) + (counts ? uint(at) * stride + tap : 0u);
      const T x = decode(element_0(slot, from, kSize0), kDtype0);
      const T weight = counts ? weight_of(kAdjoint ? at : number[i], kAdjoint ? number[i] : at, weights) : T(0);
      sums[i] = counts ? sums[i] + weight * x : sums[i];
    }
  }
  [[unroll]] for (uint i = 0; i < 4; ++i) sums[i] *= factor;
  STORE(3, sums);
}
