#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "base/thread_annotations.hpp"

namespace aclvk {

/// A mutex that a thread which locks it in a loop cannot monopolise. Like std::mutex it allows barging: an unlocked
/// mutex belongs to the first thread that locks it, because a direct handoff costs a context switch each time. But
/// barging can starve a waiter for as long as the loop runs; so unlock() hands the mutex to the first waiter once that
/// has waited for kHandoffAfter (eventual fairness, as in WebKit's WTF::Lock and Rust's parking_lot). An uncontended
/// lock costs as much as that of std::mutex.
class CAPABILITY("mutex") FairMutex {
 public:
  FairMutex() = default;
  FairMutex(const FairMutex&) = delete;
  FairMutex& operator=(const FairMutex&) = delete;

  void lock() noexcept ACQUIRE() {
    if (!try_lock()) lock_slow();
  }
  bool try_lock() noexcept TRY_ACQUIRE(true) {
    std::uint32_t expected = 0;
    return state_.compare_exchange_strong(expected, kHeld, std::memory_order_acquire, std::memory_order_relaxed);
  }
  // Not analysed: the atomic is what is acquired and released.
  void unlock() noexcept RELEASE() NO_THREAD_SAFETY_ANALYSIS {
    std::uint32_t expected = kHeld;
    const bool uncontended =
        state_.compare_exchange_strong(expected, 0, std::memory_order_release, std::memory_order_relaxed);
    if (!uncontended) unlock_slow();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kHandoffAfter{1};  // as WTF::Lock; a context switch takes microseconds
  // The bits of state_.
  static constexpr std::uint32_t kHeld = 1;
  static constexpr std::uint32_t kContended = 2;  // the queue is not empty

  /// A waiting thread; lives on its stack, so that waiting allocates no memory.
  struct Waiter {
    Clock::time_point start = Clock::now();
    std::condition_variable changed{};
    bool woken = false;
    bool owns = false;  // unlock() has handed it the mutex
    Waiter* next = nullptr;
  };

  void lock_slow() noexcept ACQUIRE();
  void unlock_slow() noexcept;
  bool acquire_or_mark_contended() noexcept;
  void push_back(Waiter& waiter) noexcept;
  void push_front(Waiter& waiter) noexcept;
  Waiter& pop_front() noexcept;

  std::atomic<std::uint32_t> state_{0};
  std::mutex queue_mutex_;  // guards the queue and the waiters in it; held briefly
  Waiter* first_ = nullptr;
  Waiter* last_ = nullptr;
};

}  // namespace aclvk
