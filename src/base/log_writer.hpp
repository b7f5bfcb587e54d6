#pragma once

#include <spdlog/async_logger.h>
#include <spdlog/details/thread_pool.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/log_deferral.hpp"

namespace aclvk {

/// The background thread that writes messages, and its queue. Never destroyed: threads of the program may log until the
/// process ends. Thread safe.
class LogWriter {
 public:
  LogWriter();

  /// Returns after all messages that were queued before the call have been written.
  void drain(spdlog::async_logger& logger);
  /// From now on threads write their messages themselves.
  void stop() { stopped_ = true; }
  bool stopped() const { return stopped_; }

  const std::shared_ptr<spdlog::details::thread_pool>& pool() const { return pool_; }
  /// Returns the sink that signals drain(); it has to be the last sink of each logger that uses the writer.
  const spdlog::sink_ptr& fence() const { return fence_; }

 private:
  std::shared_ptr<spdlog::details::thread_pool> pool_;
  spdlog::sink_ptr fence_;
  std::atomic<bool> stopped_{false};
};

/// A logger whose messages a LogWriter writes. A call that logs an error returns after the error and all messages
/// queued before it have been written.
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
