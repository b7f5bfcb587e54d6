#include "base/fair_mutex.hpp"

namespace aclvk {

// A woken waiter that loses the mutex to a barging thread has waited longest, so it returns to the front of the queue.
// Not analysed, like unlock().
void FairMutex::lock_slow() noexcept NO_THREAD_SAFETY_ANALYSIS {
  std::unique_lock lock(queue_mutex_);
  if (acquire_or_mark_contended()) return;
  Waiter self;
  push_back(self);
  while (true) {
    self.changed.wait(lock, [&] { return self.woken; });
    if (self.owns || acquire_or_mark_contended()) return;
    self.woken = false;
    push_front(self);
  }
}

// Either acquires the mutex (true) or marks it contended, so that the owner's unlock() serves the queue.
bool FairMutex::acquire_or_mark_contended() noexcept {
  std::uint32_t state = state_.load(std::memory_order_relaxed);
  while (true) {
    const bool held = (state & kHeld) != 0;
    const std::uint32_t wanted = state | (held ? kContended : kHeld);
    if (state_.compare_exchange_weak(state, wanted, std::memory_order_acquire, std::memory_order_relaxed)) return !held;
  }
}

// While the queue is not empty, a held mutex is unlocked under queue_mutex_ only. The waiter is notified under it, too,
// because it destroys its condition variable as soon as it returns.
void FairMutex::unlock_slow() noexcept {
  const std::lock_guard lock(queue_mutex_);
  Waiter& first = pop_front();
  // A waiter keeps its start when it loses to a barging thread: the time counts from the call of lock().
  first.owns = Clock::now() - first.start >= kHandoffAfter;
  first.woken = true;
  const std::uint32_t rest = first_ != nullptr ? kContended : 0;
  state_.store(first.owns ? rest | kHeld : rest, std::memory_order_release);
  first.changed.notify_one();
}

void FairMutex::push_back(Waiter& waiter) noexcept {
  (last_ != nullptr ? last_->next : first_) = &waiter;
  last_ = &waiter;
}

void FairMutex::push_front(Waiter& waiter) noexcept {
  waiter.next = first_;
  first_ = &waiter;
  if (last_ == nullptr) last_ = &waiter;
}

FairMutex::Waiter& FairMutex::pop_front() noexcept {
  Waiter& waiter = *first_;
  first_ = waiter.next;
  if (first_ == nullptr) last_ = nullptr;
  waiter.next = nullptr;
  return waiter;
}

}  // namespace aclvk
