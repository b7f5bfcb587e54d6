#include "runtime/stream/dropped_task.hpp"

#include <atomic>
#include <memory>
#include <utility>

namespace aclvk::runtime {
namespace {

/// A function that runs on, although its stream has dropped it.
class RunningFunction final : public RemoteWork {
 public:
  explicit RunningFunction(std::shared_ptr<const std::atomic<HostTask::State>> state) : state_(std::move(state)) {}
  bool reached() const override { return *state_ == HostTask::State::kDone; }
  bool lost() const override { return false; }

 private:
  const std::shared_ptr<const std::atomic<HostTask::State>> state_;
};

}  // namespace

void drop_step(const Task& step, StreamQueue& queue, const std::vector<PointPtr>& follows) {
  if (const auto* host = std::get_if<HostTask>(&step)) {
    host->drop();
  } else if (const auto* procedure = std::get_if<ProcedureTask>(&step); procedure && procedure->procedure) {
    procedure->procedure->abandon(queue, follows);
  }
}

void add_functions_at_work(const Task& task, std::vector<PointPtr>& follows) {
  if (const auto* host = std::get_if<HostTask>(&task); host && host->state) {
    auto point = std::make_shared<Point>();
    point->remote = std::make_shared<RunningFunction>(host->state);
    follows.push_back(std::move(point));
  } else if (const auto* procedure = std::get_if<ProcedureTask>(&task); procedure && procedure->procedure) {
    procedure->procedure->add_functions_at_work(follows);
  }
}

}  // namespace aclvk::runtime
