#pragma once

#include <spdlog/logger.h>

namespace aclvk {

/// While an object exists, messages that its thread logs are deferred; the end of the outermost one writes them. For
/// code that holds a lock: writing calls log listeners, functions of the program that may need the same lock.
class LogDeferral {
 public:
  LogDeferral() noexcept;
  ~LogDeferral();
  LogDeferral(const LogDeferral&) = delete;
  LogDeferral& operator=(const LogDeferral&) = delete;

  /// Returns whether the calling thread has deferred lines.
  static bool pending() noexcept;
  /// Writes the calling thread's deferred lines now. Must not be called with the lock.
  static void flush() noexcept;
};

/// A logger that honours LogDeferral. Derived classes override write() to change how a message is written.
class DeferringLogger : public spdlog::logger {
 public:
  using spdlog::logger::logger;

  virtual void write(const spdlog::details::log_msg& message) { spdlog::logger::sink_it_(message); }

 protected:
  void sink_it_(const spdlog::details::log_msg& message) final;
};

}  // namespace aclvk
