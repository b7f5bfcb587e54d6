#include "ops/convolution/phase.hpp"

#include <algorithm>
#include <numeric>

namespace aclvk::ops {

Phase phase_of(const Window& window, std::int64_t remainder, std::int64_t size) {
  const std::int64_t divisor = std::gcd(window.dilation, window.step);
  Phase phase;
  phase.remainder = remainder;
  phase.places = (size - remainder + window.step - 1) / window.step;
  phase.period = window.step / divisor;
  // Where a place of the window comes from is a whole number of steps away.
  std::int64_t tap = 0;
  const auto distance = [&](std::int64_t place) { return remainder + window.before - place * window.dilation; };
  const std::int64_t most = std::min(phase.period, window.size);
  while (tap < most && distance(tap) % window.step != 0) ++tap;
  const std::int64_t taps = tap < most ? (window.size - tap + phase.period - 1) / phase.period : 0;
  phase.last_tap = tap + (taps - 1) * phase.period;
  phase.first = distance(phase.last_tap) / window.step;
  phase.window = {taps, 1, 0, 0, window.dilation / divisor};
  return phase;
}

}  // namespace aclvk::ops
