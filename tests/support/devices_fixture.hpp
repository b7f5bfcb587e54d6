#pragma once

#include <memory>
#include <string>

#include "support/capture_fixture.hpp"

namespace aclvk::test {

/// Sets the thread's device until the end of the scope, then the previous one.
class OnDevice {
 public:
  explicit OnDevice(std::int32_t device) {
    aclrtGetCurrentContext(&before_);
    EXPECT_EQ(aclrtSetDevice(device), 0) << aclGetRecentErrMsg();
    device_ = device;
  }
  ~OnDevice() {
    EXPECT_EQ(aclrtResetDevice(device_), 0);
    if (before_) {
      EXPECT_EQ(aclrtSetCurrentContext(before_), 0);
    }
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  std::int32_t device_ = 0;
  aclrtContext before_ = nullptr;
};

/// Three devices on each Vulkan device: 0, 1 and 2 are neighbours. All three are set, device 0 is current. Release
/// builds, too, check before a run that the memory of its model is alive (ACLVK_CHECK_LIFETIME).
class ThreeDevices : Settings, public testing::Test {
 protected:
  static constexpr std::int32_t kDevices = 3;

  explicit ThreeDevices(const char* visible = "")
      : Settings(
            {{"ACLVK_DEVICES_PER_GPU", "3"}, {"ASCEND_RT_VISIBLE_DEVICES", visible}, {"ACLVK_CHECK_LIFETIME", "1"}}) {
    EXPECT_EQ(aclInit(nullptr), 0);
    for (std::int32_t device = kDevices - 1; device >= 0; --device) EXPECT_EQ(aclrtSetDevice(device), 0);
  }
  ~ThreeDevices() override {
    for (std::int32_t device = 0; device < kDevices; ++device) EXPECT_EQ(aclrtResetDevice(device), 0);
    EXPECT_EQ(aclFinalize(), 0);
  }

  static aclrtStream stream_on(std::int32_t device) {
    const OnDevice on(device);
    aclrtStream stream = nullptr;
    EXPECT_EQ(aclrtCreateStream(&stream), 0);
    return stream;
  }
  static std::unique_ptr<Cell> cell_on(std::int32_t device, float value = 0) {
    const OnDevice on(device);
    return std::make_unique<Cell>(value);
  }
};

}  // namespace aclvk::test
