#include "capture/captured/capture.hpp"

#include <utility>

#include "base/config.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "capture/captured/capture_sink.hpp"
#include "capture/captured/captured_model.hpp"
#include "capture/captured/task_group.hpp"
#include "capture/model/checks.hpp"
#include "runtime/context/current.hpp"
#include "runtime/stream/scheduler.hpp"

namespace aclvk::capture {
namespace {

using runtime::CaptureMode;
using runtime::SchedulerLock;

void check_mode(int mode) {
  check(mode >= 0 && mode <= 2, Code::kParamInvalid, "mode is {}; GLOBAL 0, THREAD_LOCAL 1 or RELAXED 2 is expected.",
        mode);
}

void check_thread(const CapturedModel& model) REQUIRES(runtime::scheduler_mutex) {
  check(model.mode() == CaptureMode::kRelaxed || model.thread() == std::this_thread::get_id(),
        Code::kStreamCaptureWrongThread,
        "The capture of model {} was begun on another thread; only captures in RELAXED mode may end anywhere.{}",
        model.id, model.first_error_text());
}

// The order of the checks is that of capture-semantics 4.1.
void check_beginning(const runtime::StreamPtr& stream, int mode) {
  check_mode(mode);
  check_capturable_flags(*stream);
  check_own_context(*stream);
  stream->check_not_bound("capture", Code::kStreamModel);
  check(!stream->is_default(), Code::kFeatureNotSupported,
        "Stream {} is the default stream of its context; it cannot be captured.", stream->id);
}

// Submits earlier work: it does not belong to the model.
void check_idle(runtime::Stream& stream) REQUIRES(runtime::scheduler_mutex) {
  stream.check_alive();
  check_not_capturing(stream, "begin a capture on");
  check(stream.executes(), Code::kTaskGroupStatus, "Stream {} is inside a task update, which has to end first.",
        stream.id);
  stream.queue().batch().flush_now();
}

void begin_or_discard(CapturedModel& model, const runtime::StreamPtr& stream, int mode)
    REQUIRES(runtime::scheduler_mutex) {
  try {
    model.begin(stream, static_cast<CaptureMode>(mode));
  } catch (...) {
    model.discard();
    throw;
  }
}

}  // namespace

void begin_capture(const runtime::StreamPtr& stream, int mode) {
  check_beginning(stream, mode);
  const SchedulerLock lock;
  check_idle(*stream);
  const auto model = std::make_shared<CapturedModel>(context_of(*stream));
  register_model(model);
  begin_or_discard(*model, stream, mode);
}

void begin_capture_to(const runtime::StreamPtr& stream, const ModelPtr& sub_model, int mode) {
  const auto body = std::dynamic_pointer_cast<CapturedModel>(sub_model);
  check(body && body->is_sub_model(), Code::kParamInvalid,
        "Model {} is not the body of a conditional task; only bodies are captured into.", sub_model->id);
  check_beginning(stream, mode);
  check_own_context(*body);
  const SchedulerLock lock;
  check_idle(*stream);
  check(body->state() == Model::State::kEmpty, Code::kModelCaptured, "Model {} has been captured already.", body->id);
  const auto parent = body->parent();
  check(parent && parent->state() == Model::State::kUnderConstruction, Code::kModelCaptured,
        "Model {} is a body of a model that has been captured already; bodies are captured before their parent ends.",
        body->id);
  begin_or_discard(*body, stream, mode);
}

namespace {

// The order of the checks is that of capture-semantics 4.2.
void finish_capture(const runtime::StreamPtr& stream, void** out) {
  const SchedulerLock lock;
  const CaptureSink* found = find_capture_sink(*stream);
  const bool needs_out = found && !found->model().is_sub_model();
  check(!needs_out || out != nullptr, Code::kParamInvalid, "modelRI is NULL; the capture of stream {} continues.",
        stream->id);
  if (found && out) *out = nullptr;
  check_own_context(*stream);
  check(!stream->sink().bound_to(), Code::kStreamModel,
        "Stream {} is bound to a model that is built from streams; a captured stream is expected.", stream->id);
  check(!stream->is_default(), Code::kFeatureNotSupported, "Stream {} is the default stream of its context.",
        stream->id);
  const CaptureSink& sink = capture_sink_of(*stream);
  const CapturedModelPtr model = sink.model().self();
  check(sink.lane() == 0, Code::kStreamCaptureUnmatched,
        "Stream {} joined the capture of model {}; the capture ends on stream {}, where it began.", stream->id,
        model->id, model->origin()->id);
  try {
    // A refusal above leaves the capture as it is. A failure from here on ends it without a model.
    check_thread(*model);
    model->check_complete();
    model->add_resets();
    model->make_executable();
  } catch (...) {
    model->discard();
    throw;
  }
  model->release();
  if (out) *out = model->handle;
}

}  // namespace

void end_capture(const runtime::StreamPtr& stream, void** out) {
  check_capturable_flags(*stream);
  runtime::find_current_context();  // may create the default device's context, which takes the scheduler lock
  finish_capture(stream, out);
  // Outside of the scheduler lock: drivers that compile at the first launch have been compiling during the capture.
  try {
    stream->device().gpu().wait_warm_ups();
  } catch (const std::exception& error) {  // the model is valid; if its pipelines cannot be compiled, its run fails
    log().warn("Kernels of a captured model may be compiled at its first run: {}", error.what());
  }
}

Info capture_info(const runtime::Stream& stream) {
  if (stream.executes()) return {};
  const SchedulerLock lock;
  const CaptureSink* sink = find_capture_sink(stream);
  if (!sink) return {};
  const CapturedModel& model = sink->model();
  // The official runtime reports ACTIVE until the capture ends. Lenient mode reports a failed capture at once.
  const bool invalidated = sink->invalidated() || (model.poisoned() && !config().strict());
  return {invalidated ? Status::kInvalidated : Status::kActive, model.handle};
}

int exchange_thread_mode(int mode) {
  check_mode(mode);
  runtime::current_context();
  return static_cast<int>(runtime::exchange_thread_mode(static_cast<CaptureMode>(mode)));
}

void begin_task_group(const runtime::StreamPtr& stream) {
  check_own_context(*stream);
  const SchedulerLock lock;
  const bool updating = !stream->executes() && !find_capture_sink(*stream) && !stream->sink().bound_to();
  check(!updating, Code::kTaskGroupStatus, "Stream {} is inside a task update, which has to end first.", stream->id);
  const CaptureSink& sink = capture_sink_of(*stream);
  sink.model().groups().open(sink.lane());
}

std::shared_ptr<TaskGroup> end_task_group(const runtime::StreamPtr& stream) {
  check_own_context(*stream);
  const SchedulerLock lock;
  const CaptureSink& sink = capture_sink_of(*stream);
  return sink.model().groups().close(sink.lane());
}

}  // namespace aclvk::capture
