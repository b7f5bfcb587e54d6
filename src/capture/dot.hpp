#pragma once

#include <string>

#include "capture/model.hpp"

namespace aclvk::capture {

/// The model in the language of Graphviz: a cluster a stream, in it a cluster a task group; a node a task, named by its
/// "Task Id" in the trace; a solid edge from each task to the next on its stream, a dashed one from an event record to
/// each wait for it.
std::string dot_text(const Model& model);

/// Whether a file of this name holds a graph in that language.
bool is_dot_path(const std::string& path);

}  // namespace aclvk::capture
