// The taps of a sliding window that read one input element: those t of 0 .. size - 1 for which a window position w of
// 0 .. positions - 1 with w * step + t * dilation == reach exists. This is a linear congruence: the solutions t have a distance of
// `period`, and the first one comes from the modular inverse of the dilation. The host computes divisor, period and inverse (Covering
// of src/ops/shape/windows.hpp).

struct Covering {
  int positions;
  int size;
  int step;
  int dilation;
  int divisor;
  int period;
  int inverse;
};

// a * b modulo m, all below 2^30, by doubling and adding, so that nothing exceeds 32 bits.
uint product_modulo(uint a, uint b, uint m) {
  if (m <= 0x10000u) return a * b % m;
  uint product = 0;
  for (int bit = 29; bit >= 0; --bit) {  // iterations: the bits of b
    product = 2u * product % m;
    if ((b >> bit & 1u) != 0u) product = (product + a) % m;
  }
  return product;
}

void find_taps(const Covering covering, int reach, out int first, out int count) {
  const int excess = reach - (covering.positions - 1) * covering.step;
  const int low = excess > 0 ? (excess - 1) / covering.dilation + 1 : 0;
  const int high = min(reach / covering.dilation, covering.size - 1);
  const uint period = uint(covering.period);
  const uint whole = uint(reach / covering.divisor);
  const uint wanted = product_modulo(whole % period, uint(covering.inverse), period);
  first = low + int((wanted + period - uint(low) % period) % period);
  const bool any = first <= high && reach >= 0 && int(whole) * covering.divisor == reach;
  count = any ? (high - first) / covering.period + 1 : 0;
}
