// Trigonometric functions of reals and their inverses. Argument reduction is accurate over the whole range; errors are at most about two
// units in the last place.

#ifndef ACLVK_MATH_TRIGONOMETRIC
#define ACLVK_MATH_TRIGONOMETRIC

#include "common/math/real.glsl"

const R kPi = R(3.141592653589793238463lf);
#if WIDE_FLOATS
const R kHalfPiHigh = 1.57079632679489655799898173427lf;
const R kHalfPiLow = 6.12323399573676603586882014729e-17lf;
const R kQuarterPiHigh = 0.785398163397448278999490867136lf;
const R kQuarterPiLow = 3.06161699786838301793441007365e-17lf;
#else
const R kHalfPiHigh = R(1.5707962512969970703lf);
const R kHalfPiLow = R(7.5497901264043321135e-8lf);
const R kQuarterPiHigh = R(0.78539812564849853516lf);
const R kQuarterPiLow = R(3.7748950632021660567e-8lf);
#endif

// The binary digits of 2 / pi after the point, preceded by two words of zeros; as many as the largest x needs. ACLVK_WINDOW is the number
// of words that are multiplied, ACLVK_SIGNIFICAND the number of words of x's significand.
#if WIDE_FLOATS
#define ACLVK_DIGITS 41
#define ACLVK_WINDOW 6
#define ACLVK_SIGNIFICAND 2
const uint kTwoByPi[ACLVK_DIGITS] = uint[ACLVK_DIGITS](
    0u, 0u, 0xA2F9836Eu, 0x4E441529u, 0xFC2757D1u, 0xF534DDC0u, 0xDB629599u, 0x3C439041u, 0xFE5163ABu, 0xDEBBC561u,
    0xB7246E3Au, 0x424DD2E0u, 0x06492EEAu, 0x09D1921Cu, 0xFE1DEB1Cu, 0xB129A73Eu, 0xE88235F5u, 0x2EBB4484u, 0xE99C7026u,
    0xB45F7E41u, 0x3991D639u, 0x835339F4u, 0x9C845F8Bu, 0xBDF9283Bu, 0x1FF897FFu, 0xDE05980Fu, 0xEF2F118Bu, 0x5A0A6D1Fu,
    0x6D367ECFu, 0x27CB09B7u, 0x4F463F66u, 0x9E5FEA2Du, 0x7527BAC7u, 0xEBE5F17Bu, 0x3D0739F7u, 0x8A5292EAu, 0x6BFB5FB1u,
    0x1F8D5D08u, 0x56033046u, 0xFC7B6BABu, 0xF0CFBC20u);
#else
#define ACLVK_DIGITS 11
#define ACLVK_WINDOW 3
#define ACLVK_SIGNIFICAND 1
const uint kTwoByPi[ACLVK_DIGITS] = uint[ACLVK_DIGITS](
    0u, 0u, 0xA2F9836Eu, 0x4E441529u, 0xFC2757D1u, 0xF534DDC0u, 0xDB629599u, 0x3C439041u, 0xFE5163ABu, 0xDEBBC561u, 0xB7246E3Au);
#endif

// Returns the words of the digits from `first` on. Shifts the array by powers of two, because drivers compile an access to a constant array
// with a variable index to a search.
#define ACLVK_MOVE(step)                                                                               \
  [[unroll]] for (int i = 0; i < min(ACLVK_DIGITS - step, ACLVK_WINDOW + step); ++i) {                 \
    digits[i] = (first & step) != 0 ? digits[i + step] : digits[i];                                    \
  }
void digits_from(int first, out uint window[ACLVK_WINDOW + 1]) {
  uint digits[ACLVK_DIGITS] = kTwoByPi;
#if WIDE_FLOATS
  ACLVK_MOVE(32)
  ACLVK_MOVE(16)
  ACLVK_MOVE(8)
#endif
  ACLVK_MOVE(4)
  ACLVK_MOVE(2)
  ACLVK_MOVE(1)
  [[unroll]] for (int i = 0; i <= ACLVK_WINDOW; ++i) window[i] = digits[i];
}

// Splits x, |x| >= 1 and finite, into an integer, low word first, times 2^exponent.
void integer_of(R x, out uint words[ACLVK_SIGNIFICAND], out int exponent) {
#if WIDE_FLOATS
  const uvec2 bits = unpackDouble2x32(x);
  words[0] = bits.x;
  words[1] = bits.y & 0xFFFFFu | 0x100000u;
  exponent = int(bits.y >> 20 & 0x7FFu) - 1075;
#else
  const uint bits = floatBitsToUint(x);
  words[0] = bits & 0x7FFFFFu | 0x800000u;
  exponent = int(bits >> 23 & 0xFFu) - 150;
#endif
}

// Converts a fixed-point number, high word first, with two bits before the point. Its magnitude is below 1/2.
R fraction_of(uint window[ACLVK_WINDOW]) {
#if WIDE_FLOATS
  const R high = R(int(window[0])) * 4294967296.0lf + R(window[1]);
  const R low = R(window[2]) * 4294967296.0lf + R(window[3]);
  precise R sum = high * power_of_two(-62) + low * power_of_two(-126);
#else
  precise R sum = R(int(window[0])) * power_of_two(-30) + (R(window[1]) * power_of_two(-62) + R(window[2]) * power_of_two(-94));
#endif
  return sum;
}

void negate(inout uint window[ACLVK_WINDOW]) {
  uint carry = 1u;
  [[unroll]] for (int i = ACLVK_WINDOW; i-- > 0;) window[i] = uaddCarry(~window[i], carry, carry);
}

// Payne-Hanek reduction (1983): multiplies the significand of |x| by those digits of 2 / pi that matter, leaving out digits whose product
// is a multiple of 4, and those below the last place of the result. Returns |x| * 2 / pi as a quadrant and a fraction in [-1/2, 1/2].
R reduce_large(R x, out int quadrant) {
  uint words[ACLVK_SIGNIFICAND];
  int exponent;
  integer_of(x, words, exponent);
  const int first = exponent - 2 + 64;  // the first digit whose product is below 4, counted from the words of zeros
  const uint shift = uint(first) & 31u;
  uint window[ACLVK_WINDOW + 1];
  digits_from(first >> 5, window);
  uint product[ACLVK_WINDOW];
  [[unroll]] for (int i = 0; i < ACLVK_WINDOW; ++i) product[i] = 0u;
  [[unroll]] for (int i = ACLVK_WINDOW; i-- > 0;) {
    const uint digits = shift == 0u ? window[i] : window[i] << shift | window[i + 1] >> 32u - shift;
    [[unroll]] for (int k = 0; k < ACLVK_SIGNIFICAND; ++k) {
      uint high, low, carry;
      umulExtended(digits, words[k], high, low);
      if (i - k >= 0) {
        product[i - k] = uaddCarry(product[i - k], low, carry);
        high += carry;
      }
      [[unroll]] for (int j = i - k - 1; j >= 0; --j) {
        product[j] = uaddCarry(product[j], high, carry);
        high = carry;
      }
    }
  }
  quadrant = int(product[0] >> 30);
  product[0] &= 0x3FFFFFFFu;
  const bool above = (product[0] & 0x20000000u) != 0u;
  if (above) {
    ++quadrant;
    product[0] |= 0xC0000000u;
    negate(product);
  }
  const R fraction = fraction_of(product);
  return above ? -fraction : fraction;
}

// Returns |x| - quadrant * pi / 2, in [-pi/4, pi/4]: by Cody-Waite reduction for moderate x, by Payne-Hanek reduction for large ones.
R reduce(R x, out int quadrant) {
  quadrant = 0;
#if WIDE_FLOATS
  const R limit = 1.0e5lf;
  const R parts[3] = R[3](1.57079632673412561416625976563lf, 6.07710050630396597659554913662e-11lf,
                          2.02226624879595063154114426137e-21lf);
#else
  const R limit = R(5000);
  const R parts[4] = R[4](R(1.5703125lf), R(0.0004837512969970703125lf), R(7.5495336204767227173e-8lf), R(2.563344068257089603e-12lf));
#endif
  const R magnitude = abs(x);
  if (magnitude > limit) {
    const R fraction = is_infinite(x) || isnan(x) ? not_a_number() : reduce_large(x, quadrant);
    precise R result = fraction * kHalfPiHigh + fraction * kHalfPiLow;
    return result;
  }
  const R n = roundEven(magnitude * R(0.6366197723675813430755lf));
  quadrant = int(n);
  precise R result = magnitude - n * parts[0] - n * parts[1] - n * parts[2];
#if !WIDE_FLOATS
  result = result - n * parts[3];
#endif
  return result;
}

R sin_near(R r) {
  const R u = r * r;
  return r + r * u * sin_polynomial(u);
}

R cos_near(R r) {
  const R u = r * r;
  precise R half_square = R(0.5) * u;
  precise R whole = R(1) - half_square;
  precise R result = whole + ((R(1) - whole) - half_square + u * u * cos_polynomial(u));
  return result;
}

// Sine and cosine from one argument reduction, which takes drivers long to compile.
struct SineCosine {
  R sine;
  R cosine;
};

SineCosine sin_cos_of(R x) {
  int quadrant;
  const R r = reduce(x, quadrant);
  const R s = sin_near(r);
  const R c = cos_near(r);
  const bool swapped = (quadrant & 1) != 0;
  const R sine = swapped ? c : s;
  const R cosine = swapped ? s : c;
  return SineCosine(((quadrant & 2) != 0) != is_negative(x) ? -sine : sine, (quadrant + 1 & 2) != 0 ? -cosine : cosine);
}

R sin_of(R x) { return sin_cos_of(x).sine; }
R cos_of(R x) { return sin_cos_of(x).cosine; }

R tan_of(R x) {
  const SineCosine both = sin_cos_of(x);
  return both.sine / both.cosine;
}

// sin(pi * x); exact at multiples of 1/2.
R sin_pi_of(R x) {
  const R whole = roundEven(x);
  precise R rest = x - whole;
  const bool odd = R(0.5) * whole != floor(R(0.5) * whole);
  const R distance = abs(rest) > R(0.25) ? R(0.5) - abs(rest) : abs(rest);
  const R value = with_sign_of(abs(rest) > R(0.25) ? cos_near(distance * kPi) : sin_near(distance * kPi), rest);
  return odd ? -value : value;
}

// pi / tan(pi * x)
R pi_cot_pi_of(R x) {
  const R rest = x - roundEven(x);
  return kPi * sin_pi_of(R(0.5) - abs(rest)) / sin_pi_of(rest);
}

// asin of r in [-1/2, 1/2].
R asin_near(R r) {
  const R u = r * r;
  return r + r * u * asin_polynomial(u);
}

R asin_of(R x) {
  const R magnitude = abs(x);
  if (magnitude <= R(0.5)) return asin_near(x);
  const R r = sqrt(max(R(0.5) * (R(1) - magnitude), R(0)));
  precise R result = kHalfPiHigh - (R(2) * asin_near(r) - kHalfPiLow);
  return magnitude > R(1) ? not_a_number() : isnan(x) ? x : with_sign_of(result, x);
}

R acos_of(R x) {
  const R magnitude = abs(x);
  if (magnitude <= R(0.5)) {
    precise R middle = kHalfPiHigh - (asin_near(x) - kHalfPiLow);
    return middle;
  }
  const R outer = R(2) * asin_near(sqrt(max(R(0.5) * (R(1) - magnitude), R(0))));
  precise R left = R(2) * kHalfPiHigh - (outer - R(2) * kHalfPiLow);
  return magnitude > R(1) ? not_a_number() : isnan(x) ? x : x < R(0) ? left : outer;
}

// atan(y / x) for non-negative x and y, not both 0 and not both infinite.
R atan_ratio(R y, R x) {
  const bool steep = y > x;
  const R larger = max(x, y);
  const R smaller = min(x, y);
  const R t = is_infinite(larger) ? R(0) : smaller / larger;
  const bool far = t > R(0.41421356237309504880lf);
  // Computed from x and y, because their ratio is rounded already; halved when the sum might overflow.
  const R scale = larger > R(1) ? R(0.5) : R(1);
  const R small = scale * smaller;
  const R large = scale * larger;
  const R r = far ? (is_infinite(larger) ? R(0) : (small - large) / (small + large)) : t;
  const R u = r * r;
  precise R near = r + r * u * atan_polynomial(u);
  precise R shallow = far ? kQuarterPiHigh + (near + kQuarterPiLow) : near;
  precise R up = far ? kQuarterPiHigh - (near - kQuarterPiLow) : kHalfPiHigh - (near - kHalfPiLow);
  return steep ? up : shallow;
}

R atan_of(R x) { return isnan(x) ? x : with_sign_of(atan_ratio(abs(x), R(1)), x); }

// C's atan2: signs of zeros count, and infinite arguments have angles.
R atan2_of(R y, R x) {
  const bool zero = x == R(0) && y == R(0);
  const bool infinite = is_infinite(x) && is_infinite(y);
  const R height = zero ? R(0) : infinite ? R(1) : abs(y);
  const R width = zero || infinite ? R(1) : abs(x);
  const R angle = atan_ratio(height, width);
  precise R left = R(2) * kHalfPiHigh - (angle - R(2) * kHalfPiLow);
  return isnan(x) || isnan(y) ? not_a_number() : with_sign_of(is_negative(x) ? left : angle, y);
}

#endif
