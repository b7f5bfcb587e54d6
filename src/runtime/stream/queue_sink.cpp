#include "runtime/stream/queue_sink.hpp"

#include <algorithm>

#include "runtime/event/event.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::runtime {

namespace {

// Called before the event issues a record or a wait: no waiter must depend on a task that the stream refuses.
StreamQueue& open_queue(Stream& stream) REQUIRES(scheduler_mutex) {
  stream.queue().check_accepts_tasks();
  return stream.queue();
}

// The join of two vector clocks.
FreeCounts merged(FreeCounts frees, const FreeCounts& others) {
  for (const auto& [epoch, number] : others) frees[epoch] = std::max(frees[epoch], number);
  return frees;
}

}  // namespace

void QueueSink::accept(Stream& stream, Task&& task) { stream.queue().push(std::move(task)); }

void QueueSink::accept_all(Stream& stream, std::vector<Task>&& tasks) {
  StreamQueue& queue = open_queue(stream);
  for (Task& task : tasks) queue.push_unchecked(std::move(task));
}

// Everything that can fail comes before issue_record(), after which other streams may wait for the record.
void QueueSink::record(Stream& stream, const EventPtr& event) {
  if (event->captured) event->captured->check_use_by(stream, event);
  StreamQueue& queue = open_queue(stream);
  if (event->external()) return queue.push_unchecked(EventRecordTask{event, nullptr});
  queue.trim_frees();
  auto frees = queue.frees.empty() ? nullptr : std::make_shared<const FreeCounts>(queue.frees);
  const PointPtr point = event->issue_record();
  point->frees = std::move(frees);
  queue.push_unchecked(EventRecordTask{event, point});
}

void QueueSink::wait(Stream& stream, const EventPtr& event, WaitLimit limit) {
  if (event->captured) return event->captured->wait(stream, event);
  StreamQueue& queue = open_queue(stream);
  if (event->external()) return queue.push_unchecked(EventWaitTask{event, nullptr, nullptr, limit});
  const PointPtr point = event->issue_wait();
  if (!point) return;
  auto passed = std::make_shared<Point>();
  event->reserve_wait();
  // A wait with a limit may time out, so it does not order later tasks after the frees.
  if (point->frees && limit.count() == 0) queue.frees = merged(queue.frees, *point->frees);
  event->add_wait(passed);
  queue.push_unchecked(EventWaitTask{event, point, passed, limit});
}

void QueueSink::reset(Stream& stream, const EventPtr& event) {
  if (event->captured) event->captured->check_use_by(stream, event);
  StreamQueue& queue = open_queue(stream);
  queue.push_unchecked(EventResetTask{event, event->external() ? nullptr : event->issue_reset()});
}

}  // namespace aclvk::runtime
