#include "capture/captured/captured_event.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "capture/captured/capture_sink.hpp"
#include "capture/captured/captured_model.hpp"

namespace aclvk::capture {

void CapturedRecord::check_same_model(CapturedModel& model, const runtime::EventPtr& event) {
  if (&model == model_.get()) return;
  const Error error(
      Code::kStreamCaptureConflict,
      fmt::format("Event {} belongs to the capture of model {}; model {} cannot use it, both captures fail.", event->id,
                  model_->id, model.id));
  model.poison(error);
  model_->poison(error);
  throw Error(error);
}

void CapturedRecord::wait(runtime::Stream& waiter, const runtime::EventPtr& event) {
  // The event may hold the last reference to this object, and the wait may replace it: keep the model alive.
  const auto model = model_;
  CaptureSink* sink = find_capture_sink(waiter);
  if (sink) {
    check_same_model(sink->model(), event);
  } else {
    fork(waiter, event);
    sink = find_capture_sink(waiter);
  }
  sink->add_signal(runtime::EventWaitTask{event, nullptr, nullptr}, record_);
}

// The checks of capture-semantics 7.2. A poisoned capture accepts tasks, but no further streams (chapter 12).
void CapturedRecord::fork(runtime::Stream& stream, const runtime::EventPtr& event) {
  check_use_by(stream, event);
  check_capturable_flags(stream);
  check(context_of(stream) == model_->context(), Code::kStreamContext,
        "Stream {} waits for event {} of a capture in another context.", stream.id, event->id);
  check(!model_->poisoned(), Code::kRuntimeInternal, "The capture of model {} has failed; stream {} cannot join it.{}",
        model_->id, stream.id, model_->first_error_text());
  check(stream.executes(), Code::kTaskGroupStatus, "Stream {} is inside a task update; it cannot join a capture.",
        stream.id);
  stream.check_alive();
  model_->add_stream(stream.shared_from_this());
}

void CapturedRecord::check_use_by(runtime::Stream& stream, const runtime::EventPtr& event) {
  check(!stream.is_default(), Code::kStreamCaptureImplicit,
        "Event {} belongs to the capture of model {}; the default stream cannot use it.", event->id, model_->id);
}

}  // namespace aclvk::capture
