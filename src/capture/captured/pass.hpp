#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "capture/graph/executable.hpp"
#include "runtime/profile/call.hpp"
#include "runtime/stream/waiting.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::capture {

class CapturedModel;

/// One pass through a captured model, owned by its Run (docs/adr/0004). advance() collects all device work whose
/// predecessors have been issued, executes the host steps that can complete, submits the collected work as one primary,
/// and repeats until nothing makes progress; the scheduler calls it again after a change. A host step waits for the
/// submissions that contain its predecessors, and for no later ones.
class CapturedPass : public runtime::Procedure {
 public:
  explicit CapturedPass(std::shared_ptr<CapturedModel> model);

  /// Issues the model's EXTERNAL records and binds its EXTERNAL waits, at the time of the launch, so that they are
  /// ordered like the calls of the program. When it throws, the records have been cancelled.
  void bind_external(runtime::StreamQueue& queue) REQUIRES(runtime::scheduler_mutex);

  bool advance(runtime::StreamQueue& queue) override REQUIRES(runtime::scheduler_mutex);
  void abandon(runtime::StreamQueue& queue, const std::vector<runtime::PointPtr>& superseded_by) override
      REQUIRES(runtime::scheduler_mutex);
  void add_running_functions(std::vector<runtime::PointPtr>& superseded_by) const override
      REQUIRES(runtime::scheduler_mutex);
  std::string waits_for() const override REQUIRES(runtime::scheduler_mutex);
  runtime::WaitLimit expired_limit(std::chrono::steady_clock::time_point now) const override
      REQUIRES(runtime::scheduler_mutex);

 private:
  /// The position on the stream's timeline at which a unit is complete. The ends of units decide which submissions a
  /// host step after them waits for; its wait value is fixed when it is first tried:
  ///
  ///     units before the step        end
  ///     segment                      7, of the submission that contains it   --+
  ///     step that ends at its start  5, its own wait value                   --+--> wait value 7, the largest
  ///     step that submits            6, of its submission                    --+
  ///     any other step               newest_when_waited()                    -----> all that is submitted by then
  class UnitEnd {
   public:
    static UnitEnd not_issued() { return {Kind::kNotIssued, 0}; }
    static UnitEnd at(std::uint64_t timeline_value) { return {Kind::kAtValue, timeline_value}; }
    /// No value is known; the end is covered by the newest submission at the time at which a step waits for it.
    static UnitEnd newest_when_waited() { return {Kind::kNewest, 0}; }

    bool issued() const { return kind_ != Kind::kNotIssued; }
    /// Returns the timeline value, or none where no value is known.
    std::optional<std::uint64_t> value() const {
      return kind_ == Kind::kAtValue ? std::optional(value_) : std::nullopt;
    }

   private:
    enum class Kind { kNotIssued, kAtValue, kNewest };
    UnitEnd(Kind kind, std::uint64_t value) : kind_(kind), value_(value) {}

    Kind kind_;
    std::uint64_t value_;
  };

  /// A host step whose predecessors have been issued and that has been tried at least once.
  struct OpenStep {
    runtime::CurrentTask current;
    std::optional<std::uint64_t> wait_value;  // timeline value that it waits for; none for a wait
  };

  struct Progress {
    std::uint32_t pending_predecessors;  // direct predecessors that have not been issued
    UnitEnd end;
  };

  runtime::PointPtr bind(NodeId node) const REQUIRES(runtime::scheduler_mutex);
  runtime::Task task_of(NodeId node) const REQUIRES(runtime::scheduler_mutex);
  bool is_record(NodeId node) const REQUIRES(runtime::scheduler_mutex);
  void cancel_records(runtime::StreamQueue& queue, const std::vector<runtime::PointPtr>& superseded_by)
      REQUIRES(runtime::scheduler_mutex);
  void begin(runtime::StreamQueue& queue) REQUIRES(runtime::scheduler_mutex);
  void make_ready(std::uint32_t unit) REQUIRES(runtime::scheduler_mutex);
  void mark_issued(std::uint32_t unit) REQUIRES(runtime::scheduler_mutex);
  void collect_work() REQUIRES(runtime::scheduler_mutex);
  bool run_ready_steps(runtime::StreamQueue& queue) REQUIRES(runtime::scheduler_mutex);
  bool try_step(runtime::StreamQueue& queue, std::uint32_t unit) REQUIRES(runtime::scheduler_mutex);
  bool run_step(runtime::StreamQueue& queue, std::uint32_t unit, OpenStep& step) REQUIRES(runtime::scheduler_mutex);
  static UnitEnd end_of(runtime::StreamQueue& queue, const OpenStep& step) REQUIRES(runtime::scheduler_mutex);
  std::uint64_t wait_value_of(runtime::StreamQueue& queue, std::uint32_t unit) const REQUIRES(runtime::scheduler_mutex);
  void submit_collected(runtime::StreamQueue& queue) REQUIRES(runtime::scheduler_mutex);
  bool timed(runtime::StreamQueue& queue) const REQUIRES(runtime::scheduler_mutex);
  void submit_slices(runtime::StreamQueue& queue, const std::vector<std::uint32_t>& slices)
      REQUIRES(runtime::scheduler_mutex);
  void submit_timed(runtime::StreamQueue& queue, const std::vector<std::uint32_t>& slices)
      REQUIRES(runtime::scheduler_mutex);

  std::shared_ptr<CapturedModel> model_ GUARDED_BY(runtime::scheduler_mutex);
  bool begun_ GUARDED_BY(runtime::scheduler_mutex) = false;
  // Timeline value that covers all work before the pass.
  std::uint64_t initial_value_ GUARDED_BY(runtime::scheduler_mutex) = 0;
  std::size_t pending_units_ GUARDED_BY(runtime::scheduler_mutex) = 0;   // units that have not been issued
  std::vector<Progress> progress_ GUARDED_BY(runtime::scheduler_mutex);  // by unit
  // Segments whose predecessors have been issued; a min-heap of unit indices.
  std::vector<std::uint32_t> ready_work_ GUARDED_BY(runtime::scheduler_mutex);
  // Host steps whose predecessors have been issued; sorted.
  std::vector<std::uint32_t> ready_steps_ GUARDED_BY(runtime::scheduler_mutex);
  // By unit; a subset of ready_steps_.
  std::map<std::uint32_t, OpenStep> open_steps_ GUARDED_BY(runtime::scheduler_mutex);
  // Segments that the next submission contains.
  std::vector<std::uint32_t> collected_ GUARDED_BY(runtime::scheduler_mutex);
  // Of the EXTERNAL records and waits.
  std::map<NodeId, runtime::PointPtr> external_ GUARDED_BY(runtime::scheduler_mutex);
  runtime::profile::Call call_ GUARDED_BY(runtime::scheduler_mutex);  // the call that launched the run
};

}  // namespace aclvk::capture
