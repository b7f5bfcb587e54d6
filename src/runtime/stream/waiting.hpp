#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "runtime/task/scheduler_mutex.hpp"
#include "runtime/task/task.hpp"

namespace aclvk::runtime {

/// Returns the wait limit of a task that has waited since `since`, if the limit has passed; otherwise 0.
WaitLimit expired_limit(const Task& task, std::chrono::steady_clock::time_point since,
                        std::chrono::steady_clock::time_point now) REQUIRES(scheduler_mutex);

/// Describes what a task that has been started waits for, for the log and for error texts.
std::string describe_wait(const Task& task) REQUIRES(scheduler_mutex);

/// A copy of a model's task, made when a run gets to the task: the state of a host task or a procedure and the start of
/// a wait belong to one run.
struct CurrentTask {
  explicit CurrentTask(Task copy) : task(std::move(copy)), since(std::chrono::steady_clock::now()) {}

  WaitLimit expired_limit(std::chrono::steady_clock::time_point now) const REQUIRES(scheduler_mutex) {
    return runtime::expired_limit(task, since, now);
  }

  Task task;
  std::chrono::steady_clock::time_point since;
};

}  // namespace aclvk::runtime
