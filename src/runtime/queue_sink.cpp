#include "runtime/queue_sink.hpp"

#include "runtime/event.hpp"
#include "runtime/stream.hpp"

namespace aclvk::runtime {

void QueueSink::accept(Stream& stream, Task&& task) { stream.queue().push(std::move(task)); }

void QueueSink::record(Stream& stream, const EventPtr& event) {
  if (event->captured) event->captured->touch(stream, event);
  stream.queue().push(EventRecordTask{event, event->external() ? nullptr : event->issue_record()});
}

void QueueSink::wait(Stream& stream, const EventPtr& event, WaitLimit limit) {
  if (event->captured) return event->captured->wait(stream, event);
  if (event->external()) return stream.queue().push(EventWaitTask{event, nullptr, nullptr, limit});
  const PointPtr point = event->issue_wait();
  if (!point) return;
  auto passed = std::make_shared<Point>();
  event->note_wait(passed);
  stream.queue().push(EventWaitTask{event, point, passed, limit});
}

void QueueSink::reset(Stream& stream, const EventPtr& event) {
  if (event->captured) event->captured->touch(stream, event);
  stream.queue().push(EventResetTask{event, event->external() ? nullptr : event->issue_reset()});
}

}  // namespace aclvk::runtime
