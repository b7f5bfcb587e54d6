#pragma once

#include <string>
#include <vector>

namespace cli {

/// Returns the names within a small optimal string alignment distance of a misspelt one, nearest first: at most one
/// insertion, deletion, replacement or transposition for each four letters. Ignores case and a missing prefix such as
/// "aclnn".
std::vector<std::string> nearest(const std::string& text, const std::vector<std::string>& names);

}  // namespace cli
