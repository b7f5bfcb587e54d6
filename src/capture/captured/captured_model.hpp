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
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::capture {

class Conditional;

/// A model that a capture creates. During the capture it owns the growing graph and refers to the streams and events
/// that take part; afterwards it owns an Executable. A sub-model is the body of a conditional task; it is destroyed
/// together with its parent.
class CapturedModel : public Model {
 public:
  explicit CapturedModel(const runtime::ContextPtr& context, const std::shared_ptr<CapturedModel>& parent = nullptr);
  ~CapturedModel() override;

  runtime::CaptureMode mode() const REQUIRES(runtime::scheduler_mutex) { return mode_; }
  /// Returns the thread that began the capture; only RELAXED captures may end on another one.
  std::thread::id thread() const REQUIRES(runtime::scheduler_mutex) { return thread_; }
  bool captured() const override { return true; }
  bool is_sub_model() const override { return is_sub_model_; }
  /// Returns the model whose body this sub-model is; null when that has been destroyed.
  std::shared_ptr<CapturedModel> parent() const { return parent_.lock(); }
  std::shared_ptr<CapturedModel> self() { return std::static_pointer_cast<CapturedModel>(shared_from_this()); }

  /// The task groups: open while capturing, then complete.
  TaskGroups& groups() REQUIRES(runtime::scheduler_mutex) { return groups_; }
  const TaskGroups& groups() const REQUIRES(runtime::scheduler_mutex) { return groups_; }

  // While capturing.

  /// Starts to capture the stream, as the model's origin. The calling thread becomes thread().
  void begin(const runtime::StreamPtr& origin, runtime::CaptureMode mode) REQUIRES(runtime::scheduler_mutex);
  const runtime::StreamPtr& origin() const REQUIRES(runtime::scheduler_mutex) { return streams_.front(); }
  /// Adds a stream to the capture, with a lane of its own.
  void add_stream(const runtime::StreamPtr& stream) REQUIRES(runtime::scheduler_mutex);
  /// Stores the newest record of an event.
  void use_event(const runtime::EventPtr& event, NodeId record) REQUIRES(runtime::scheduler_mutex) {
    events_[event] = record;
  }
  /// Stores a wait whose event no captured stream has recorded; the end of the capture fails with kCaptureDependency.
  void add_unmatched_wait(const runtime::EventPtr& event) REQUIRES(runtime::scheduler_mutex) {
    unmatched_waits_.push_back(event->id);
  }
  /// Registers a record or wait of the EXTERNAL kind. Throws kParamInvalid for a second one of the same event.
  void use_external_event(const runtime::EventPtr& event) REQUIRES(runtime::scheduler_mutex);

  /// Marks the capture as failed; stores the error.
  void poison(const Error& reason) REQUIRES(runtime::scheduler_mutex);
  /// Stores the first error of the capture for the messages of later calls.
  void store_error(const Error& reason) REQUIRES(runtime::scheduler_mutex);
  bool poisoned() const REQUIRES(runtime::scheduler_mutex) { return poisoned_; }
  std::string first_error_text() const override REQUIRES(runtime::scheduler_mutex);

  void add_conditional(std::shared_ptr<Conditional> conditional) REQUIRES(runtime::scheduler_mutex) {
    conditionals_.push_back(std::move(conditional));
  }
  void add_body(SubModel body) REQUIRES(runtime::scheduler_mutex) { bodies_.push_back(std::move(body)); }
  std::vector<SubModel> sub_models() const override REQUIRES(runtime::scheduler_mutex) { return bodies_; }

  /// Throws the error with which the capture ends, if it cannot become a model.
  void check_complete() const REQUIRES(runtime::scheduler_mutex);
  /// Appends a reset of each captured event. Called once, when the capture is complete.
  void add_resets() REQUIRES(runtime::scheduler_mutex);
  /// Compiles the graph, at the end of the capture and after each change of tasks.
  void make_executable() REQUIRES(runtime::scheduler_mutex);
  /// Detaches streams and events; they execute again. The model becomes kReady if it has been compiled, else kTornDown.
  void release() REQUIRES(runtime::scheduler_mutex);
  /// Ends a failed capture, and the captures of its bodies: detaches streams and events and removes all handles.
  void discard() REQUIRES(runtime::scheduler_mutex);

  // When ready.

  Executable& executable() REQUIRES(runtime::scheduler_mutex) { return *executable_; }
  std::vector<std::vector<NodeId>> group_nodes() const override REQUIRES(runtime::scheduler_mutex);
  std::shared_ptr<runtime::Procedure> start_pass(runtime::StreamQueue& queue) override
      REQUIRES(runtime::scheduler_mutex);
  /// Drops cached facts about the memory of the tasks (`alive_at_release`, `allocations`), of this model and its
  /// parents.
  void invalidate_memory_info() REQUIRES(runtime::scheduler_mutex);
  /// Returns the command buffer that writes the default values of the conditions at the start of a run; null when there
  /// are none.
  const std::shared_ptr<vk::CommandBuffer>& prologue() const REQUIRES(runtime::scheduler_mutex) { return prologue_; }

  void retire() override REQUIRES(runtime::scheduler_mutex);

 private:
  std::string unjoined_text(std::uint32_t lane) const REQUIRES(runtime::scheduler_mutex);
  void record_defaults(vk::CommandRecorder& recorder) const REQUIRES(runtime::scheduler_mutex);

  const bool is_sub_model_;
  const std::weak_ptr<CapturedModel> parent_;
  runtime::CaptureMode mode_ GUARDED_BY(runtime::scheduler_mutex){};
  std::thread::id thread_ GUARDED_BY(runtime::scheduler_mutex);
  std::vector<runtime::StreamPtr> streams_ GUARDED_BY(runtime::scheduler_mutex);  // by lane, while capturing
  // With their newest record, while capturing.
  std::map<runtime::EventPtr, NodeId> events_ GUARDED_BY(runtime::scheduler_mutex);
  std::set<runtime::EventPtr> external_events_ GUARDED_BY(runtime::scheduler_mutex);
  std::vector<std::uint32_t> unmatched_waits_ GUARDED_BY(runtime::scheduler_mutex);  // event ids
  TaskGroups groups_ GUARDED_BY(runtime::scheduler_mutex){*this};
  std::vector<std::shared_ptr<Conditional>> conditionals_ GUARDED_BY(runtime::scheduler_mutex);
  std::vector<SubModel> bodies_ GUARDED_BY(runtime::scheduler_mutex);
  bool poisoned_ GUARDED_BY(runtime::scheduler_mutex) = false;
  std::optional<Error> first_error_ GUARDED_BY(runtime::scheduler_mutex);
  std::unique_ptr<Executable> executable_ GUARDED_BY(runtime::scheduler_mutex);  // null until the capture ends
  std::shared_ptr<vk::CommandBuffer> prologue_ GUARDED_BY(runtime::scheduler_mutex);
};

using CapturedModelPtr = std::shared_ptr<CapturedModel>;

/// Returns the captured model that a handle names. Throws kInvalidHandle, or kFeatureNotSupported for a built model.
CapturedModelPtr captured_model_of(const void* handle);

}  // namespace aclvk::capture
