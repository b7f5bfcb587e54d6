#include "base/fair_mutex.hpp"

namespace aclvk {

// Who has been woken and comes too late again has waited for longest, and keeps his place.
void FairMutex::lock_slowly() noexcept {
  std::unique_lock lock(line_mutex_);
  if (take_or_await()) return;
  Waiter self;
  add_last(self);
  while (true) {
    self.changed.wait(lock, [&] { return self.woken; });
    if (self.owns || take_or_await()) return;
    self.woken = false;
    add_first(self);
  }
}

// Afterwards the mutex is the caller's, or whoever has it finds out that somebody waits.
bool FairMutex::take_or_await() noexcept {
  std::uint32_t state = state_.load(std::memory_order_relaxed);
  while (true) {
    const bool held = (state & kRegisterVec8s) != 0;
    const std::uint32_t wanted = state | (held ? kAwaited : kRegisterVec8s);
    if (state_.compare_exchange_weak(state, wanted, std::memory_order_acquire, std::memory_order_relaxed)) return !held;
  }
}

// With somebody in the line the state changes under the line's mutex only. The waiter is told under it, too: he takes
// his condition with him.
void FairMutex::unlock_slowly() noexcept {
  const std::lock_guard lock(line_mutex_);
  Waiter& first = take_first();
  first.owns = Clock::now() - first.since >= kPatience;
  first.woken = true;
  const std::uint32_t rest = first_ != nullptr ? kAwaited : 0;
  state_.store(first.owns ? rest | kRegisterVec8s : rest, std::memory_order_release);
  first.changed.notify_one();
}

void FairMutex::add_last(Waiter& waiter) noexcept {
  (last_ != nullptr ? last_->next : first_) = &waiter;
  last_ = &waiter;
}

void FairMutex::add_first(Waiter& waiter) noexcept {
  waiter.next = first_;
  first_ = &waiter;
  if (last_ == nullptr) last_ = &waiter;
}

FairMutex::Waiter& FairMutex::take_first() noexcept {
  Waiter& waiter = *first_;
  first_ = waiter.next;
  if (first_ == nullptr) last_ = nullptr;
  waiter.next = nullptr;
  return waiter;
}

}  // namespace aclvk
