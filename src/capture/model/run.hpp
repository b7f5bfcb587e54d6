#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "capture/model/model.hpp"
#include "runtime/task/scheduler_mutex.hpp"
#include "runtime/task/task.hpp"

namespace aclvk::capture {

/// One run of a model, as a task of a stream. Runs of a model are serialised, even across streams, because they share
/// the model's memory: a run waits for the end of the previous one, then executes the model's pass. The constructor
/// enqueues the run, so the caller has to push it into the stream's queue or abandon it.
class Run : public runtime::Procedure {
 public:
  Run(ModelPtr model, runtime::StreamQueue& queue);

  bool advance(runtime::StreamQueue& queue) override REQUIRES(runtime::scheduler_mutex);
  void abandon(runtime::StreamQueue& queue, const std::vector<runtime::PointPtr>& superseded_by) override
      REQUIRES(runtime::scheduler_mutex);
  void add_running_functions(std::vector<runtime::PointPtr>& superseded_by) const override
      REQUIRES(runtime::scheduler_mutex);
  std::string waits_for() const override REQUIRES(runtime::scheduler_mutex);
  bool uses(const vk::BufferRange& allocation) const override REQUIRES(runtime::scheduler_mutex);
  runtime::WaitLimit expired_limit(std::chrono::steady_clock::time_point now) const override
      REQUIRES(runtime::scheduler_mutex);

 private:
  bool begin(runtime::StreamQueue& queue) REQUIRES(runtime::scheduler_mutex);

  ModelPtr model_ GUARDED_BY(runtime::scheduler_mutex);
  const std::shared_ptr<RunTicket> ticket_;
  const std::shared_ptr<runtime::Procedure> pass_;
  runtime::StreamQueue* queue_ GUARDED_BY(runtime::scheduler_mutex) = nullptr;  // null until the run begins
};

}  // namespace aclvk::capture
