#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace aclvk::vk {

/// Moments that the device writes down while it runs command buffers (CommandRecorder::write_timestamp): a list of
/// slots of query pools, which go back to the device's store with the list. Command buffers keep it alive.
class Timestamps {
 public:
  virtual ~Timestamps() = default;

  /// How many moments have been recorded into command buffers.
  virtual std::size_t size() const = 0;
  /// The moments in nanoseconds, in the order of recording, on an axis of this device that does not jump: near that of
  /// the host's steady clock, see Device::host_clock_offset(). Everything that writes them must have completed.
  virtual std::vector<std::int64_t> read() const = 0;
  /// Lets the same command buffers write the same moments again. Nothing that writes them may be in flight.
  virtual void reset() = 0;
};

}  // namespace aclvk::vk
