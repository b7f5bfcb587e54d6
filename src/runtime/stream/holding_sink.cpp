#include "runtime/stream/holding_sink.hpp"

#include "base/error.hpp"
#include "runtime/event/event.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::runtime {
namespace {

[[noreturn]] void refuse(const Stream& stream, const EventPtr& event) {
  fail(Code::kFeatureNotSupported, "Stream {} is PERSISTENT and belongs to no model; it cannot take part in event {}.",
       stream.id, event->id);
}

}  // namespace

void HoldingSink::accept(Stream&, Task&& task) { tasks_.push_back(std::move(task)); }
void HoldingSink::record(Stream& stream, const EventPtr& event) { refuse(stream, event); }
void HoldingSink::wait(Stream& stream, const EventPtr& event, WaitLimit) {
  if (event->captured) return event->captured->wait(stream, event);  // the stream joins the capture
  refuse(stream, event);
}
void HoldingSink::reset(Stream& stream, const EventPtr& event) { refuse(stream, event); }

}  // namespace aclvk::runtime
