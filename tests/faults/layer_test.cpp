// The layer that lets Vulkan calls fail, seen through the library.
#include <gtest/gtest.h>

#include <cstddef>

#include "acl/acl.h"
#include "support/vulkan_faults.hpp"

namespace aclvk::test {
namespace {

constexpr std::size_t kOwnBuffer = std::size_t{8} << 20;  // too large to be part of a buffer that is there

class FaultLayer : public testing::Test {
 protected:
  void open() {
    ASSERT_EQ(aclrtSetDevice(0), 0) << aclGetRecentErrMsg();
    ASSERT_EQ(aclrtCreateStream(&stream), 0) << aclGetRecentErrMsg();
  }
  static aclError allocate() {
    void* pointer = nullptr;
    const aclError code = aclrtMalloc(&pointer, kOwnBuffer, ACL_MEM_MALLOC_NORMAL_ONLY);
    if (code != 0) return code;
    EXPECT_EQ(aclrtFree(pointer), 0);
    return code;
  }
  aclError fill() {
    void* pointer = nullptr;
    EXPECT_EQ(aclrtMalloc(&pointer, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    const aclError code = fill(pointer);
    EXPECT_EQ(aclrtFree(pointer), 0);
    return code;
  }
  aclError fill(void* pointer) {
    const aclError launched = aclrtMemsetAsync(pointer, kBytes, 1, kBytes, stream);
    const aclError done = aclrtSynchronizeStream(stream);
    return launched ? launched : done;
  }

  static constexpr std::size_t kBytes = 64;

  const VulkanFaults faults;
  aclrtStream stream = nullptr;
};

TEST_F(FaultLayer, CountsWithoutAFault) {
  open();
  faults.arm(VulkanResult::kOutOfDeviceMemory, VulkanFaults::kAlways);
  EXPECT_EQ(allocate(), 0);
  const auto report = faults.disarm();
  EXPECT_GT(report.seen, 0U);
  EXPECT_EQ(report.failed, 0U);
  EXPECT_EQ(report.command, "");
}

TEST_F(FaultLayer, TheChosenCallOfACommandFails) {
  open();
  faults.arm(VulkanResult::kOutOfDeviceMemory, 2, "vkAllocateMemory", 2);  // it is tried again once
  EXPECT_EQ(allocate(), 0);
  EXPECT_EQ(allocate(), ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(allocate(), 0);
  const auto report = faults.disarm();
  EXPECT_EQ(report.seen, 4U);
  EXPECT_EQ(report.failed, 2U);
  EXPECT_EQ(report.command, "vkAllocateMemory");
}

TEST_F(FaultLayer, AFaultMayLast) {
  open();
  faults.arm(VulkanResult::kOutOfDeviceMemory, 1, nullptr, VulkanFaults::kAlways);
  EXPECT_EQ(allocate(), ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(allocate(), ACL_ERROR_RT_MEMORY_ALLOCATION);
  faults.disarm();
  EXPECT_EQ(allocate(), 0);
}

TEST_F(FaultLayer, ACommandAnswersOnlyWhatItsSpecificationLists) {
  open();
  faults.arm(VulkanResult::kDeviceLost, 1, "vkAllocateMemory");
  EXPECT_EQ(allocate(), 0);
  EXPECT_EQ(faults.disarm().seen, 0U);
}

TEST_F(FaultLayer, ADeviceMayBeRefused) {
  faults.arm(VulkanResult::kInitializationFailed, 1, "vkCreateDevice");
  EXPECT_EQ(aclrtSetDevice(0), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
  EXPECT_EQ(faults.disarm().command, "vkCreateDevice");
  open();
  EXPECT_EQ(fill(), 0);
}

TEST_F(FaultLayer, ALostDeviceStaysLost) {
  open();
  void* pointer = nullptr;
  ASSERT_EQ(aclrtMalloc(&pointer, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
  EXPECT_EQ(fill(pointer), 0);
  faults.arm(VulkanResult::kDeviceLost, 1, "vkQueueSubmit2");
  EXPECT_EQ(fill(pointer), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
  EXPECT_EQ(faults.disarm().failed, 1U);
  EXPECT_EQ(fill(pointer), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
  EXPECT_EQ(aclrtFree(pointer), 0);
}

}  // namespace
}  // namespace aclvk::test
