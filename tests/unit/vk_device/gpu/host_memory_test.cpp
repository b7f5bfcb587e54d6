#include "vk_device/gpu/host_memory.hpp"

#include <gtest/gtest.h>

#include "vk_device/device/device.hpp"

namespace aclvk::vk {
namespace {

TEST(HostMemory, ThereIsSome) { EXPECT_GT(host_memory_bytes(), std::uint64_t{64} << 20); }

// Lavapipe of Mesa 22.3 reports 2 GiB on every machine.
TEST(HostMemory, LavapipeHasAllOfIt) {
  for (std::size_t i = 0; i < list_devices().size(); ++i) {
    if (list_devices()[i].name.find("llvmpipe") == std::string::npos) continue;
    EXPECT_GE(list_devices()[i].memory_bytes, host_memory_bytes());
    EXPECT_EQ(Device::open(i)->memory().total_bytes(), list_devices()[i].memory_bytes);
  }
}

}  // namespace
}  // namespace aclvk::vk
