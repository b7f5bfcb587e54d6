// Conversion of floats to 4-bit codes (FLOAT4_E2M1, FLOAT4_E1M2): rounds to nearest even, saturates, and makes NaN and both zeros +0.
const uint kFloat4E2M1 = 40, kFloat4E1M2 = 41;

// The values are 0, 0.5, 1, 1.5, 2, 3, 4, 6: the code is the number of midpoints below x, ties to even.
uint code_of_e2m1(float x) {
  return uint(x > 0.25) + uint(x >= 0.75) + uint(x > 1.25) + uint(x >= 1.75) + uint(x > 2.5) + uint(x >= 3.5) + uint(x > 5.0);
}
// The values are the multiples of 0.25 up to 1.75.
uint code_of_e1m2(float x) { return uint(roundEven(4.0 * min(x, 1.75))); }

uint float4_of(uint bits, uint dtype) {
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return 0u;
  const float magnitude = uintBitsToFloat(bits & 0x7FFFFFFFu);
  const uint code = dtype == kFloat4E2M1 ? code_of_e2m1(magnitude) : code_of_e1m2(magnitude);
  return code == 0u ? 0u : code | bits >> 28 & 8u;
}
