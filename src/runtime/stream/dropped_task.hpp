#pragma once

#include <vector>

#include "runtime/stream/task.hpp"

namespace aclvk::runtime {

/// The run of a model that had come to this step was dropped: a function that has not begun never does, and a procedure
/// is abandoned.
void drop_step(const Task& step, StreamQueue& queue, const std::vector<PointPtr>& superseded_by);

/// Adds the ends of the task's functions that run on although it was dropped.
void add_running_functions(const Task& task, std::vector<PointPtr>& superseded_by);

}  // namespace aclvk::runtime
