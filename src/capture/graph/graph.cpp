#include "capture/graph/graph.hpp"

#include <fmt/format.h>

#include "runtime/dump/active_dumps.hpp"
#include "runtime/event/count_notify.hpp"
#include "runtime/event/event.hpp"
#include "runtime/task/device_work.hpp"

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

// A depth-first search backwards from the end of lane 0.
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
  return std::visit(Overloaded{
                        [](const EventRecordTask& record) { return is_visible_outside(record); },
                        [](const EventWaitTask& wait) { return is_visible_outside(wait); },
                        [](const EventResetTask& reset) { return is_external(reset.event); },
                        [](const NotifyRecordTask&) { return true; },
                        [](const NotifyWaitTask&) { return true; },
                        [](const CountRecordTask&) { return true; },
                        [](const CountWaitTask&) { return true; },
                        [](const ValueWriteTask&) { return true; },
                        [](const ValueWaitTask&) { return true; },
                        [](const HostTask&) { return true; },
                        [](const ProcedureTask&) { return true; },
                        [](const auto&) { return false; },
                    },
                    task);
}

std::string type_name(const Node& node) { return node.disabled ? "NOP" : type_name(node.task); }

std::string display_name(const Node& node) {
  const std::string type = type_name(node);
  if (node.disabled) return type;
  const auto event_name = [&](const auto& task) {
    return fmt::format("{}_{}", type, is_visible_outside(task) ? task.event->id : node.signal_id);
  };
  return std::visit(Overloaded{
                        [](const KernelTask& kernel) { return std::string(kernel.name); },
                        [](const MarkTask& mark) { return mark.text; },
                        [&](const EventRecordTask& record) { return event_name(record); },
                        [&](const EventWaitTask& wait) { return event_name(wait); },
                        [&](const EventResetTask& reset) {
                          return fmt::format("{}_{}", type,
                                             is_external(reset.event) ? reset.event->id : node.signal_id);
                        },
                        [&](const NotifyRecordTask& record) { return fmt::format("{}_{}", type, record.notify->id); },
                        [&](const NotifyWaitTask& wait) { return fmt::format("{}_{}", type, wait.notify->id); },
                        [&](const CountRecordTask& record) { return fmt::format("{}_{}", type, record.notify->id); },
                        [&](const CountWaitTask& wait) { return fmt::format("{}_{}", type, wait.notify->id); },
                        [&](const ValueWriteTask& write) { return fmt::format("{}_{}", type, write.word.address()); },
                        [&](const ValueWaitTask& wait) { return fmt::format("{}_{}", type, wait.word.address()); },
                        [&](const auto&) { return type; },
                    },
                    node.task);
}

}  // namespace aclvk::capture
