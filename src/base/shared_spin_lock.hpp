#pragma once

#include <atomic>
#include <cstdint>

namespace aclvk {

/// A lock that readers share, for sections of a few instructions that each call enters: taking it and giving it back is
/// one atomic instruction each, where a std::shared_mutex takes some 80. A thread that finds it taken yields until it
/// is free. A writer keeps new readers out and waits for those inside. Works with std::shared_lock and
/// std::unique_lock.
class SharedSpinLock {
 public:
  SharedSpinLock() = default;
  SharedSpinLock(const SharedSpinLock&) = delete;
  SharedSpinLock& operator=(const SharedSpinLock&) = delete;

  void lock_shared() noexcept {
    if ((state_.fetch_add(kReader, std::memory_order_acquire) & kWriter) != 0) wait_for_writer();
  }
  void unlock_shared() noexcept { state_.fetch_sub(kReader, std::memory_order_release); }

  void lock() noexcept {
    std::uint32_t expected = 0;
    const bool free =
        state_.compare_exchange_strong(expected, kWriter, std::memory_order_acquire, std::memory_order_relaxed);
    if (!free) wait_for_all();
  }
  void unlock() noexcept { state_.fetch_sub(kWriter, std::memory_order_release); }

 private:
  static constexpr std::uint32_t kWriter = 1;
  static constexpr std::uint32_t kReader = 2;  // times the number of readers, some of whom are about to wait

  void wait_for_writer() noexcept;
  void wait_for_all() noexcept;

  std::atomic<std::uint32_t> state_{0};
};

}  // namespace aclvk
