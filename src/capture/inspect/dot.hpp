#pragma once

#include <string>

#include "capture/model/model.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::capture {

/// Returns the model as a graph in the DOT language of Graphviz. A stream is a cluster, a task group a cluster inside
/// it, a task a node whose name is its "Task Id" in the trace. Solid edges lead from each task to the next one of its
/// stream, dashed edges from an event record to the waits for it, dotted edges from a branch to its targets.
std::string dot_text(const Model& model) REQUIRES(runtime::scheduler_mutex);

/// Returns whether the file name ends with ".dot".
bool is_dot_path(const std::string& path);

}  // namespace aclvk::capture
