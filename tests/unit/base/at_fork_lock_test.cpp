#include "base/at_fork_lock.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <thread>

namespace aclvk::test {
namespace {

int status_of_child(const std::function<bool()>& work) {
  const pid_t child = fork();
  if (child == 0) _exit(work() ? 0 : 1);
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

/// A thread that locks and unlocks in a loop without pauses.
template <typename Lock>
class Busy {
 public:
  explicit Busy(typename Lock::mutex_type& mutex)
      : thread_([this, &mutex] {
          while (!done_) {
            const Lock lock(mutex);
            std::this_thread::sleep_for(std::chrono::microseconds(100));
          }
        }) {}
  ~Busy() {
    done_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> done_{false};
  std::thread thread_;
};

// The other thread holds the lock nearly always, and does not exist in the child.
TEST(AtForkLock, LockIsFreeInTheChild) {
  std::mutex mutex;
  const AtForkLock held(mutex);
  const Busy<std::unique_lock<std::mutex>> busy(mutex);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(status_of_child([&] { return mutex.try_lock(); }), 0);
}

// Neither does a reader that waited for the forking thread.
TEST(AtForkLock, LockOfReadersIsFreeInTheChild) {
  std::shared_mutex mutex;
  const AtForkLock held(mutex);
  const Busy<std::shared_lock<std::shared_mutex>> busy(mutex);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(status_of_child([&] { return mutex.try_lock(); }), 0);
}

TEST(AtForkLock, NeedsItsLockOnlyAsLongAsItIsThere) {
  {
    std::mutex gone;
    const AtForkLock held(gone);
  }
  EXPECT_EQ(status_of_child([] { return true; }), 0);
}

}  // namespace
}  // namespace aclvk::test
