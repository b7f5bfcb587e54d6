#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "capture/model.hpp"
#include "runtime/stream/label.hpp"

namespace aclvk::capture {

/// One step of a built model's stream: a stretch of device work, compiled into a secondary command buffer, or one task
/// that the host must see.
struct Instruction {
  std::shared_ptr<vk::CommandBuffer> work;
  NodeId node = kNoNode;        ///< when there is no work
  std::vector<NodeId> nodes{};  ///< of the work
};

/// A model made by binding streams to it (aclmdlRIBuildBegin). Each stream is a lane; its tasks may jump, switch to
/// other streams and start them, so a run interprets the lanes instead of passing once through a graph.
class BuiltModel : public Model {
 public:
  explicit BuiltModel(const runtime::ContextPtr& context) : Model(context) {}

  bool captured() const override { return false; }
  std::shared_ptr<BuiltModel> self() { return std::static_pointer_cast<BuiltModel>(shared_from_this()); }

  // While building.

  /// `head`: the stream starts with the model; others start when a task activates them or switches to them.
  void bind(const runtime::StreamPtr& stream, bool head);
  /// The stream executes again, and no run starts its lane any more. One that is under way goes on to its end.
  void unbind(std::uint32_t lane);
  void add_task(std::uint32_t lane, runtime::Task task);
  /// A record, wait or reset between bound streams.
  void add_signal(std::uint32_t lane, runtime::Task task, const runtime::EventPtr& event);
  /// The end of the model on this stream. Throws kRuntimeInternal when it has one.
  void add_end(std::uint32_t lane);
  bool has_streams() const;
  bool has_end() const;
  /// Compiles the lanes; when it throws, the model is still being built.
  void finish();

  // For runs.

  struct Position {
    std::uint32_t lane = 0;
    std::size_t instruction = 0;
  };
  const std::vector<Instruction>& program(std::uint32_t lane) const { return lanes_[lane].program; }
  bool starts(std::uint32_t lane) const { return lanes_[lane].head && lanes_[lane].stream; }
  std::optional<Position> find(const runtime::Label& label) const;
  std::optional<Position> find(std::uint32_t stream_id) const;
  /// Each run starts with the events between the model's streams unrecorded.
  void reset_signals();

  /// The stream of a lane; null once it has been unbound.
  const runtime::StreamPtr& stream(std::uint32_t lane) const { return lanes_[lane].stream; }

  std::shared_ptr<runtime::Procedure> start_pass(runtime::StreamQueue& queue) override;
  void retire() override;

 private:
  struct BoundLane {
    runtime::StreamPtr stream;
    bool head = true;
    bool ended = false;
    std::vector<Instruction> program;
  };

  using Labels = std::map<const runtime::Label*, Position>;

  std::vector<Instruction> compile(std::uint32_t lane, Labels& labels) const;
  /// Throws kModelExecute when a run would do nothing, because streams have been unbound.
  void check_starts() const;

  std::vector<BoundLane> lanes_;
  Labels labels_;
  std::set<runtime::EventPtr> signals_;
};

using BuiltModelPtr = std::shared_ptr<BuiltModel>;

}  // namespace aclvk::capture
