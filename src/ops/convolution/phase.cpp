#include "ops/convolution/phase.hpp"

namespace aclvk::ops {

Phase phase_of(const Window& window, std::int64_t remainder, std::int64_t size) {
  Phase phase;
  phase.remainder = remainder;
  phase.positions = (size - remainder + window.step - 1) / window.step;
  const Covering covering = covering_of(window, phase.positions);
  const std::int64_t divisor = covering.divisor;
  phase.period = covering.period;
  // An output position sees a tap if their distance is a multiple of the stride. The first such tap solves start - tap
  // * dilation = 0 modulo the stride.
  const std::int64_t start = remainder + window.before;
  const auto distance = [&](std::int64_t tap) { return start - tap * window.dilation; };
  const std::int64_t steps = start / divisor % phase.period;
  const std::int64_t tap = steps * covering.inverse % phase.period;
  const bool any = start % divisor == 0 && tap < window.size;
  const std::int64_t taps = any ? (window.size - tap + phase.period - 1) / phase.period : 0;
  phase.last_tap = tap + (taps - 1) * phase.period;
  phase.first = distance(phase.last_tap) / window.step;
  phase.window = {taps, 1, 0, 0, window.dilation / divisor};
  return phase;
}

}  // namespace aclvk::ops
