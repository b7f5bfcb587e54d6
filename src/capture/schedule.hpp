#pragma once

#include <cstdint>
#include <vector>

#include "capture/graph.hpp"

namespace aclvk::capture {

/// What a replay issues as a whole: device work that may run as soon as the same host steps are done, or one host step.
/// Units depend on each other as the tasks in them do.
struct Unit {
  NodeId step = kNoNode;       ///< the host step; kNoNode for device work
  std::vector<NodeId> work{};  ///< the device work, in capture order

  // Units that hold a task right before, or right behind, one of this.
  std::vector<std::uint32_t> before{};
  std::vector<std::uint32_t> behind{};

  bool is_step() const { return step != kNoNode; }
};

/// The graph as units, each behind those that it depends on (docs/adr/0004). A graph without host steps is one unit.
std::vector<Unit> cut(const Graph& graph);

}  // namespace aclvk::capture
