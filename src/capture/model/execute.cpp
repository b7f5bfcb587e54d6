#include "capture/model/execute.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/config.hpp"
#include "base/error.hpp"
#include "capture/model/checks.hpp"
#include "capture/model/lifetime.hpp"
#include "capture/model/run.hpp"
#include "runtime/signal/event_use.hpp"
#include "runtime/stream/scheduler.hpp"

namespace aclvk::capture {
namespace {

using runtime::Scheduler;
using runtime::SchedulerLock;
using Time = std::chrono::steady_clock;

// The limit of the official runtime, too.
constexpr std::chrono::seconds kDestroyTimeout{10};

void check_can_run(const Model& model) REQUIRES(runtime::scheduler_mutex) {
  check(model.state() != Model::State::kTornDown, Code::kInvalidHandle, "Model {} has been destroyed.", model.id);
  const bool unfinished = model.state() == Model::State::kUnderConstruction;
  check(!unfinished || !model.captured(), Code::kModelCaptured, "Model {} is still being captured.{}", model.id,
        model.first_error_text());
  check(!unfinished, Code::kModelExecute,
        "Model {} is still being built; aclmdlRIEndTask and aclmdlRIBuildEnd come first.", model.id);
  check(model.state() != Model::State::kUpdating, Code::kModelExecute,
        "Tasks of model {} were changed; aclmdlRIUpdate has to put that into force first.", model.id);
  check(model.state() == Model::State::kReady, Code::kModelExecute,
        "A change of a task of model {} failed; it can only be destroyed.", model.id);
}

void push_run(const ModelPtr& model, runtime::StreamQueue& queue) REQUIRES(runtime::scheduler_mutex) {
  const auto run = std::make_shared<Run>(model, queue);
  try {
    queue.push(runtime::ProcedureTask{run, nullptr});
  } catch (...) {
    run->abandon(queue, {});
    throw;
  }
}

/// Waits until the newest run has ended; returns false at the deadline. A run that is dropped meanwhile is replaced by
/// the run before it.
bool wait_for_runs(const Model& model, Time::time_point deadline) {
  UniqueLock lock(runtime::scheduler_mutex);
  const std::shared_ptr<RunTicket> newest = model.newest_ticket();  // other threads may launch more runs
  runtime::PointPtr end;
  const auto submitted = [&]() REQUIRES(runtime::scheduler_mutex) {
    end = end_of(newest);
    return !end || end->submitted();
  };
  if (!Scheduler::instance().wait(submitted, &deadline)) return false;
  if (!end) return true;
  const vk::TimelinePoint last = *end->submitted();
  lock.unlock();
  return last.timeline->wait(last.value, std::max(deadline - Time::now(), Time::duration{0})) &&
         runtime::wait_superseding(end, &deadline);
}

}  // namespace

void execute(const ModelPtr& model, const runtime::StreamPtr& stream) {
  check_no_sub_model(*model, "execute");
  stream->check_not_bound("execute a model on", Code::kParamInvalid);
  stream->check_executes("execute a model on");
  check_own_context(*stream);
  const runtime::ContextPtr context = check_own_context(*model);
  const SchedulerLock lock;
  stream->wait_while_throttled();
  stream->check_alive();
  check_can_run(*model);
  check(stream->executes(), Code::kTaskTypeNotSupported, "Stream {} is inside a task update, which has to end first.",
        stream->id);
  check_lifetime(*model);
  check_registered_memory(*model);
  stream->queue().check_accepts_tasks();  // before the run is enqueued
  push_run(model, stream->queue());
}

void execute_and_wait(const ModelPtr& model, std::int32_t timeout_ms) {
  check(timeout_ms == -1 || timeout_ms > 0, Code::kParamInvalid,
        "timeout is {} ms; -1 (for ever) or a positive number is expected.", timeout_ms);
  check_no_sub_model(*model, "execute");
  check(!model->captured() || !config().strict(), Code::kParamInvalid,
        "Model {} was captured; aclmdlRIExecute runs models that were built, aclmdlRIExecuteAsync runs both.",
        model->id);
  const runtime::ContextPtr context = check_own_context(*model);
  const PrivateStreams::Lease lease(model->private_streams);
  execute(model, lease.stream());
  lease.stream()->synchronize(timeout_ms == -1 ? runtime::Timeout{} : std::chrono::milliseconds(timeout_ms));
}

void abort(const ModelPtr& model) {
  check(!model->captured(), Code::kFeatureNotSupported, "Model {} was captured; only built models can be stopped.",
        model->id);
  check_own_context(*model);
  const SchedulerLock lock;
  model->stop_runs();
}

void add_destroy_callback(const ModelPtr& model, DestroyCallback callback) {
  check(callback.function != nullptr, Code::kParamInvalid, "func is NULL.");
  check_no_sub_model(*model, "watch the end of");
  const SchedulerLock lock;
  model->add_destroy_callback(callback);
}

void remove_destroy_callback(const ModelPtr& model, void (*function)(void*)) {
  check(function != nullptr, Code::kParamInvalid, "func is NULL.");
  check_no_sub_model(*model, "watch the end of");
  const SchedulerLock lock;
  model->remove_destroy_callback(function);
}

void destroy(const ModelPtr& model) {
  check_no_sub_model(*model, "destroy");
  // A model that has outlived its context can be destroyed from any context.
  const auto context = model->context();
  if (context && !context->destroyed()) check_own_context(*model);
  {
    const SchedulerLock lock;
    check(model->state() != Model::State::kUnderConstruction || !model->captured(), Code::kModelCaptured,
          "Model {} is still being captured.", model->id);
  }
  check(wait_for_runs(*model, Time::now() + kDestroyTimeout), Code::kModelRunning,
        "Model {} is still running after {} s; it stays valid.", model->id, kDestroyTimeout.count());
  std::vector<DestroyCallback> callbacks;
  {
    const SchedulerLock lock;
    callbacks = model->take_destroy_callbacks();
  }
  // Without the lock: callbacks are functions of the program and may call the library.
  for (const DestroyCallback& callback : callbacks) callback.function(callback.user_data);
  model->private_streams.destroy();
  const SchedulerLock lock;
  model->retire();
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

}  // namespace aclvk::capture
