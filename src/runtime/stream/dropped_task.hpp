#pragma once

#include <cstdint>
#include <vector>

#include "runtime/task/scheduler_mutex.hpp"
#include "runtime/task/task.hpp"

namespace aclvk::runtime {

/// Releases the waiters for a task that will not be processed, because its stream has dropped it or it has failed. They
/// then wait for `superseded_by`. A failure is reported to the queue's errors.
void release_waiters_for(const Task& task, StreamQueue& queue, const std::vector<PointPtr>& superseded_by = {}) noexcept
    REQUIRES(scheduler_mutex);

/// Cancels what the current step of a cancelled model run would do on other threads: a host function that has not begun
/// will not be called, and a procedure is abandoned. Releases no waiters: the pass cancels the points of its EXTERNAL
/// records.
void cancel_functions(const Task& step, StreamQueue& queue, const std::vector<PointPtr>& superseded_by)
    REQUIRES(scheduler_mutex);

/// Adds a point for each host function of the task that is still running although the task was dropped.
void add_running_functions(const Task& task, std::vector<PointPtr>& superseded_by) REQUIRES(scheduler_mutex);

/// Adds the work that a dropped task has ordered its stream after. Waiters for tasks that the stream drops after it
/// still rely on that order (docs/adr/0011, 0015). `epoch`: of the stream.
void add_dependencies(const Task& task, std::uint32_t epoch, std::vector<PointPtr>& superseded_by)
    REQUIRES(scheduler_mutex);

}  // namespace aclvk::runtime
