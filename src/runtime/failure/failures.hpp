#pragma once

#include <optional>

#include "base/error.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::runtime {

/// The failure mode of a context (runtime-semantics 4.8), shared by its streams. By default a stream continues after a
/// failed task. After set_stop() the first failure stops the context: its stream drops the tasks that follow, and every
/// stream of the context refuses new tasks with that error.
class Failures {
 public:
  bool stop() const REQUIRES(scheduler_mutex) { return stop_; }
  void set_stop() REQUIRES(scheduler_mutex) { stop_ = true; }

  /// Handles a failed task. Returns true when its stream must drop the tasks that follow.
  bool on_failure(const Error& error) REQUIRES(scheduler_mutex) {
    if (stop_ && !stopped_by_) stopped_by_ = error;
    return stop_;
  }
  /// Returns the failure that has stopped the context; none while it runs.
  const std::optional<Error>& stopped_by() const REQUIRES(scheduler_mutex) { return stopped_by_; }
  void resume() REQUIRES(scheduler_mutex) { stopped_by_.reset(); }

 private:
  bool stop_ GUARDED_BY(scheduler_mutex) = false;
  std::optional<Error> stopped_by_ GUARDED_BY(scheduler_mutex);
};

}  // namespace aclvk::runtime
