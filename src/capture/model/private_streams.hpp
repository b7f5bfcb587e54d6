#pragma once

#include <list>
#include <memory>
#include <utility>

#include "base/mutex.hpp"
#include "runtime/context/context.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::capture {

/// The streams on which a model's synchronous runs execute (aclmdlRIExecute). Each call leases a stream of its own, so
/// that it waits for its own run and gets the errors of no other. The context owns the streams, because a stream must
/// not be destroyed with the scheduler lock held, and a model may be. Thread safe; takes the scheduler lock itself.
class PrivateStreams {
 public:
  explicit PrivateStreams(std::weak_ptr<runtime::Context> context) : context_(std::move(context)) {}

  /// Leases a stream for the lifetime of the object. A run that has not ended by then continues; the stream is leased
  /// again once it is idle.
  class Lease {
   public:
    explicit Lease(PrivateStreams& streams) : streams_(streams), stream_(streams.acquire()) {}
    ~Lease() { streams_.release(stream_); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    const runtime::StreamPtr& stream() const { return stream_; }

   private:
    PrivateStreams& streams_;
    const runtime::StreamPtr stream_;
  };

  /// Destroys all streams, when the model ends; a leased stream when its lease ends.
  void destroy() EXCLUDES(runtime::scheduler_mutex);

 private:
  struct Entry {
    std::weak_ptr<runtime::Stream> stream;
    bool leased = true;
  };

  runtime::StreamPtr acquire() EXCLUDES(runtime::scheduler_mutex);
  runtime::StreamPtr acquire_idle() EXCLUDES(runtime::scheduler_mutex);
  std::list<Entry> remove_idle();
  void release(const runtime::StreamPtr& stream) noexcept EXCLUDES(runtime::scheduler_mutex);

  const std::weak_ptr<runtime::Context> context_;
  Mutex mutex_;
  std::list<Entry> entries_ GUARDED_BY(mutex_);
  bool ended_ GUARDED_BY(mutex_) = false;
};

}  // namespace aclvk::capture
