#include "capture/executable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/failure/fault_injection.hpp"
#include "runtime/stream/device_work.hpp"

namespace aclvk::capture {
namespace {

// A model is composed in as many ways as its host steps can be passed in one go or not; a few repeat.
constexpr std::size_t kMaxCompositions = 16;
// A secondary costs as much to make, execute and let go as recording a few commands; a group with more of them should
// not be recorded again because another one has changed.
constexpr std::size_t kMostInPrimary = 16;

}  // namespace

Executable::Executable(vk::Device& gpu, const Graph& graph, const std::vector<std::vector<NodeId>>& groups)
    : gpu_(gpu), units_(partition(graph)), unit_pieces_(units_.size()), group_pieces_(groups.size()) {
  std::vector<std::uint32_t> group_of_node(graph.nodes().size(), kNoNode);
  for (std::uint32_t group = 0; group < groups.size(); ++group) {
    for (const NodeId node : groups[group]) group_of_node[node] = group;
  }
  for (std::size_t unit = 0; unit < units_.size(); ++unit) {
    for (const NodeId node : units_[unit].work) place(node, unit_pieces_[unit], group_of_node[node]);
    const NodeId step = units_[unit].step;
    if (step != kNoNode && external_use(graph.node(step).task)) external_events_.push_back(step);
  }
  std::sort(external_events_.begin(), external_events_.end());
  for (std::uint32_t piece = 0; piece < pieces_.size(); ++piece) pieces_[piece].commands = commands_of(graph, piece);
}

// The nodes of a unit keep their order: a piece takes nodes of its group, or of none, until others come.
void Executable::place(NodeId node, std::vector<std::uint32_t>& pieces, std::uint32_t group) {
  if (pieces.empty() || group_of_piece_[pieces.back()] != group) {
    const auto piece = static_cast<std::uint32_t>(pieces_.size());
    if (group != kNoNode) group_pieces_[group].push_back(piece);
    pieces.push_back(piece);
    group_of_piece_.push_back(group);
    pieces_.emplace_back();
  }
  pieces_[pieces.back()].nodes.push_back(node);
}

bool Executable::stands_in_primary(std::uint32_t piece) const {
  return group_of_piece_[piece] != kNoNode && pieces_[piece].nodes.size() <= kMostInPrimary;
}

void Executable::record(vk::CommandRecorder& recorder, const Graph& graph, std::uint32_t piece) const {
  for (const NodeId node : pieces_[piece].nodes) {
    if (!graph.node(node).disabled) runtime::record_work(recorder, graph.node(node).task);
  }
}

std::shared_ptr<vk::CommandBuffer> Executable::commands_of(const Graph& graph, std::uint32_t piece) const {
  if (stands_in_primary(piece)) return nullptr;
  const auto recorder = gpu_.record(vk::Level::kSecondary);
  record(*recorder, graph, piece);
  return recorder->finish();
}

void Executable::renew(const Graph& graph, const std::vector<std::uint32_t>& pieces) {
  std::vector<std::shared_ptr<vk::CommandBuffer>> commands;
  for (const std::uint32_t piece : pieces) commands.push_back(commands_of(graph, piece));
  for (std::size_t i = 0; i < pieces.size(); ++i) pieces_[pieces[i]].commands = std::move(commands[i]);
  const auto stale = [&](const Composition& composition) {
    return std::find_first_of(composition.pieces.begin(), composition.pieces.end(), pieces.begin(), pieces.end()) !=
           composition.pieces.end();
  };
  compositions_.erase(std::remove_if(compositions_.begin(), compositions_.end(), stale), compositions_.end());
  timed_.clear();
}

void Executable::inject_faults(const Graph& graph, const std::vector<std::uint32_t>& pieces) const {
  if (!runtime::injects_faults()) return;
  for (const std::uint32_t piece : pieces) {
    for (const NodeId node : pieces_[piece].nodes) {
      if (!graph.node(node).disabled) runtime::inject_fault(graph.node(node).task);
    }
  }
}

std::shared_ptr<vk::CommandBuffer> Executable::compose(const Graph& graph, const std::vector<std::uint32_t>& pieces) {
  timed_.clear();
  inject_faults(graph, pieces);
  for (const Composition& composition : compositions_) {
    if (composition.pieces == pieces) return composition.primary;
  }
  const auto recorder = gpu_.record(vk::Level::kPrimary);
  for (const std::uint32_t piece : pieces) {
    if (pieces_[piece].commands) {
      recorder->execute(pieces_[piece].commands);
    } else {
      record(*recorder, graph, piece);
    }
  }
  if (compositions_.size() == kMaxCompositions) compositions_.erase(compositions_.begin());
  compositions_.push_back({pieces, recorder->finish()});
  return compositions_.back().primary;
}

Executable::TimedPrimary Executable::record_timed(const Graph& graph, std::vector<std::uint32_t> pieces) const {
  std::size_t tasks = 0;
  for (const std::uint32_t piece : pieces) tasks += pieces_[piece].nodes.size();
  TimedPrimary timed{std::move(pieces), nullptr, std::make_shared<runtime::profile::TimedTasks>(gpu_, tasks)};
  const auto recorder = gpu_.record(vk::Level::kPrimary);
  for (const std::uint32_t piece : timed.pieces) {
    for (const NodeId id : pieces_[piece].nodes) {
      const Node& node = graph.node(id);
      if (node.disabled) continue;
      runtime::profile::TimedTask told = runtime::profile::describe(node.task);
      told.call = {};  // the run is what has been launched
      told.members += fmt::format(R"(,"task":{},"captured on stream":{})", id, graph.lanes()[node.lane].stream_id);
      timed.tasks->record(*recorder, node.task, std::move(told));
    }
  }
  timed.primary = recorder->finish();
  return timed;
}

// A run writes its times where the next one of the same primary would, so each run that is in flight, or has not been
// shown yet, has one of its own.
const Executable::TimedPrimary& Executable::compose_timed(const Graph& graph,
                                                          const std::vector<std::uint32_t>& pieces) {
  inject_faults(graph, pieces);
  for (const TimedPrimary& timed : timed_) {
    if (timed.pieces == pieces && !timed.tasks->busy) return timed;
  }
  if (timed_.size() == kMaxCompositions) timed_.erase(timed_.begin());
  return timed_.emplace_back(record_timed(graph, pieces));
}

}  // namespace aclvk::capture
