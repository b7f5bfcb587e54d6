#include "capture/built/bound_sink.hpp"

#include <utility>

#include "base/error.hpp"
#include "capture/built/built_model.hpp"
#include "runtime/event/event.hpp"

namespace aclvk::capture {
namespace {

void check_signal(const runtime::Stream& stream, const runtime::EventPtr& event) {
  const bool suitable = event->maker == runtime::EventMaker::kWithFlag && event->synchronises();
  check(
      suitable && !event->captured, Code::kFeatureNotSupported,
      "Event {} cannot be used on stream {}, which is bound to a model; use one of aclrtCreateEventWithFlag with SYNC "
      "or EXTERNAL that no capture uses.",
      event->id, stream.id);
}

}  // namespace

void BoundSink::accept(runtime::Stream& stream, runtime::Task&& task) {
  check(!external_event_of(task), Code::kStreamNotCaptured,
        "Stream {} is bound to a model; the EXTERNAL kind of record and wait is for captured streams.", stream.id);
  model()->add_task(lane_, std::move(task));
}

void BoundSink::record(runtime::Stream& stream, const runtime::EventPtr& event) {
  check_signal(stream, event);
  model()->add_signal(lane_, runtime::EventRecordTask{event, nullptr}, event);
}

void BoundSink::wait(runtime::Stream& stream, const runtime::EventPtr& event, runtime::WaitLimit limit) {
  check_signal(stream, event);
  model()->add_signal(lane_, runtime::EventWaitTask{event, nullptr, nullptr, limit}, event);
}

void BoundSink::reset(runtime::Stream& stream, const runtime::EventPtr& event) {
  check_signal(stream, event);
  model()->add_signal(lane_, runtime::EventResetTask{event, nullptr}, event);
}

std::optional<std::uint32_t> BoundSink::bound_to() const {
  const auto owner = model();
  return owner ? std::optional(owner->id) : std::nullopt;
}

// The stream is aborted or destroyed.
void BoundSink::abandon() {
  if (const auto owner = model()) owner->unbind(lane_);
}

BoundSink* find_bound_sink(const runtime::Stream& stream) {
  return stream.executes() ? nullptr : dynamic_cast<BoundSink*>(&stream.sink());
}

}  // namespace aclvk::capture
