#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/handle.hpp"
#include "capture/model.hpp"

namespace aclvk::capture {

/// An aclmdlRITask: a task of a model, as aclmdlRIGetTasksByStream gives it. Dies with the model.
struct TaskHandle {
  std::weak_ptr<Model> model;
  NodeId node = kNoNode;
};

/// An internal stream of a captured model, as aclmdlRIGetStreams gives it. Dies with the model.
struct ModelStream {
  std::weak_ptr<Model> model;
  std::uint32_t lane = 0;
};

using TaskHandles = HandleTable<TaskHandle, HandleTag::kTask>;
using ModelStreamHandles = HandleTable<ModelStream, HandleTag::kModelStream>;
TaskHandles& task_handles();
ModelStreamHandles& model_stream_handles();

/// The handles that programs have of the model's streams and tasks are stale from now on. Needs the scheduler's lock.
void remove_task_handles(Model& model);

/// The streams of a model: internal ones of a captured model, the bound ones of a built model.
std::vector<void*> streams_of(Model& model);
/// The tasks of an internal stream, or of a stream that is bound to a model; kParamInvalid for others.
std::vector<void*> tasks_of(const void* stream);

/// Hands out a list as the introspection functions do: with `out` null only the number, else what fits, NULL behind the
/// end, and the number there are. Throws kInsufficientInputArray when some did not fit.
void copy_list(const std::vector<void*>& all, void** out, std::uint32_t& number);

/// A task that a program names by its handle; its model is alive. kInvalidHandle.
struct ModelTask {
  ModelPtr model;
  NodeId node = kNoNode;
};
ModelTask task_of(const void* handle);

}  // namespace aclvk::capture
