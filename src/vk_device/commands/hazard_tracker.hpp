#pragma once

#include <cstddef>
#include <vector>

#include "vk_device/buffers/interval_set.hpp"
#include "vk_device/commands/command_recorder.hpp"

namespace aclvk::vk {

/// Bytes that a command reads or writes.
struct AccessedBytes {
  Interval bytes;
  Access access = Access::kRead;
};

/// Tracks the bytes read and written since the last barrier. Two commands need a barrier when one writes bytes that the
/// other reads or writes. It compares device addresses, which are unique in a device, so it need not distinguish
/// buffers.
class HazardTracker {
 public:
  explicit HazardTracker(std::size_t limit) : reads_(limit), writes_(limit) {}

  /// Returns whether a command with this access needs a barrier.
  bool conflicts(const AccessedBytes& accessed) const;
  void add(const AccessedBytes& accessed);
  void clear();

  const IntervalSet& reads() const { return reads_; }
  const IntervalSet& writes() const { return writes_; }

 private:
  IntervalSet reads_;
  IntervalSet writes_;
};

}  // namespace aclvk::vk
