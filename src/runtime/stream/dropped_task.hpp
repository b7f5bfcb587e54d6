#pragma once

#include <vector>

#include "runtime/stream/task.hpp"

namespace aclvk::runtime {

/// Drops the current step of a model run that was cancelled: a host function that has not begun will not be called, and
/// a procedure is abandoned.
void drop_step(const Task& step, StreamQueue& queue, const std::vector<PointPtr>& superseded_by);

/// Adds a point for each host function of the task that is still running although the task was dropped.
void add_running_functions(const Task& task, std::vector<PointPtr>& superseded_by);

}  // namespace aclvk::runtime
