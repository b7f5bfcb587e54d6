#pragma once

#include "vk_device/gpu/vulkan_api.hpp"

namespace aclvk::vk {

/// Returns the memory heaps and types. The heaps of CPU drivers are enlarged to the host's memory: lavapipe of Mesa
/// 22.3 reports 2 GiB on every machine and allocates more.
::vk::PhysicalDeviceMemoryProperties memory_of(const ::vk::raii::PhysicalDevice& device);

}  // namespace aclvk::vk
