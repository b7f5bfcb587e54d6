#include "runtime/stream/holding_sink.hpp"

#include "base/error.hpp"
#include "runtime/event/event.hpp"
#include "runtime/stream/scheduler.hpp"
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

HoldingSink* find_holding_sink(const Stream& stream) { return dynamic_cast<HoldingSink*>(&stream.own_sink()); }

void drop_held_tasks(const Stream& stream) {
  const SchedulerLock lock;
  HoldingSink* holding = find_holding_sink(stream);
  check(holding != nullptr, Code::kParamInvalid,
        "Stream {} was created with flags 0x{:x}; only PERSISTENT streams (0x4) collect tasks.", stream.id,
        stream.options.flags);
  check(&stream.sink() == holding, Code::kParamInvalid, "The tasks of stream {} belong to a model.", stream.id);
  holding->clear_tasks();
}

}  // namespace aclvk::runtime
