#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/handle.hpp"
#include "capture/graph/graph.hpp"
#include "runtime/stream/sink.hpp"
#include "runtime/stream/stream.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::capture {

class CapturedModel;

/// An aclrtTaskGrp: consecutive kernels of a captured stream that an update can replace by kernels with other
/// arguments, shapes or shaders. Owned by the model.
class TaskGroup {
 public:
  TaskGroup(std::weak_ptr<CapturedModel> owner, std::size_t index_in_model, std::vector<NodeId> kernels)
      : model(std::move(owner)), index(index_in_model), nodes(std::move(kernels)) {}

  const std::weak_ptr<CapturedModel> model;
  const std::size_t index;  ///< number of the group in the model
  const std::vector<NodeId> nodes;
  void* handle = nullptr;
  bool updating GUARDED_BY(runtime::scheduler_mutex) = false;  ///< between UpdateBegin and UpdateEnd
};

using TaskGroupHandles = HandleTable<TaskGroup, HandleTag::kTaskGroup>;
TaskGroupHandles& task_group_handles();

/// Begins an update (aclmdlRICaptureTaskUpdateBegin): kernels launched on the stream replace the kernels of the group,
/// in order.
void begin_update(const runtime::StreamPtr& stream, const std::shared_ptr<TaskGroup>& group);
/// Ends an update (aclmdlRICaptureTaskUpdateEnd). The replacement is a task of the stream and takes effect in stream
/// order; replays that have been submitted keep the old kernels. Throws kRuntimeInternal when fewer kernels were
/// launched than the group has, after replacing the first ones. Throws kInvalidHandle when the model has been destroyed
/// meanwhile; the stream executes tasks again.
void end_update(const runtime::StreamPtr& stream);

/// Returns the live task group that a handle names. Throws kInvalidHandle for a handle that is not live.
std::shared_ptr<TaskGroup> task_group_of(const void* handle);

}  // namespace aclvk::capture
