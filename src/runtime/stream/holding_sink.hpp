#pragma once

#include <vector>

#include "runtime/stream/sink.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::runtime {

/// The sink of a PERSISTENT stream that is not bound to a model: it collects tasks for the model and executes none.
/// Events are refused, because collected tasks never execute unless a model is built from them.
class HoldingSink : public Sink {
 public:
  void accept(Stream& stream, Task&& task) override REQUIRES(scheduler_mutex);
  void record(Stream& stream, const std::shared_ptr<Event>& event) override REQUIRES(scheduler_mutex);
  void wait(Stream& stream, const std::shared_ptr<Event>& event, WaitLimit limit) override REQUIRES(scheduler_mutex);
  void reset(Stream& stream, const std::shared_ptr<Event>& event) override REQUIRES(scheduler_mutex);
  void check_executes(const Stream&, const char*) const override REQUIRES(scheduler_mutex) {}

  const std::vector<Task>& tasks() const REQUIRES(scheduler_mutex) { return tasks_; }
  /// Removes the tasks, which a model has copied or the program has dropped.
  void clear_tasks() noexcept REQUIRES(scheduler_mutex) { tasks_.clear(); }

 private:
  std::vector<Task> tasks_ GUARDED_BY(scheduler_mutex);
};

/// Returns the sink that collects the tasks of a PERSISTENT stream; null for another stream.
HoldingSink* find_holding_sink(const Stream& stream);
/// Drops the tasks that a PERSISTENT stream has collected. Throws kParamInvalid for other streams and once a model has
/// the tasks.
void drop_held_tasks(const Stream& stream) EXCLUDES(scheduler_mutex);

}  // namespace aclvk::runtime
