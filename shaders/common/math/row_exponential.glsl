// exp and log for softmax and its like, good to about an ulp for float and double: drivers may be off by more than the operators'
// bounds in float and have neither for double.

#if WIDE_FLOATS
const int kExpTerms = 14, kLogTerms = 11;
const double kLog2E = 1.4426950408889634074lf, kLn2High = 6.93147180369123816490e-01lf, kLn2Low = 1.90821492927058770002e-10lf;
const double kExpHighest = 709.782712893384lf, kExpLowest = -745.2lf, kLeastNormal = 2.2250738585072014e-308lf;
double power_of_two(int exponent) { return packDouble2x32(uvec2(0u, uint(exponent + 1023) << 20)); }
int exponent_of(double value) { return int(unpackDouble2x32(value).y >> 20) - 1023; }
#else
const int kExpTerms = 8, kLogTerms = 6;
const float kLog2E = 1.44269504088896, kLn2High = 0.693145751953125, kLn2Low = 1.42860682030941723212e-06;
const float kExpHighest = 88.7228394, kExpLowest = -104.0, kLeastNormal = 1.17549435e-38;
float power_of_two(int exponent) { return uintBitsToFloat(uint(exponent + 127) << 23); }
int exponent_of(float value) { return int(floatBitsToUint(value) >> 23) - 127; }
#endif

R exact_exp(R x) {
  const R inside = min(max(x, R(kExpLowest)), R(kExpHighest));
  const R turns = floor(inside * R(kLog2E) + R(0.5));
  precise R rest = (inside - turns * R(kLn2High)) - turns * R(kLn2Low);
  R sum = R(1);
  [[unroll]] for (int i = kExpTerms; i > 0; --i) sum = R(1) + sum * (rest * (R(1) / R(i)));
  // Two factors: the smallest results are reached from below the range of one.
  const int exponent = int(turns);
  const R result = sum * power_of_two(exponent / 2) * power_of_two(exponent - exponent / 2);
  return isnan(x) ? x : x > R(kExpHighest) ? R(1) / R(0) : x < R(kExpLowest) ? R(0) : result;
}

R exact_log(R x) {
  const bool tiny = x < R(kLeastNormal);
  const R normal = tiny ? x * power_of_two(64) : x;
  int exponent = exponent_of(normal);
  R part = normal * power_of_two(-exponent / 2) * power_of_two(-exponent - (-exponent / 2));
  if (part > R(1.4142135)) {
    part *= R(0.5);
    ++exponent;
  }
  const R share = (part - R(1)) / (part + R(1));
  const R square = share * share;
  R sum = R(0);
  [[unroll]] for (int i = kLogTerms; i > 0; --i) sum = sum * square + R(1) / R(2 * i - 1);
  const R turns = R(exponent - (tiny ? 64 : 0));
  precise R result = turns * R(kLn2High) + (turns * R(kLn2Low) + R(2) * share * sum);
  const R infinite = R(1) / R(0);
  return isnan(x) || x == infinite ? x : x < R(0) ? R(0) / R(0) : x == R(0) ? -infinite : result;
}
