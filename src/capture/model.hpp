#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "base/handle.hpp"
#include "capture/executable.hpp"
#include "capture/graph.hpp"
#include "runtime/context.hpp"

namespace aclvk::capture {

class TaskGroup;

/// The place of a run in the order of a model's runs. A run that its stream drops leaves the turn to those after it.
struct Turn {
  runtime::PointPtr end;
  std::shared_ptr<Turn> before;  ///< null once it has been waited for
};
/// The end of this run, or of the one before it when this one was dropped; null when all were.
runtime::PointPtr end_of(std::shared_ptr<Turn> turn);

/// An aclmdlRI made by a capture. While capturing it is the graph that grows and the streams that take part; afterwards
/// an Executable. All members need the scheduler's lock, except the constants.
class Model : public std::enable_shared_from_this<Model> {
 public:
  enum class State { kCapturing, kReady, kTornDown };

  Model(const runtime::ContextPtr& context, runtime::CaptureMode mode);
  ~Model();

  const std::uint32_t id;
  const runtime::CaptureMode mode;
  const std::thread::id thread;  ///< that began the capture

  State state() const { return state_; }
  runtime::ContextPtr context() const { return context_.lock(); }
  void* handle = nullptr;
  std::string name;

  // While capturing.

  const runtime::StreamPtr& origin() const { return streams_.front(); }
  /// Puts a stream into the capture; it gets a lane. The first one is the origin.
  void add_stream(const runtime::StreamPtr& stream);
  Graph& graph() { return graph_; }
  const Graph& graph() const { return graph_; }
  void use_event(const runtime::EventPtr& event) { events_.insert(event); }
  /// A wait whose event nobody records inside the capture.
  void note_lost_wait(const runtime::EventPtr& event) { lost_waits_.push_back(event->id); }

  /// The capture cannot succeed any more; the first reason is kept for the messages of later calls.
  void poison(const Error& reason);
  /// Keeps the first refusal of the capture; the capture goes on.
  void note_error(const Error& reason);
  bool poisoned() const { return poisoned_; }
  /// " The first error of this capture was: ..." or nothing.
  std::string first_error_text() const;

  /// Refuses a task of `lane` that an open task group forbids, and poisons (capture-semantics 9.1).
  void check_groups(std::uint32_t lane, const runtime::Task& task);
  void open_group(std::uint32_t lane);
  std::shared_ptr<TaskGroup> close_group(std::uint32_t lane);
  bool group_open() const { return open_group_.has_value(); }
  void add_to_group(NodeId node);

  /// Throws the code with which the capture ends when it cannot become a model.
  void check_complete() const;
  /// Compiles the graph. The streams are released by the caller.
  void make_executable();
  /// Gives streams and events back. The model is ready if it has been compiled, else dead.
  void release();

  // When ready.

  Executable& executable() { return *executable_; }
  const std::vector<std::shared_ptr<TaskGroup>>& groups() const { return groups_; }
  /// Runs of a model follow each other. Takes the next turn: `end` is the new run's.
  std::shared_ptr<Turn> take_turn(runtime::PointPtr end);
  /// Where the newest run that was not dropped ends; null when there is none.
  runtime::PointPtr last_run() const { return last_turn_ ? end_of(last_turn_) : nullptr; }

 private:
  struct OpenGroup {
    std::uint32_t lane;
    std::vector<NodeId> nodes;
    std::optional<Error> error;
  };

  std::weak_ptr<runtime::Context> context_;
  State state_ = State::kCapturing;
  Graph graph_;
  std::vector<runtime::StreamPtr> streams_;  // by lane, while capturing
  std::set<runtime::EventPtr> events_;
  std::vector<std::uint32_t> lost_waits_;
  std::optional<OpenGroup> open_group_;
  std::vector<std::shared_ptr<TaskGroup>> groups_;
  bool poisoned_ = false;
  std::optional<Error> first_error_;
  std::unique_ptr<Executable> executable_;
  std::shared_ptr<Turn> last_turn_;
};

using ModelPtr = std::shared_ptr<Model>;
/// Ends a capture without a model: streams and events are free again, the handles stale.
void discard_capture(Model& model);

using ModelHandles = HandleTable<Model, HandleTag::kModel>;
ModelHandles& model_handles();

}  // namespace aclvk::capture
