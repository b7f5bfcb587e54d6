#include "capture/graph.hpp"

#include <fmt/format.h>

#include "runtime/device_work.hpp"
#include "runtime/event.hpp"

namespace aclvk::capture {
namespace {

using namespace runtime;  // the task structs, all of them

bool is_external(const std::shared_ptr<Event>& event) { return event && event->external(); }

}  // namespace

std::uint32_t Graph::add_lane(std::uint32_t stream_id) {
  lanes_.push_back({stream_id, {}});
  return static_cast<std::uint32_t>(lanes_.size() - 1);
}

NodeId Graph::add(std::uint32_t lane, Task task) {
  const auto id = static_cast<NodeId>(nodes_.size());
  nodes_.push_back({std::move(task), lane, lanes_[lane].last(), kNoNode, 0});
  lanes_[lane].nodes.push_back(id);
  return id;
}

NodeId Graph::add_signal(std::uint32_t lane, Task task, NodeId record) {
  const NodeId id = add(lane, std::move(task));
  nodes_[id].record = record;
  nodes_[id].signal_id = record == kNoNode ? next_signal_++ : nodes_[record].signal_id;
  return id;
}

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

bool is_host_step(const Task& task) {
  return std::visit(Overloaded{
                        [](const EventRecordTask& record) { return is_external(record.event); },
                        [](const EventWaitTask& wait) { return is_external(wait.event); },
                        [](const EventResetTask& reset) { return is_external(reset.event); },
                        [](const NotifyRecordTask&) { return true; },
                        [](const NotifyWaitTask&) { return true; },
                        [](const ValueWriteTask&) { return true; },
                        [](const ValueWaitTask&) { return true; },
                        [](const HostTask&) { return true; },
                        [](const ProcedureTask&) { return true; },
                        [](const auto&) { return false; },
                    },
                    task);
}

std::string type_name(const Task& task) {
  return std::visit(Overloaded{
                        [](const KernelTask&) -> std::string { return "KERNEL_AIVEC"; },
                        [](const CopyTask&) -> std::string { return "MEMCPY_ASYNC"; },
                        [](const Copy2dTask&) -> std::string { return "MEMCPY_ASYNC"; },
                        [](const FillTask&) -> std::string { return "MEMSET_ASYNC"; },
                        [](const FillWordsTask&) -> std::string { return "MEMSET_ASYNC"; },
                        [](const EventRecordTask&) -> std::string { return "EVENT_RECORD"; },
                        [](const EventWaitTask&) -> std::string { return "EVENT_WAIT"; },
                        [](const EventResetTask&) -> std::string { return "EVENT_RESET"; },
                        [](const NotifyRecordTask&) -> std::string { return "NOTIFY_RECORD"; },
                        [](const NotifyWaitTask&) -> std::string { return "NOTIFY_WAIT"; },
                        [](const ValueWriteTask&) -> std::string { return "MEM_WRITE_VALUE"; },
                        [](const ValueWaitTask&) -> std::string { return "MEM_WAIT_VALUE"; },
                        [](const HostTask& host) -> std::string { return host.type; },
                        [](const ProcedureTask&) -> std::string { return "MODEL_EXECUTE"; },
                    },
                    task);
}

std::string display_name(const Node& node) {
  const std::string type = type_name(node.task);
  const auto event_name = [&](const std::shared_ptr<Event>& event) {
    return fmt::format("{}_{}", type, is_external(event) ? event->id : node.signal_id);
  };
  return std::visit(Overloaded{
                        [](const KernelTask& kernel) { return kernel.name; },
                        [&](const EventRecordTask& record) { return event_name(record.event); },
                        [&](const EventWaitTask& wait) { return event_name(wait.event); },
                        [&](const EventResetTask& reset) { return event_name(reset.event); },
                        [&](const NotifyRecordTask& record) { return fmt::format("{}_{}", type, record.notify->id); },
                        [&](const NotifyWaitTask& wait) { return fmt::format("{}_{}", type, wait.notify->id); },
                        [&](const ValueWriteTask& write) { return fmt::format("{}_{}", type, write.word.address()); },
                        [&](const ValueWaitTask& wait) { return fmt::format("{}_{}", type, wait.word.address()); },
                        [&](const auto&) { return type; },
                    },
                    node.task);
}

}  // namespace aclvk::capture
