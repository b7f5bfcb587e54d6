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

/// The coordinates of a drawing, in points. Each stream is a column and time runs downward: a node is below all nodes
/// that precede it.
struct Layout {
  std::vector<Box> nodes;
  std::vector<Box> clusters;      ///< left equals right for clusters without nodes, which are not drawn
  std::vector<std::size_t> rows;  ///< of the nodes
  double width = 0;
  double height = 0;
};

Layout compute_layout(const Picture& picture);

constexpr double kLineHeight = 14;

}  // namespace cli
