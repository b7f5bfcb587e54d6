#pragma once

#include <cstdint>
#include <functional>

#include "runtime/stream/stream.hpp"

namespace aclvk::runtime {

// Callbacks on threads of the program (runtime-semantics 8): a thread subscribes to streams, and calls
// aclrtProcessReport to run the functions that the streams report to it. There are two independent kinds of
// subscription; a stream has at most one of each kind.

enum class Reports { kCallbacks, kHostFunctions };

/// Subscribes a thread to a stream. Throws kStreamSubscribe when the stream is subscribed already, kThreadSubscribe
/// when the thread is subscribed to a stream of another device, or too many threads are subscribed.
void subscribe(Reports kind, std::uint64_t thread, const Stream& stream);
/// Ends a subscription. With the last stream of a thread its unprocessed reports are dropped, and streams that wait for
/// them continue. Throws kStreamSubscribe when the stream is not subscribed, kThreadSubscribe when another thread is.
void unsubscribe(Reports kind, std::uint64_t thread, const Stream& stream);

/// Ends the subscriptions of a stream that is being destroyed.
void remove_subscriptions(const Stream& stream);

/// aclrtLaunchCallback: reports the function to the subscribed thread. With `block` later tasks of the stream wait
/// until it has returned. Throws kStreamNoCallback, kStreamSubscribe.
void launch_report(Stream& stream, std::function<void()> function, bool block);
/// aclrtLaunchHostFunc: reports the function to the thread that is subscribed for host functions; without one, runs it
/// on a callback thread of the Watcher. Throws kStreamSubscribe for a stream that is subscribed for callbacks.
void launch_host_function(Stream& stream, std::function<void()> function);

/// Runs the functions that were reported to the calling thread, after waiting for the first one. In lenient mode also
/// waits up to 500 ms until the thread is subscribed. Throws kThreadSubscribe, kReportTimeout.
void process(Reports kind, Timeout timeout);

}  // namespace aclvk::runtime
