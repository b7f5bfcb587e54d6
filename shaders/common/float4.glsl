// Floats of four bits: the code of the nearest one to a float's bits, of two the even code, and the largest where that is too large;
// what is no number becomes 0, which has no sign.
const uint kFloat4E2M1 = 40, kFloat4E1M2 = 41;

// 0, 0.5, 1, 1.5, 2, 3, 4, 6: how many middles between neighbours lie below.
uint code_of_e2m1(float x) {
  return uint(x > 0.25) + uint(x >= 0.75) + uint(x > 1.25) + uint(x >= 1.75) + uint(x > 2.5) + uint(x >= 3.5) + uint(x > 5.0);
}
// Quarters up to 1.75.
uint code_of_e1m2(float x) { return uint(roundEven(4.0 * min(x, 1.75))); }

uint float4_of(uint bits, uint dtype) {
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return 0u;
  const float magnitude = uintBitsToFloat(bits & 0x7FFFFFFFu);
  const uint code = dtype == kFloat4E2M1 ? code_of_e2m1(magnitude) : code_of_e1m2(magnitude);
  return code == 0u ? 0u : code | bits >> 28 & 8u;
}
