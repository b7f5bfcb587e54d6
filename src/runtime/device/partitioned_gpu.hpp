#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "vk_device/device/device.hpp"

namespace aclvk::runtime {

/// A Vulkan device, and a vk::Memory for each ACL device that it is presented as (ACLVK_DEVICES_PER_GPU). Shared by
/// these devices. Immutable once it is open.
struct PartitionedGpu {
  /// Opens the Vulkan device at this index of list_devices(). Divides its memory evenly.
  PartitionedGpu(std::size_t index, std::size_t devices);

  const std::shared_ptr<vk::Device> device;
  std::vector<std::shared_ptr<vk::Memory>> memories;
};

/// Returns the number of ACL devices that each Vulkan device is presented as.
std::size_t devices_per_gpu();

}  // namespace aclvk::runtime
