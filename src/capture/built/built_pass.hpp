#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "capture/built/built_model.hpp"
#include "runtime/stream/waiting.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::capture {

/// One pass through a built model, owned by its Run. The head lanes start; the scheduler calls advance(), which
/// executes each active lane until it ends, blocks or jumps. The pass is complete when no lane is active.
class BuiltPass : public runtime::Procedure {
 public:
  explicit BuiltPass(BuiltModelPtr model);

  bool advance(runtime::StreamQueue& queue) override REQUIRES(runtime::scheduler_mutex);
  void abandon(runtime::StreamQueue& queue, const std::vector<runtime::PointPtr>& superseded_by) override
      REQUIRES(runtime::scheduler_mutex);
  void add_running_functions(std::vector<runtime::PointPtr>& superseded_by) const override
      REQUIRES(runtime::scheduler_mutex);
  std::string waits_for() const override REQUIRES(runtime::scheduler_mutex);
  runtime::WaitLimit expired_limit(std::chrono::steady_clock::time_point now) const override
      REQUIRES(runtime::scheduler_mutex);

 private:
  enum class Outcome {
    kNext,     ///< continue with the next instruction
    kJumped,   ///< the program counter has been set, or the lane has ended
    kBlocked,  ///< try the instruction again later
  };
  struct LaneState {
    bool active = false;
    std::size_t program_counter = 0;                    // index of the next instruction
    std::optional<runtime::CurrentTask> current{};      // the host task at the program counter, once it was tried
    std::optional<vk::TimelinePoint> decision_point{};  // the submissions that a branch waits for before it reads
  };

  void begin() REQUIRES(runtime::scheduler_mutex);
  bool advance_lane(runtime::StreamQueue& queue, std::uint32_t lane) REQUIRES(runtime::scheduler_mutex);
  void execute_work(runtime::StreamQueue& queue, const Instruction& instruction) const
      REQUIRES(runtime::scheduler_mutex);
  Outcome execute_next(runtime::StreamQueue& queue, std::uint32_t lane) REQUIRES(runtime::scheduler_mutex);
  const vk::TimelinePoint& decision_point(runtime::StreamQueue& queue, std::uint32_t lane)
      REQUIRES(runtime::scheduler_mutex);
  Outcome switch_label(runtime::StreamQueue& queue, std::uint32_t lane, const runtime::LabelSwitchTask& task)
      REQUIRES(runtime::scheduler_mutex);
  Outcome switch_stream(runtime::StreamQueue& queue, std::uint32_t lane, const runtime::StreamSwitchTask& task)
      REQUIRES(runtime::scheduler_mutex);
  void activate(std::uint32_t stream) REQUIRES(runtime::scheduler_mutex);
  void end(std::uint32_t lane) REQUIRES(runtime::scheduler_mutex) { lanes_[lane].active = false; }

  BuiltModelPtr model_ GUARDED_BY(runtime::scheduler_mutex);
  std::vector<LaneState> lanes_ GUARDED_BY(runtime::scheduler_mutex);
  bool begun_ GUARDED_BY(runtime::scheduler_mutex) = false;
  bool jumped_ GUARDED_BY(runtime::scheduler_mutex) = false;  // in this call of advance()
};

}  // namespace aclvk::capture
