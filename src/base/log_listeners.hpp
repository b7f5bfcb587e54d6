#pragma once

#include <spdlog/sinks/sink.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "base/at_fork_lock.hpp"
#include "base/log.hpp"
#include "base/mutex.hpp"

namespace aclvk {

/// The spdlog sink that passes lines to the program's log listeners. Thread safe.
class LogListeners : public spdlog::sinks::sink {
 public:
  LogListeners();

  void log(const spdlog::details::log_msg& message) override;
  void flush() override {}
  void set_pattern(const std::string& pattern) override;
  void set_formatter(std::unique_ptr<spdlog::formatter> formatter) override;

  std::uint64_t add(LogListener listener);
  bool remove(std::uint64_t number);
  /// Removes all listeners. Requires that none is being called.
  void clear();

  /// Returns whether the calling thread is inside a listener.
  static bool busy();

 private:
  struct Listener {
    LogListener function;
    int calls = 0;                         ///< calls in progress, each on a thread of its own
    const Listener* awaited_by = nullptr;  ///< the listener that has removed this one, and waits for its calls
  };
  class Call;

  bool waits_for_caller(const Listener& listener) const REQUIRES(mutex_);

  Mutex mutex_;
  AtForkLock held_{mutex_};
  ConditionVariable returned_;  // a call has returned
  std::unique_ptr<spdlog::formatter> formatter_ GUARDED_BY(mutex_);
  std::map<std::uint64_t, std::shared_ptr<Listener>> listeners_ GUARDED_BY(mutex_);
  std::uint64_t last_ GUARDED_BY(mutex_) = 0;                    // the highest number in use
  static inline thread_local const Listener* called_ = nullptr;  // that the thread is inside; null: none
};

/// The name of run_log(); the sink recognises its lines by it.
constexpr const char* kRunLogName = "run";

}  // namespace aclvk
