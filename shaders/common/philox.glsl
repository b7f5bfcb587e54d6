// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011): a counter-based generator, which computes four
// random words from a counter and a key. Threads need no state.

uvec4 philox(uvec4 counter, uvec2 key) {
  for (uint i = 0; i < 10u; ++i) {
    uint high0, low0, high1, low1;
    umulExtended(0xD2511F53u, counter.x, high0, low0);
    umulExtended(0xCD9E8D57u, counter.z, high1, low1);
    counter = uvec4(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
    key += uvec2(0x9E3779B9u, 0xBB67AE85u);
  }
  return counter;
}

// Uniform in [0, 1), with 24 bits.
// 2^-24 is the spacing of floats below 1, so the product is exact.
float unit_float(uint word) { return float(word >> 8) * 5.9604644775390625e-8; }

// Two samples of the standard normal distribution from two words (Box & Muller 1958).
vec2 normal_pair(uint first, uint second) {
  const float radius = sqrt(-2.0 * log((float(first >> 8) + 1.0) * 5.9604644775390625e-8));
  const float angle = 6.283185307179586 * unit_float(second);
  return radius * vec2(cos(angle), sin(angle));
}

// A sample of the standard normal distribution truncated to [-2, 2]: inverse transform sampling with the erfinv polynomial of Giles
// ("Approximating the erfinv function").
float truncated_normal(uint word) {
  // 0.9545 is erf(sqrt(2)), the probability of [-2, 2]. Below it, only the polynomial for w < 5 is needed.
  const float x = ((float(word >> 8) + 0.5) * 1.1920928955078125e-7 - 1.0) * 0.9544997361036416;
  const float w = -log((1.0 - x) * (1.0 + x)) - 2.5;
  float p = 2.81022636e-08;
  p = 3.43273939e-07 + p * w;
  p = -3.5233877e-06 + p * w;
  p = -4.39150654e-06 + p * w;
  p = 0.00021858087 + p * w;
  p = -0.00125372503 + p * w;
  p = -0.00417768164 + p * w;
  p = 0.246640727 + p * w;
  p = 1.50140941 + p * w;
  return clamp(1.4142135623730951 * p * x, -2.0, 2.0);
}
