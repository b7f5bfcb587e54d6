#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "capture/graph.hpp"
#include "capture/schedule.hpp"
#include "runtime/profile/task_times.hpp"
#include "vk_device/device.hpp"

namespace aclvk::capture {

/// A stretch of device work that belongs to one task group, or to none. It is a reusable secondary command buffer. A
/// short one of a group, which updates change all the time, is not: its few commands stand in the primary itself.
struct Slice {
  std::vector<NodeId> nodes;
  std::shared_ptr<vk::CommandBuffer> commands;  ///< null: recorded into each primary
};

/// A graph, compiled once when its capture ends (docs/adr/0004). A graph without host steps is one unit; a replay of it
/// is one submission of one primary command buffer.
class Executable {
 public:
  /// `groups` are the nodes of each task group; they become slices of their own.
  Executable(vk::Device& gpu, const Graph& graph, const std::vector<std::vector<NodeId>>& groups);

  /// Each behind those that it depends on.
  const std::vector<Unit>& units() const { return units_; }
  /// The device work of a unit. Within it, nodes are in capture order and ordered on the device by the bytes that they
  /// touch, so independent branches overlap.
  const std::vector<std::uint32_t>& slices_of_unit(std::size_t unit) const { return unit_slices_[unit]; }
  const std::vector<Slice>& slices() const { return slices_; }
  /// The records and waits of the EXTERNAL kind.
  const std::vector<NodeId>& external_events() const { return external_events_; }
  /// The slices of a task group: one, more when some of its tasks have become host steps, none without device work.
  const std::vector<std::uint32_t>& slices_of_group(std::size_t group) const { return group_slices_[group]; }

  /// The graph's tasks of these slices have changed: primaries that are composed from now on run the new ones. Replays
  /// in flight keep the old. When it throws, all slices are as they were.
  void rerecord(const Graph& graph, const std::vector<std::uint32_t>& slices);
  /// A primary that runs the slices in order; kept for the next time.
  std::shared_ptr<vk::CommandBuffer> compose(const Graph& graph, const std::vector<std::uint32_t>& slices);

  /// The same with the times of each task, for profiles; nobody else runs it at the moment.
  struct TimedPrimary {
    std::vector<std::uint32_t> slices;
    std::shared_ptr<vk::CommandBuffer> primary;
    std::shared_ptr<runtime::profile::TimedTasks> tasks;
  };
  const TimedPrimary& compose_timed(const Graph& graph, const std::vector<std::uint32_t>& slices);

 private:
  struct Composition {
    std::vector<std::uint32_t> slices;
    std::shared_ptr<vk::CommandBuffer> primary;
  };

  void append(NodeId node, std::vector<std::uint32_t>& slices, std::uint32_t group);
  bool is_inline(std::uint32_t slice) const;
  void record(vk::CommandRecorder& recorder, const Graph& graph, std::uint32_t slice) const;
  std::shared_ptr<vk::CommandBuffer> commands_of(const Graph& graph, std::uint32_t slice) const;
  TimedPrimary record_timed(const Graph& graph, std::vector<std::uint32_t> slices) const;
  void inject_faults(const Graph& graph, const std::vector<std::uint32_t>& slices) const;

  vk::Device& gpu_;
  std::vector<Unit> units_;
  std::vector<std::vector<std::uint32_t>> unit_slices_;
  std::vector<Slice> slices_;
  std::vector<NodeId> external_events_;
  std::vector<std::vector<std::uint32_t>> group_slices_;
  std::vector<std::uint32_t> group_of_slice_;
  std::vector<Composition> compositions_;
  std::vector<TimedPrimary> timed_;  // empty unless the last run was profiled
};

}  // namespace aclvk::capture
