// In the JSON of a dumped model each task is an event and each stream a thread. Records and waits of the same event
// carry its number.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "graph/picture.hpp"

namespace cli {
namespace {

using Json = nlohmann::json;

bool begins_with(const std::string& text, const std::string& beginning) { return text.rfind(beginning, 0) == 0; }

struct Style {
  Shape shape;
  const char* fill;
};

Style style_of(const std::string& type) {
  const auto has = [&](const char* word) { return type.find(word) != std::string::npos; };
  if (has("KERNEL")) return {Shape::kBox, "#cfe2f3"};
  if (has("MEMCPY") || has("MEMSET")) return {Shape::kCylinder, "#d9ead3"};
  if (has("WAIT")) return {Shape::kHexagon, "#f9cb9c"};
  if (has("RECORD") || has("RESET") || has("WRITE")) return {Shape::kEllipse, "#fff2cc"};
  if (has("SWITCH") || has("COND")) return {Shape::kDiamond, "#f4cccc"};
  return {Shape::kBox, has("HOSTFUNC") ? "#d9d2e9" : "#eeeeee"};
}

Node node_of(const Json& event, std::size_t number, std::size_t cluster) {
  const Json arguments = event.value("args", Json::object());
  const std::string name = event.value("name", "");
  const Style style = style_of(arguments.value("Task Type", name));
  Node node{fmt::format("task{}", number), {name}, style.fill, style.shape, cluster};
  if (arguments.contains("Numblocks")) node.lines.push_back(arguments["Numblocks"].dump() + " blocks");
  return node;
}

std::vector<Json> tasks_in(const std::string& text) {
  Json trace = Json::parse(text, nullptr, false);
  if (trace.is_object()) trace = trace.value("traceEvents", Json());
  if (!trace.is_array()) throw std::runtime_error("neither a graph nor a list of tasks.");
  std::vector<Json> tasks;
  for (const Json& event : trace) {
    if (!event.is_object()) throw std::runtime_error("an entry of the list is no event.");
    if (event.value("ph", "") != "X") continue;  // Chrome's trace format: X is an event with a duration
    if (!event.contains("args") || !event["args"].contains("Task Id")) {
      throw std::runtime_error("a trace, but not of a dumped model: an event has no \"Task Id\".");
    }
    tasks.push_back(event);
  }
  std::stable_sort(tasks.begin(), tasks.end(),
                   [](const Json& a, const Json& b) { return a.value("ts", 0.0) < b.value("ts", 0.0); });
  return tasks;
}

std::size_t cluster_of(const std::string& stream, Picture& picture, std::map<std::string, std::size_t>& clusters) {
  const auto [found, is_new] = clusters.emplace(stream, picture.clusters.size());
  if (is_new) picture.clusters.push_back({"cluster_" + stream, stream, 0, false});
  return found->second;
}

void connect_events(Picture& picture) {
  const std::string record = "EVENT_RECORD_";
  std::map<std::string, std::size_t> records;
  for (std::size_t i = 0; i < picture.nodes.size(); ++i) {
    const std::string& name = picture.nodes[i].lines[0];
    if (begins_with(name, record)) records[name.substr(record.size())] = i;
  }
  const std::string wait = "EVENT_WAIT_";
  for (std::size_t i = 0; i < picture.nodes.size(); ++i) {
    const std::string& name = picture.nodes[i].lines[0];
    const auto found = begins_with(name, wait) ? records.find(name.substr(wait.size())) : records.end();
    if (found != records.end()) picture.edges.push_back({found->second, i, Line::kDashed});
  }
}

}  // namespace

Picture read_trace(const std::string& text) {
  Picture picture;
  std::map<std::string, std::size_t> clusters;
  std::map<std::string, std::size_t> last;
  for (const Json& task : tasks_in(text)) {
    const std::string stream = task.contains("tid") && task["tid"].is_string() ? task["tid"].get<std::string>()
                                                                               : task.value("tid", Json()).dump();
    const std::size_t number = picture.nodes.size();
    picture.nodes.push_back(node_of(task, number, cluster_of(stream, picture, clusters)));
    const auto before = last.find(stream);
    if (before != last.end()) picture.edges.push_back({before->second, number, Line::kSolid});
    last[stream] = number;
  }
  connect_events(picture);
  return picture;
}

}  // namespace cli
