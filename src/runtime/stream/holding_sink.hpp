#pragma once

#include <vector>

#include "runtime/stream/sink.hpp"

namespace aclvk::runtime {

/// The sink of a PERSISTENT stream, which collects tasks for a model and runs none by itself. Signals between streams
/// are refused: without a model there is nobody who would ever give or take them.
class HoldingSink : public Sink {
 public:
  void accept(Stream& stream, Task&& task) override;
  void record(Stream& stream, const std::shared_ptr<Event>& event) override;
  void wait(Stream& stream, const std::shared_ptr<Event>& event, WaitLimit limit) override;
  void reset(Stream& stream, const std::shared_ptr<Event>& event) override;
  void check_executes(const Stream&, const char*) const override {}

  /// What has been collected so far, for the model that the stream is bound to.
  const std::vector<Task>& tasks() const { return tasks_; }
  /// The model has them.
  void clear_tasks() noexcept { tasks_.clear(); }

 private:
  std::vector<Task> tasks_;
};

}  // namespace aclvk::runtime
