#pragma once

#include <chrono>
#include <optional>
#include <utility>

#include "runtime/stream/task.hpp"

namespace aclvk::runtime {

/// The limit of a task that has waited since a moment, when it is over by now; else 0.
WaitLimit overdue(const Task& task, std::chrono::steady_clock::time_point since,
                  std::chrono::steady_clock::time_point now);

/// A copy of a model's task for one run, from the moment when the run comes to it: host tasks and procedures have a
/// state, waits have a limit.
struct CurrentTask {
  explicit CurrentTask(Task copy) : task(std::move(copy)), since(std::chrono::steady_clock::now()) {}

  WaitLimit overdue(std::chrono::steady_clock::time_point now) const { return runtime::overdue(task, since, now); }

  Task task;
  std::chrono::steady_clock::time_point since;
};

}  // namespace aclvk::runtime
