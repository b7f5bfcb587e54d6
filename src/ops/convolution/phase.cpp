#include "ops/convolution/phase.hpp"

#include <numeric>
#include <utility>

namespace aclvk::ops {

namespace {

/// x with a * x = 1 modulo m, where a and m have no common divisor; 0 where m is 1.
std::int64_t inverse(std::int64_t a, std::int64_t m) {
  std::int64_t rest = m;
  std::int64_t next = a % m;
  std::int64_t x = 0;
  std::int64_t next_x = 1;
  while (next != 0) {
    const std::int64_t quotient = rest / next;
    rest = std::exchange(next, rest - quotient * next);
    x = std::exchange(next_x, x - quotient * next_x);
  }
  return (x % m + m) % m;
}

}  // namespace

Phase phase_of(const Window& window, std::int64_t remainder, std::int64_t size) {
  const std::int64_t divisor = std::gcd(window.dilation, window.step);
  Phase phase;
  phase.remainder = remainder;
  phase.places = (size - remainder + window.step - 1) / window.step;
  phase.period = window.step / divisor;
  // Where a place of the window comes from is a whole number of steps away. The first such place solves
  // start - place * dilation = 0 modulo the step.
  const std::int64_t start = remainder + window.before;
  const auto distance = [&](std::int64_t place) { return start - place * window.dilation; };
  const std::int64_t turns = start / divisor % phase.period;
  const std::int64_t tap = turns * inverse(window.dilation / divisor, phase.period) % phase.period;
  const bool any = start % divisor == 0 && tap < window.size;
  const std::int64_t taps = any ? (window.size - tap + phase.period - 1) / phase.period : 0;
  phase.last_tap = tap + (taps - 1) * phase.period;
  phase.first = distance(phase.last_tap) / window.step;
  phase.window = {taps, 1, 0, 0, window.dilation / divisor};
  return phase;
}

}  // namespace aclvk::ops
