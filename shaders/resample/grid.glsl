// grid_sample as in PyTorch: reads an image at points whose coordinates run from -1 to 1; ops/resample/grid_sample.cpp
// is the host's half. A point's first coordinate belongs to the image's last dim. A shader includes this after
// common/strided.glsl, and its arguments begin with GRID_ARGUMENTS.

ACLVK_CONSTANTS(GRID_CONSTANTS)

const uint kLinear = 0, kNearest = 1, kCubic = 2;
const uint kZeros = 0, kBorder = 1, kReflection = 2;

// Taps of a point along each dim, and in all.
const int kTaps = kInterpolation == kLinear ? 2 : kInterpolation == kNearest ? 1 : 4;
const int kAllTaps = kDims == 2u ? kTaps * kTaps : kTaps * kTaps * kTaps;

int sizes[3];
uint strides[3];

// A point along one dim: its position in elements, the derivative of that by the coordinate, and the element of its
// first tap.
struct Point {
  T position;
  T slope;
  T first;
};

// Clamps to the image; NaN becomes element 0.
T clipped(T x, int size) { return x > T(0) ? min(x, T(size - 1)) : T(0); }
T slope_of_clip(T x, int size) { return x > T(0) && x < T(size - 1) ? T(1) : T(0); }

// Reflects at both ends, low / 2 and high / 2, and returns the derivative.
T reflected(T x, int low, int high, out T slope) {
  slope = T(0);
  if (low == high) return T(0);
  const T least = T(low) * T(0.5);
  const T span = T(high - low) * T(0.5);
  const T distance = abs(x - least);
  const T periods = floor(distance / span);
  const T extra = distance - periods * span;
  const bool back = periods - T(2) * floor(periods * T(0.5)) != T(0);
  slope = (x < least ? T(-1) : T(1)) * (back ? T(-1) : T(1));
  return back ? span - extra + least : extra + least;
}

T padded(T x, int size, out T slope) {
  slope = T(1);
  if (kPadding == kZeros) return x;
  T mirror = T(1);
  T pixel = x;
  if (kPadding == kReflection) pixel = kAlignCorners ? reflected(x, 0, 2 * (size - 1), mirror) : reflected(x, -1, 2 * size - 1, mirror);
  slope = mirror * slope_of_clip(pixel, size);
  return clipped(pixel, size);
}

Point point_at(T coordinate, int size) {
  Point point;
  point.slope = (kAlignCorners ? T(size - 1) : T(size)) * T(0.5);
  const T pixel = kAlignCorners ? (coordinate + T(1)) * T(0.5) * T(size - 1) : ((coordinate + T(1)) * T(size) - T(1)) * T(0.5);
  point.position = pixel;
  if (kInterpolation != kCubic) {
    T slope;
    point.position = padded(pixel, size, slope);
    point.slope *= slope;
  }
  point.first = kInterpolation == kNearest ? roundEven(point.position) : floor(point.position);
  if (kInterpolation == kCubic) point.first -= T(1);
  return point;
}

// The element of a tap; negative if it is outside.
int element_of(Point point, int tap, int size) {
  T slope;
  const T at = point.first + T(tap);
  const T pixel = kInterpolation == kCubic ? padded(at, size, slope) : at;
  return pixel >= T(0) && pixel <= T(size - 1) ? int(roundEven(pixel)) : -1;
}

// Keys' cubic convolution kernel with a = -0.75, and its derivative.
T cubic(T x) {
  const T a = T(-0.75);
  const T d = abs(x);
  const T near = ((a + T(2)) * d - (a + T(3))) * d * d + T(1);
  const T far = ((a * d - T(5) * a) * d + T(8) * a) * d - T(4) * a;
  return d < T(1) ? near : far;
}
T slope_of_cubic(T x) {
  const T a = T(-0.75);
  const T d = abs(x);
  const T near = (T(3) * (a + T(2)) * d - T(2) * (a + T(3))) * d;
  const T far = (T(3) * a * d - T(10) * a) * d + T(8) * a;
  return (x < T(0) ? T(-1) : T(1)) * (d < T(1) ? near : far);
}

T weight_of(Point point, int tap) {
  const T distance = point.position - point.first - T(tap);
  if (kInterpolation == kCubic) return cubic(distance);
  return kInterpolation == kLinear ? T(1) - abs(distance) : T(1);
}

// The derivative of the weight by the point's coordinate.
T slope_of(Point point, int tap) {
  const T distance = point.position - point.first - T(tap);
  if (kInterpolation == kCubic) return slope_of_cubic(distance) * point.slope;
  return kInterpolation == kLinear ? (tap == 0 ? -point.slope : point.slope) : T(0);
}

#define READ_IMAGE()                                                  \
  [[unroll]] for (uint d = 0; d < 3; ++d) {                           \
    sizes[d] = int(ACLVK_ARGUMENT(sizes[d]));                         \
    strides[d] = ACLVK_ARGUMENT(strides[d]);                          \
  }

// A point's dims, outermost first.
struct Points {
  Point dims[3];
};

// The tap along a dim of tap number `tap` among all.
int tap_along(uint dim, int tap) {
  const int inner = dim == 2u ? 1 : dim == 1u ? kTaps : kTaps * kTaps;
  return tap / inner % kTaps;
}
