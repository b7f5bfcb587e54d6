#include "base/shared_spin_lock.hpp"

#include <chrono>
#include <thread>

namespace aclvk {
namespace {

/// Yields, then sleeps: a yield does not run the owner of the lock if this thread has a higher real-time priority.
class Backoff {
 public:
  void wait() noexcept {
    // The critical sections are a few instructions long, so that nearly every wait ends within the yields.
    constexpr int kYields = 64;
    constexpr std::chrono::microseconds kSleep{50};
    ++waits_ <= kYields ? std::this_thread::yield() : std::this_thread::sleep_for(kSleep);
  }

 private:
  int waits_ = 0;
};

}  // namespace

// Precondition: lock_shared() has counted this reader already. The count is withdrawn while a writer has the lock or
// waits for it: wait_for_all() waits until no reader is counted.
void SharedSpinLock::wait_for_writer() noexcept {
  Backoff backoff;
  do {
    state_.fetch_sub(kReader, std::memory_order_relaxed);
    while ((state_.load(std::memory_order_relaxed) & kWriter) != 0) backoff.wait();
  } while ((state_.fetch_add(kReader, std::memory_order_acquire) & kWriter) != 0);
}

// Sets kWriter first, which stops new readers and other writers, then waits for the readers inside.
void SharedSpinLock::wait_for_all() noexcept {
  Backoff backoff;
  while ((state_.fetch_or(kWriter, std::memory_order_acquire) & kWriter) != 0) backoff.wait();
  while (state_.load(std::memory_order_acquire) != kWriter) backoff.wait();
}

}  // namespace aclvk
