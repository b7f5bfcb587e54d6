#include "spelling.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace cli {
namespace {

constexpr std::size_t kMaxNames = 5;

std::string lower(std::string text) {
  for (char& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return text;
}

// The optimal string alignment distance: the Damerau-Levenshtein distance in which no substring is edited twice.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replaced});
      const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (exchanged) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

// A user may leave out the prefix, so the name without it counts, too.
std::size_t distance_to_name(const std::string& text, const std::string& name) {
  std::size_t least = distance(text, name);
  for (const std::string prefix : {"aclnn", "aclrt", "aclmdlri", "acl"}) {
    if (name.compare(0, prefix.size(), prefix) == 0)
      least = std::min(least, distance(text, name.substr(prefix.size())));
  }
  return least;
}

}  // namespace

std::vector<std::string> nearest(const std::string& text, const std::vector<std::string>& names) {
  const std::size_t max_distance = std::max<std::size_t>(1, text.size() / 4);
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& name : names) {
    const std::size_t edits = distance_to_name(lower(text), lower(name));
    if (edits <= max_distance) found.emplace_back(edits, name);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> nearest;
  for (std::size_t i = 0; i < found.size() && i < kMaxNames; ++i) nearest.push_back(found[i].second);
  return nearest;
}

}  // namespace cli
