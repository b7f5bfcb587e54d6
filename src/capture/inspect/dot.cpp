#include "capture/inspect/dot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "capture/inspect/dot_node.hpp"
#include "runtime/task/overloaded.hpp"
#include "runtime/task/task_row.hpp"

namespace aclvk::capture {
namespace {

constexpr std::size_t kNoGroup = ~std::size_t{0};

constexpr const char* kDefaults =
    "  labelloc=t;\n"
    "  ranksep=0.3;\n"
    "  fontname=\"Helvetica\";\n"
    "  node [style=filled, fontname=\"Helvetica\", fontsize=11];\n"
    "  edge [color=\"#404040\"];\n";

std::vector<std::size_t> groups_of_nodes(const Model& model) {
  std::vector<std::size_t> group_of_node(model.graph().nodes().size(), kNoGroup);
  std::size_t group = 0;
  for (const std::vector<NodeId>& nodes : model.group_nodes()) {
    for (const NodeId id : nodes) group_of_node[id] = group;
    ++group;
  }
  return group_of_node;
}

/// Writes a model or a sub-model. `prefix` makes the names of a sub-model's nodes and clusters unique in the file.
class ModelWriter {
 public:
  ModelWriter(const Model& model, std::string prefix, std::string indent)
      : model_(model), prefix_(std::move(prefix)), indent_(std::move(indent)), group_of_node_(groups_of_nodes(model)) {}

  std::string text() const {
    std::string text;
    for (std::uint32_t lane = 0; lane < graph().lanes().size(); ++lane) text += lane_text(lane);
    for (NodeId id = 0; id < graph().nodes().size(); ++id) text += edges_text(id);
    std::size_t number = 0;
    for (const SubModel& body : model_.sub_models()) text += body_text(body, number++);
    return text;
  }

 private:
  const Graph& graph() const { return model_.graph(); }
  std::string name(NodeId id) const { return fmt::format("{}task{}", prefix_, id); }
  std::string edge(NodeId from, const std::string& to, const char* style) const {
    return fmt::format("{}{} -> {} [style={}];\n", indent_, name(from), to, style);
  }

  // The tasks of a group are consecutive on their stream, so each group's cluster is opened once.
  std::string nodes_text(const Lane& lane) const {
    std::string text;
    std::size_t open = kNoGroup;
    for (const NodeId id : lane.nodes) {
      const std::size_t group = group_of_node_[id];
      if (group != open && open != kNoGroup) text += indent_ + "  }\n";
      if (group != open && group != kNoGroup) {
        text += fmt::format(
            "{0}  subgraph cluster_{1}group{2} {{\n{0}    label=\"task group {2}\";\n{0}    style=dashed;\n", indent_,
            prefix_, group);
      }
      open = group;
      text += fmt::format("{}{}{} {};\n", indent_, open == kNoGroup ? "  " : "    ", name(id),
                          dot_attributes(graph().node(id)));
    }
    return open == kNoGroup ? text : text + indent_ + "  }\n";
  }

  std::string lane_text(std::uint32_t index) const {
    const Lane& lane = graph().lanes()[index];
    std::string text = fmt::format("{0}subgraph cluster_{1}stream{2} {{\n{0}  label=\"stream {3}{4}\";\n", indent_,
                                   prefix_, index, lane.stream_id, index == 0 && model_.captured() ? " (origin)" : "");
    text += nodes_text(lane);
    for (const NodeId id : lane.nodes) {
      const NodeId before = graph().node(id).previous;
      if (before != kNoNode) text += fmt::format("{}  {} -> {};\n", indent_, name(before), name(id));
    }
    return text + indent_ + "}\n";
  }

  // From records to waits, and from branches to their possible targets.
  std::string edges_text(NodeId id) const {
    const Node& node = graph().node(id);
    std::string text;
    if (node.record != kNoNode) text += edge(node.record, name(id), "dashed");
    const runtime::Overloaded targets{
        [&](const runtime::StreamActiveTask& active) { return start_edge(id, active.target); },
        [&](const runtime::StreamSwitchTask& choice) { return start_edge(id, choice.target); },
        [&](const runtime::LabelSwitchTask& jump) { return label_edges(id, jump); },
        runtime::alike<runtime::LabelTask, runtime::ModelEndTask>([](const auto&) { return std::string(); }),
    };
    std::visit(
        [&](const auto& kind) {
          if constexpr (runtime::kTaskRow<decltype(kind)>.task_class == runtime::TaskClass::kControlFlow) {
            text += targets(kind);
          }
        },
        node.task);
    return text;
  }

  std::string start_edge(NodeId from, std::uint32_t stream) const {
    for (const Lane& lane : graph().lanes()) {
      if (lane.stream_id == stream && !lane.nodes.empty()) return edge(from, name(lane.nodes.front()), "dotted");
    }
    return {};
  }

  std::string label_edges(NodeId from, const runtime::LabelSwitchTask& jump) const {
    std::string text;
    for (NodeId id = 0; id < graph().nodes().size(); ++id) {
      const auto* label = std::get_if<runtime::LabelTask>(&graph().node(id).task);
      const bool target = label && std::count(jump.labels.begin(), jump.labels.end(), label->label) > 0;
      if (target) text += edge(from, name(id), "dotted");
    }
    return text;
  }

  std::string body_text(const SubModel& body, std::size_t number) const {
    const std::string prefix = fmt::format("{}body{}_", prefix_, number);
    std::string text = fmt::format("{0}subgraph cluster_{1} {{\n{0}  label=\"body {2} of {3}\";\n{0}  style=rounded;\n",
                                   indent_, prefix, body.number, name(body.task));
    text += ModelWriter(*body.model, prefix, indent_ + "  ").text() + indent_ + "}\n";
    const bool empty = body.model->graph().nodes().empty();
    return empty ? text : text + edge(body.task, prefix + "task0", "dotted");
  }

  const Model& model_;
  const std::string prefix_;
  const std::string indent_;
  const std::vector<std::size_t> group_of_node_;
};

std::string title_of(const Model& model) {
  return fmt::format("model {}{}", model.id, model.name.empty() ? "" : ": " + model.name);
}

}  // namespace

std::string dot_text(const Model& model) {
  return fmt::format("digraph model{} {{\n  label={};\n{}{}}}\n", model.id, dot_quoted(title_of(model)), kDefaults,
                     ModelWriter(model, "", "  ").text());
}

bool is_dot_path(const std::string& path) {
  const std::string suffix = ".dot";
  return path.size() >= suffix.size() && path.compare(path.size() - suffix.size(), suffix.size(), suffix) == 0;
}

}  // namespace aclvk::capture
