#include "capture/model/task_handle.hpp"

#include "base/error.hpp"
#include "base/process_state.hpp"
#include "runtime/kernel/function.hpp"

namespace aclvk::capture {

TaskHandles& task_handles() { return ProcessState<TaskHandles, StateId::kTaskHandles>::get(); }

ModelStreamHandles& model_stream_handles() {
  return ProcessState<ModelStreamHandles, StateId::kModelStreamHandles>::get();
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

ModelTask task_of(const void* handle) {
  const auto task = task_handles().find(handle);
  ModelPtr model = task ? task->model.lock() : nullptr;
  check(model != nullptr, Code::kInvalidHandle, "task {} is not one of a live model.", handle);
  return {std::move(model), task->node};
}

}  // namespace aclvk::capture
