#include "vk_device/vk_error.hpp"

namespace aclvk::vk {

void fail_vulkan(::vk::Result result, const std::string& doing) {
  const bool memory = result == ::vk::Result::eErrorOutOfHostMemory || result == ::vk::Result::eErrorOutOfDeviceMemory;
  fail(memory ? Code::kMemoryAllocation : Code::kDriverError, "Vulkan answers {} when {}.", ::vk::to_string(result),
       doing);
}

}  // namespace aclvk::vk
