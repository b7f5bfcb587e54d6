#include "capture/model/private_streams.hpp"

#include <algorithm>
#include <exception>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/log_deferral.hpp"
#include "runtime/stream/scheduler.hpp"

namespace aclvk::capture {
namespace {

// A previous call may have timed out before the end of its run: the error of that run is discarded.
bool is_free(runtime::Stream& stream) {
  const runtime::SchedulerLock lock;
  if (!stream.queue().idle()) return false;
  stream.queue().take_error();
  return true;
}

}  // namespace

// Creates the stream without the mutex: the context calls the program's stream callbacks, which may run the model.
runtime::StreamPtr PrivateStreams::acquire() {
  if (runtime::StreamPtr idle = acquire_idle()) return idle;
  std::list<Entry> entry(1);
  const runtime::ContextPtr context = context_.lock();
  check(context != nullptr, Code::kContextNull, "The context of the model has been destroyed.");
  runtime::Stream::Options options;
  options.private_to_call = true;
  const runtime::StreamPtr stream = context->create_stream(options);
  entry.front().stream = stream;
  const LockGuard lock(mutex_);
  entries_.splice(entries_.end(), entry);
  return stream;
}

runtime::StreamPtr PrivateStreams::acquire_idle() {
  const LogDeferral deferral;
  const LockGuard lock(mutex_);
  for (Entry& entry : entries_) {
    runtime::StreamPtr stream = entry.leased ? nullptr : entry.stream.lock();
    if (!stream || !is_free(*stream)) continue;
    entry.leased = true;
    return stream;
  }
  return nullptr;
}

void PrivateStreams::release(const runtime::StreamPtr& stream) noexcept {
  {
    const LockGuard lock(mutex_);
    // Compares control blocks, which works for an expired weak pointer, too.
    const auto matches = [&](const Entry& entry) {
      return !entry.stream.owner_before(stream) && !stream.owner_before(entry.stream);
    };
    std::find_if(entries_.begin(), entries_.end(), matches)->leased = false;
    if (!ended_) return;
  }
  try {
    destroy();
  } catch (const std::exception& error) {
    log().warn("Stream {} remains after its model: {}", stream->id, error.what());
  }
}

void PrivateStreams::destroy() {
  for (std::list<Entry> idle = remove_idle(); !idle.empty(); idle = remove_idle()) {
    const runtime::StreamPtr stream = idle.front().stream.lock();
    const runtime::ContextPtr context = context_.lock();
    try {
      if (stream && context && !context->destroyed()) context->destroy_stream(stream, true);
    } catch (...) {
      const LockGuard lock(mutex_);
      entries_.splice(entries_.end(), idle);
      throw;
    }
  }
}

std::list<PrivateStreams::Entry> PrivateStreams::remove_idle() {
  std::list<Entry> idle;
  const LockGuard lock(mutex_);
  ended_ = true;
  const auto unused = [](const Entry& entry) { return !entry.leased; };
  const auto found = std::find_if(entries_.begin(), entries_.end(), unused);
  if (found != entries_.end()) idle.splice(idle.end(), entries_, found);
  return idle;
}

}  // namespace aclvk::capture
