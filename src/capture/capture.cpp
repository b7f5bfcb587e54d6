#include "capture/capture.hpp"

#include <chrono>
#include <utility>

#include "base/config.hpp"
#include "base/error.hpp"
#include "capture/recorder.hpp"
#include "capture/run.hpp"
#include "runtime/current.hpp"
#include "runtime/scheduler.hpp"

namespace aclvk::capture {
namespace {

using runtime::CaptureMode;
using runtime::Scheduler;
using runtime::SchedulerLock;

// The official runtime gives up waiting for a running model after this time.
constexpr std::chrono::seconds kDestroyPatience{10};

void check_own_context(const runtime::Stream& stream) {
  check(stream.context() == runtime::current_context(), Code::kStreamContext, "Stream {} belongs to another context.",
        stream.id);
}

void check_own_context(const Model& model) {
  check(model.context() == runtime::current_context(), Code::kModelContext, "Model {} belongs to another context.",
        model.id);
}

void check_mode(int mode) {
  check(mode >= 0 && mode <= 2, Code::kParamInvalid,
        "Capture mode {} is not one of GLOBAL 0, THREAD_LOCAL 1, RELAXED 2.", mode);
}

Recorder& capturing(const runtime::Stream& stream) {
  Recorder* recorder = recorder_of(stream);
  check(recorder != nullptr, Code::kStreamNotCaptured, "Stream {} is not being captured.", stream.id);
  return *recorder;
}

void check_thread(const Model& model) {
  check(model.mode == CaptureMode::kRelaxed || model.thread == std::this_thread::get_id(),
        Code::kStreamCaptureWrongThread,
        "The capture of model {} was begun on another thread; only captures in RELAXED mode may end anywhere.{}",
        model.id, model.first_error_text());
}

}  // namespace

void begin_capture(const runtime::StreamPtr& stream, int mode) {
  check_mode(mode);
  check_capturable_flags(*stream);
  check_own_context(*stream);
  check(!stream->is_default(), Code::kFeatureNotSupported,
        "Stream {} is the default stream of its context; it cannot be captured.", stream->id);
  const SchedulerLock lock;
  check_not_capturing(*stream, "begin a capture on");
  check(stream->executes(), Code::kTaskGroupStatus, "Stream {} is inside a task update.", stream->id);
  stream->queue().flush_now();
  const auto model = std::make_shared<Model>(stream->context(), static_cast<CaptureMode>(mode));
  model->handle = model_handles().insert(model);
  model->add_stream(stream);
}

void end_capture(const runtime::StreamPtr& stream, void** out) {
  check_capturable_flags(*stream);
  const SchedulerLock lock;
  const bool captured = recorder_of(*stream) != nullptr;
  check(!captured || out != nullptr, Code::kParamInvalid, "modelRI is NULL; the capture of stream {} goes on.",
        stream->id);
  if (captured) *out = nullptr;
  check_own_context(*stream);
  check(!stream->is_default(), Code::kFeatureNotSupported, "Stream {} is the default stream of its context.",
        stream->id);
  const Recorder& recorder = capturing(*stream);
  const ModelPtr model = recorder.model().shared_from_this();
  check(recorder.lane() == 0, Code::kStreamCaptureUnmatched,
        "Stream {} joined the capture of model {}; the capture ends on stream {}, where it began.", stream->id,
        model->id, model->origin()->id);
  try {
    check_thread(*model);
    model->check_complete();
    model->make_executable();
  } catch (...) {
    discard_capture(*model);
    throw;
  }
  model->release();
  *out = model->handle;
}

Info capture_info(const runtime::Stream& stream) {
  if (stream.executes()) return {};
  const SchedulerLock lock;
  const Recorder* recorder = recorder_of(stream);
  if (!recorder) return {};
  const Model& model = recorder->model();
  // The official runtime goes on saying ACTIVE; nobody depends on that, and the truth helps.
  const bool tell = model.poisoned() && !config().strict();
  return {tell ? Status::kInvalidated : Status::kActive, model.handle};
}

int exchange_thread_mode(int mode) {
  check_mode(mode);
  runtime::current_context();
  return static_cast<int>(runtime::exchange_thread_mode(static_cast<CaptureMode>(mode)));
}

void begin_task_group(const runtime::StreamPtr& stream) {
  check_own_context(*stream);
  const SchedulerLock lock;
  const bool updating = !stream->executes() && !recorder_of(*stream);
  check(!updating, Code::kTaskGroupStatus, "Stream {} is inside a task update.", stream->id);
  const Recorder& recorder = capturing(*stream);
  recorder.model().open_group(recorder.lane());
}

std::shared_ptr<TaskGroup> end_task_group(const runtime::StreamPtr& stream) {
  check_own_context(*stream);
  const SchedulerLock lock;
  const Recorder& recorder = capturing(*stream);
  return recorder.model().close_group(recorder.lane());
}

ModelPtr model_of(const void* handle) {
  auto model = model_handles().find(handle);
  check(model != nullptr, Code::kInvalidHandle, "modelRI {} is not a live model.", handle);
  return model;
}

std::shared_ptr<TaskGroup> task_group_of(const void* handle) {
  auto group = task_group_handles().find(handle);
  check(group != nullptr, Code::kInvalidHandle, "handle {} is not a live task group.", handle);
  return group;
}

void set_name(Model& model, std::string name) {
  constexpr std::size_t kMaxName = 512;
  if (name.size() > kMaxName) name.resize(kMaxName);
  const SchedulerLock lock;
  model.name = std::move(name);
}

void copy_name(const Model& model, char* out, std::uint32_t size) {
  check(size > 0, Code::kParamInvalid, "maxLen is 0; the name of model {} needs at least one byte.", model.id);
  const SchedulerLock lock;
  out[model.name.copy(out, size - 1)] = '\0';
}

void execute(const ModelPtr& model, const runtime::StreamPtr& stream) {
  check_own_context(*stream);
  check_own_context(*model);
  const SchedulerLock lock;
  check_not_capturing(*stream, "execute a model on");
  check(model->state() != Model::State::kCapturing, Code::kModelCaptured, "Model {} is still being captured.{}",
        model->id, model->first_error_text());
  check(stream->executes(), Code::kTaskTypeNotSupported, "Stream {} is inside a task update.", stream->id);
  stream->queue().push(runtime::ProcedureTask{std::make_shared<Run>(model)});
}

void destroy(const ModelPtr& model) {
  // A model that has outlived its context can still be destroyed, from wherever.
  const auto context = model->context();
  if (context && !context->destroyed()) check_own_context(*model);
  const auto deadline = std::chrono::steady_clock::now() + kDestroyPatience;
  std::unique_lock lock(Scheduler::instance().mutex());
  check(model->state() != Model::State::kCapturing, Code::kModelCaptured, "Model {} is still being captured.",
        model->id);
  const runtime::PointPtr end = model->last_run();
  const auto over = [&] { return !end || end->aborted || end->submitted; };
  bool finished = Scheduler::instance().wait(lock, over, &deadline);
  lock.unlock();
  if (finished && end && end->submitted) {
    finished = end->submitted->timeline->wait(end->submitted->value, deadline - std::chrono::steady_clock::now());
  }
  check(finished, Code::kModelRunning, "Model {} is still running after {} s; it stays valid.", model->id,
        kDestroyPatience.count());
  lock.lock();
  for (const auto& group : model->groups()) task_group_handles().remove(group->handle);
  model_handles().remove(model->handle);
}

}  // namespace aclvk::capture
