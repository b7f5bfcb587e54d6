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

/// One passage through a captured model. Submits all segments whose host steps are done as one primary, then does what
/// host steps it can, until nothing moves; goes on when the scheduler calls again.
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
  runtime::PointPtr issue(NodeId node) const;
  runtime::Task task_of(NodeId node) const;
  bool records(NodeId node) const;
  void give_up_records(runtime::StreamQueue& queue, const std::vector<runtime::PointPtr>& follows);
  void collect_segments();
  bool do_steps(runtime::StreamQueue& queue);
  bool do_step(runtime::StreamQueue& queue, std::uint32_t lane);
  void submit_collected(runtime::StreamQueue& queue);
  bool timed(runtime::StreamQueue& queue) const;
  void submit_timed(runtime::StreamQueue& queue, std::vector<std::uint32_t> pieces);
  bool finished() const;

  std::shared_ptr<CapturedModel> model_;
  bool begun_ = false;
  Clock done_;
  std::vector<bool> issued_;
  std::size_t first_waiting_ = 0;  // of the segments: those before it have been issued
  std::vector<std::uint32_t> collected_;
  std::vector<std::optional<runtime::CurrentTask>> current_;  // each lane's step
  std::map<NodeId, runtime::PointPtr> external_;
  runtime::profile::Call call_;  // that launched it
};

}  // namespace aclvk::capture
