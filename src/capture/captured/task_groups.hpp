#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "capture/graph/graph.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::capture {

class CapturedModel;
class TaskGroup;

/// The task groups of a captured model: the one that is open while the model is captured, and the complete ones. Owned
/// by the model.
class TaskGroups {
 public:
  /// The model must outlive this object.
  explicit TaskGroups(CapturedModel& model) : model_(model) {}
  TaskGroups(const TaskGroups&) = delete;
  TaskGroups& operator=(const TaskGroups&) = delete;

  /// Throws and poisons the capture when the open group forbids the task on `lane` (capture-semantics 9.1).
  void check_task(std::uint32_t lane, const runtime::Task& task) REQUIRES(runtime::scheduler_mutex);
  /// Throws kTaskGroupStatus while a group is open: the capture cannot end.
  void check_closed() const REQUIRES(runtime::scheduler_mutex);
  /// Opens a group on the lane; a model has one open group at a time (kTaskGroupStatus).
  void open(std::uint32_t lane) REQUIRES(runtime::scheduler_mutex);
  std::shared_ptr<TaskGroup> close(std::uint32_t lane) REQUIRES(runtime::scheduler_mutex);
  /// Adds the node to the open group if it is on the group's lane.
  void add(NodeId node) REQUIRES(runtime::scheduler_mutex);
  bool has_open() const REQUIRES(runtime::scheduler_mutex) { return open_.has_value(); }
  /// Drops the open group.
  void drop_open() REQUIRES(runtime::scheduler_mutex) { open_.reset(); }

  /// Returns the nodes of each complete group.
  std::vector<std::vector<NodeId>> nodes() const REQUIRES(runtime::scheduler_mutex);
  /// Returns the group that a task belongs to, or null.
  std::shared_ptr<TaskGroup> find(NodeId node) const REQUIRES(runtime::scheduler_mutex);
  /// Makes the handles of all groups stale.
  void remove_handles() REQUIRES(runtime::scheduler_mutex);

 private:
  struct OpenGroup {
    std::uint32_t lane;
    std::vector<NodeId> nodes;
    std::optional<Error> error;  // the first task that it refused; closing the group throws it
  };

  std::uint32_t stream_of(std::uint32_t lane) const REQUIRES(runtime::scheduler_mutex);

  CapturedModel& model_;
  std::optional<OpenGroup> open_ GUARDED_BY(runtime::scheduler_mutex);
  std::vector<std::shared_ptr<TaskGroup>> groups_ GUARDED_BY(runtime::scheduler_mutex);
};

}  // namespace aclvk::capture
