#include "runtime/context/context.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <optional>

#include "base/error.hpp"
#include "base/log.hpp"
#include "runtime/context/handles.hpp"
#include "runtime/context/report.hpp"
#include "runtime/context/stream_use.hpp"
#include "runtime/device/state_callback.hpp"

namespace aclvk::runtime {
namespace {

using Clock = std::chrono::steady_clock;

// The limit of an Ascend device, so that a program that leaks streams fails here as it does there.
constexpr std::uint32_t kMaxStreams = 1984;

std::atomic<std::uint64_t> ended{0};

Timeout left_until(const std::optional<Clock::time_point>& deadline) {
  if (!deadline) return {};
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now());
  return std::max(left, std::chrono::milliseconds{0});
}

/// Counts a stream of a device in advance. Unless keep() is called, the destructor takes it back.
class StreamReservation {
 public:
  explicit StreamReservation(Device& device) : streams_(&device.streams) {
    std::uint32_t used = *streams_;
    do {
      check(used < kMaxStreams, Code::kNoStreamResource, "Device {} has {} streams already; it takes no more.",
            device.id, kMaxStreams);
    } while (!streams_->compare_exchange_weak(used, used + 1));
  }
  ~StreamReservation() {
    if (streams_) --*streams_;
  }
  StreamReservation(const StreamReservation&) = delete;
  StreamReservation& operator=(const StreamReservation&) = delete;

  void keep() { streams_ = nullptr; }

 private:
  std::atomic<std::uint32_t>* streams_;
};

}  // namespace

Context::Context(std::shared_ptr<Device> device, bool primary) : StreamOwner(std::move(device)), primary_(primary) {}

std::shared_ptr<Context> Context::create(std::shared_ptr<Device> device, bool primary) {
  StreamReservation reservation(*device);
  const std::shared_ptr<Context> context(new Context(std::move(device), primary));
  Stream::Options options;
  options.is_default = true;
  const StreamPtr default_stream = context->add_stream(options);
  {
    const LockGuard lock(context->mutex_);
    context->default_stream_ = default_stream;
  }
  try {
    context->handle_ = context_handles().insert(context);
  } catch (...) {
    stream_handles().remove(default_stream->handle);
    throw;
  }
  reservation.keep();
  return context;
}

StreamPtr Context::add_stream(Stream::Options options) {
  auto stream = std::make_shared<Stream>(shared_from_this(), options);
  stream->handle = stream_handles().insert(stream);
  return stream;
}

StreamPtr Context::default_stream() const {
  const LockGuard lock(mutex_);
  check(default_stream_ != nullptr, Code::kContextNull, "Context ({}) has been destroyed.", handle_);
  return default_stream_;
}

StreamPtr Context::create_stream(Stream::Options options) {
  StreamReservation reservation(device());
  StreamPtr stream = add_stream(options);
  try {
    const LockGuard lock(mutex_);
    // tear_down() sets the flag before it takes the streams.
    check(!destroyed(), Code::kContextNull, "Context ({}) has been destroyed.", handle_);
    streams_.push_back(stream);
    reservation.keep();
  } catch (...) {
    stream_handles().remove(stream->handle);
    throw;
  }
  notify_listeners(stream->handle, StreamState::kCreated);
  return stream;
}

void Context::destroy_stream(const StreamPtr& stream, bool force) {
  check(!stream->is_default(), Code::kParamInvalid,
        "Stream {} is the default stream of its context; only destroying the context ends it.", stream->id);
  stream->check_executes("destroy");
  stream->check_not_bound("destroy", Code::kStreamModel);
  notify_listeners(stream->handle, StreamState::kToBeDestroyed);
  // Removes the handle first, so that one of two threads that destroy the stream is refused.
  check(stream_handles().remove(stream->handle) != nullptr, Code::kInvalidHandle,
        "Stream {} is being destroyed already.", stream->id);
  {
    const LockGuard lock(mutex_);
    const auto removed = std::remove(streams_.begin(), streams_.end(), stream);
    device().streams -= static_cast<std::uint32_t>(streams_.end() - removed);  // 0 after tear_down()
    streams_.erase(removed, streams_.end());
  }
  std::exception_ptr failure;  // a failed task does not keep the stream alive
  try {
    if (!force && waited_for(*stream)) stream->synchronize();
  } catch (const std::exception&) {
    failure = std::current_exception();
  }
  remove_subscriptions(*stream);
  stream->abort();  // also ends a task update that was left open
  if (failure) std::rethrow_exception(failure);
}

std::vector<StreamPtr> Context::streams() const {
  const LockGuard lock(mutex_);
  return streams_;
}

std::vector<StreamPtr> Context::all_streams() const {
  const LockGuard lock(mutex_);
  std::vector<StreamPtr> all = streams_;
  if (default_stream_) all.push_back(default_stream_);
  return all;
}

void Context::synchronize(Timeout timeout) {
  const std::vector<StreamPtr> all = all_streams();
  for (const StreamPtr& stream : all) stream->check_executes("synchronize");

  std::optional<Clock::time_point> deadline;
  if (timeout) deadline = Clock::now() + *timeout;
  std::exception_ptr first_failure;
  for (const StreamPtr& stream : all) {
    if (!waited_for(*stream)) continue;
    try {
      const Timeout left = left_until(deadline);
      stream->options.private_to_call ? stream->wait_for_tasks(left) : stream->synchronize(left);
    } catch (const std::exception&) {
      // Waits for the remaining streams nevertheless, because the caller may free memory that they use.
      if (!first_failure) first_failure = std::current_exception();
    }
  }
  if (first_failure) std::rethrow_exception(first_failure);
}

namespace {

void end_stream(const StreamPtr& stream, bool force) {
  notify_listeners(stream->handle, StreamState::kToBeDestroyed);
  try {
    if (!force && waited_for(*stream)) stream->synchronize();
  } catch (const std::exception& error) {
    log().warn("Stream {} ends with its context: {}", stream->id, error.what());
  }
  remove_subscriptions(*stream);
  stream->abort();
  stream_handles().remove(stream->handle);
}

}  // namespace

// Allocates nothing, so that it cannot fail halfway.
void Context::tear_down(bool force) {
  check(mark_destroyed(), Code::kContextRelease, "The context of device {} is being destroyed already.", device().id);
  ++ended;
  // Declared before the lock, so that the streams are released after it: the last reference runs their destructors.
  std::vector<StreamPtr> streams;
  StreamPtr default_stream;
  {
    const LockGuard lock(mutex_);
    streams.swap(streams_);
    default_stream.swap(default_stream_);
  }
  device().streams -= static_cast<std::uint32_t>(streams.size()) + (default_stream ? 1U : 0U);
  for (const StreamPtr& stream : streams) end_stream(stream, force);
  if (default_stream) end_stream(default_stream, force);
  context_handles().remove(handle_);
}

// Each owner is a Context.
ContextPtr context_of(const Stream& stream) { return std::static_pointer_cast<Context>(stream.owner()); }

std::uint64_t ended_contexts() { return ended; }

std::uint32_t available_streams(const Device& device) { return kMaxStreams - device.streams; }

}  // namespace aclvk::runtime
