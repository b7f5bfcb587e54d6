#pragma once

#include <cstddef>
#include <vector>

#include "vk_device/commands/hazard_tracker.hpp"
#include "vk_device/gpu/vulkan_api.hpp"

namespace aclvk::vk {

/// The working memory of a recorder, reused by later recorders. Many command buffers hold a single task and would spend
/// more time on allocating these vectors than on their commands.
struct RecorderScratch {
  // More independent commands between two barriers are rare; beyond this limit IntervalSet merges neighbours.
  static constexpr std::size_t kTrackedIntervals = 4096;
  // The limit for a whole command buffer, smaller because execute() compares all intervals of a secondary.
  static constexpr std::size_t kSummaryIntervals = 256;

  HazardTracker since_barrier{kTrackedIntervals};
  HazardTracker whole{kSummaryIntervals};
  std::vector<AccessedBytes> accesses;                  ///< of the command being recorded
  std::vector<::vk::DescriptorBufferInfo> descriptors;  ///< of the kernel being recorded
  std::vector<std::byte> block;                         ///< the argument block of the kernel being recorded

  void clear() {
    since_barrier.clear();
    whole.clear();
  }
};

}  // namespace aclvk::vk
