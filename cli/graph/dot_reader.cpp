// A parser for the subset of the DOT language that dumped models use: https://graphviz.org/doc/info/lang.html without
// HTML strings and ports.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <stdexcept>

#include "graph/picture.hpp"

namespace cli {
namespace {

using Attributes = std::map<std::string, std::string>;

/// Splits a label at its line breaks, including "\l" and "\r".
std::vector<std::string> lines_of(const std::string& label) {
  std::vector<std::string> lines(1);
  for (std::size_t i = 0; i < label.size(); ++i) {
    if (label[i] != '\\' || i + 1 == label.size()) {
      lines.back() += label[i];
      continue;
    }
    const char escaped = label[++i];
    const bool breaks = escaped == 'n' || escaped == 'l' || escaped == 'r';
    if (breaks) lines.emplace_back();
    if (!breaks) lines.back() += escaped;
  }
  if (lines.size() > 1 && lines.back().empty()) lines.pop_back();
  for (std::string& line : lines) {
    // The library escapes only & as an entity.
    for (std::size_t at = 0; (at = line.find("&amp;", at)) != std::string::npos; ++at) line.replace(at, 5, "&");
  }
  return lines;
}

Shape shape_of(const std::string& name) {
  if (name == "ellipse" || name.empty()) return Shape::kEllipse;
  if (name == "hexagon") return Shape::kHexagon;
  if (name == "diamond") return Shape::kDiamond;
  return name == "cylinder" ? Shape::kCylinder : Shape::kBox;
}

class DotReader {
 public:
  explicit DotReader(const std::string& text) : text_(text) {}

  Picture read() {
    accept("strict");
    if (!accept("digraph")) refuse("digraph");
    if (!next_is('{')) identifier();
    body(0);
    skip_space();
    if (position_ != text_.size()) refuse("nothing after the graph");
    return std::move(picture_);
  }

 private:
  [[noreturn]] void refuse(const std::string& expected) const {
    const auto line = std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(position_), '\n') + 1;
    throw std::runtime_error(
        fmt::format("line {}: expected {} at \"{}\".", line, expected, text_.substr(position_, 30)));
  }

  void skip_space() {
    while (position_ < text_.size()) {
      if (text_.compare(position_, 2, "//") == 0 || text_[position_] == '#') {
        position_ = std::min(text_.find('\n', position_), text_.size());
      } else if (std::isspace(static_cast<unsigned char>(text_[position_])) != 0) {
        ++position_;
      } else {
        return;
      }
    }
  }

  bool next_is(char c) {
    skip_space();
    return position_ < text_.size() && text_[position_] == c;
  }

  bool accept(const std::string& token) {
    skip_space();
    const bool found = text_.compare(position_, token.size(), token) == 0;
    if (found) position_ += token.size();
    return found;
  }

  void expect(const std::string& token) {
    if (!accept(token)) refuse(token);
  }

  std::string identifier() {
    skip_space();
    const std::size_t start = position_;
    if (next_is('"')) return quoted();
    const auto belongs = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    };
    if (position_ < text_.size() && text_[position_] == '-') ++position_;
    while (position_ < text_.size() && belongs(text_[position_])) ++position_;
    if (position_ == start) refuse("a name");
    return text_.substr(start, position_ - start);
  }

  // Unescapes quotes only: the meaning of other escapes depends on the attribute.
  std::string quoted() {
    std::string result;
    for (++position_; position_ < text_.size() && text_[position_] != '"'; ++position_) {
      if (text_[position_] == '\\' && position_ + 1 < text_.size() && text_[position_ + 1] != '"')
        result += text_[position_++];
      else if (text_[position_] == '\\')
        ++position_;
      if (position_ < text_.size()) result += text_[position_];
    }
    if (position_ == text_.size()) refuse("a closing quote");
    ++position_;
    return result;
  }

  void body(std::size_t cluster) {
    expect("{");
    while (!accept("}")) statement(cluster);
  }

  void statement(std::size_t cluster) {
    const std::string first = identifier();
    if (first == "subgraph") {
      const std::string name = next_is('{') ? "" : identifier();
      picture_.clusters.push_back({name, "", cluster, false});
      body(picture_.clusters.size() - 1);
    } else if (accept("=")) {
      set_cluster(picture_.clusters[cluster], first, identifier());
    } else if (accept("->")) {
      edges(first, cluster);
    } else {
      describe(first, attributes(), cluster);
    }
    accept(";");
  }

  static void set_cluster(Cluster& cluster, const std::string& name, const std::string& value) {
    if (name == "label") cluster.label = fmt::format("{}", fmt::join(lines_of(value), " "));
    if (name == "style") cluster.dashed = value == "dashed";
  }

  Attributes attributes() {
    Attributes found;
    if (!accept("[")) return found;
    while (!accept("]")) {
      const std::string name = identifier();
      expect("=");
      found[name] = identifier();
      if (!accept(",")) accept(";");
    }
    return found;
  }

  void edges(const std::string& first, std::size_t cluster) {
    std::vector<std::size_t> ends{index_of(first, cluster)};
    do ends.push_back(index_of(identifier(), cluster));
    while (accept("->"));
    const std::string style = attributes()["style"];
    const Line line = style == "dashed" ? Line::kDashed : style == "dotted" ? Line::kDotted : Line::kSolid;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) picture_.edges.push_back({ends[i], ends[i + 1], line});
  }

  void describe(const std::string& name, const Attributes& attributes, std::size_t cluster) {
    if (name == "node" || name == "edge" || name == "graph") return;
    Node& node = picture_.nodes[index_of(name, cluster)];
    node.cluster = cluster;
    const auto value = [&](const char* key) {
      const auto found = attributes.find(key);
      return found == attributes.end() ? std::string() : found->second;
    };
    if (attributes.count("label") > 0) node.lines = lines_of(value("label"));
    if (attributes.count("fillcolor") > 0) node.fill = value("fillcolor");
    node.shape = shape_of(value("shape"));
  }

  std::size_t index_of(const std::string& name, std::size_t cluster) {
    const auto [found, is_new] = indices_.emplace(name, picture_.nodes.size());
    if (is_new) picture_.nodes.push_back({name, {name}, "#ffffff", Shape::kEllipse, cluster});
    return found->second;
  }

  const std::string& text_;
  std::size_t position_ = 0;
  Picture picture_;
  std::map<std::string, std::size_t> indices_;
};

}  // namespace

Picture read_dot(const std::string& text) { return DotReader(text).read(); }

}  // namespace cli
