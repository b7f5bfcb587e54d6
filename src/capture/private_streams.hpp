#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <utility>

#include "runtime/context.hpp"

namespace aclvk::capture {

/// The streams on which a model runs by itself (aclmdlRIExecute): one a call, so that each call hears of its own run
/// and of no other. The context owns them: a stream cannot end under the scheduler's lock, and a model can. Members
/// take that lock. Thread safe.
class PrivateStreams {
 public:
  explicit PrivateStreams(std::weak_ptr<runtime::Context> context) : context_(std::move(context)) {}

  /// A stream for as long as this lives. A run that is not over by then goes on, and the stream waits for it.
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

  /// The end of the model. A stream that a call still has is destroyed when the call is over.
  void destroy();

 private:
  struct Entry {
    std::weak_ptr<runtime::Stream> stream;
    bool leased = true;
  };

  runtime::StreamPtr acquire();
  runtime::StreamPtr acquire_idle();
  std::list<Entry> remove_idle();
  void release(const runtime::StreamPtr& stream) noexcept;

  const std::weak_ptr<runtime::Context> context_;
  std::mutex mutex_;
  std::list<Entry> entries_;
  bool ended_ = false;
};

}  // namespace aclvk::capture
