#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "capture/executable.hpp"
#include "runtime/profile/call.hpp"
#include "runtime/stream/waiting.hpp"

namespace aclvk::capture {

class CapturedModel;

/// One passage through a captured model. Submits the device work of all units whose predecessors have been issued as
/// one primary, then does what host steps it can, until nothing moves; goes on when the scheduler calls again. A step
/// sees the end of the submissions that its predecessors are in, and of no others.
class CapturedPass : public runtime::Procedure {
 public:
  explicit CapturedPass(std::shared_ptr<CapturedModel> model);

  /// Records of the EXTERNAL kind get their Points here and waits bind to theirs: in the order of the calls. When it
  /// throws, the pass has been abandoned.
  void bind_external(runtime::StreamQueue& queue);

  bool advance(runtime::StreamQueue& queue) override;
  void abandon(runtime::StreamQueue& queue, const std::vector<runtime::PointPtr>& follows) override;
  void add_functions_at_work(std::vector<runtime::PointPtr>& follows) const override;
  std::string waits_for() const override;
  runtime::WaitLimit overdue(std::chrono::steady_clock::time_point now) const override;

 private:
  /// A step that the pass has come to.
  struct OpenStep {
    runtime::CurrentTask current;
    std::optional<std::uint64_t> wait_value;  // the submission that covers what comes before it; none for mere waits
  };

  struct Progress {
    std::uint32_t pending_predecessors;  // units right before it that have not been issued
    std::uint64_t signal_value;          // once it has been issued: the submission that covers it
  };

  runtime::PointPtr bind(NodeId node) const;
  runtime::Task task_of(NodeId node) const;
  bool is_record(NodeId node) const;
  void cancel_records(runtime::StreamQueue& queue, const std::vector<runtime::PointPtr>& follows);
  void begin(runtime::StreamQueue& queue);
  void make_ready(std::uint32_t unit);
  void mark_issued(std::uint32_t unit);
  void collect_work();
  bool run_ready_steps(runtime::StreamQueue& queue);
  bool try_step(runtime::StreamQueue& queue, std::uint32_t unit);
  bool run_step(runtime::StreamQueue& queue, std::uint32_t unit, OpenStep& step);
  std::uint64_t wait_value_of(runtime::StreamQueue& queue, std::uint32_t unit) const;
  void submit_collected(runtime::StreamQueue& queue);
  bool timed(runtime::StreamQueue& queue) const;
  void submit_slices(runtime::StreamQueue& queue, const std::vector<std::uint32_t>& slices);
  void submit_timed(runtime::StreamQueue& queue, const std::vector<std::uint32_t>& slices);

  std::shared_ptr<CapturedModel> model_;
  bool begun_ = false;
  std::uint64_t initial_value_ = 0;               // the submission that covers what comes before the pass
  std::size_t pending_units_ = 0;                 // units that have not been issued
  std::vector<Progress> progress_;                // of each unit
  std::vector<std::uint32_t> ready_work_;         // all before them has been issued; a heap, the smallest first
  std::vector<std::uint32_t> ready_steps_;        // the same of steps; sorted
  std::map<std::uint32_t, OpenStep> open_steps_;  // of the ready ones
  std::vector<std::uint32_t> collected_;          // device work that has been issued, for the next submission
  std::map<NodeId, runtime::PointPtr> external_;
  runtime::profile::Call call_;  // that launched it
};

}  // namespace aclvk::capture
