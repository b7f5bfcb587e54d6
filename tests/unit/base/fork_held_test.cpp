#include "base/fork_held.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

namespace aclvk::test {
namespace {

// Another thread has the lock nearly always, and is not there in the child.
TEST(ForkHeld, LockIsFreeInTheChild) {
  std::mutex mutex;
  const ForkHeld held(mutex);
  std::atomic<bool> done{false};
  std::thread other([&] {
    while (!done) {
      const std::lock_guard lock(mutex);
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  });
  for (int i = 0; i < 20; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(mutex.try_lock() ? 0 : 1);
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  done = true;
  other.join();
}

TEST(ForkHeld, NeedsItsLockOnlyAsLongAsItIsThere) {
  {
    std::mutex gone;
    const ForkHeld held(gone);
  }
  const pid_t child = fork();
  if (child == 0) _exit(0);
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace aclvk::test
