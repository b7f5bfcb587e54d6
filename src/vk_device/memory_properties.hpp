#pragma once

#include "vk_device/vulkan_api.hpp"

namespace aclvk::vk {

/// Heaps and types of memory. The heaps of a processor are at least as large as the host's memory: lavapipe of
/// Mesa 22.3 says 2 GiB whatever there is, and gives more.
::vk::PhysicalDeviceMemoryProperties memory_of(const ::vk::raii::PhysicalDevice& device);

}  // namespace aclvk::vk
