#pragma once

#include <cstdint>

#include "vk_device/gpu.hpp"

namespace aclvk::vk {

/// The clock behind timestamp queries, and how it lies to the host's steady clock. Thread safe.
class DeviceClock {
 public:
  /// Anchors the clock where VK_EXT_calibrated_timestamps can; else somebody has to call anchor() once, before times
  /// are read.
  explicit DeviceClock(const Gpu& gpu);

  bool calibrated() const { return calibrated_; }
  /// The device's clock showed `ticks` when the host's showed `host_ns`.
  void anchor(std::uint64_t ticks, std::int64_t host_ns);

  /// Nanoseconds on the device's own axis, which begins at the anchor and never jumps. A counter with few bits wraps
  /// around; the moment nearest to the present is meant.
  std::int64_t to_ns(std::uint64_t ticks) const;
  /// What to add to a recent moment of that axis to be on the host's: clocks drift apart. 0 where the driver cannot
  /// read both at once.
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
  const double period_;  // nanoseconds a tick
  std::uint64_t anchor_ticks_ = 0;
  std::int64_t anchor_ns_ = 0;
};

}  // namespace aclvk::vk
