#pragma once

#include <string>
#include <vector>

namespace cli {

/// Of the names those that a misspelt one may have meant, nearest first: as few letters as possible are added, left
/// out, replaced or exchanged with their neighbour, and at most one in four. In any case; "aclnn" and the like may be
/// missing.
std::vector<std::string> nearest(const std::string& text, const std::vector<std::string>& names);

}  // namespace cli
