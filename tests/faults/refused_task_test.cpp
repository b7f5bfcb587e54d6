// A record or a wait for which there is no memory has not been issued: no stream waits for it or relies on it.
#include <gtest/gtest.h>

#include <cstdint>

#include "acl/acl.h"
#include "acl/acl_rt_memory_soma.h"
#include "faults/host_allocations.hpp"
#include "support/pool.hpp"

namespace aclvk::test {
namespace {

constexpr std::size_t kBuffer = std::size_t{2} << 20;  // what a pool reserves at a time
constexpr std::uint64_t kMost = 300;

class RefusedTask : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(aclrtSetDevice(0), 0);
    ASSERT_EQ(aclrtCreateStream(&stream_), 0);
    pool_ = new_pool();
  }
  void TearDown() override { EXPECT_EQ(aclrtResetDeviceForce(0), 0); }

  /// Of what comes next on the stream, everything comes after a free.
  void* freed_on(aclrtStream stream) {
    void* memory = malloc_async(pool_, kBuffer, stream);
    EXPECT_EQ(aclrtMemPoolFreeAsync(memory, stream), 0);
    return memory;
  }
  /// Makes the call with one allocation after the other failing; calls `refused` after each time that it fails,
  /// `issued` where the allocation was another thread's, or one that the call can do without.
  template <typename Call, typename Refused, typename Issued>
  static void with_each_fault(Call call, Refused refused, Issued issued) {
    bool met = true;
    for (std::uint64_t at = 1; met && at <= kMost && !testing::Test::HasFailure(); ++at) {
      HostAllocations::arm(at);
      const aclError code = call();
      const HostAllocations::Report report = HostAllocations::disarm();
      met = report.failed > 0;
      const testing::ScopedTrace trace(__FILE__, __LINE__, report.place);
      code != 0 ? refused() : issued();
    }
  }
  void expect_complete_when_refused(aclrtEvent event) {
    freed_on(stream_);
    ASSERT_EQ(aclrtRecordEvent(event, stream_), 0);
    with_each_fault([&] { return aclrtRecordEvent(event, stream_); },
                    [&] { EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 5000), 0) << "the record before it"; },
                    [] {});
  }

  aclrtStream stream_ = nullptr;
  aclrtMemPool pool_ = nullptr;
};

TEST_F(RefusedTask, LeavesAnEventAsItWas) {
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), 0);
  expect_complete_when_refused(event);
}

TEST_F(RefusedTask, LeavesAnEventOfSeveralProcessesAsItWas) {
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC), 0);
  expect_complete_when_refused(event);
}

TEST_F(RefusedTask, DoesNotComeAfterTheFreesOfAnotherStream) {
  aclrtStream blocked = nullptr;
  aclrtNotify never = nullptr;
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateStream(&blocked), 0);
  ASSERT_EQ(aclrtCreateNotify(&never, 0), 0);
  ASSERT_EQ(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC), 0);
  void* memory = malloc_async(pool_, kBuffer, blocked);
  ASSERT_EQ(aclrtWaitAndResetNotify(never, blocked, 0), 0);
  ASSERT_EQ(aclrtMemPoolFreeAsync(memory, blocked), 0);
  ASSERT_EQ(aclrtRecordEvent(event, blocked), 0);
  with_each_fault(
      [&] { return aclrtStreamWaitEvent(stream_, event); },
      [&] { EXPECT_NE(malloc_async(pool_, kBuffer, stream_), memory) << "the other stream may use it still"; },
      [&] { ASSERT_EQ(aclrtCreateStream(&stream_), 0) << "one that waits for nothing"; });
}

}  // namespace
}  // namespace aclvk::test
