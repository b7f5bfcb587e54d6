// The element names and structure equal Graphviz's, so that tools for its SVG files can process these.
#include <fmt/format.h>

#include "graph/layout.hpp"
#include "graph/picture.hpp"

namespace cli {
namespace {

constexpr double kMargin = 10;

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += c;
    }
  }
  return result;
}

std::string outline(Shape shape, const Box& box, const std::string& fill) {
  const double width = box.right - box.left;
  const double height = box.bottom - box.top;
  const double y = (box.top + box.bottom) / 2;
  const std::string style = fmt::format("fill=\"{}\" stroke=\"#404040\"", escaped(fill));
  switch (shape) {
    case Shape::kEllipse:
      return fmt::format("<ellipse cx=\"{:.1f}\" cy=\"{:.1f}\" rx=\"{:.1f}\" ry=\"{:.1f}\" {}/>", box.middle(), y,
                         width / 2, height / 2, style);
    case Shape::kHexagon:
      return fmt::format(
          "<polygon points=\"{0:.1f},{3:.1f} {1:.1f},{2:.1f} {4:.1f},{2:.1f} {5:.1f},{3:.1f} {4:.1f},{6:.1f} "
          "{1:.1f},{6:.1f}\" {7}/>",
          box.left, box.left + 14, box.top, y, box.right - 14, box.right, box.bottom, style);
    case Shape::kDiamond:
      return fmt::format("<polygon points=\"{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}\" {}/>", box.left,
                         y, box.middle(), box.top - 5, box.right, y, box.middle(), box.bottom + 5, style);
    case Shape::kCylinder:
      return fmt::format(
          "<path d=\"M{0:.1f},{1:.1f} A{2:.1f},5 0 0 1 {3:.1f},{1:.1f} V{4:.1f} A{2:.1f},5 0 0 1 {0:.1f},{4:.1f} Z "
          "M{0:.1f},{1:.1f} A{2:.1f},5 0 0 0 {3:.1f},{1:.1f}\" {5}/>",
          box.left, box.top + 4, width / 2, box.right, box.bottom - 4, style);
    case Shape::kBox: break;
  }
  return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"2\" {}/>", box.left,
                     box.top, width, height, style);
}

std::string node_svg(const Node& node, const Box& box) {
  std::string text =
      fmt::format("<g class=\"node\"><title>{}</title>\n{}\n", escaped(node.name), outline(node.shape, box, node.fill));
  // y of a text is its baseline, about 4 points below the middle of the letters.
  double y = (box.top + box.bottom) / 2 - static_cast<double>(node.lines.size() - 1) * kLineHeight / 2 + 4;
  for (const std::string& line : node.lines) {
    text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", box.middle(), y,
                        escaped(line));
    y += kLineHeight;
  }
  return text + "</g>\n";
}

std::string cluster_svg(const Cluster& cluster, const Box& box) {
  return fmt::format(
      "<g class=\"cluster\"><title>{}</title>\n<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
      "fill=\"none\" stroke=\"#808080\"{}/>\n<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n</g>\n",
      escaped(cluster.name), box.left, box.top, box.right - box.left, box.bottom - box.top,
      cluster.dashed ? " stroke-dasharray=\"5,3\"" : "", box.middle(), box.top + 15, escaped(cluster.label));
}

/// Returns an edge's path: straight down to the next row; along the side of the columns when nodes are in between, or
/// when the edge leads upward.
std::string path_of(const Box& from, const Box& to, std::size_t row, std::size_t next) {
  const bool same_column = from.left < to.right && to.left < from.right;
  if (next <= row || (same_column && next > row + 1)) {
    const double side = std::max(from.right, to.right) + 22;
    const double start = (from.top + from.bottom) / 2;
    const double end = (to.top + to.bottom) / 2;
    return fmt::format("M{:.1f},{:.1f} C{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}", from.right, start, side, start,
                       side, end, to.right + 1, end);
  }
  const double bend = std::max(12.0, (to.top - from.bottom) / 2);
  return fmt::format("M{:.1f},{:.1f} C{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}", from.middle(), from.bottom,
                     from.middle(), from.bottom + bend, to.middle(), to.top - bend, to.middle(), to.top - 1);
}

std::string edge_svg(const Edge& edge, const Picture& picture, const Layout& layout) {
  const char* dashes = edge.line == Line::kDashed   ? " stroke-dasharray=\"5,3\""
                       : edge.line == Line::kDotted ? " stroke-dasharray=\"1,4\""
                                                    : "";
  return fmt::format(
      "<g class=\"edge\"><title>{}&#45;&gt;{}</title>\n<path d=\"{}\" fill=\"none\" stroke=\"#404040\"{} "
      "marker-end=\"url(#arrow)\"/>\n</g>\n",
      escaped(picture.nodes[edge.tail].name), escaped(picture.nodes[edge.head].name),
      path_of(layout.nodes[edge.tail], layout.nodes[edge.head], layout.rows[edge.tail], layout.rows[edge.head]),
      dashes);
}

}  // namespace

std::string draw_svg(const Picture& picture) {
  const Layout layout = compute_layout(picture);
  const double width = layout.width + 2 * kMargin + 22;  // edges beside the last column bend by 22 (path_of())
  const double height = layout.height + 2 * kMargin;
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"Helvetica,Arial,sans-serif\" font-size=\"11\">\n"
      "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" "
      "orient=\"auto\"><path d=\"M0,1 L8,4 L0,7 Z\" fill=\"#404040\"/></marker></defs>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<g transform=\"translate({2},{2})\">\n"
      "<title>{3}</title>\n<text x=\"{4:.1f}\" y=\"15\" text-anchor=\"middle\" font-size=\"13\">{3}</text>\n",
      width, height, kMargin, escaped(picture.clusters[0].label), layout.width / 2);
  for (std::size_t i = 1; i < picture.clusters.size(); ++i) {
    const Box& box = layout.clusters[i];
    if (box.right > box.left) text += cluster_svg(picture.clusters[i], box);
  }
  for (const Edge& edge : picture.edges) text += edge_svg(edge, picture, layout);
  for (std::size_t i = 0; i < picture.nodes.size(); ++i) text += node_svg(picture.nodes[i], layout.nodes[i]);
  return text + "</g>\n</svg>\n";
}

}  // namespace cli
