#include "vk_device/gpu/memory_properties.hpp"

#include <algorithm>
#include <cstdint>

#include "vk_device/gpu/host_memory.hpp"

namespace aclvk::vk {
::vk::PhysicalDeviceMemoryProperties memory_of(const ::vk::raii::PhysicalDevice& device) {
  auto memory = device.getMemoryProperties();
  if (device.getProperties().deviceType != ::vk::PhysicalDeviceType::eCpu) return memory;
  for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
    memory.memoryHeaps[i].size = std::max<std::uint64_t>(memory.memoryHeaps[i].size, host_memory_bytes());
  }
  return memory;
}

}  // namespace aclvk::vk
