#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "capture/graph/graph.hpp"
#include "capture/graph/schedule.hpp"
#include "runtime/profile/task_times.hpp"
#include "runtime/task/scheduler_mutex.hpp"
#include "vk_device/device/device.hpp"

namespace aclvk::capture {

/// Consecutive tasks of a segment that belong to one task group, or to none. Usually a reusable secondary command
/// buffer. A small slice of a group is recorded inline into each primary instead: updates change it often, and
/// recording a few commands is cheaper than a new secondary.
struct Slice {
  std::vector<NodeId> nodes;
  std::shared_ptr<vk::CommandBuffer> commands;  ///< the secondary; null for an inline slice
};

/// A compiled graph (docs/adr/0004), comparable to a cudaGraphExec_t. Owns the secondaries of the slices and a cache of
/// primaries composed of them. A graph without host steps is one unit, and a replay of it is one submission of one
/// primary. Owned by a CapturedModel.
class Executable {
 public:
  /// Compiles the graph. `groups` are the nodes of each task group; each group gets slices of its own.
  Executable(vk::Device& gpu, const Graph& graph, const std::vector<std::vector<NodeId>>& groups);

  /// Returns the units in topological order.
  const std::vector<Unit>& units() const REQUIRES(runtime::scheduler_mutex) { return units_; }
  /// Returns the slices of a unit, as indices into slices(); none for a host step. Their tasks are in capture order;
  /// barriers order only tasks that access the same bytes, so independent branches overlap.
  const std::vector<std::uint32_t>& slices_of_unit(std::size_t unit) const REQUIRES(runtime::scheduler_mutex) {
    return unit_slices_[unit];
  }
  const std::vector<Slice>& slices() const REQUIRES(runtime::scheduler_mutex) { return slices_; }
  /// Returns the records and waits of the EXTERNAL kind, in capture order.
  const std::vector<NodeId>& external_events() const REQUIRES(runtime::scheduler_mutex) { return external_events_; }
  /// Returns the slices of a task group: usually one; several when tasks of other streams or host steps lie between its
  /// tasks; none without device work.
  const std::vector<std::uint32_t>& slices_of_group(std::size_t group) const REQUIRES(runtime::scheduler_mutex) {
    return group_slices_[group];
  }

  /// Records the slices again after their tasks have changed, and drops cached primaries that contain them. Replays in
  /// flight keep the old command buffers. When it throws, all slices are unchanged.
  void rerecord(const Graph& graph, const std::vector<std::uint32_t>& slices) REQUIRES(runtime::scheduler_mutex);
  /// Returns a primary that executes the slices in order; cached.
  std::shared_ptr<vk::CommandBuffer> compose(const Graph& graph, const std::vector<std::uint32_t>& slices)
      REQUIRES(runtime::scheduler_mutex);

  /// A primary that also writes timestamps around each task, for profiles.
  struct TimedPrimary {
    std::vector<std::uint32_t> slices;
    std::shared_ptr<vk::CommandBuffer> primary;
    std::shared_ptr<runtime::profile::TimedTasks> tasks;
  };
  /// Returns a timed primary that no run in flight uses; cached. Valid until the next call of a member.
  const TimedPrimary& compose_timed(const Graph& graph, const std::vector<std::uint32_t>& slices)
      REQUIRES(runtime::scheduler_mutex);

 private:
  struct Composition {
    std::vector<std::uint32_t> slices;  // the key
    std::shared_ptr<vk::CommandBuffer> primary;
  };

  void append(NodeId node, std::vector<std::uint32_t>& slices, std::uint32_t group) REQUIRES(runtime::scheduler_mutex);
  bool is_inline(std::uint32_t slice) const REQUIRES(runtime::scheduler_mutex);
  void record_slice(vk::CommandRecorder& recorder, const Graph& graph, std::uint32_t slice) const
      REQUIRES(runtime::scheduler_mutex);
  std::shared_ptr<vk::CommandBuffer> commands_of(const Graph& graph, std::uint32_t slice) const
      REQUIRES(runtime::scheduler_mutex);
  TimedPrimary record_timed(const Graph& graph, std::vector<std::uint32_t> slices) const
      REQUIRES(runtime::scheduler_mutex);
  void inject_faults(const Graph& graph, const std::vector<std::uint32_t>& slices) const
      REQUIRES(runtime::scheduler_mutex);

  vk::Device& gpu_;
  std::vector<Unit> units_ GUARDED_BY(runtime::scheduler_mutex);
  std::vector<std::vector<std::uint32_t>> unit_slices_ GUARDED_BY(runtime::scheduler_mutex);
  std::vector<Slice> slices_ GUARDED_BY(runtime::scheduler_mutex);
  std::vector<NodeId> external_events_ GUARDED_BY(runtime::scheduler_mutex);
  std::vector<std::vector<std::uint32_t>> group_slices_ GUARDED_BY(runtime::scheduler_mutex);
  std::vector<std::uint32_t> group_of_slice_ GUARDED_BY(runtime::scheduler_mutex);  // kNoNode for none
  std::vector<Composition> compositions_ GUARDED_BY(runtime::scheduler_mutex);
  std::vector<TimedPrimary> timed_ GUARDED_BY(runtime::scheduler_mutex);  // empty unless the last run was profiled
};

}  // namespace aclvk::capture
