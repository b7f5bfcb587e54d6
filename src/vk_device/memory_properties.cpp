#include "vk_device/memory_properties.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>

namespace aclvk::vk {
namespace {

/// Bytes; 0 where nobody tells.
std::uint64_t host_memory() {
  const auto pages = ::sysconf(_SC_PHYS_PAGES);
  const auto size = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) : 0;
}

}  // namespace

::vk::PhysicalDeviceMemoryProperties memory_of(const ::vk::raii::PhysicalDevice& device) {
  auto memory = device.getMemoryProperties();
  if (device.getProperties().deviceType != ::vk::PhysicalDeviceType::eCpu) return memory;
  for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
    memory.memoryHeaps[i].size = std::max<std::uint64_t>(memory.memoryHeaps[i].size, host_memory());
  }
  return memory;
}

}  // namespace aclvk::vk
