// A process that could not be locked.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <thread>

#include "acl/acl.h"
#include "faults/host_allocations.hpp"
#include "support/watchdog.hpp"

namespace aclvk::test {
namespace {

TEST(RefusedSnapshot, LetsOtherThreadsContinue) {
  constexpr std::uint64_t kMost = 300;
  const Watchdog watchdog(std::chrono::seconds(60), "A thread waits for a process to be unlocked that is not locked.");
  aclrtStream stream = nullptr;
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtSetDevice(0), 0);
  ASSERT_EQ(aclrtGetCurrentContext(&context), 0);
  ASSERT_EQ(aclrtCreateStream(&stream), 0);
  bool met = true;
  for (std::uint64_t at = 1; met && at <= kMost; ++at) {
    HostAllocations::arm(at);
    const aclError locked = aclrtSnapShotProcessLock(getpid(), nullptr);
    met = HostAllocations::disarm().failed > 0;
    if (locked == 0) {
      EXPECT_EQ(aclrtSnapShotProcessUnlock(getpid(), nullptr), 0);
    }
    std::thread([&] {
      EXPECT_EQ(aclrtSetCurrentContext(context), 0) << "allocation " << at;
      EXPECT_EQ(aclrtSynchronizeStream(stream), 0) << "allocation " << at;
    }).join();
  }
  EXPECT_EQ(aclrtDestroyStream(stream), 0);
}

}  // namespace
}  // namespace aclvk::test
