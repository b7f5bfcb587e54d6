// roundEven, floor, ceil and trunc of doubles, in place of GLSL's: on processors without AVX-512, lavapipe of Mesa 22.3 converts doubles
// to 32-bit integers for these, so that halves are not rounded to even and fractions remain beyond 2^24. Every double from 2^52 on is an
// integer, and adding 2^52 to a smaller one rounds it.

double with_sign_bit_of(double magnitude, double x) { return unpackDouble2x32(x).y >> 31 != 0u ? -magnitude : magnitude; }

double roundEven(double x) {
  const double all_whole = 4503599627370496.0lf;
  precise double sum = abs(x) + all_whole;
  precise double whole = sum - all_whole;
  return abs(x) < all_whole ? with_sign_bit_of(whole, x) : x;  // also NaN
}

double floor(double x) {
  const double whole = roundEven(x);
  return whole > x ? whole - 1.0lf : whole;
}

double ceil(double x) { return -floor(-x); }

double trunc(double x) { return with_sign_bit_of(floor(abs(x)), x); }
