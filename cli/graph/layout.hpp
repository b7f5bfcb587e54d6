#pragma once

#include <vector>

#include "graph/picture.hpp"

namespace cli {

struct Box {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;

  double middle() const { return (left + right) / 2; }
};

/// Where things are, in points. A stream is a column, and time goes down: a node stands below all that come before it.
struct Layout {
  std::vector<Box> nodes;
  std::vector<Box> clusters;      ///< of those without nodes nothing is drawn: left equals right
  std::vector<std::size_t> rows;  ///< of the nodes
  double width = 0;
  double height = 0;
};

Layout compute_layout(const Picture& picture);

constexpr double kLineHeight = 14;

}  // namespace cli
