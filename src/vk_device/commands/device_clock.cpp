#include "vk_device/commands/device_clock.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "vk_device/gpu/vk_error.hpp"

namespace aclvk::vk {
namespace {

// The driver reads the two clocks one after the other, and the thread may be preempted in between. It reports the
// maximal deviation; the best of a few readings is used.
constexpr int kReadings = 5;

std::int64_t steady_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

std::uint64_t mask_of(std::uint32_t bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

}  // namespace

DeviceClock::DeviceClock(const Gpu& gpu)
    : gpu_(gpu),
      calibrated_(gpu.limits().calibrated_timestamps),
      mask_(mask_of(gpu.limits().timestamp_bits)),
      period_(gpu.limits().timestamp_period) {
  if (!calibrated_) return;
  const Reading both = read_both();
  anchor(both.ticks, both.host_ns);
}

void DeviceClock::anchor(std::uint64_t ticks, std::int64_t host_ns) {
  anchor_ticks_ = ticks & mask_;
  anchor_ns_ = host_ns;
}

DeviceClock::Reading DeviceClock::read_both() const {
  const std::array<::vk::CalibratedTimestampInfoEXT, 2> clocks{
      ::vk::CalibratedTimestampInfoEXT{::vk::TimeDomainEXT::eDevice},
      ::vk::CalibratedTimestampInfoEXT{::vk::TimeDomainEXT::eClockMonotonic}};
  Reading best{};
  std::uint64_t least = UINT64_MAX;
  for (int i = 0; i < kReadings; ++i) {
    std::array<std::uint64_t, 2> times{};
    std::uint64_t deviation = 0;
    const auto result = (*gpu_.device())
                            .getCalibratedTimestampsEXT(static_cast<std::uint32_t>(clocks.size()), clocks.data(),
                                                        times.data(), &deviation, gpu_.functions());
    expect(result, "reading the clocks of device and host");
    if (deviation >= least) continue;
    least = deviation;
    best = {times[0], static_cast<std::int64_t>(times[1])};
  }
  return best;
}

std::int64_t DeviceClock::to_ns(std::uint64_t ticks) const {
  // A counter of n bits gives the time since the anchor modulo 2^n ticks. The host's clock gives the time to within
  // half a period, so the congruent value nearest to it is the right one.
  std::uint64_t elapsed = (ticks - anchor_ticks_) & mask_;
  if (mask_ != ~std::uint64_t{0}) {
    const auto expected = static_cast<std::uint64_t>(static_cast<double>(steady_ns() - anchor_ns_) / period_);
    const std::uint64_t lag = (expected - elapsed) & mask_;
    const bool leads = lag > mask_ / 2;
    elapsed = leads ? expected + (mask_ + 1 - lag) : expected - lag;
  }
  return anchor_ns_ + std::llround(static_cast<double>(static_cast<std::int64_t>(elapsed)) * period_);
}

std::int64_t DeviceClock::host_offset() const {
  if (!calibrated_) return 0;
  const Reading both = read_both();
  return both.host_ns - to_ns(both.ticks & mask_);
}

}  // namespace aclvk::vk
