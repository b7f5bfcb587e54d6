#pragma once

#include <cstdint>

#include "vk_device/gpu/gpu.hpp"

namespace aclvk::vk {

/// Converts timestamp queries to nanoseconds and relates them to the host's steady clock. Thread safe after it is
/// anchored.
class DeviceClock {
 public:
  /// Anchors the clock when VK_EXT_calibrated_timestamps is available. Otherwise the device calls anchor() once, before
  /// any time is read.
  explicit DeviceClock(const Gpu& gpu);

  bool calibrated() const { return calibrated_; }
  /// Records that the device clock was `ticks` at the host time `host_ns`.
  void anchor(std::uint64_t ticks, std::int64_t host_ns);

  /// Returns nanoseconds on a device time axis that starts at the anchor and is monotonic. A counter with fewer than 64
  /// valid bits wraps around; the result is the time nearest to now.
  std::int64_t to_ns(std::uint64_t ticks) const;
  /// Returns the current offset from that axis to the host's clock, since the two drift apart. 0 without
  /// VK_EXT_calibrated_timestamps.
  std::int64_t host_offset() const;

 private:
  struct Reading {
    std::uint64_t ticks;
    std::int64_t host_ns;
  };

  Reading read_both() const;

  const Gpu& gpu_;
  const bool calibrated_;
  const std::uint64_t mask_;
  const double period_;  // nanoseconds per tick
  std::uint64_t anchor_ticks_ = 0;
  std::int64_t anchor_ns_ = 0;
};

}  // namespace aclvk::vk
