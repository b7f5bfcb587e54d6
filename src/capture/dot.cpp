#include "capture/dot.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "runtime/device_work.hpp"
#include "runtime/event.hpp"

namespace aclvk::capture {
namespace {

using namespace runtime;  // the task structs, all of them

constexpr std::size_t kNoGroup = ~std::size_t{0};

constexpr const char* kDefaults =
    "  labelloc=t;\n"
    "  ranksep=0.3;\n"
    "  fontname=\"Helvetica\";\n"
    "  node [style=filled, fontname=\"Helvetica\", fontsize=11];\n"
    "  edge [color=\"#404040\"];\n";

struct Look {
  const char* shape;
  const char* color;
};
constexpr Look kKernel{"box", "#cfe2f3"};
constexpr Look kCopy{"cylinder", "#d9ead3"};
constexpr Look kSignal{"ellipse", "#fff2cc"};
constexpr Look kWait{"hexagon", "#f9cb9c"};
constexpr Look kHost{"component", "#d9d2e9"};
constexpr Look kOther{"box3d", "#eeeeee"};

Look look_of(const Task& task) {
  return std::visit(Overloaded{
                        [](const KernelTask&) { return kKernel; },
                        [](const CopyTask&) { return kCopy; },
                        [](const Copy2dTask&) { return kCopy; },
                        [](const FillTask&) { return kCopy; },
                        [](const FillWordsTask&) { return kCopy; },
                        [](const EventRecordTask&) { return kSignal; },
                        [](const EventResetTask&) { return kSignal; },
                        [](const NotifyRecordTask&) { return kSignal; },
                        [](const ValueWriteTask&) { return kSignal; },
                        [](const EventWaitTask&) { return kWait; },
                        [](const NotifyWaitTask&) { return kWait; },
                        [](const ValueWaitTask&) { return kWait; },
                        [](const HostTask&) { return kHost; },
                        [](const auto&) { return kOther; },
                    },
                    task);
}

std::string count_of(std::uint64_t count, const char* unit) {
  return fmt::format("\n{} {}{}", count, unit, count == 1 ? "" : "s");
}

std::string event_note(const EventPtr& event) { return event && event->external() ? "\nEXTERNAL" : ""; }

// What stands below the name of the task.
std::string note_of(const Task& task) {
  return std::visit(Overloaded{
                        [](const KernelTask& kernel) {
                          const auto& groups = kernel.dispatch.groups;
                          return count_of(std::uint64_t{groups[0]} * groups[1] * groups[2], "block");
                        },
                        [](const CopyTask& copy) { return count_of(copy.dst.size, "byte"); },
                        [](const Copy2dTask& rows) { return count_of(rows.copy.width * rows.copy.height, "byte"); },
                        [](const FillTask& fill) { return count_of(fill.dst.size, "byte"); },
                        [](const FillWordsTask& fill) { return count_of(fill.dst.size, "byte"); },
                        [](const EventRecordTask& record) { return event_note(record.event); },
                        [](const EventWaitTask& wait) { return event_note(wait.event); },
                        [](const EventResetTask& reset) { return event_note(reset.event); },
                        [](const auto&) { return std::string(); },
                    },
                    task);
}

// Graphviz gives up on bytes that are no UTF-8; the writer of the trace has the replacement.
std::string valid_utf8(const std::string& text) {
  using Json = nlohmann::json;
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

// As a quoted string. In labels a backslash begins an escape and an ampersand an HTML entity.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : valid_utf8(text)) {
    switch (c) {
      case '"': result += "\\\""; break;
      case '\\': result += "\\\\"; break;
      case '\n': result += "\\n"; break;
      case '&': result += "&amp;"; break;
      default: result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return result + '"';
}

std::vector<std::size_t> groups_of_nodes(const Model& model) {
  std::vector<std::size_t> group_of_node(model.graph().nodes().size(), kNoGroup);
  std::size_t group = 0;
  for (const std::vector<NodeId>& nodes : model.group_nodes()) {
    for (const NodeId id : nodes) group_of_node[id] = group;
    ++group;
  }
  return group_of_node;
}

std::string node_text(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const Look look = look_of(node.task);
  return fmt::format("task{} [label={}, shape={}, fillcolor=\"{}\"];\n", id,
                     quoted(display_name(node) + note_of(node.task)), look.shape, look.color);
}

// The tasks of a group follow each other on their stream, so that its cluster is opened once.
std::string nodes_text(const Graph& graph, const Lane& lane, const std::vector<std::size_t>& group_of_node) {
  std::string text;
  std::size_t open = kNoGroup;
  for (const NodeId id : lane.nodes) {
    const std::size_t group = group_of_node[id];
    if (group != open && open != kNoGroup) text += "    }\n";
    if (group != open && group != kNoGroup) {
      text += fmt::format("    subgraph cluster_group{0} {{\n      label=\"task group {0}\";\n      style=dashed;\n",
                          group);
    }
    open = group;
    text += (open == kNoGroup ? "    " : "      ") + node_text(graph, id);
  }
  return open == kNoGroup ? text : text + "    }\n";
}

std::string lane_text(const Graph& graph, std::uint32_t index, const std::vector<std::size_t>& group_of_node) {
  const Lane& lane = graph.lanes()[index];
  std::string text = fmt::format("  subgraph cluster_stream{} {{\n    label=\"stream {}{}\";\n", index, lane.stream_id,
                                 index == 0 ? " (origin)" : "");
  text += nodes_text(graph, lane, group_of_node);
  for (const NodeId id : lane.nodes) {
    if (const NodeId before = graph.node(id).previous; before != kNoNode) {
      text += fmt::format("    task{} -> task{};\n", before, id);
    }
  }
  return text + "  }\n";
}

std::string title_of(const Model& model) {
  return fmt::format("model {}{}", model.id, model.name.empty() ? "" : ": " + model.name);
}

}  // namespace

std::string dot_text(const Model& model) {
  const Graph& graph = model.graph();
  const std::vector<std::size_t> group_of_node = groups_of_nodes(model);
  std::string text = fmt::format("digraph model{} {{\n  label={};\n{}", model.id, quoted(title_of(model)), kDefaults);
  for (std::uint32_t lane = 0; lane < graph.lanes().size(); ++lane) text += lane_text(graph, lane, group_of_node);
  for (NodeId id = 0; id < graph.nodes().size(); ++id) {
    const NodeId record = graph.node(id).record;
    if (record != kNoNode) text += fmt::format("  task{} -> task{} [style=dashed];\n", record, id);
  }
  return text + "}\n";
}

bool is_dot_path(const std::string& path) {
  const std::string suffix = ".dot";
  return path.size() >= suffix.size() && path.compare(path.size() - suffix.size(), suffix.size(), suffix) == 0;
}

}  // namespace aclvk::capture
