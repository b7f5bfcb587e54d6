#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "vk_device/device.hpp"

namespace aclvk::runtime {

/// A Vulkan device, and a book of memory for each ACL device that it is presented as (ACLVK_DEVICES_PER_GPU). Does not
/// change once it is open.
struct Board {
  /// Opens the Vulkan device at this place of list_devices(). Its memory is divided evenly.
  Board(std::size_t place, std::size_t devices);

  const std::shared_ptr<vk::Device> gpu;
  std::vector<std::shared_ptr<vk::Memory>> books;
};

/// ACL devices that each Vulkan device is presented as.
std::size_t devices_per_gpu();

}  // namespace aclvk::runtime
