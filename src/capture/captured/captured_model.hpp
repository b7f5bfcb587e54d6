#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "capture/captured/task_groups.hpp"
#include "capture/graph/executable.hpp"
#include "capture/model/model.hpp"

namespace aclvk::capture {

class Conditional;

/// A model that a capture creates. During the capture it owns the growing graph and refers to the streams and events
/// that take part; afterwards it owns an Executable. A sub-model is the body of a conditional task; it is destroyed
/// together with its parent. All members require the scheduler lock.
class CapturedModel : public Model {
 public:
  explicit CapturedModel(const runtime::ContextPtr& context, const std::shared_ptr<CapturedModel>& parent = nullptr);
  ~CapturedModel() override;

  runtime::CaptureMode mode() const { return mode_; }
  /// Returns the thread that began the capture; only RELAXED captures may end on another one.
  std::thread::id thread() const { return thread_; }
  bool captured() const override { return true; }
  bool is_sub_model() const override { return is_sub_model_; }
  /// Returns the model whose body this sub-model is; null when that has been destroyed.
  std::shared_ptr<CapturedModel> parent() const { return parent_.lock(); }
  std::shared_ptr<CapturedModel> self() { return std::static_pointer_cast<CapturedModel>(shared_from_this()); }

  /// The task groups: open while capturing, then complete.
  TaskGroups& groups() { return groups_; }
  const TaskGroups& groups() const { return groups_; }

  // While capturing.

  /// Starts to capture the stream, as the model's origin. The calling thread becomes thread().
  void begin(const runtime::StreamPtr& origin, runtime::CaptureMode mode);
  const runtime::StreamPtr& origin() const { return streams_.front(); }
  /// Adds a stream to the capture, with a lane of its own.
  void add_stream(const runtime::StreamPtr& stream);
  /// Stores the newest record of an event.
  void use_event(const runtime::EventPtr& event, NodeId record) { events_[event] = record; }
  /// Stores a wait whose event no captured stream has recorded; the end of the capture fails with kCaptureDependency.
  void add_unmatched_wait(const runtime::EventPtr& event) { unmatched_waits_.push_back(event->id); }
  /// Registers a record or wait of the EXTERNAL kind. Throws kParamInvalid for a second one of the same event.
  void use_external_event(const runtime::EventPtr& event);

  /// Marks the capture as failed; stores the error.
  void poison(const Error& reason);
  /// Stores the first error of the capture for the messages of later calls.
  void store_error(const Error& reason);
  bool poisoned() const { return poisoned_; }
  std::string first_error_text() const override;

  void add_conditional(std::shared_ptr<Conditional> conditional) { conditionals_.push_back(std::move(conditional)); }
  void add_body(SubModel body) { bodies_.push_back(std::move(body)); }
  std::vector<SubModel> sub_models() const override { return bodies_; }

  /// Throws the error with which the capture ends, if it cannot become a model.
  void check_complete() const;
  /// Appends a reset of each captured event. Called once, when the capture is complete.
  void add_resets();
  /// Compiles the graph, at the end of the capture and after each change of tasks.
  void make_executable();
  /// Detaches streams and events; they execute again. The model becomes kReady if it has been compiled, else kTornDown.
  void release();
  /// Ends a failed capture, and the captures of its bodies: detaches streams and events and removes all handles.
  void discard();

  // When ready.

  Executable& executable() { return *executable_; }
  std::vector<std::vector<NodeId>> group_nodes() const override;
  std::shared_ptr<runtime::Procedure> start_pass(runtime::StreamQueue& queue) override;
  /// Drops cached facts about the memory of the tasks (`alive_at_release`, `allocations`), of this model and its
  /// parents.
  void invalidate_memory_info();
  /// Returns the command buffer that writes the default values of the conditions at the start of a run; null when there
  /// are none.
  const std::shared_ptr<vk::CommandBuffer>& prologue() const { return prologue_; }

  void retire() override;

 private:
  std::string unjoined_text(std::uint32_t lane) const;
  void record_defaults(vk::CommandRecorder& recorder) const;

  const bool is_sub_model_;
  const std::weak_ptr<CapturedModel> parent_;
  runtime::CaptureMode mode_{};
  std::thread::id thread_;
  std::vector<runtime::StreamPtr> streams_;     // by lane, while capturing
  std::map<runtime::EventPtr, NodeId> events_;  // with their newest record, while capturing
  std::set<runtime::EventPtr> external_events_;
  std::vector<std::uint32_t> unmatched_waits_;  // event ids
  TaskGroups groups_{*this};
  std::vector<std::shared_ptr<Conditional>> conditionals_;
  std::vector<SubModel> bodies_;
  bool poisoned_ = false;
  std::optional<Error> first_error_;
  std::unique_ptr<Executable> executable_;  // null until the capture ends
  std::shared_ptr<vk::CommandBuffer> prologue_;
};

using CapturedModelPtr = std::shared_ptr<CapturedModel>;

/// Returns the captured model that a handle names. Throws kInvalidHandle, or kFeatureNotSupported for a built model.
CapturedModelPtr captured_model_of(const void* handle);

}  // namespace aclvk::capture
