#pragma once

#include <spdlog/logger.h>

namespace aclvk {

/// While one lives, what its thread logs is kept, and written when the last of them ends. For who holds a lock that a
/// function of the program may want which is given the lines (LogListener).
class LogDeferral {
 public:
  LogDeferral() noexcept;
  ~LogDeferral();
  LogDeferral(const LogDeferral&) = delete;
  LogDeferral& operator=(const LogDeferral&) = delete;

  /// Lines of the calling thread are kept.
  static bool pending() noexcept;
  /// Writes them all the same: the lock is not held just now.
  static void flush() noexcept;
};

/// A logger that keeps to LogDeferral.
class DeferringLogger : public spdlog::logger {
 public:
  using spdlog::logger::logger;

  virtual void write(const spdlog::details::log_msg& message) { spdlog::logger::sink_it_(message); }

 protected:
  void sink_it_(const spdlog::details::log_msg& message) final;
};

}  // namespace aclvk
