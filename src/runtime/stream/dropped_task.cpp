#include "runtime/stream/dropped_task.hpp"

#include <atomic>
#include <memory>
#include <utility>

namespace aclvk::runtime {
namespace {

/// A host function that is still running although its stream has dropped the task.
class RunningFunction final : public RemoteWork {
 public:
  explicit RunningFunction(std::shared_ptr<const std::atomic<HostTask::State>> state) : state_(std::move(state)) {}
  bool reached() const override { return *state_ == HostTask::State::kDone; }
  bool lost() const override { return false; }

 private:
  const std::shared_ptr<const std::atomic<HostTask::State>> state_;
};

}  // namespace

void drop_step(const Task& step, StreamQueue& queue, const std::vector<PointPtr>& superseded_by) {
  if (const auto* host = std::get_if<HostTask>(&step)) {
    host->drop();
  } else if (const auto* procedure = std::get_if<ProcedureTask>(&step); procedure && procedure->procedure) {
    procedure->procedure->abandon(queue, superseded_by);
  }
}

void add_running_functions(const Task& task, std::vector<PointPtr>& superseded_by) {
  if (const auto* host = std::get_if<HostTask>(&task); host && host->state) {
    auto point = std::make_shared<Point>();
    point->remote = std::make_shared<RunningFunction>(host->state);
    superseded_by.push_back(std::move(point));
  } else if (const auto* procedure = std::get_if<ProcedureTask>(&task); procedure && procedure->procedure) {
    procedure->procedure->add_running_functions(superseded_by);
  }
}

}  // namespace aclvk::runtime
