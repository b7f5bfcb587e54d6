#pragma once

#include <cstddef>
#include <vector>

#include "vk_device/hazard_tracker.hpp"
#include "vk_device/vulkan_api.hpp"

namespace aclvk::vk {

/// What a recorder works with until it has finished. Handed from one to the next: many command buffers hold a single
/// task, and would spend more on these lists than on their commands.
struct RecorderScratch {
  // Independent tasks between two barriers are rarely this many; beyond it neighbours are merged.
  static constexpr std::size_t kTrackedIntervals = 4096;
  // What a command buffer is summarized to: every execute() of a secondary compares this many intervals.
  static constexpr std::size_t kSummaryIntervals = 256;

  HazardTracker since_barrier{kTrackedIntervals};
  HazardTracker whole{kSummaryIntervals};
  std::vector<AccessedBytes> accesses;                  ///< of the command that is recorded
  std::vector<::vk::DescriptorBufferInfo> descriptors;  ///< of the kernel that is recorded
  std::vector<std::byte> block;                         ///< its argument block

  void clear() {
    since_barrier.clear();
    whole.clear();
  }
};

}  // namespace aclvk::vk
