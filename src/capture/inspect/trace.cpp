#include "capture/inspect/trace.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/error.hpp"
#include "base/log.hpp"
#include "capture/inspect/dot.hpp"
#include "runtime/json_text.hpp"
#include "runtime/kernel/function.hpp"
#include "runtime/kernel/launch_attributes.hpp"
#include "runtime/stream/scheduler.hpp"

namespace aclvk::capture {
namespace {

using runtime::JsonObject;

/// A synthetic duration in microseconds: the distance to the start of the next event, and the length of the event,
/// which is shorter so that viewers show a gap.
struct Duration {
  int advance;
  double shown;
};

// As in capture-semantics 16.1.
Duration duration_of(const std::string& type) {
  if (type == "NOP") return {1, 0.5};
  if (type.find("RECORD") != std::string::npos) return {5, 4.5};
  if (type.find("WAIT") != std::string::npos) return {15, 14.5};
  return {10, 9.5};
}

// The format shows 64-bit words only: a partial last word is omitted.
std::string hex_words(const std::vector<std::byte>& bytes) {
  std::string text;
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, 8);
    text += fmt::format("{}0x{:016x}", text.empty() ? "" : " ", word);
  }
  return text;
}

void add_kernel(JsonObject& arguments, const runtime::KernelTask& kernel, bool verbose) {
  constexpr int kScheduling = runtime::LaunchAttribute::kScheduling;
  const auto& groups = kernel.dispatch.groups;
  arguments.add("Numblocks", std::uint64_t{groups[0]} * groups[1] * groups[2]);
  if (kernel.attributes && kernel.attributes->find(kScheduling)) {
    arguments.add("Schem Mode", kernel.attributes->word(kScheduling));
  }
  if (!verbose) return;
  const std::vector<std::byte> block = runtime::Function::pack(kernel);
  arguments.add("Kernel Args", hex_words(block)).add("Kernel Args Size", block.size());
}

// The keys have the order of capture-semantics 16.1.
JsonObject arguments_of(const Model& model, NodeId id, bool verbose) REQUIRES(runtime::scheduler_mutex) {
  const Node& node = model.graph().node(id);
  JsonObject arguments;
  arguments.add("Model Id", model.id)
      .add("Stream Id", model.graph().lanes()[node.lane].stream_id)
      .add("Task Id", id)
      .add("Task Type", type_name(node));
  if (node.attribution && !node.attribution->extend_info.empty()) {
    arguments.add("ExtendInfo", node.attribution->extend_info);
  }
  if (const auto* active = std::get_if<runtime::StreamActiveTask>(&node.task)) {
    arguments.add("Active Stream Id", active->target);
  }
  if (const auto* kernel = std::get_if<runtime::KernelTask>(&node.task)) add_kernel(arguments, *kernel, verbose);
  return arguments;
}

}  // namespace

std::string trace_json(const Model& model, bool verbose) {
  std::string text;
  for (const Lane& lane : model.graph().lanes()) {
    int time = 0;
    for (const NodeId id : lane.nodes) {
      const Node& node = model.graph().node(id);
      if (is_dump_task(node.task)) continue;
      const Duration duration = duration_of(type_name(node));
      JsonObject entry;
      entry.add("name", display_name(node))
          .add("pid", fmt::format("{} aclGraph", getpid()))
          .add("tid", fmt::format("stream{}", lane.stream_id))
          .add("ts", time)
          .add("dur", duration.shown)
          .add("ph", "X")
          .add_json("args", arguments_of(model, id, verbose).text());
      time += duration.advance;
      text += (text.empty() ? "" : ",\n") + entry.text();
    }
  }
  return text.empty() ? "[\n]" : "[\n" + text + "\n]";
}

void write_trace(Model& model, const std::string& path, bool verbose) {
  std::string text;
  {
    const runtime::SchedulerLock lock;  // released before the file is written
    text = is_dot_path(path) ? dot_text(model) : trace_json(model, verbose);
  }
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  check(!file.fail(), Code::kParamInvalid, "Model {} cannot be written to \"{}\": {}.", model.id, path,
        std::strerror(errno));
}

void print_tasks(Model& model) {
  const runtime::SchedulerLock lock;
  for (const Lane& lane : model.graph().lanes()) {
    for (const NodeId id : lane.nodes) {
      const Node& node = model.graph().node(id);
      log().info("model {} stream {} task {} {} {}", model.id, lane.stream_id, id, type_name(node), display_name(node));
    }
  }
  std::size_t index = 0;
  for (const std::vector<NodeId>& group : model.group_nodes()) {
    if (!group.empty())
      log().info("model {} task group {}: tasks {} to {}", model.id, index, group.front(), group.back());
    ++index;
  }
}

}  // namespace aclvk::capture
