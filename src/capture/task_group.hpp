#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/handle.hpp"
#include "capture/graph.hpp"
#include "runtime/stream/sink.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::capture {

class CapturedModel;

/// An aclrtTaskGrp: kernels of a model that can be launched again with other arguments, shapes or shaders. Needs the
/// scheduler's lock.
class TaskGroup {
 public:
  TaskGroup(std::weak_ptr<CapturedModel> owner, std::size_t index_in_model, std::vector<NodeId> kernels)
      : model(std::move(owner)), index(index_in_model), nodes(std::move(kernels)) {}

  const std::weak_ptr<CapturedModel> model;
  const std::size_t index;
  const std::vector<NodeId> nodes;
  void* handle = nullptr;
  bool updating = false;
};

using TaskGroupHandles = HandleTable<TaskGroup, HandleTag::kTaskGroup>;
TaskGroupHandles& task_group_handles();

/// aclmdlRICaptureTaskUpdateBegin: from now on kernels launched on the stream replace those of the group, one after the
/// other.
void begin_update(const runtime::StreamPtr& stream, const std::shared_ptr<TaskGroup>& group);
/// aclmdlRICaptureTaskUpdateEnd: the swap itself is a task of the stream, done when the stream comes to it; replays
/// that have been submitted keep the old kernels. Throws kRuntimeInternal when kernels are missing; those that came are
/// swapped. kInvalidHandle when the model has been destroyed meanwhile; the stream executes again.
void end_update(const runtime::StreamPtr& stream);

}  // namespace aclvk::capture
