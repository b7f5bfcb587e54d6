#include "graph/layout.hpp"

#include <algorithm>
#include <limits>

namespace cli {
namespace {

constexpr double kCharacter = 6.6;  // approximate width of a character
constexpr double kPadding = 12;     // inside nodes and clusters
constexpr double kTitle = 20;       // height of a cluster's label
constexpr double kRowGap = 26;
constexpr double kNodeGap = 16;

/// Assigns rows to nodes: a node's row is the length of the longest path to it (longest-path layering, as in Sugiyama
/// layouts). Edges that close a cycle, such as jumps to labels, are ignored, so that they lead upward.
class Rows {
 public:
  explicit Rows(const Picture& picture)
      : rows_(picture.nodes.size(), 0), state_(picture.nodes.size(), kNew), successors_(picture.nodes.size()) {
    for (const Edge& edge : picture.edges) successors_[edge.tail].push_back(edge.head);
    for (std::size_t node = 0; node < picture.nodes.size(); ++node) visit(node);
    // In reverse postorder each node follows its predecessors.
    for (auto node = order_.rbegin(); node != order_.rend(); ++node) {
      for (const std::size_t successor : successors_[*node])
        rows_[successor] = std::max(rows_[successor], rows_[*node] + 1);
    }
  }

  std::vector<std::size_t> take() { return std::move(rows_); }

 private:
  enum State { kNew, kOpen, kDone };
  struct Step {
    std::size_t node;
    std::size_t next = 0;
  };

  // A depth-first search with an explicit stack: a stream may have a hundred thousand tasks. It removes back edges.
  void visit(std::size_t first) {
    if (state_[first] != kNew) return;
    std::vector<Step> stack{{first}};
    state_[first] = kOpen;
    while (!stack.empty()) {
      Step& step = stack.back();
      std::vector<std::size_t>& successors = successors_[step.node];
      if (step.next == successors.size()) {
        state_[step.node] = kDone;
        order_.push_back(step.node);
        stack.pop_back();
        continue;
      }
      const std::size_t successor = successors[step.next];
      if (state_[successor] == kOpen) {
        successors.erase(successors.begin() + static_cast<std::ptrdiff_t>(step.next));
        continue;
      }
      ++step.next;
      if (state_[successor] == kNew) {
        state_[successor] = kOpen;
        stack.push_back({successor});
      }
    }
  }

  std::vector<std::size_t> rows_;
  std::vector<State> state_;
  std::vector<std::vector<std::size_t>> successors_;
  std::vector<std::size_t> order_;
};

// Shapes other than boxes and cylinders narrow at both ends, so their text gets more room.
double width_of(const Node& node) {
  std::size_t longest = 0;
  for (const std::string& line : node.lines) longest = std::max(longest, line.size());
  const double slopes = node.shape == Shape::kBox || node.shape == Shape::kCylinder ? 0 : 2 * kPadding;
  return static_cast<double>(longest) * kCharacter + 2 * kPadding + slopes;
}

double height_of(const Node& node) { return static_cast<double>(node.lines.size()) * kLineHeight + 2 * 7; }

class Planner {
 public:
  explicit Planner(const Picture& picture) : picture_(picture), spans_(picture.clusters.size()) {
    layout_.nodes.resize(picture.nodes.size());
    layout_.clusters.resize(picture.clusters.size());
    layout_.rows = Rows(picture).take();
  }

  Layout plan() {
    find_spans();
    position_rows();
    layout_.width = position_columns(0, 0);
    for (std::size_t i = picture_.clusters.size(); i-- > 0;) position_cluster(i);
    return std::move(layout_);
  }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  /// The rows of a cluster, and how many levels of inner clusters begin and end in its first and last row.
  struct Span {
    std::size_t first = kNone;
    std::size_t last = 0;
    std::size_t begin_inside = 0;
    std::size_t end_inside = 0;
  };

  // Returns the cluster that is the node's column. Dashed clusters are task groups, which are drawn inside their
  // stream's column.
  std::size_t column_of(const Node& node) const {
    std::size_t cluster = node.cluster;
    while (picture_.clusters[cluster].dashed && cluster != 0) cluster = picture_.clusters[cluster].parent;
    return cluster;
  }

  // Parents precede their children, so the loops in reverse see inner clusters first.
  void find_spans() {
    for (std::size_t i = 0; i < picture_.nodes.size(); ++i) {
      Span& span = spans_[picture_.nodes[i].cluster];
      span.first = std::min(span.first, layout_.rows[i]);
      span.last = std::max(span.last, layout_.rows[i]);
    }
    for (std::size_t i = picture_.clusters.size(); i-- > 1;) {
      Span& outer = spans_[picture_.clusters[i].parent];
      if (spans_[i].first == kNone) continue;
      outer.first = std::min(outer.first, spans_[i].first);
      outer.last = std::max(outer.last, spans_[i].last);
    }
    for (std::size_t i = picture_.clusters.size(); i-- > 1;) {
      const Span& span = spans_[i];
      Span& outer = spans_[picture_.clusters[i].parent];
      if (span.first == outer.first) outer.begin_inside = std::max(outer.begin_inside, span.begin_inside + 1);
      if (span.last == outer.last) outer.end_inside = std::max(outer.end_inside, span.end_inside + 1);
    }
  }

  void position_rows() {
    std::size_t count = 0;
    for (const std::size_t row : layout_.rows) count = std::max(count, row + 1);
    // For each row: the height of its nodes, and the room above and below for the edges of clusters that begin or end
    // there.
    std::vector<double> height(count, 0);
    std::vector<double> above(count, 0);
    std::vector<double> below(count, 0);
    for (std::size_t i = 0; i < picture_.nodes.size(); ++i) {
      height[layout_.rows[i]] = std::max(height[layout_.rows[i]], height_of(picture_.nodes[i]));
    }
    for (const Span& span : spans_) {
      if (span.first == kNone) continue;
      above[span.first] = std::max(above[span.first], title_space(span));
      below[span.last] = std::max(below[span.last], end_space(span));
    }
    std::vector<double> top(count, 0);
    double y = 0;
    for (std::size_t row = 0; row < count; ++row) {
      top[row] = y + above[row];
      y = top[row] + height[row] + below[row] + kRowGap;
    }
    for (std::size_t i = 0; i < picture_.nodes.size(); ++i) {
      const std::size_t row = layout_.rows[i];
      const double free = height[row] - height_of(picture_.nodes[i]);
      layout_.nodes[i].top = top[row] + free / 2;
      layout_.nodes[i].bottom = top[row] + height[row] - free / 2;
    }
    layout_.height = std::max(y - kRowGap, kTitle + 2 * kPadding);
  }

  static double title_space(const Span& span) {
    return kPadding / 2 + kTitle * static_cast<double>(span.begin_inside + 1);
  }
  static double end_space(const Span& span) { return kPadding * static_cast<double>(span.end_inside + 1); }

  // Assigns x coordinates to the cluster and its contents, starting at `left`. Returns its right end.
  double position_columns(std::size_t cluster, double left) {
    double x = left + kPadding;
    const double label = static_cast<double>(picture_.clusters[cluster].label.size()) * kCharacter;
    const double own = position_nodes(cluster, x);
    if (own > 0) x += own + kPadding;
    for (std::size_t i = cluster + 1; i < picture_.clusters.size(); ++i) {
      const bool inside = picture_.clusters[i].parent == cluster && !picture_.clusters[i].dashed;
      if (inside && spans_[i].first != kNone) x = position_columns(i, x) + kPadding;
    }
    x = std::max(x, left + label + 2 * kPadding);
    layout_.clusters[cluster].left = left;
    layout_.clusters[cluster].right = x;
    return x;
  }

  // Positions the nodes of a column; nodes in the same row are side by side. Returns the column's width.
  double position_nodes(std::size_t column, double left) {
    std::vector<std::vector<std::size_t>> rows;
    std::vector<double> widths;
    for (std::size_t i = 0; i < picture_.nodes.size(); ++i) {
      if (column_of(picture_.nodes[i]) != column) continue;
      const std::size_t row = layout_.rows[i];
      if (row >= rows.size()) rows.resize(row + 1), widths.resize(row + 1, 0);
      widths[row] += width_of(picture_.nodes[i]) + (rows[row].empty() ? 0 : kNodeGap);
      rows[row].push_back(i);
    }
    const double width = widths.empty() ? 0 : *std::max_element(widths.begin(), widths.end()) + 2 * kPadding;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      double x = left + (width - widths[row]) / 2;
      for (const std::size_t node : rows[row]) {
        layout_.nodes[node].left = x;
        layout_.nodes[node].right = x + width_of(picture_.nodes[node]);
        x = layout_.nodes[node].right + kNodeGap;
      }
    }
    return width;
  }

  // Called for inner clusters first, since the box encloses them.
  void position_cluster(std::size_t cluster) {
    const Span& span = spans_[cluster];
    Box& box = layout_.clusters[cluster];
    if (span.first == kNone) return;
    double top = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < picture_.nodes.size(); ++i) {
      if (!is_inside(picture_.nodes[i].cluster, cluster)) continue;
      const Box& node = layout_.nodes[i];
      top = std::min(top, node.top);
      box.bottom = std::max(box.bottom, node.bottom);
      if (!picture_.clusters[cluster].dashed) continue;
      const bool first = box.right == 0;
      box.left = first ? node.left - kPadding : std::min(box.left, node.left - kPadding);
      box.right = std::max(box.right, node.right + kPadding);
    }
    box.top = top - title_space(span);
    box.bottom += end_space(span);
  }

  bool is_inside(std::size_t cluster, std::size_t outer) const {
    while (cluster != outer && cluster != 0) cluster = picture_.clusters[cluster].parent;
    return cluster == outer;
  }

  const Picture& picture_;
  std::vector<Span> spans_;
  Layout layout_;
};

}  // namespace

Layout compute_layout(const Picture& picture) { return Planner(picture).plan(); }

}  // namespace cli
