#pragma once

#include <cstdint>
#include <vector>

#include "capture/graph/graph.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::capture {

/// A node of a partitioned graph, which a replay issues as a whole: a segment, i.e. all device work that becomes ready
/// with the same host steps, or one host step. Units depend on each other as their tasks do.
struct Unit {
  NodeId step = kNoNode;       ///< the host step; kNoNode for device work
  std::vector<NodeId> work{};  ///< the device work, in capture order

  // The units with a direct predecessor or successor of one of these tasks, in ascending order.
  std::vector<std::uint32_t> predecessors{};
  std::vector<std::uint32_t> successors{};

  bool is_step() const { return step != kNoNode; }
};

/// Returns the units of the graph in topological order (docs/adr/0004). A graph without host steps is one unit.
std::vector<Unit> partition(const Graph& graph) REQUIRES(runtime::scheduler_mutex);

}  // namespace aclvk::capture
