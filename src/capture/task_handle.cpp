#include "capture/task_handle.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "capture/bound_sink.hpp"
#include "capture/built_model.hpp"
#include "runtime/context/handles.hpp"
#include "runtime/kernel/function.hpp"
#include "runtime/stream/scheduler.hpp"

namespace aclvk::capture {
namespace {

using runtime::SchedulerLock;

// Creates the handle at the first request: most tasks of most models never need one.
void* handle_of(Model& model, NodeId node) {
  void*& handle = model.task_views[node].handle;
  if (!handle) handle = task_handles().insert(std::make_shared<TaskHandle>(TaskHandle{model.weak_from_this(), node}));
  return handle;
}

void* stream_handle_of(Model& model, std::uint32_t lane) {
  void*& handle = model.stream_handles[lane];
  if (!handle) {
    handle = model_stream_handles().insert(std::make_shared<ModelStream>(ModelStream{model.weak_from_this(), lane}));
  }
  return handle;
}

struct LaneOfModel {
  ModelPtr model;
  std::uint32_t lane = 0;
};

// Requires the scheduler lock.
LaneOfModel lane_of(const void* stream) {
  if (const auto internal = model_stream_handles().find(stream)) return {internal->model.lock(), internal->lane};
  const auto user = runtime::stream_handles().find(stream);
  const BoundSink* bound = user ? find_bound_sink(*user) : nullptr;
  return bound ? LaneOfModel{bound->model(), bound->lane()} : LaneOfModel{};
}

}  // namespace

TaskHandles& task_handles() {
  static auto* handles = new TaskHandles;
  return *handles;
}

ModelStreamHandles& model_stream_handles() {
  static auto* handles = new ModelStreamHandles;
  return *handles;
}

void remove_task_handles(Model& model) {
  for (const auto& [lane, handle] : model.stream_handles) model_stream_handles().remove(handle);
  for (const auto& [node, view] : model.task_views) {
    task_handles().remove(view.handle);
    runtime::function_handles().remove(view.function);
  }
  model.stream_handles.clear();
  model.task_views.clear();
}

std::vector<void*> streams_of(Model& model) {
  const SchedulerLock lock;
  std::vector<void*> streams;
  const auto* built = dynamic_cast<const BuiltModel*>(&model);
  for (std::uint32_t lane = 0; lane < model.graph().lanes().size(); ++lane) {
    if (!built) streams.push_back(stream_handle_of(model, lane));
    if (built && built->stream(lane)) streams.push_back(built->stream(lane)->handle);
  }
  return streams;
}

std::vector<void*> tasks_of(const void* stream) {
  const SchedulerLock lock;
  const LaneOfModel of = lane_of(stream);
  check(of.model != nullptr, Code::kParamInvalid, "stream {} is not one of a model; aclmdlRIGetStreams gives those.",
        stream);
  std::vector<void*> tasks;
  const Graph& graph = of.model->graph();
  for (const NodeId node : graph.lanes()[of.lane].nodes) {
    if (!is_dump_task(graph.node(node).task)) tasks.push_back(handle_of(*of.model, node));
  }
  return tasks;
}

void copy_list(const std::vector<void*>& all, void** out, std::uint32_t& number) {
  const std::uint32_t capacity = number;
  number = static_cast<std::uint32_t>(all.size());
  if (!out) return;
  for (std::uint32_t i = 0; i < capacity; ++i) out[i] = i < number ? all[i] : nullptr;
  check(number <= capacity, Code::kInsufficientInputArray, "The array has room for {}, there are {}.", capacity,
        number);
}

ModelTask task_of(const void* handle) {
  const auto task = task_handles().find(handle);
  ModelPtr model = task ? task->model.lock() : nullptr;
  check(model != nullptr, Code::kInvalidHandle, "task {} is not one of a live model.", handle);
  return {std::move(model), task->node};
}

}  // namespace aclvk::capture
