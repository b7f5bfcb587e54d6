#include "capture/inspect/model_tasks.hpp"

#include "base/error.hpp"
#include "capture/built/bound_sink.hpp"
#include "capture/built/built_model.hpp"
#include "capture/model/task_handle.hpp"
#include "runtime/context/handles.hpp"
#include "runtime/stream/scheduler.hpp"

namespace aclvk::capture {
namespace {

using runtime::SchedulerLock;

// Creates the handle at the first request: most tasks of most models never need one.
void* handle_of(Model& model, NodeId node) REQUIRES(runtime::scheduler_mutex) {
  void*& handle = model.task_views[node].handle;
  if (!handle) handle = task_handles().insert(std::make_shared<TaskHandle>(TaskHandle{model.weak_from_this(), node}));
  return handle;
}

void* stream_handle_of(Model& model, std::uint32_t lane) REQUIRES(runtime::scheduler_mutex) {
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

LaneOfModel lane_of(const void* stream) REQUIRES(runtime::scheduler_mutex) {
  if (const auto internal = model_stream_handles().find(stream)) return {internal->model.lock(), internal->lane};
  const auto user = runtime::stream_handles().find(stream);
  const BoundSink* bound = user ? find_bound_sink(*user) : nullptr;
  return bound ? LaneOfModel{bound->model(), bound->lane()} : LaneOfModel{};
}

}  // namespace

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

}  // namespace aclvk::capture
