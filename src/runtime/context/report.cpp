#include "runtime/context/report.hpp"

#include <pthread.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "base/config.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/mutex.hpp"
#include "base/process_state.hpp"
#include "runtime/event/event.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::runtime {
namespace {

// The limit of the official runtime (runtime-semantics 8.1).
constexpr std::size_t kMaxThreads = 1024;

/// The notify that a stream waits for after a blocking function. All runs of a model that contains the function share
/// it.
struct Completion : Notify {
  std::uint64_t deliveries GUARDED_BY(scheduler_mutex) = 0;  // of the function
};

/// A function that is delivered to its thread. `done`: set afterwards; null unless the report blocks the stream.
struct Report {
  std::function<void()> function;
  std::shared_ptr<Completion> done;
  std::uint64_t delivery = 0;
};

using ThreadKey = std::pair<Reports, std::uint64_t>;

struct Subscriber {
  const Device* device;
  std::size_t streams = 0;
  std::deque<Report> queue;
};

struct Registry {
  Mutex mutex;
  ConditionVariable arrived;
  std::map<ThreadKey, Subscriber> subscribers GUARDED_BY(mutex);
  // Stream id -> subscribed thread.
  std::map<std::pair<Reports, std::uint32_t>, std::uint64_t> streams GUARDED_BY(mutex);
};

Registry& registry() { return ProcessState<Registry, StateId::kReports>::get(); }

std::uint64_t this_thread() { return static_cast<std::uint64_t>(pthread_self()); }

// Ends the stream's wait for a blocking report. A report of a model run that was cancelled meanwhile is outdated once a
// later run delivers the function again, and must not end the wait of that run.
void release(const Report& report) {
  if (!report.done) return;
  const SchedulerLock lock;
  if (report.delivery != report.done->deliveries) return;
  report.done->flag.set = true;
  Scheduler::instance().changed();
}

void begin_delivery(Report& report) {
  if (!report.done) return;
  const SchedulerLock lock;
  report.done->flag.set = false;
  report.delivery = ++report.done->deliveries;
}

// Runs on a callback thread of the Watcher when the stream reaches the task.
void deliver(const ThreadKey& thread, Report report) {
  begin_delivery(report);
  {
    const LockGuard lock(registry().mutex);
    const auto found = registry().subscribers.find(thread);
    if (found != registry().subscribers.end()) {
      found->second.queue.push_back(report);
      registry().arrived.notify_all();
      return;
    }
  }
  log().warn("A callback is dropped: thread {} has unsubscribed from its stream.", thread.second);
  release(report);
}

// A blocking report occupies no callback thread: the stream waits for a notify that the subscribed thread sets.
void launch(Stream& stream, const ThreadKey& thread, std::function<void()> function, bool block) {
  const Report report{std::move(function), block ? std::make_shared<Completion>() : nullptr};
  const auto deliver_report = [thread, report] { deliver(thread, report); };
  stream.accept(HostTask{"HOSTFUNC_CALLBACK", deliver_report, nullptr, {}, {}, report.done});
  if (block) stream.accept(NotifyWaitTask{report.done});
}

/// Returns the thread that is subscribed to the stream, if any.
std::optional<ThreadKey> subscriber_of(Reports kind, const Stream& stream) {
  const LockGuard lock(registry().mutex);
  const auto found = registry().streams.find({kind, stream.id});
  if (found == registry().streams.end()) return {};
  return ThreadKey(kind, found->second);
}

// A thread that calls aclrtProcessReport before it is subscribed waits this long. Such threads usually call in a loop,
// which would report an error for each call.
constexpr std::chrono::milliseconds kWaitForSubscription{500};

std::chrono::milliseconds wait_for_subscription(Timeout timeout) {
  if (config().strict()) return {};
  return timeout ? std::min(*timeout, kWaitForSubscription) : kWaitForSubscription;
}

/// Waits for the first report and returns the number of reports.
std::size_t await_reports(const ThreadKey& thread, Timeout timeout) {
  Registry& r = registry();
  const LockGuard lock(r.mutex);
  const auto serves = [&]() REQUIRES(r.mutex) { return r.subscribers.count(thread) != 0; };
  const auto ready = [&]() REQUIRES(r.mutex) { return !serves() || !r.subscribers.at(thread).queue.empty(); };
  if (!serves()) r.arrived.wait_for(r.mutex, wait_for_subscription(timeout), serves);
  bool in_time = true;
  if (timeout) {
    in_time = r.arrived.wait_for(r.mutex, *timeout, ready);
  } else {
    r.arrived.wait(r.mutex, ready);
  }
  check(serves(), Code::kThreadSubscribe, "Thread {} is not subscribed to any stream.", thread.second);
  check(in_time, Code::kReportTimeout, "No callback has arrived within {} ms.", timeout ? timeout->count() : 0);
  return r.subscribers.at(thread).queue.size();
}

/// Returns the next report; none when the thread was unsubscribed meanwhile.
std::optional<Report> take_report(const ThreadKey& thread) {
  const LockGuard lock(registry().mutex);
  const auto found = registry().subscribers.find(thread);
  if (found == registry().subscribers.end() || found->second.queue.empty()) return {};
  std::optional<Report> report(std::move(found->second.queue.front()));
  found->second.queue.pop_front();
  return report;
}

void run(const Report& report) {
  try {
    report.function();
  } catch (...) {  // a function of the program may throw anything
    release(report);
    throw;
  }
  release(report);
}

void remove_subscription(Reports kind, const Stream& stream) {
  Registry& r = registry();
  decltype(r.subscribers)::node_type dropped;  // extracted as a node, which allocates nothing
  {
    const LockGuard lock(r.mutex);
    const auto found = r.streams.find({kind, stream.id});
    if (found == r.streams.end()) return;
    const ThreadKey key{kind, found->second};
    r.streams.erase(found);
    Subscriber& subscriber = r.subscribers.at(key);
    if (--subscriber.streams > 0) return;
    dropped = r.subscribers.extract(key);
    r.arrived.notify_all();
  }
  for (const Report& report : dropped.mapped().queue) release(report);
}

}  // namespace

void subscribe(Reports kind, std::uint64_t thread, const Stream& stream) {
  Registry& r = registry();
  const LockGuard lock(r.mutex);
  check(r.streams.count({kind, stream.id}) == 0, Code::kStreamSubscribe, "Stream {} is subscribed already.", stream.id);
  const ThreadKey key{kind, thread};
  const auto found = r.subscribers.find(key);
  const bool known = found != r.subscribers.end();
  check(!known || found->second.device == &stream.device(), Code::kThreadSubscribe,
        "Thread {} serves streams of another device.", thread);
  check(known || r.subscribers.size() < kMaxThreads, Code::kThreadSubscribe,
        "{} threads are subscribed; no more can be.", kMaxThreads);
  Subscriber& subscriber = r.subscribers[key];
  subscriber.device = &stream.device();
  ++subscriber.streams;
  r.streams[{kind, stream.id}] = thread;
  r.arrived.notify_all();
}

void unsubscribe(Reports kind, std::uint64_t thread, const Stream& stream) {
  const auto subscriber = subscriber_of(kind, stream);
  check(subscriber.has_value(), Code::kStreamSubscribe, "Stream {} is not subscribed.", stream.id);
  check(*subscriber == ThreadKey(kind, thread), Code::kThreadSubscribe, "Thread {} does not serve stream {}.", thread,
        stream.id);
  remove_subscription(kind, stream);
}

void remove_subscriptions(const Stream& stream) {
  remove_subscription(Reports::kCallbacks, stream);
  remove_subscription(Reports::kHostFunctions, stream);
}

void launch_report(Stream& stream, std::function<void()> function, bool block) {
  const auto subscriber = subscriber_of(Reports::kCallbacks, stream);
  check(subscriber || !subscriber_of(Reports::kHostFunctions, stream), Code::kStreamSubscribe,
        "Stream {} is subscribed for host functions, not for callbacks.", stream.id);
  check(subscriber.has_value(), Code::kStreamNoCallback, "No thread is subscribed to stream {}.", stream.id);
  launch(stream, *subscriber, std::move(function), block);
}

void launch_host_function(Stream& stream, std::function<void()> function) {
  const auto subscriber = subscriber_of(Reports::kHostFunctions, stream);
  check(subscriber || !subscriber_of(Reports::kCallbacks, stream), Code::kStreamSubscribe,
        "Stream {} is subscribed for callbacks, not for host functions.", stream.id);
  if (!subscriber) return stream.host_function(std::move(function));
  launch(stream, *subscriber, std::move(function), true);
}

void process(Reports kind, Timeout timeout) {
  const ThreadKey thread{kind, this_thread()};
  for (std::size_t left = await_reports(thread, timeout); left > 0; --left) {
    const auto report = take_report(thread);
    if (!report) return;
    run(*report);  // after an exception the remaining reports wait for the next call
  }
}

}  // namespace aclvk::runtime
