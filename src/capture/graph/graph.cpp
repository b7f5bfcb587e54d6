#include "capture/graph/graph.hpp"

#include <fmt/format.h>

#include "runtime/dump/active_dumps.hpp"
#include "runtime/event/count_notify.hpp"
#include "runtime/event/event.hpp"
#include "runtime/task/overloaded.hpp"
#include "runtime/task/task_row.hpp"

namespace aclvk::capture {
namespace {

using namespace runtime;  // the task structs, all of them

bool is_external(const std::shared_ptr<Event>& event) { return event && event->external(); }

// Returns whether a record or wait is more than an edge of the graph: streams outside of the model signal it or wait
// for it.
template <typename EventTask>
bool is_visible_outside(const EventTask& task) {
  return is_external(task.event) || task.use == EventUse::kExternal;
}

bool is_visible_outside(const EventResetTask& reset) { return is_external(reset.event); }

}  // namespace

std::uint32_t Graph::add_lane(std::uint32_t stream_id, std::vector<Task> tasks) {
  const auto lane = static_cast<std::uint32_t>(lanes_.size());
  nodes_.reserve(nodes_.size() + tasks.size());
  Lane added{stream_id, {}};
  added.nodes.reserve(tasks.size());
  lanes_.push_back(std::move(added));
  for (Task& task : tasks) add(lane, std::move(task));
  return lane;
}

NodeId Graph::add(std::uint32_t lane, Task task) {
  const auto id = static_cast<NodeId>(nodes_.size());
  nodes_.push_back({std::move(task), lane, lanes_[lane].last(), kNoNode, 0, false, nullptr});
  lanes_[lane].nodes.push_back(id);
  return id;
}

NodeId Graph::add_signal(std::uint32_t lane, Task task, NodeId record) {
  const NodeId id = add(lane, std::move(task));
  nodes_[id].record = record;
  nodes_[id].signal_id = record == kNoNode ? next_signal_id() : nodes_[record].signal_id;
  return id;
}

NodeId Graph::add_reset(std::uint32_t lane, Task reset, NodeId record) {
  const NodeId id = add(lane, std::move(reset));
  nodes_[id].signal_id = nodes_[record].signal_id;
  return id;
}

// A depth-first search backwards from the end of lane 0, along lanes and from waits to records. The reachability is
// exact, in strict mode, too (docs/adr/0011).
std::uint32_t Graph::find_unjoined_lane() const {
  std::vector<bool> leads_to_end(nodes_.size(), false);
  std::vector<NodeId> open{lanes_[0].last()};
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (id == kNoNode || leads_to_end[id]) continue;
    leads_to_end[id] = true;
    open.push_back(nodes_[id].previous);
    open.push_back(nodes_[id].record);
  }
  for (std::uint32_t lane = 1; lane < lanes_.size(); ++lane) {
    if (lanes_[lane].last() != kNoNode && !leads_to_end[lanes_[lane].last()]) return lane;
  }
  return 0;
}

std::shared_ptr<Event> external_event_of(const Task& task) {
  const auto event_of = [](const auto& signal) { return signal.use == EventUse::kExternal ? signal.event : nullptr; };
  if (const auto* record = std::get_if<EventRecordTask>(&task)) return event_of(*record);
  if (const auto* wait = std::get_if<EventWaitTask>(&task)) return event_of(*wait);
  return nullptr;
}

bool is_dump_task(const Task& task) {
  const auto* host = std::get_if<HostTask>(&task);
  return host && host->type == runtime::kDumpTaskType;
}

bool is_host_step(const Task& task) {
  return std::visit(
      [](const auto& kind) {
        constexpr HostStep step = kTaskRow<decltype(kind)>.host_step;
        if constexpr (step == HostStep::kIfVisible) {
          return is_visible_outside(kind);
        } else {
          return step == HostStep::kAlways;
        }
      },
      task);
}

std::string type_name(const Node& node) { return node.disabled ? "NOP" : type_name(node.task); }

// torch_npu pairs records with waits by the number after the last underscore, so that the number of a record is unique
// (capture-semantics 16.1).
std::string display_name(const Node& node) {
  const std::string type = type_name(node);
  if (node.disabled) return type;
  const auto numbered = [&](std::uint64_t number) { return fmt::format("{}_{}", type, number); };
  return std::visit(
      Overloaded{
          [](const KernelTask& kernel) { return std::string(kernel.name); },
          [](const MarkTask& mark) { return mark.text; },
          alike<EventRecordTask, EventWaitTask, EventResetTask>(
              [&](const auto& task) { return numbered(is_visible_outside(task) ? task.event->id : node.signal_id); }),
          alike<NotifyRecordTask, NotifyWaitTask, CountRecordTask, CountWaitTask>(
              [&](const auto& task) { return numbered(task.notify->id); }),
          alike<ValueWriteTask, ValueWaitTask>([&](const auto& task) { return numbered(task.word.address()); }),
          alike<CopyTask, Copy2dTask, FillTask, FillWordsTask, HostTask, ProcedureTask, LabelTask, LabelSwitchTask,
                StreamSwitchTask, StreamActiveTask, ModelEndTask>([&](const auto&) { return type; }),
      },
      node.task);
}

}  // namespace aclvk::capture
