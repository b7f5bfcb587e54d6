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

namespace aclvk::capture {

class CapturedModel;

/// One pass through a captured model, owned by its Run (docs/adr/0004). advance() collects all device work whose
/// predecessors have been issued, executes the host steps that can complete, submits the collected work as one primary,
/// and repeats until nothing makes progress; the scheduler calls it again after a change. A host step waits for the
/// submissions that contain its predecessors, and for no later ones. All members require the scheduler lock.
class CapturedPass : public runtime::Procedure {
 public:
  explicit CapturedPass(std::shared_ptr<CapturedModel> model);

  /// Issues the model's EXTERNAL records and binds its EXTERNAL waits, at the time of the launch, so that they are
  /// ordered like the calls of the program. When it throws, the records have been cancelled.
  void bind_external(runtime::StreamQueue& queue);

  bool advance(runtime::StreamQueue& queue) override;
  void abandon(runtime::StreamQueue& queue, const std::vector<runtime::PointPtr>& superseded_by) override;
  void add_running_functions(std::vector<runtime::PointPtr>& superseded_by) const override;
  std::string waits_for() const override;
  runtime::WaitLimit expired_limit(std::chrono::steady_clock::time_point now) const override;

 private:
  /// A host step whose predecessors have been issued and that has been tried at least once.
  struct OpenStep {
    runtime::CurrentTask current;
    std::optional<std::uint64_t> wait_value;  // timeline value that it waits for; none for a wait
  };

  struct Progress {
    std::uint32_t pending_predecessors;  // direct predecessors that have not been issued
    std::uint64_t signal_value;          // timeline value that completes it; kNotSubmitted until it is known
  };

  runtime::PointPtr bind(NodeId node) const;
  runtime::Task task_of(NodeId node) const;
  bool is_record(NodeId node) const;
  void cancel_records(runtime::StreamQueue& queue, const std::vector<runtime::PointPtr>& superseded_by);
  void begin(runtime::StreamQueue& queue);
  void make_ready(std::uint32_t unit);
  void mark_issued(std::uint32_t unit);
  void collect_work();
  bool run_ready_steps(runtime::StreamQueue& queue);
  bool try_step(runtime::StreamQueue& queue, std::uint32_t unit);
  bool run_step(runtime::StreamQueue& queue, std::uint32_t unit, OpenStep& step);
  static std::uint64_t signal_value_of(runtime::StreamQueue& queue, const OpenStep& step);
  std::uint64_t wait_value_of(runtime::StreamQueue& queue, std::uint32_t unit) const;
  void submit_collected(runtime::StreamQueue& queue);
  bool timed(runtime::StreamQueue& queue) const;
  void submit_slices(runtime::StreamQueue& queue, const std::vector<std::uint32_t>& slices);
  void submit_timed(runtime::StreamQueue& queue, const std::vector<std::uint32_t>& slices);

  std::shared_ptr<CapturedModel> model_;
  bool begun_ = false;
  std::uint64_t initial_value_ = 0;         // timeline value that covers all work before the pass
  std::size_t pending_units_ = 0;           // units that have not been issued
  std::vector<Progress> progress_;          // by unit
  std::vector<std::uint32_t> ready_work_;   // segments whose predecessors have been issued; a min-heap of unit indices
  std::vector<std::uint32_t> ready_steps_;  // host steps whose predecessors have been issued; sorted
  std::map<std::uint32_t, OpenStep> open_steps_;  // by unit; a subset of ready_steps_
  std::vector<std::uint32_t> collected_;          // segments that the next submission contains
  std::map<NodeId, runtime::PointPtr> external_;  // of the EXTERNAL records and waits
  runtime::profile::Call call_;                   // the call that launched the run
};

}  // namespace aclvk::capture
