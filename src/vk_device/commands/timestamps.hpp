#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace aclvk::vk {

/// A list of timestamps that command buffers write (CommandRecorder::write_timestamp). Command buffers keep it alive;
/// its queries return to the TimestampStore with it.
class Timestamps {
 public:
  virtual ~Timestamps() = default;

  /// Returns how many timestamps have been recorded into command buffers.
  virtual std::size_t size() const = 0;
  /// Returns the times in nanoseconds, in recording order, on the monotonic time axis of the device, which is close to
  /// the host's steady clock (Device::host_clock_offset()). Every command buffer that writes them must have completed.
  virtual std::vector<std::int64_t> read() const = 0;
  /// Resets the queries, so that the same command buffers can write them again. None may be in flight.
  virtual void reset() = 0;
};

}  // namespace aclvk::vk
