// Memory that is unmapped while a task exceeds its time limit. The tests report the timeout instead of waiting for it.
#include "runtime/memory/mapped_memory.hpp"

#include <chrono>
#include <thread>

#include "runtime/context/context.hpp"
#include "runtime/context/handles.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/watcher.hpp"
#include "support/spinning_kernel.hpp"
#include "support/virtual_memory.hpp"
#include "support/watchdog.hpp"

namespace aclvk::runtime {
namespace {

class StuckTask : public test::KernelTest {
 protected:
  void SetUp() override {
    if (test::lacks_sparse_buffers()) GTEST_SKIP() << test::kNoSparseBuffers;
    spin_ = load_function(test::kSpin);
    start_ = reserve_addresses(test::kChunk, 0, nullptr);
    EXPECT_EQ(aclrtMapMem(start_, test::kChunk, 0, memory_.get(), 0), 0) << aclGetRecentErrMsg();
  }
  void TearDown() override {
    if (start_) {
      EXPECT_EQ(aclrtReleaseMemAddress(start_), 0) << aclGetRecentErrMsg();
    }
    KernelTest::TearDown();
  }

  static void find_stuck(aclrtStream stream) {
    const StreamPtr found = stream_handles().find(stream);
    const SchedulerLock lock;
    found->device().watcher().on_timeout({found->queue().batch().submitted(), std::chrono::seconds(1)});
  }
  void expect_refused() const {
    EXPECT_EQ(aclrtUnmapMem(start_), ACL_ERROR_RT_AICORE_TIMEOUT);
    EXPECT_EQ(aclrtReleaseMemAddress(start_), ACL_ERROR_RT_PARAM_INVALID) << "it is still mapped";
  }
  void expect_unmapped() const {
    aclError code = ACL_ERROR_RT_AICORE_TIMEOUT;
    while (code == ACL_ERROR_RT_AICORE_TIMEOUT) code = aclrtUnmapMem(start_);
    EXPECT_EQ(code, 0) << aclGetRecentErrMsg();
  }

  const test::Watchdog watchdog_{std::chrono::seconds(60), "Memory is unmapped during a task that does not end."};
  const test::Physical memory_;
  aclrtFuncHandle spin_ = nullptr;
  void* start_ = nullptr;
};

TEST_F(StuckTask, KeepsMemoryMapped) {
  test::Spinning kernel(spin_, s);
  find_stuck(s);
  expect_refused();
  kernel.release();
  expect_unmapped();
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_AICORE_TIMEOUT);
}

TEST_F(StuckTask, OfAStreamThatIsGoneKeepsMemoryMapped) {
  aclrtStream gone = nullptr;
  ASSERT_EQ(aclrtCreateStream(&gone), 0);
  test::Spinning kernel(spin_, gone);
  find_stuck(gone);
  ASSERT_EQ(aclrtDestroyStreamForce(gone), 0);
  expect_refused();
  kernel.release();
  expect_unmapped();
}

}  // namespace
}  // namespace aclvk::runtime
