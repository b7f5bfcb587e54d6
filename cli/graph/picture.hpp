#pragma once

#include <string>
#include <vector>

namespace cli {

enum class Shape { kBox, kEllipse, kHexagon, kDiamond, kCylinder };
enum class Line { kSolid, kDashed, kDotted };

/// A box around nodes and other clusters. Parents precede their children.
struct Cluster {
  std::string name;
  std::string label;
  std::size_t parent;
  bool dashed = false;
};

struct Node {
  std::string name;
  std::vector<std::string> lines;  ///< lines of its label
  std::string fill;
  Shape shape;
  std::size_t cluster;
};

struct Edge {
  std::size_t tail;
  std::size_t head;
  Line line;
};

/// A dumped model. Cluster 0 is the whole graph.
struct Picture {
  std::vector<Cluster> clusters{{"", "", 0, false}};
  std::vector<Node> nodes;
  std::vector<Edge> edges;
};

/// Parse the output of aclmdlRIDebugJsonPrint: the graph (.dot) or the trace (JSON). Throw std::runtime_error with the
/// position of a syntax error.
Picture read_dot(const std::string& text);
Picture read_trace(const std::string& text);

std::string draw_svg(const Picture& picture);

}  // namespace cli
