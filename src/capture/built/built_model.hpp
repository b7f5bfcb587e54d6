#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "capture/model/model.hpp"
#include "runtime/context/label.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::capture {

/// One instruction of a built model's lane: consecutive device work, compiled into a secondary command buffer, or one
/// task that the host interprets.
struct Instruction {
  std::shared_ptr<vk::CommandBuffer> work;  ///< null for a task of the host
  NodeId node = kNoNode;                    ///< the task of the host; kNoNode for device work
  std::vector<NodeId> nodes{};              ///< the tasks recorded in `work`
};

/// A model that is built by binding streams to it (aclmdlRIBuildBegin; docs/adr/0012). Each stream is a lane with a
/// program of instructions. Tasks may jump to labels, switch to other lanes and activate them, so a run interprets the
/// lanes (BuiltPass) instead of submitting a graph.
class BuiltModel : public Model {
 public:
  explicit BuiltModel(const runtime::ContextPtr& context) : Model(context) {}

  bool captured() const override { return false; }
  std::shared_ptr<BuiltModel> self() { return std::static_pointer_cast<BuiltModel>(shared_from_this()); }

  // While building.

  /// Appends a lane for the stream. `head`: the lane starts with each run; other lanes start when a task activates them
  /// or switches to them.
  void bind(const runtime::StreamPtr& stream, bool head) REQUIRES(runtime::scheduler_mutex);
  /// The stream executes tasks again, and later runs do not start its lane. A run in progress completes the lane.
  void unbind(std::uint32_t lane) REQUIRES(runtime::scheduler_mutex);
  void add_task(std::uint32_t lane, runtime::Task task) REQUIRES(runtime::scheduler_mutex);
  /// Appends a record, wait or reset of an event between bound streams.
  void add_signal(std::uint32_t lane, runtime::Task task, const runtime::EventPtr& event)
      REQUIRES(runtime::scheduler_mutex);
  /// Appends the task that ends the lane. Throws kRuntimeInternal when the lane has one.
  void add_end(std::uint32_t lane) REQUIRES(runtime::scheduler_mutex);
  /// Returns whether a stream is bound.
  bool has_streams() const REQUIRES(runtime::scheduler_mutex);
  /// Returns whether the lane of a bound stream has its end marked.
  bool has_end() const REQUIRES(runtime::scheduler_mutex);
  /// Compiles the lanes into instructions. When it throws, the model stays under construction.
  void finish() REQUIRES(runtime::scheduler_mutex);

  // For runs.

  /// An instruction of the model: a lane, and an index into the lane's program.
  struct Position {
    std::uint32_t lane = 0;
    std::size_t instruction = 0;
  };
  const std::vector<Instruction>& program(std::uint32_t lane) const REQUIRES(runtime::scheduler_mutex) {
    return lanes_[lane].program;
  }
  /// Returns whether the lane starts with each run.
  bool starts(std::uint32_t lane) const REQUIRES(runtime::scheduler_mutex) {
    return lanes_[lane].head && lanes_[lane].stream;
  }
  /// Return the position of a label, or the first instruction of a stream's lane; none if the model does not have it or
  /// its stream has been unbound.
  std::optional<Position> find(const runtime::Label& label) const REQUIRES(runtime::scheduler_mutex);
  std::optional<Position> find(std::uint32_t stream_id) const REQUIRES(runtime::scheduler_mutex);
  /// Clears the events between the model's streams; each run begins with it.
  void reset_signals() REQUIRES(runtime::scheduler_mutex);

  /// Returns the stream of a lane; null once the stream has been unbound.
  const runtime::StreamPtr& stream(std::uint32_t lane) const REQUIRES(runtime::scheduler_mutex) {
    return lanes_[lane].stream;
  }

  std::shared_ptr<runtime::Procedure> start_pass(runtime::StreamQueue& queue) override
      REQUIRES(runtime::scheduler_mutex);
  void retire() override REQUIRES(runtime::scheduler_mutex);

 private:
  struct BoundLane {
    runtime::StreamPtr stream;         // null once unbound
    bool head = true;                  // starts with each run
    bool ended = false;                // its end is marked
    std::vector<Instruction> program;  // empty until finish()
  };

  using Labels = std::map<const runtime::Label*, Position>;

  std::vector<Instruction> compile(std::uint32_t lane, Labels& labels) const REQUIRES(runtime::scheduler_mutex);
  /// Throws kModelExecute when streams have been unbound and no lane is left that starts with a run.
  void check_starts() const REQUIRES(runtime::scheduler_mutex);

  std::vector<BoundLane> lanes_ GUARDED_BY(runtime::scheduler_mutex);
  Labels labels_ GUARDED_BY(runtime::scheduler_mutex);
  // Events between bound streams, except EXTERNAL ones.
  std::set<runtime::EventPtr> signals_ GUARDED_BY(runtime::scheduler_mutex);
};

using BuiltModelPtr = std::shared_ptr<BuiltModel>;

}  // namespace aclvk::capture
