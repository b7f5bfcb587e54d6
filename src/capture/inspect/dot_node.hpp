#pragma once

#include <string>

#include "capture/graph/graph.hpp"

namespace aclvk::capture {

/// Returns a quoted string of the DOT language. Escapes backslashes and ampersands, which begin escapes and HTML
/// entities in labels; replaces invalid UTF-8, which Graphviz rejects.
std::string dot_quoted(const std::string& text);

/// Returns the attributes of a task's node, by the type of the task: "[label=..., shape=..., fillcolor=...]".
std::string dot_attributes(const Node& node);

}  // namespace aclvk::capture
