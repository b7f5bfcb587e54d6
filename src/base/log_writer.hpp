#pragma once

#include <spdlog/async_logger.h>
#include <spdlog/details/thread_pool.h>

#include <atomic>
#include <cstdint>
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
  /// Calls queue(), which queues a message. Returns false after stop(), when threads write their messages themselves.
  template <typename Queue>
  bool queue(const Queue& queue) {
    ++queueing_;  // before the flag is read: finish() first sets the flag, then reads the number
    const bool queues = !stopped_;
    if (queues) queue();
    --queueing_;
    return queues;
  }
  void stop() { stopped_ = true; }
  /// Stops the writer, and returns after all messages that have been queued are written.
  void finish();
  bool stopped() const { return stopped_; }

  const std::shared_ptr<spdlog::details::thread_pool>& pool() const { return pool_; }
  /// Returns the sink that signals drain(); it has to be the last sink of each logger that uses the writer.
  const spdlog::sink_ptr& fence() const { return fence_; }

 private:
  std::shared_ptr<spdlog::details::thread_pool> pool_;
  spdlog::sink_ptr fence_;
  std::shared_ptr<spdlog::async_logger> drainer_;  // for finish(): queues fences alone
  std::atomic<bool> stopped_{false};
  std::atomic<std::uint32_t> queueing_{0};  // threads inside queue()
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
