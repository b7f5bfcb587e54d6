// Memory that is freed after a task that exceeds its time limit. The tests report the timeout instead of waiting for
// it.
#include "runtime/memory/memory.hpp"

#include <chrono>
#include <thread>

#include "runtime/context/handles.hpp"
#include "runtime/device/device.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/watcher.hpp"
#include "support/spinning_kernel.hpp"
#include "support/watchdog.hpp"

namespace aclvk::runtime {
namespace {

class FreeAfterStuckTask : public test::KernelTest {
 protected:
  static void find_stuck(aclrtStream stream) {
    const StreamPtr found = stream_handles().find(stream);
    const SchedulerLock lock;
    found->device().watcher().on_timeout({found->queue().batch().submitted(), std::chrono::seconds(1)});
  }

  const test::Watchdog watchdog_{std::chrono::seconds(60), "Memory is freed after a task that does not end."};
};

TEST_F(FreeAfterStuckTask, IsRefusedToAThreadWithoutAContext) {
  void* memory = nullptr;
  ASSERT_EQ(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
  test::Spinning kernel(load_function(test::kSpin), s);
  find_stuck(s);
  std::thread([&] { EXPECT_EQ(aclrtFreeWithDevSync(memory), ACL_ERROR_RT_AICORE_TIMEOUT); }).join();
  kernel.release();
  aclError code = ACL_ERROR_RT_AICORE_TIMEOUT;
  while (code == ACL_ERROR_RT_AICORE_TIMEOUT) code = aclrtFreeWithDevSync(memory);
  EXPECT_EQ(code, 0) << "it is still there";
}

}  // namespace
}  // namespace aclvk::runtime
