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
#include "capture/executable.hpp"
#include "capture/model.hpp"

namespace aclvk::capture {

class Conditional;
class TaskGroup;

/// A model made by a capture. While capturing it is the graph that grows and the streams that take part; afterwards an
/// Executable. A sub-model is the body of a conditional task of its parent, and lives and dies with it.
class CapturedModel : public Model {
 public:
  explicit CapturedModel(const runtime::ContextPtr& context, const std::shared_ptr<CapturedModel>& parent = nullptr);
  ~CapturedModel() override;

  runtime::CaptureMode mode() const { return mode_; }
  std::thread::id thread() const { return thread_; }  ///< that began the capture
  bool captured() const override { return true; }
  bool is_sub_model() const override { return is_sub_model_; }
  /// The model that owns a sub-model; null when it is gone.
  std::shared_ptr<CapturedModel> parent() const { return parent_.lock(); }
  std::shared_ptr<CapturedModel> self() { return std::static_pointer_cast<CapturedModel>(shared_from_this()); }

  // While capturing.

  /// The stream is captured from now on, as the model's origin. Called by the thread that the end rule is about.
  void begin(const runtime::StreamPtr& origin, runtime::CaptureMode mode);
  const runtime::StreamPtr& origin() const { return streams_.front(); }
  /// Puts a stream into the capture; it gets a lane. The first one is the origin.
  void add_stream(const runtime::StreamPtr& stream);
  void use_event(const runtime::EventPtr& event, NodeId record) { events_[event] = record; }
  /// A wait whose event nobody records inside the capture.
  void add_unmatched_wait(const runtime::EventPtr& event) { unmatched_waits_.push_back(event->id); }
  /// A record or wait of the EXTERNAL kind; an event has one of them in a graph (kParamInvalid).
  void use_external_event(const runtime::EventPtr& event);

  /// The capture cannot succeed any more; the first reason is kept for the messages of later calls.
  void poison(const Error& reason);
  /// Keeps the first refusal of the capture; the capture goes on.
  void store_error(const Error& reason);
  bool poisoned() const { return poisoned_; }
  std::string first_error_text() const override;

  /// Refuses a task of `lane` that an open task group forbids, and poisons (capture-semantics 9.1).
  void check_groups(std::uint32_t lane, const runtime::Task& task);
  void open_group(std::uint32_t lane);
  std::shared_ptr<TaskGroup> close_group(std::uint32_t lane);
  void add_to_group(NodeId node);
  bool has_open_group() const { return open_group_.has_value(); }

  void add_conditional(std::shared_ptr<Conditional> conditional) { conditionals_.push_back(std::move(conditional)); }
  void add_body(SubModel body) { bodies_.push_back(std::move(body)); }
  std::vector<SubModel> sub_models() const override { return bodies_; }

  /// Throws the code with which the capture ends when it cannot become a model.
  void check_complete() const;
  /// Adds the resets with which a run ends. Once, when the capture is complete.
  void add_resets();
  /// Compiles the graph; again after tasks were changed. The streams are released by the caller.
  void make_executable();
  /// Gives streams and events back. The model is ready if it has been compiled, else dead.
  void release();
  /// Ends a capture without a model, and those of its bodies: streams and events are free again, the handles stale.
  void discard();

  // When ready.

  Executable& executable() { return *executable_; }
  const std::vector<std::shared_ptr<TaskGroup>>& groups() const { return groups_; }
  std::vector<std::vector<NodeId>> group_nodes() const override;
  /// The group that a task belongs to, or null.
  std::shared_ptr<TaskGroup> group_of(NodeId node) const;
  std::shared_ptr<runtime::Procedure> start_pass(runtime::StreamQueue& queue) override;
  /// What was known about the memory of the tasks is no longer true, neither of this model nor of those it is part of.
  void invalidate_memory_info();
  /// What a run starts with: conditions get their default values. Null when none has one.
  const std::shared_ptr<vk::CommandBuffer>& prologue() const { return prologue_; }

  void retire() override;

 private:
  struct OpenGroup {
    std::uint32_t lane;
    std::vector<NodeId> nodes;
    std::optional<Error> error;
  };

  std::string unjoined_text(std::uint32_t lane) const;
  void collect_defaults(vk::CommandRecorder& recorder) const;

  const bool is_sub_model_;
  const std::weak_ptr<CapturedModel> parent_;
  runtime::CaptureMode mode_{};
  std::thread::id thread_;
  std::vector<runtime::StreamPtr> streams_;     // by lane, while capturing
  std::map<runtime::EventPtr, NodeId> events_;  // with their newest record
  std::set<runtime::EventPtr> external_events_;
  std::vector<std::uint32_t> unmatched_waits_;
  std::optional<OpenGroup> open_group_;
  std::vector<std::shared_ptr<TaskGroup>> groups_;
  std::vector<std::shared_ptr<Conditional>> conditionals_;
  std::vector<SubModel> bodies_;
  bool poisoned_ = false;
  std::optional<Error> first_error_;
  std::unique_ptr<Executable> executable_;
  std::shared_ptr<vk::CommandBuffer> prologue_;
};

using CapturedModelPtr = std::shared_ptr<CapturedModel>;

}  // namespace aclvk::capture
