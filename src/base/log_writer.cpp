#include "base/log_writer.hpp"

#include <spdlog/sinks/sink.h>

#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "base/log_listeners.hpp"

namespace aclvk {
namespace {

// As many as wait for a slow terminal; then the program waits, too: no message is lost.
constexpr std::size_t kQueued = 8192;

/// Counts the flushes that the writer has come to. A flush that is queued behind a message is done after it.
class Fence : public spdlog::sinks::sink {
 public:
  void log(const spdlog::details::log_msg&) override {}
  void set_pattern(const std::string&) override {}
  void set_formatter(std::unique_ptr<spdlog::formatter>) override {}

  void flush() override {
    std::lock_guard lock(mutex_);
    ++passed_;
    changed_.notify_all();
  }

  std::uint64_t next() {
    std::lock_guard lock(mutex_);
    return ++asked_;
  }

  // Of as many flushes as `number` one at least was asked for after `number` was given out.
  void wait(std::uint64_t number) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return passed_ >= number; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t asked_ = 0;
  std::uint64_t passed_ = 0;
};

}  // namespace

LogWriter::LogWriter()
    : pool_(std::make_shared<spdlog::details::thread_pool>(kQueued, 1)), fence_(std::make_shared<Fence>()) {}

void LogWriter::drain(spdlog::async_logger& logger) {
  if (LogListeners::busy()) return;  // the writer must not wait for itself
  auto& fence = static_cast<Fence&>(*fence_);
  const std::uint64_t number = fence.next();
  logger.flush();
  fence.wait(number);
}

QueueingLogger::QueueingLogger(const std::string& name, const std::vector<spdlog::sink_ptr>& sinks, LogWriter& writer)
    : DeferringLogger(name, sinks.begin(), sinks.end()), writer_(writer) {
  std::vector<spdlog::sink_ptr> with_fence = sinks;
  with_fence.push_back(writer.fence());
  queue_ = std::make_shared<spdlog::async_logger>(name, with_fence.begin(), with_fence.end(), writer.pool());
  queue_->set_level(spdlog::level::trace);
}

void QueueingLogger::write(const spdlog::details::log_msg& message) {
  // A listener that logs would wait for the queue that it is to empty.
  if (writer_.stopped() || LogListeners::busy()) return DeferringLogger::write(message);
  queue_->log(message.time, message.source, message.level, message.payload);
  if (message.level >= spdlog::level::err) writer_.drain(*queue_);
}

void QueueingLogger::flush_() {
  if (!writer_.stopped()) writer_.drain(*queue_);
  if (!LogListeners::busy()) spdlog::logger::flush_();
}

}  // namespace aclvk
