#include "capture/captured/task_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "capture/captured/captured_model.hpp"
#include "capture/captured/task_group.hpp"
#include "runtime/task/task_row.hpp"

namespace aclvk::capture {

std::uint32_t TaskGroups::stream_of(std::uint32_t lane) const { return model_.graph().lanes()[lane].stream_id; }

void TaskGroups::check_task(std::uint32_t lane, const runtime::Task& task) {
  if (!open_ || runtime::row_of(task).has(runtime::kOnlyInProfiles)) return;
  const auto* launched = std::get_if<runtime::KernelTask>(&task);
  // Core::kNone: reductions and random numbers, which are kernels here but not on an NPU.
  const bool kernel = launched && launched->core != runtime::Core::kNone;
  std::optional<Error> error;
  if (open_->lane == lane && !kernel) {
    error = Error(Code::kTaskTypeNotSupported,
                  fmt::format("{} on stream {} is inside a task group of model {}; a group takes kernels only.",
                              launched ? launched->name : type_name(task), stream_of(lane), model_.id));
  } else if (open_->lane != lane && kernel) {
    error = Error(Code::kTaskGroupInterrupted,
                  fmt::format("Stream {} launches a kernel while stream {} of the same model {} has a task group open.",
                              stream_of(lane), stream_of(open_->lane), model_.id));
  }
  if (!error) return;
  if (!open_->error) open_->error = error;
  model_.poison(*error);
  throw Error(*error);
}

void TaskGroups::check_closed() const {
  if (!open_) return;
  fail(Code::kTaskGroupStatus, "A task group of model {} is still open on stream {}.{}", model_.id,
       stream_of(open_->lane), model_.first_error_text());
}

void TaskGroups::open(std::uint32_t lane) {
  if (open_) {
    fail(Code::kTaskGroupStatus, "Model {} has a task group open on stream {} already.", model_.id,
         stream_of(open_->lane));
  }
  open_ = OpenGroup{lane, {}, {}};
}

std::shared_ptr<TaskGroup> TaskGroups::close(std::uint32_t lane) {
  check(open_ && open_->lane == lane, Code::kTaskGroupStatus, "No task group is open on stream {}.{}", stream_of(lane),
        model_.first_error_text());
  OpenGroup group = *std::exchange(open_, std::nullopt);
  if (group.error) throw Error(*group.error);
  check(!model_.poisoned(), Code::kCaptureInvalidated,
        "The capture of model {} has failed; its task groups are lost.{}", model_.id, model_.first_error_text());
  groups_.push_back(std::make_shared<TaskGroup>(model_.self(), groups_.size(), std::move(group.nodes)));
  groups_.back()->handle = task_group_handles().insert(groups_.back());
  return groups_.back();
}

void TaskGroups::add(NodeId node) {
  if (open_ && model_.graph().node(node).lane == open_->lane) open_->nodes.push_back(node);
}

std::vector<std::vector<NodeId>> TaskGroups::nodes() const {
  std::vector<std::vector<NodeId>> nodes;
  for (const auto& group : groups_) nodes.push_back(group->nodes);
  return nodes;
}

std::shared_ptr<TaskGroup> TaskGroups::find(NodeId node) const {
  const auto has_node = [node](const auto& group) {
    return std::find(group->nodes.begin(), group->nodes.end(), node) != group->nodes.end();
  };
  const auto found = std::find_if(groups_.begin(), groups_.end(), has_node);
  return found == groups_.end() ? nullptr : *found;
}

void TaskGroups::remove_handles() {
  for (const auto& group : groups_) task_group_handles().remove(group->handle);
}

}  // namespace aclvk::capture
