#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/stream/task_name.hpp"

namespace aclvk::capture {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = ~NodeId{0};

/// What a program says about a task, for tools (aclrtCacheLastTaskOpInfo, aclrtCacheLastTaskExtendInfo).
struct Attribution {
  std::vector<std::byte> op_info;
  std::string extend_info;
};

/// One captured task. Nodes are numbered in capture order, which is an order in which they can run.
struct Node {
  runtime::Task task;
  std::uint32_t lane = 0;
  NodeId previous = kNoNode;    ///< the node before it on its lane
  NodeId record = kNoNode;      ///< for a wait inside the graph: the record that it waits for
  std::uint32_t signal_id = 0;  ///< for event nodes: the same for a record and its waits, new for each record
  bool disabled = false;        ///< by aclmdlRITaskDisable: does nothing, orders nothing
  std::shared_ptr<Attribution> attribution;  ///< rarely there
};

/// The nodes of one captured stream, in order.
struct Lane {
  std::uint32_t stream_id = 0;
  std::vector<NodeId> nodes;

  NodeId last() const { return nodes.empty() ? kNoNode : nodes.back(); }
};

/// What a capture stores: tasks on lanes, and edges from event records to waits. Lane 0 is the origin stream.
class Graph {
 public:
  /// A lane that begins with these tasks. When it throws, the graph is as it was.
  std::uint32_t add_lane(std::uint32_t stream_id, std::vector<runtime::Task> tasks = {});
  NodeId add(std::uint32_t lane, runtime::Task task);
  /// A record, wait or reset of an ordinary event: no work. A wait gives the record that it waits for, an edge.
  NodeId add_signal(std::uint32_t lane, runtime::Task task, NodeId record = kNoNode);

  /// The reset of a captured event after a run, so that the next one starts with none recorded.
  NodeId add_reset(std::uint32_t lane, runtime::Task reset, NodeId record);

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Lane>& lanes() const { return lanes_; }
  const Node& node(NodeId id) const { return nodes_[id]; }
  Node& node(NodeId id) { return nodes_[id]; }

  /// The first lane whose last node does not lead to the end of lane 0, or 0 when all do.
  std::uint32_t find_unjoined_lane() const;

 private:
  std::vector<Node> nodes_;
  std::vector<Lane> lanes_;
};

/// A task that the host must see when a replay comes to it: it may have to wait there, or tell others.
bool is_host_step(const runtime::Task& task);
/// A task that is not the program's but reads tensors for a recording. Lists of tasks leave it out.
bool is_dump_task(const runtime::Task& task);
/// The event of a record or wait of the EXTERNAL kind (capture-semantics 7.6), else null.
std::shared_ptr<runtime::Event> external_event_of(const runtime::Task& task);

using runtime::type_name;
/// What the task is called in traces and messages, and NOP for one that is disabled.
std::string type_name(const Node& node);
/// The type with the id of what it signals or waits for: EVENT_RECORD_7; kernels by their own name.
std::string display_name(const Node& node);

}  // namespace aclvk::capture
