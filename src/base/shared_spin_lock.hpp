#pragma once

#include <atomic>
#include <cstdint>

#include "base/thread_annotations.hpp"

namespace aclvk {

/// A readers-writer spin lock for critical sections of a few instructions on the path of every call: lock and unlock
/// are one atomic instruction each, compared to about 80 instructions of std::shared_mutex. A thread that cannot enter
/// yields, then sleeps. A waiting writer blocks new readers. Works with SharedLock and LockGuard.
class CAPABILITY("mutex") SharedSpinLock {
 public:
  SharedSpinLock() = default;
  SharedSpinLock(const SharedSpinLock&) = delete;
  SharedSpinLock& operator=(const SharedSpinLock&) = delete;

  // Not analysed: the atomic is what is acquired and released.
  void lock_shared() noexcept ACQUIRE_SHARED() NO_THREAD_SAFETY_ANALYSIS {
    if ((state_.fetch_add(kReader, std::memory_order_acquire) & kWriter) != 0) wait_for_writer();
  }
  void unlock_shared() noexcept RELEASE_SHARED() NO_THREAD_SAFETY_ANALYSIS {
    state_.fetch_sub(kReader, std::memory_order_release);
  }

  void lock() noexcept ACQUIRE() NO_THREAD_SAFETY_ANALYSIS {
    std::uint32_t expected = 0;
    const bool free =
        state_.compare_exchange_strong(expected, kWriter, std::memory_order_acquire, std::memory_order_relaxed);
    if (!free) wait_for_all();
  }
  void unlock() noexcept RELEASE() NO_THREAD_SAFETY_ANALYSIS { state_.fetch_sub(kWriter, std::memory_order_release); }

 private:
  static constexpr std::uint32_t kWriter = 1;
  static constexpr std::uint32_t kReader = 2;  // times the number of readers, including ones that are about to back off

  void wait_for_writer() noexcept;
  void wait_for_all() noexcept;

  std::atomic<std::uint32_t> state_{0};
};

}  // namespace aclvk
