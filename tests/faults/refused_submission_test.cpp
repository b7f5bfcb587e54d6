// The state after a submission that the driver refuses.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "acl/acl.h"
#include "support/vulkan_faults.hpp"
#include "support/watchdog.hpp"

namespace aclvk::test {
namespace {

void wait_until_set(void* flag) {
  while (!*static_cast<std::atomic<bool>*>(flag)) std::this_thread::yield();
}

// The event's batch was to write the time. The host function makes sure that there is such a batch.
TEST(RefusedSubmission, LeavesNoTimeToWaitFor) {
  const VulkanFaults faults;
  const Watchdog watchdog(std::chrono::seconds(60), "The time of an event is waited for that no batch writes.");
  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;
  std::atomic<bool> open{false};
  ASSERT_EQ(aclrtSetDevice(0), 0);
  ASSERT_EQ(aclrtCreateStream(&stream), 0);
  ASSERT_EQ(aclrtCreateEvent(&event), 0);
  ASSERT_EQ(aclrtLaunchHostFunc(stream, wait_until_set, &open), 0);
  ASSERT_EQ(aclrtRecordEvent(event, stream), 0);
  faults.arm(VulkanResult::kOutOfHostMemory, 1, "vkQueueSubmit2");
  open = true;
  const aclError done = aclrtSynchronizeStream(stream);
  if (faults.disarm().failed == 0) GTEST_SKIP() << "the device writes no times";
  EXPECT_EQ(done, ACL_ERROR_RT_MEMORY_ALLOCATION);
  float milliseconds = -1;
  EXPECT_EQ(aclrtEventElapsedTime(&milliseconds, event, event), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(milliseconds, 0.0F);
  EXPECT_EQ(aclrtResetDeviceForce(0), 0);
}

}  // namespace
}  // namespace aclvk::test
