#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/handle.hpp"
#include "capture/model/model.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::capture {

/// An aclmdlRITask: a task of a model, as aclmdlRIGetTasksByStream returns it. Stale once the model is retired.
struct TaskHandle {
  std::weak_ptr<Model> model;
  NodeId node = kNoNode;
};

/// A lane of a captured model, as aclmdlRIGetStreams returns it. Stale once the model is retired.
struct ModelStream {
  std::weak_ptr<Model> model;
  std::uint32_t lane = 0;
};

using TaskHandles = HandleTable<TaskHandle, HandleTag::kTask>;
using ModelStreamHandles = HandleTable<ModelStream, HandleTag::kModelStream>;
TaskHandles& task_handles();
ModelStreamHandles& model_stream_handles();

/// Removes the handles of the model's streams and tasks.
void remove_task_handles(Model& model) REQUIRES(runtime::scheduler_mutex);

/// A task of a live model.
struct ModelTask {
  ModelPtr model;
  NodeId node = kNoNode;
};
/// Returns the task that a handle names. Throws kInvalidHandle for a handle that is not live.
ModelTask task_of(const void* handle);

}  // namespace aclvk::capture
