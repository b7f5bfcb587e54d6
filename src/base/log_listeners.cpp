#include "base/log_listeners.hpp"

#include <spdlog/details/log_msg.h>
#include <spdlog/pattern_formatter.h>

#include <utility>

namespace aclvk {

/// The scope of a call of a listener. Releases the mutex: a listener may wait for a thread that logs.
class SCOPED_CAPABILITY LogListeners::Call {
 public:
  Call(LogListeners& all, std::shared_ptr<Listener> listener) RELEASE(all.mutex_)
      : all_(all), listener_(std::move(listener)) {
    ++listener_->calls;
    called_ = listener_.get();
    all_.mutex_.unlock();
  }
  ~Call() RELEASE() {
    all_.mutex_.lock();  // before the count changes: remove() reads it with the lock
    called_ = nullptr;
    --listener_->calls;
    all_.returned_.notify_all();
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

 private:
  LogListeners& all_;
  const std::shared_ptr<Listener> listener_;
};

LogListeners::LogListeners() : formatter_(std::make_unique<spdlog::pattern_formatter>()) {}

bool LogListeners::busy() { return called_ != nullptr; }

void LogListeners::log(const spdlog::details::log_msg& message) {
  if (busy()) return;
  const LockGuard lock(mutex_);
  if (listeners_.empty()) return;
  spdlog::memory_buf_t line;
  formatter_->format(message, line);
  const bool run = message.logger_name == spdlog::string_view_t(kRunLogName);
  // Listeners may change the list during the loop. New ones have higher numbers and do not get this line.
  const std::uint64_t last = last_;
  for (auto next = listeners_.begin(); next != listeners_.end() && next->first <= last;) {
    const auto [number, listener] = *next;
    {
      const Call call(*this, listener);
      listener->function(run, line.data(), line.size());
    }
    next = listeners_.upper_bound(number);
  }
}

void LogListeners::set_pattern(const std::string& pattern) {
  set_formatter(std::make_unique<spdlog::pattern_formatter>(pattern));
}

void LogListeners::set_formatter(std::unique_ptr<spdlog::formatter> formatter) {
  const LockGuard lock(mutex_);
  formatter_ = std::move(formatter);
}

std::uint64_t LogListeners::add(LogListener listener) {
  const LockGuard lock(mutex_);
  listeners_.emplace(++last_, std::make_shared<Listener>(Listener{std::move(listener)}));
  return last_;
}

void LogListeners::clear() {
  const LockGuard lock(mutex_);
  listeners_.clear();
}

bool LogListeners::remove(std::uint64_t number) {
  const LockGuard lock(mutex_);
  const auto found = listeners_.find(number);
  if (found == listeners_.end()) return false;
  const std::shared_ptr<Listener> listener = found->second;
  listeners_.erase(found);
  if (waits_for_caller(*listener)) return true;
  const bool itself = called_ == listener.get();
  listener->awaited_by = itself ? nullptr : called_;
  // A listener that removes itself cannot wait for its own call.
  returned_.wait(mutex_, [&] { return listener->calls == (itself ? 1 : 0); });
  listener->awaited_by = nullptr;
  return true;
}

// Returns whether a call of the listener waits, directly or for others that do, until the listener that the thread is
// inside has returned. Each listener is removed once, so that one thread at most waits for it.
bool LogListeners::waits_for_caller(const Listener& listener) const {
  for (const Listener* next = called_; next; next = next->awaited_by) {
    if (next->awaited_by == &listener) return true;
  }
  return false;
}

}  // namespace aclvk
