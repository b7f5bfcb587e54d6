#include "capture/own_streams.hpp"

#include <algorithm>
#include <exception>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/log_deferral.hpp"
#include "runtime/stream/scheduler.hpp"

namespace aclvk::capture {
namespace {

// A call may have given up before the end of its run. How that run ends concerns nobody any more.
bool is_free(runtime::Stream& stream) {
  const runtime::SchedulerLock lock;
  if (!stream.queue().idle()) return false;
  stream.queue().take_error();
  return true;
}

}  // namespace

// The context tells the program of new streams, which may execute the model meanwhile.
runtime::StreamPtr OwnStreams::take() {
  if (runtime::StreamPtr idle = take_idle()) return idle;
  std::list<Entry> entry(1);
  const runtime::ContextPtr context = context_.lock();
  check(context != nullptr, Code::kContextNull, "The context of the model has been destroyed.");
  runtime::Stream::Options options;
  options.private_to_call = true;
  const runtime::StreamPtr stream = context->create_stream(options);
  entry.front().stream = stream;
  const std::lock_guard lock(mutex_);
  entries_.splice(entries_.end(), entry);
  return stream;
}

runtime::StreamPtr OwnStreams::take_idle() {
  const LogDeferral deferral;
  const std::lock_guard lock(mutex_);
  for (Entry& entry : entries_) {
    runtime::StreamPtr stream = entry.taken ? nullptr : entry.stream.lock();
    if (!stream || !is_free(*stream)) continue;
    entry.taken = true;
    return stream;
  }
  return nullptr;
}

void OwnStreams::give_back(const runtime::StreamPtr& stream) noexcept {
  {
    const std::lock_guard lock(mutex_);
    const auto is_it = [&](const Entry& entry) {
      return !entry.stream.owner_before(stream) && !stream.owner_before(entry.stream);
    };
    std::find_if(entries_.begin(), entries_.end(), is_it)->taken = false;
    if (!ended_) return;
  }
  try {
    destroy();
  } catch (const std::exception& error) {
    log().warn("Stream {} stays behind its model: {}", stream->id, error.what());
  }
}

void OwnStreams::destroy() {
  for (std::list<Entry> one = remove_one(); !one.empty(); one = remove_one()) {
    const runtime::StreamPtr stream = one.front().stream.lock();
    const runtime::ContextPtr context = context_.lock();
    try {
      if (stream && context && !context->destroyed()) context->destroy_stream(stream, true);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      entries_.splice(entries_.end(), one);
      throw;
    }
  }
}

std::list<OwnStreams::Entry> OwnStreams::remove_one() {
  std::list<Entry> one;
  const std::lock_guard lock(mutex_);
  ended_ = true;
  const auto unused = [](const Entry& entry) { return !entry.taken; };
  const auto found = std::find_if(entries_.begin(), entries_.end(), unused);
  if (found != entries_.end()) one.splice(one.end(), entries_, found);
  return one;
}

}  // namespace aclvk::capture
