#include "capture/captured/task_group.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"
#include "base/process_state.hpp"
#include "capture/captured/capture_sink.hpp"
#include "capture/captured/captured_model.hpp"
#include "capture/model/checks.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::capture {
namespace {

using runtime::SchedulerLock;

/// Returns the model of the group; throws kInvalidHandle when it has been destroyed.
CapturedModelPtr live_model(const TaskGroup& group, const runtime::Stream& stream) {
  const auto model = group.model.lock();
  const bool alive = model && task_group_handles().find(group.handle).get() == &group;
  check(alive, Code::kInvalidHandle,
        "The task group that stream {} updates belongs to a model that has been destroyed; nothing is updated.",
        stream.id);
  return model;
}

/// Replaces the kernels of a group, in the order of the update stream. The next replay composes a new primary; replays
/// in flight hold the old command buffers, so there is nothing to wait for.
class SwapKernels : public runtime::Procedure {
 public:
  SwapKernels(std::shared_ptr<TaskGroup> group, std::vector<runtime::KernelTask> kernels)
      : group_(std::move(group)), kernels_(std::move(kernels)) {}

  bool advance(runtime::StreamQueue&) override REQUIRES(runtime::scheduler_mutex) {
    const auto model = group_->model.lock();
    if (!model || kernels_.empty()) return true;
    model->invalidate_memory_info();
    swap(*model);  // swapped back when the slices cannot be recorded
    try {
      rerecord(*model);
    } catch (...) {
      swap(*model);
      throw;
    }
    return true;
  }

  std::string waits_for() const override REQUIRES(runtime::scheduler_mutex) { return "a task update"; }

 private:
  void swap(CapturedModel& model) noexcept REQUIRES(runtime::scheduler_mutex) {
    for (std::size_t i = 0; i < kernels_.size(); ++i) {
      runtime::Task& task = model.graph().node(group_->nodes[i]).task;
      if (auto* kernel = std::get_if<runtime::KernelTask>(&task)) std::swap(*kernel, kernels_[i]);
    }
  }

  void rerecord(CapturedModel& model) const REQUIRES(runtime::scheduler_mutex) {
    Executable& executable = model.executable();
    executable.rerecord(model.graph(), executable.slices_of_group(group_->index));
  }

  std::shared_ptr<TaskGroup> group_ GUARDED_BY(runtime::scheduler_mutex);
  std::vector<runtime::KernelTask> kernels_ GUARDED_BY(runtime::scheduler_mutex);
};

/// The sink of a stream between UpdateBegin and UpdateEnd: collects kernels and refuses all other tasks.
class UpdateSink : public runtime::Sink {
 public:
  explicit UpdateSink(std::shared_ptr<TaskGroup> updated) : group(std::move(updated)) {}

  void accept(runtime::Stream& stream, runtime::Task&& task) override REQUIRES(runtime::scheduler_mutex) {
    auto* kernel = std::get_if<runtime::KernelTask>(&task);
    if (!kernel) refuse(stream, type_name(task));
    if (kernel->core == runtime::Core::kNone) refuse(stream, kernel->name);
    const CapturedModelPtr model = live_model(*group, stream);
    check(kernels.size() < group->nodes.size(), Code::kRuntimeInternal,
          "The task group has {} kernels; the update on stream {} launches more.", group->nodes.size(), stream.id);
    check_replaces(stream, *model, *kernel);
    kernels.push_back(std::move(*kernel));
  }
  // All or nothing: when a kernel of an operator is refused, the program may launch another operator in its place.
  void accept_all(runtime::Stream& stream, std::vector<runtime::Task>&& tasks) override
      REQUIRES(runtime::scheduler_mutex) {
    const std::size_t before = kernels.size();
    try {
      Sink::accept_all(stream, std::move(tasks));
    } catch (...) {
      kernels.erase(kernels.begin() + static_cast<std::ptrdiff_t>(before), kernels.end());
      throw;
    }
  }
  void record(runtime::Stream& stream, const runtime::EventPtr&) override REQUIRES(runtime::scheduler_mutex) {
    refuse(stream, "An event record");
  }
  void wait(runtime::Stream& stream, const runtime::EventPtr&, runtime::WaitLimit) override
      REQUIRES(runtime::scheduler_mutex) {
    refuse(stream, "An event wait");
  }
  void reset(runtime::Stream& stream, const runtime::EventPtr&) override REQUIRES(runtime::scheduler_mutex) {
    refuse(stream, "An event reset");
  }
  void check_executes(const runtime::Stream&, const char*) const override REQUIRES(runtime::scheduler_mutex) {}
  bool accepts_host_tasks() const override REQUIRES(runtime::scheduler_mutex) { return false; }
  void abandon() override REQUIRES(runtime::scheduler_mutex) { group->updating = false; }

  std::shared_ptr<TaskGroup> group GUARDED_BY(runtime::scheduler_mutex);
  std::vector<runtime::KernelTask> kernels GUARDED_BY(runtime::scheduler_mutex);

 private:
  void check_replaces(const runtime::Stream& stream, CapturedModel& model, const runtime::KernelTask& kernel) const
      REQUIRES(runtime::scheduler_mutex) {
    const runtime::Task& task = model.graph().node(group->nodes[kernels.size()]).task;
    const auto* captured = std::get_if<runtime::KernelTask>(&task);
    check(captured, Code::kRuntimeInternal, "{} on stream {} would replace {}; aclmdlRITaskSetParams has changed it.",
          kernel.name, stream.id, type_name(task));
    check(captured->core == kernel.core, Code::kRuntimeInternal,
          "{} on stream {} runs on {} cores, {}, which it would replace, on {} cores; the kind must stay the same.",
          kernel.name, stream.id, name_of(kernel.core), captured->name, name_of(captured->core));
  }
  static const char* name_of(runtime::Core core) { return core == runtime::Core::kCube ? "cube" : "vector"; }
  [[noreturn]] static void refuse(const runtime::Stream& stream, std::string_view what)
      REQUIRES(runtime::scheduler_mutex) {
    fail(Code::kTaskTypeNotSupported, "{} on stream {} is inside a task update, which takes kernels only.", what,
         stream.id);
  }
};

}  // namespace

TaskGroupHandles& task_group_handles() { return ProcessState<TaskGroupHandles, StateId::kTaskGroupHandles>::get(); }

void begin_update(const runtime::StreamPtr& stream, const std::shared_ptr<TaskGroup>& group) {
  stream->check_not_bound("update a task group on", Code::kStreamModel);
  stream->check_executes("update a task group on");
  check_own_context(*stream);
  const SchedulerLock lock;
  stream->check_alive();
  const auto model = group->model.lock();
  const bool finished = model && (model->state() == Model::State::kReady || model->state() == Model::State::kUpdating);
  check(finished, Code::kInvalidHandle,
        "Task group {} belongs to a model that has been destroyed, or whose capture has not ended.", group->handle);
  check(model->context() == context_of(*stream), Code::kModelContext, "Model {} belongs to another context.",
        model->id);
  check(stream->executes(), Code::kTaskGroupStatus, "Stream {} is inside a task update already.", stream->id);
  check(!group->updating, Code::kTaskGroupStatus, "Task group {} is being updated on another stream.", group->handle);
  group->updating = true;
  stream->set_sink(std::make_shared<UpdateSink>(group));
}

void end_update(const runtime::StreamPtr& stream) {
  stream->check_not_bound("end a task update on", Code::kStreamModel);
  stream->check_executes("end a task update on");
  check_own_context(*stream);
  const SchedulerLock lock;
  auto* sink = dynamic_cast<UpdateSink*>(&stream->sink());
  check(sink != nullptr, Code::kTaskGroupStatus, "Stream {} is not inside a task update.", stream->id);
  const std::shared_ptr<TaskGroup> group = sink->group;
  std::vector<runtime::KernelTask> kernels = std::move(sink->kernels);
  stream->set_sink(nullptr);
  group->updating = false;
  live_model(*group, *stream);  // after the stream has its queue back: the update ends in any case
  const std::size_t given = kernels.size();
  // Kernels that were launched replace the first ones of the group even when some are missing: nothing is rolled back
  // (capture-semantics 9.2).
  stream->queue().push(runtime::ProcedureTask{std::make_shared<SwapKernels>(group, std::move(kernels)), nullptr});
  check(given == group->nodes.size(), Code::kRuntimeInternal,
        "The task group has {} kernels and the update launched {}; the others keep their arguments.",
        group->nodes.size(), given);
}

std::shared_ptr<TaskGroup> task_group_of(const void* handle) {
  auto group = task_group_handles().find(handle);
  check(group != nullptr, Code::kInvalidHandle, "handle {} is not a live task group.", handle);
  return group;
}

}  // namespace aclvk::capture
