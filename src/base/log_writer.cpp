#include "base/log_writer.hpp"

#include <spdlog/sinks/sink.h>

#include <cstdint>
#include <thread>

#include "base/log_listeners.hpp"
#include "base/mutex.hpp"

namespace aclvk {
namespace {

// Capacity of the queue, as large as spdlog's own by default. When it is full, logging blocks, so that no message is
// lost.
constexpr std::size_t kQueued = 8192;

/// A sink that counts flushes. The writer handles its queue in order: when a flush has been handled, all messages
/// queued before it have been written.
class Fence : public spdlog::sinks::sink {
 public:
  void log(const spdlog::details::log_msg&) override {}
  void set_pattern(const std::string&) override {}
  void set_formatter(std::unique_ptr<spdlog::formatter>) override {}

  void flush() override {
    const LockGuard lock(mutex_);
    ++completed_;
    changed_.notify_all();
  }

  std::uint64_t next() {
    const LockGuard lock(mutex_);
    return ++requested_;
  }

  // Flushes may overtake each other between next() and the queue; but among `number` handled flushes at least one was
  // queued after next() returned `number`.
  void wait(std::uint64_t number) {
    const LockGuard lock(mutex_);
    changed_.wait(mutex_, [&]() REQUIRES(mutex_) { return completed_ >= number; });
  }

 private:
  Mutex mutex_;
  ConditionVariable changed_;
  std::uint64_t requested_ GUARDED_BY(mutex_) = 0;
  std::uint64_t completed_ GUARDED_BY(mutex_) = 0;
};

}  // namespace

LogWriter::LogWriter()
    : pool_(std::make_shared<spdlog::details::thread_pool>(kQueued, 1)),
      fence_(std::make_shared<Fence>()),
      drainer_(std::make_shared<spdlog::async_logger>("drainer", fence_, pool_)) {}

void LogWriter::drain(spdlog::async_logger& logger) {
  if (LogListeners::busy()) return;  // the writer must not wait for itself
  auto& fence = static_cast<Fence&>(*fence_);
  const std::uint64_t number = fence.next();
  logger.flush();
  fence.wait(number);
}

// A thread that has read the flag before may queue its message after an earlier drain().
void LogWriter::finish() {
  stop();
  if (LogListeners::busy()) return;  // the writer's thread ends the process: other threads may wait for it
  while (queueing_ != 0) std::this_thread::yield();
  drain(*drainer_);
}

QueueingLogger::QueueingLogger(const std::string& name, const std::vector<spdlog::sink_ptr>& sinks, LogWriter& writer)
    : DeferringLogger(name, sinks.begin(), sinks.end()), writer_(writer) {
  std::vector<spdlog::sink_ptr> with_fence = sinks;
  with_fence.push_back(writer.fence());
  queue_ = std::make_shared<spdlog::async_logger>(name, with_fence.begin(), with_fence.end(), writer.pool());
  queue_->set_level(spdlog::level::trace);
}

void QueueingLogger::write(const spdlog::details::log_msg& message) {
  // A listener runs on the writer thread: if it waited for the queue, it would wait for itself.
  const auto queue = [&] { queue_->log(message.time, message.source, message.level, message.payload); };
  if (LogListeners::busy() || !writer_.queue(queue)) return DeferringLogger::write(message);
  if (message.level >= spdlog::level::err) writer_.drain(*queue_);
}

void QueueingLogger::flush_() {
  if (!writer_.stopped()) writer_.drain(*queue_);
  if (!LogListeners::busy()) spdlog::logger::flush_();
}

}  // namespace aclvk
