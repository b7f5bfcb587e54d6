// Whole numbers near a double, in place of GLSL's own: on processors without AVX-512, lavapipe of Mesa 22.3 takes doubles through
// integers of 32 bits, so that halves do not go to even and what is beyond 2^24 keeps its fraction. Beyond 2^52 every double is
// whole, and below it adding that number rounds.

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
