#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/task/scheduler_mutex.hpp"
#include "runtime/task/task_name.hpp"

namespace aclvk::capture {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = ~NodeId{0};

/// Metadata that a program attaches to a task, for tools (aclrtCacheLastTaskOpInfo, aclrtCacheLastTaskExtendInfo).
struct Attribution {
  std::vector<std::byte> op_info;
  std::string extend_info;
};

/// One captured task. A NodeId is the node's index in capture order, which is a topological order.
struct Node {
  runtime::Task task;
  std::uint32_t lane = 0;
  NodeId previous = kNoNode;    ///< the previous node on its lane
  NodeId record = kNoNode;      ///< for a wait inside the graph: the record that it waits for
  std::uint32_t signal_id = 0;  ///< for event nodes: shared by a record and its waits, unique for each record
  bool disabled = false;        ///< by aclmdlRITaskDisable: not executed; a disabled wait waits for nothing
  std::shared_ptr<Attribution> attribution;  ///< null unless the program has attached something
};

/// The nodes of one captured or bound stream, in stream order.
struct Lane {
  std::uint32_t stream_id = 0;
  std::vector<NodeId> nodes;

  NodeId last() const { return nodes.empty() ? kNoNode : nodes.back(); }
};

/// The tasks of a model: nodes on lanes, with edges along each lane and from event records to their waits. Lane 0 of a
/// captured model is the origin stream. Owned by a Model.
class Graph {
 public:
  /// Adds a lane that begins with these tasks; returns its index. When it throws, the graph is unchanged.
  std::uint32_t add_lane(std::uint32_t stream_id, std::vector<runtime::Task> tasks = {})
      REQUIRES(runtime::scheduler_mutex);
  /// Appends a task to a lane.
  NodeId add(std::uint32_t lane, runtime::Task task) REQUIRES(runtime::scheduler_mutex);
  /// Appends a record, wait or reset of an ordinary event, which only contributes edges. `record`: for a wait, the
  /// record that it waits for.
  NodeId add_signal(std::uint32_t lane, runtime::Task task, NodeId record = kNoNode) REQUIRES(runtime::scheduler_mutex);

  /// Appends the reset of an event at the end of the model; the reset shares the signal id of `record`.
  NodeId add_reset(std::uint32_t lane, runtime::Task reset, NodeId record) REQUIRES(runtime::scheduler_mutex);

  const std::vector<Node>& nodes() const REQUIRES(runtime::scheduler_mutex) { return nodes_; }
  const std::vector<Lane>& lanes() const REQUIRES(runtime::scheduler_mutex) { return lanes_; }
  const Node& node(NodeId id) const REQUIRES(runtime::scheduler_mutex) { return nodes_[id]; }
  Node& node(NodeId id) REQUIRES(runtime::scheduler_mutex) { return nodes_[id]; }

  /// Returns the first lane whose last node has no path to the last node of lane 0; 0 when all lanes are joined.
  std::uint32_t find_unjoined_lane() const REQUIRES(runtime::scheduler_mutex);

 private:
  std::vector<Node> nodes_ GUARDED_BY(runtime::scheduler_mutex);
  std::vector<Lane> lanes_ GUARDED_BY(runtime::scheduler_mutex);
};

/// Returns whether the host has to process the task in each run: it waits on the host, signals something outside of the
/// graph, or runs a function.
bool is_host_step(const runtime::Task& task);
/// Returns whether the task is a host task that reads tensors for a dump (docs/adr/0021). Lists of tasks that a program
/// sees omit such tasks.
bool is_dump_task(const runtime::Task& task);
/// Returns the event of a record or wait of the EXTERNAL kind (capture-semantics 7.6), else null.
std::shared_ptr<runtime::Event> external_event_of(const runtime::Task& task);

using runtime::type_name;
/// Returns the task's type in traces and messages; NOP for a disabled task.
std::string type_name(const Node& node);
/// Returns the task's name in traces and messages: the kernel's name, or the type with the id of the object that it
/// signals or waits for, such as EVENT_RECORD_7.
std::string display_name(const Node& node);

}  // namespace aclvk::capture
