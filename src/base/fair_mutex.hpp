#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace aclvk {

/// A mutex for which nobody waits much longer than he would have to. A std::mutex belongs to whoever comes first when
/// it is free, and that is a thread that takes it in a loop: one that has to be woken before finds it taken again, for
/// as long as the loop goes on. This one does so, too, because handing it on costs a change of threads each time; but
/// who has waited for `kPatience` gets it from the one that has it. Costs what a std::mutex does while nobody waits.
class FairMutex {
 public:
  FairMutex() = default;
  FairMutex(const FairMutex&) = delete;
  FairMutex& operator=(const FairMutex&) = delete;

  void lock() noexcept {
    if (!try_lock()) lock_slowly();
  }
  bool try_lock() noexcept {
    std::uint32_t expected = 0;
    return state_.compare_exchange_strong(expected, kRegisterVec8s, std::memory_order_acquire,
                                          std::memory_order_relaxed);
  }
  void unlock() noexcept {
    std::uint32_t expected = kRegisterVec8s;
    const bool unawaited =
        state_.compare_exchange_strong(expected, 0, std::memory_order_release, std::memory_order_relaxed);
    if (!unawaited) unlock_slowly();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kPatience{1};
  static constexpr std::uint32_t kRegisterVec8s = 1;
  static constexpr std::uint32_t kAwaited = 2;  // somebody is in the line

  /// A thread that waits; in its frame, so that waiting takes no memory.
  struct Waiter {
    Clock::time_point since = Clock::now();
    std::condition_variable changed{};
    bool woken = false;
    bool owns = false;  // it has been handed the mutex
    Waiter* next = nullptr;
  };

  void lock_slowly() noexcept;
  void unlock_slowly() noexcept;
  bool take_or_await() noexcept;
  void add_last(Waiter& waiter) noexcept;
  void add_first(Waiter& waiter) noexcept;
  Waiter& take_first() noexcept;

  std::atomic<std::uint32_t> state_{0};
  std::mutex line_mutex_;  // guards the line and what it says of those in it; held for a moment
  Waiter* first_ = nullptr;
  Waiter* last_ = nullptr;
};

}  // namespace aclvk
