#pragma once

#include <cstdint>
#include <functional>

#include "runtime/stream/stream.hpp"

namespace aclvk::runtime {

// Host functions that run on a thread of the program's choice: the thread subscribes to streams and processes what they
// report (runtime-semantics 8). There are two independent kinds of subscription; a stream has at most one of each.

enum class Reports { kCallbacks, kHostFunctions };

/// Throws kStreamSubscribe when the stream is subscribed already, kThreadSubscribe when the thread serves another
/// device.
void subscribe(Reports kind, std::uint64_t thread, const Stream& stream);
/// Throws kStreamSubscribe for a stream that is not subscribed, kThreadSubscribe for one that another thread serves.
/// What the thread has not processed is dropped with its last stream; streams that wait for it go on.
void unsubscribe(Reports kind, std::uint64_t thread, const Stream& stream);

/// The stream is being destroyed: its subscriptions end, if it has any.
void remove_subscriptions(const Stream& stream);

/// aclrtLaunchCallback: the function runs on the thread that serves the stream; with `block` later tasks wait for it.
/// Throws kStreamNoCallback, kStreamSubscribe.
void launch_report(Stream& stream, std::function<void()> function, bool block);
/// aclrtLaunchHostFunc: on the thread that serves the stream's host functions, else on one of ours. Throws
/// kStreamSubscribe for a stream that is subscribed for callbacks.
void launch_host_function(Stream& stream, std::function<void()> function);

/// Runs what has been reported to the calling thread; waits for the first, and in lenient mode for a moment until the
/// thread is subscribed. Throws kThreadSubscribe, kReportTimeout.
void process(Reports kind, Timeout timeout);

}  // namespace aclvk::runtime
