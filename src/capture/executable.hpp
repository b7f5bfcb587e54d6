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
struct Piece {
  std::vector<NodeId> nodes;
  std::shared_ptr<vk::CommandBuffer> commands;  ///< null: recorded into each primary
};

/// A graph, compiled once when its capture ends (docs/adr/0004). A graph without host steps is one unit; a replay of it
/// is one submission of one primary command buffer.
class Executable {
 public:
  /// `groups` are the nodes of each task group; they become pieces of their own.
  Executable(vk::Device& gpu, const Graph& graph, const std::vector<std::vector<NodeId>>& groups);

  /// Each behind those that it depends on.
  const std::vector<Unit>& units() const { return units_; }
  /// The device work of a unit. Within it, nodes are in capture order and ordered on the device by the bytes that they
  /// touch, so independent branches overlap.
  const std::vector<std::uint32_t>& pieces_of_unit(std::size_t unit) const { return unit_pieces_[unit]; }
  const std::vector<Piece>& pieces() const { return pieces_; }
  /// The records and waits of the EXTERNAL kind.
  const std::vector<NodeId>& external_events() const { return external_events_; }
  /// The pieces of a task group: one, more when some of its tasks have become host steps, none without device work.
  const std::vector<std::uint32_t>& pieces_of_group(std::size_t group) const { return group_pieces_[group]; }

  /// The graph's tasks of these pieces have changed: primaries that are composed from now on run the new ones. Replays
  /// in flight keep the old. When it throws, all pieces are as they were.
  void renew(const Graph& graph, const std::vector<std::uint32_t>& pieces);
  /// A primary that runs the pieces in order; kept for the next time.
  std::shared_ptr<vk::CommandBuffer> compose(const Graph& graph, const std::vector<std::uint32_t>& pieces);

  /// The same with the times of each task, for profiles; nobody else runs it at the moment.
  struct TimedPrimary {
    std::vector<std::uint32_t> pieces;
    std::shared_ptr<vk::CommandBuffer> primary;
    std::shared_ptr<runtime::profile::TimedTasks> tasks;
  };
  const TimedPrimary& compose_timed(const Graph& graph, const std::vector<std::uint32_t>& pieces);

 private:
  struct Composition {
    std::vector<std::uint32_t> pieces;
    std::shared_ptr<vk::CommandBuffer> primary;
  };

  void place(NodeId node, std::vector<std::uint32_t>& pieces, std::uint32_t group);
  bool stands_in_primary(std::uint32_t piece) const;
  void record(vk::CommandRecorder& recorder, const Graph& graph, std::uint32_t piece) const;
  std::shared_ptr<vk::CommandBuffer> commands_of(const Graph& graph, std::uint32_t piece) const;
  TimedPrimary record_timed(const Graph& graph, std::vector<std::uint32_t> pieces) const;
  void inject_faults(const Graph& graph, const std::vector<std::uint32_t>& pieces) const;

  vk::Device& gpu_;
  std::vector<Unit> units_;
  std::vector<std::vector<std::uint32_t>> unit_pieces_;
  std::vector<Piece> pieces_;
  std::vector<NodeId> external_events_;
  std::vector<std::vector<std::uint32_t>> group_pieces_;
  std::vector<std::uint32_t> group_of_piece_;
  std::vector<Composition> compositions_;
  std::vector<TimedPrimary> timed_;  // empty unless the last run was profiled
};

}  // namespace aclvk::capture
