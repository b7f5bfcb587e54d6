#include "vk_device/gpu/device_selection.hpp"

#include <gtest/gtest.h>

namespace aclvk::vk {
namespace {

DeviceProfile profile(const char* name, DeviceKind kind) {
  DeviceProfile result;
  result.info.name = name;
  result.info.kind = kind;
  result.info.api_version = 1U << 22 | 3U << 12;
  result.compute_queue = true;
  result.timeline_semaphores = true;
  result.buffer_device_addresses = true;
  result.synchronization2 = true;
  return result;
}

TEST(DeviceSelection, OrdersByKindAndKeepsTheDriversOrder) {
  const std::vector<DeviceProfile> profiles = {
      profile("cpu", DeviceKind::kCpu), profile("card 0", DeviceKind::kDiscrete),
      profile("chip", DeviceKind::kIntegrated), profile("card 1", DeviceKind::kDiscrete),
      profile("guest", DeviceKind::kVirtual)};
  EXPECT_EQ(select_devices(profiles, ""), (std::vector<std::size_t>{1, 3, 2, 4, 0}));
}

TEST(DeviceSelection, FiltersByPartOfTheName) {
  const std::vector<DeviceProfile> profiles = {profile("card 0", DeviceKind::kDiscrete),
                                               profile("llvmpipe (LLVM 15)", DeviceKind::kCpu)};
  EXPECT_EQ(select_devices(profiles, "llvmpipe"), (std::vector<std::size_t>{1}));
  EXPECT_TRUE(select_devices(profiles, "nothing").empty());
}

TEST(DeviceSelection, LeavesOutWhatLacksARequirement) {
  const DeviceProfile good = profile("card", DeviceKind::kDiscrete);
  EXPECT_FALSE(why_unusable(good));
  DeviceProfile old = good;
  old.info.api_version = 1U << 22 | 1U << 12;
  EXPECT_EQ(why_unusable(old), "card offers Vulkan 1.1; 1.2 is needed.");
  for (bool DeviceProfile::*need : {&DeviceProfile::compute_queue, &DeviceProfile::timeline_semaphores,
                                    &DeviceProfile::buffer_device_addresses, &DeviceProfile::synchronization2}) {
    DeviceProfile bad = good;
    bad.*need = false;
    EXPECT_TRUE(why_unusable(bad));
    EXPECT_TRUE(select_devices({bad}, "").empty());
  }
}

}  // namespace
}  // namespace aclvk::vk
