#pragma once

#include <string>

#include "capture/graph.hpp"

namespace aclvk::capture {

/// A quoted string of the DOT language. In labels a backslash begins an escape and an ampersand an HTML entity; bytes
/// that are no UTF-8 are replaced, because Graphviz gives up on them.
std::string dot_quoted(const std::string& text);

/// How a task looks: "[label=..., shape=..., fillcolor=...]", by its kind.
std::string dot_attributes(const Node& node);

}  // namespace aclvk::capture
