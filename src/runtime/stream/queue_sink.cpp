#include "runtime/stream/queue_sink.hpp"

#include <algorithm>

#include "runtime/event/event.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::runtime {

namespace {

// Before the event learns of a record or a wait: if the stream refuses it, nobody must wait for it.
StreamQueue& open_queue(Stream& stream) {
  stream.queue().check_takes_tasks();
  return stream.queue();
}

}  // namespace

void QueueSink::accept(Stream& stream, Task&& task) { stream.queue().push(std::move(task)); }

void QueueSink::record(Stream& stream, const EventPtr& event) {
  if (event->captured) event->captured->touch(stream, event);
  StreamQueue& queue = open_queue(stream);
  if (event->external()) return queue.push(EventRecordTask{event, nullptr});
  const PointPtr point = event->issue_record();
  queue.trim_frees();
  if (!queue.frees.empty()) point->frees = std::make_shared<const FreesSeen>(queue.frees);
  queue.push(EventRecordTask{event, point});
}

void QueueSink::wait(Stream& stream, const EventPtr& event, WaitLimit limit) {
  if (event->captured) return event->captured->wait(stream, event);
  StreamQueue& queue = open_queue(stream);
  if (event->external()) return queue.push(EventWaitTask{event, nullptr, nullptr, limit});
  const PointPtr point = event->issue_wait();
  if (!point) return;
  // A wait with a limit may be given up, so nothing follows from it.
  if (point->frees && limit.count() == 0) {
    for (const auto& [id, frees] : *point->frees) queue.frees[id] = std::max(queue.frees[id], frees);
  }
  auto passed = std::make_shared<Point>();
  event->note_wait(passed);
  queue.push(EventWaitTask{event, point, passed, limit});
}

void QueueSink::reset(Stream& stream, const EventPtr& event) {
  if (event->captured) event->captured->touch(stream, event);
  StreamQueue& queue = open_queue(stream);
  queue.push(EventResetTask{event, event->external() ? nullptr : event->issue_reset()});
}

}  // namespace aclvk::runtime
