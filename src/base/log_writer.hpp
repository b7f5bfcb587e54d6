#pragma once

#include <spdlog/async_logger.h>
#include <spdlog/details/thread_pool.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/log_deferral.hpp"

namespace aclvk {

/// The thread that writes messages, and the queue before it. Never destroyed: threads of the program may log for as
/// long as the process lives.
class LogWriter {
 public:
  LogWriter();

  /// Returns when all that was queued before is written.
  void drain(spdlog::async_logger& logger);
  /// From now on messages are written by the threads that log them.
  void stop() { stopped_ = true; }
  bool stopped() const { return stopped_; }

  const std::shared_ptr<spdlog::details::thread_pool>& pool() const { return pool_; }
  /// The last sink of each logger: tells that the writer has come here.
  const spdlog::sink_ptr& fence() const { return fence_; }

 private:
  std::shared_ptr<spdlog::details::thread_pool> pool_;
  spdlog::sink_ptr fence_;
  std::atomic<bool> stopped_{false};
};

/// A logger whose messages are written by a LogWriter; errors are written when the call returns, with all that was
/// queued before.
class QueueingLogger : public DeferringLogger {
 public:
  QueueingLogger(const std::string& name, const std::vector<spdlog::sink_ptr>& sinks, LogWriter& writer);

  void write(const spdlog::details::log_msg& message) override;

 protected:
  void flush_() override;

 private:
  LogWriter& writer_;
  std::shared_ptr<spdlog::async_logger> queue_;
};

}  // namespace aclvk
