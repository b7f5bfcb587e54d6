#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "capture/model/model.hpp"
#include "runtime/task/task.hpp"

namespace aclvk::capture {

/// One run of a model, as a task of a stream. Runs of a model are serialised, even across streams, because they share
/// the model's memory: a run waits for the end of the previous one, then executes the model's pass. The constructor
/// enqueues the run, so the caller has to push it into the stream's queue or abandon it. All members require the
/// scheduler lock.
class Run : public runtime::Procedure {
 public:
  Run(ModelPtr model, runtime::StreamQueue& queue);

  bool advance(runtime::StreamQueue& queue) override;
  void abandon(runtime::StreamQueue& queue, const std::vector<runtime::PointPtr>& superseded_by) override;
  void add_running_functions(std::vector<runtime::PointPtr>& superseded_by) const override;
  std::string waits_for() const override;
  bool uses(const vk::BufferRange& allocation) const override;
  runtime::WaitLimit expired_limit(std::chrono::steady_clock::time_point now) const override;

 private:
  bool begin(runtime::StreamQueue& queue);

  ModelPtr model_;
  const std::shared_ptr<RunTicket> ticket_;
  const std::shared_ptr<runtime::Procedure> pass_;
  runtime::StreamQueue* queue_ = nullptr;  // null until the run begins
};

}  // namespace aclvk::capture
