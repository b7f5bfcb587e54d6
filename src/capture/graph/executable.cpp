#include "capture/graph/executable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/failure/fault_injection.hpp"
#include "runtime/task/device_work.hpp"

namespace aclvk::capture {
namespace {

// Which units share a submission depends on the host steps that are already satisfied. In practice few combinations
// recur; the oldest one is evicted.
constexpr std::size_t kMaxCompositions = 16;
// Allocating, executing and freeing a secondary costs as much as recording a few commands (docs/adr/0004). A larger
// group is a secondary, so that a change of another group does not record it again.
constexpr std::size_t kMaxInlineNodes = 16;

}  // namespace

Executable::Executable(vk::Device& gpu, const Graph& graph, const std::vector<std::vector<NodeId>>& groups)
    : gpu_(gpu), units_(partition(graph)), unit_slices_(units_.size()), group_slices_(groups.size()) {
  std::vector<std::uint32_t> group_of_node(graph.nodes().size(), kNoNode);
  for (std::uint32_t group = 0; group < groups.size(); ++group) {
    for (const NodeId node : groups[group]) group_of_node[node] = group;
  }
  for (std::size_t unit = 0; unit < units_.size(); ++unit) {
    for (const NodeId node : units_[unit].work) append(node, unit_slices_[unit], group_of_node[node]);
    const NodeId step = units_[unit].step;
    if (step != kNoNode && external_event_of(graph.node(step).task)) external_events_.push_back(step);
  }
  // The units are in topological order, the list is in capture order.
  std::sort(external_events_.begin(), external_events_.end());
  for (std::uint32_t slice = 0; slice < slices_.size(); ++slice) slices_[slice].commands = commands_of(graph, slice);
}

// Nodes keep their capture order: a node of another group begins a new slice.
void Executable::append(NodeId node, std::vector<std::uint32_t>& slices, std::uint32_t group) {
  if (slices.empty() || group_of_slice_[slices.back()] != group) {
    const auto slice = static_cast<std::uint32_t>(slices_.size());
    if (group != kNoNode) group_slices_[group].push_back(slice);
    slices.push_back(slice);
    group_of_slice_.push_back(group);
    slices_.emplace_back();
  }
  slices_[slices.back()].nodes.push_back(node);
}

bool Executable::is_inline(std::uint32_t slice) const {
  return group_of_slice_[slice] != kNoNode && slices_[slice].nodes.size() <= kMaxInlineNodes;
}

void Executable::record_slice(vk::CommandRecorder& recorder, const Graph& graph, std::uint32_t slice) const {
  for (const NodeId node : slices_[slice].nodes) {
    if (!graph.node(node).disabled) runtime::record_work(recorder, graph.node(node).task);
  }
}

std::shared_ptr<vk::CommandBuffer> Executable::commands_of(const Graph& graph, std::uint32_t slice) const {
  if (is_inline(slice)) return nullptr;
  const auto recorder = gpu_.record(vk::Level::kSecondary);
  record_slice(*recorder, graph, slice);
  return recorder->finish();
}

void Executable::rerecord(const Graph& graph, const std::vector<std::uint32_t>& slices) {
  // Recorded into a local list first: a failure leaves all slices unchanged.
  std::vector<std::shared_ptr<vk::CommandBuffer>> commands;
  for (const std::uint32_t slice : slices) commands.push_back(commands_of(graph, slice));
  for (std::size_t i = 0; i < slices.size(); ++i) slices_[slices[i]].commands = std::move(commands[i]);
  const auto stale = [&](const Composition& composition) {
    return std::find_first_of(composition.slices.begin(), composition.slices.end(), slices.begin(), slices.end()) !=
           composition.slices.end();
  };
  compositions_.erase(std::remove_if(compositions_.begin(), compositions_.end(), stale), compositions_.end());
  timed_.clear();
}

// Throws before anything is submitted if a task is a kernel that ACLVK_FAIL_KERNEL selects.
void Executable::inject_faults(const Graph& graph, const std::vector<std::uint32_t>& slices) const {
  if (!runtime::injects_faults()) return;
  for (const std::uint32_t slice : slices) {
    for (const NodeId node : slices_[slice].nodes) {
      if (!graph.node(node).disabled) runtime::inject_fault(graph.node(node).task);
    }
  }
}

std::shared_ptr<vk::CommandBuffer> Executable::compose(const Graph& graph, const std::vector<std::uint32_t>& slices) {
  timed_.clear();
  inject_faults(graph, slices);
  for (const Composition& composition : compositions_) {
    if (composition.slices == slices) return composition.primary;
  }
  const auto recorder = gpu_.record(vk::Level::kPrimary);
  for (const std::uint32_t slice : slices) {
    if (slices_[slice].commands) {
      recorder->execute(slices_[slice].commands);
    } else {
      record_slice(*recorder, graph, slice);
    }
  }
  if (compositions_.size() == kMaxCompositions) compositions_.erase(compositions_.begin());
  compositions_.push_back({slices, recorder->finish()});
  return compositions_.back().primary;
}

Executable::TimedPrimary Executable::record_timed(const Graph& graph, std::vector<std::uint32_t> slices) const {
  std::size_t tasks = 0;
  for (const std::uint32_t slice : slices) tasks += slices_[slice].nodes.size();
  TimedPrimary timed{std::move(slices), nullptr, std::make_shared<runtime::profile::TimedTasks>(gpu_, tasks)};
  const auto recorder = gpu_.record(vk::Level::kPrimary);
  for (const std::uint32_t slice : timed.slices) {
    for (const NodeId id : slices_[slice].nodes) {
      const Node& node = graph.node(id);
      if (node.disabled) continue;
      runtime::profile::TimedTask description = runtime::profile::describe(node.task);
      description.call = {};  // set for the run as a whole, by the call that launched it
      description.members +=
          fmt::format(R"(,"task":{},"captured on stream":{})", id, graph.lanes()[node.lane].stream_id);
      timed.tasks->record(*recorder, node.task, std::move(description));
    }
  }
  timed.primary = recorder->finish();
  return timed;
}

// Two runs of the same timed primary would write the same queries: each run in flight, and each run whose times have
// not been read yet, needs a primary of its own.
const Executable::TimedPrimary& Executable::compose_timed(const Graph& graph,
                                                          const std::vector<std::uint32_t>& slices) {
  inject_faults(graph, slices);
  for (const TimedPrimary& timed : timed_) {
    if (timed.slices == slices && !timed.tasks->busy) return timed;
  }
  if (timed_.size() == kMaxCompositions) timed_.erase(timed_.begin());
  return timed_.emplace_back(record_timed(graph, slices));
}

}  // namespace aclvk::capture
