#pragma once

#include <chrono>
#include <vector>

#include "runtime/task/scheduler_mutex.hpp"
#include "vk_device/device/device.hpp"

namespace aclvk::runtime {

/// Finds submissions that run longer than task_limit() allows for their tasks. Vulkan cannot interrupt a submission, so
/// it continues; the synchronisation of its stream fails instead of lasting as long (docs/adr/0020). The Watcher of
/// each device owns one.
class TimeoutDetector {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// A submission that has exceeded its limit.
  struct Overdue {
    vk::TimelinePoint end;
    std::chrono::microseconds limit;
  };

  /// Returns the overdue submissions among those that are running. Called about once a second: the time of a submission
  /// is measured from the first call that finds it running.
  std::vector<Overdue> find_overdue(const std::vector<vk::PendingSubmission>& running, Time now)
      REQUIRES(scheduler_mutex);

 private:
  /// A submission that the last call found running, and the time of the first such call.
  struct Tracked {
    vk::TimelinePoint end;
    Time since;
  };

  Time running_since(const vk::TimelinePoint& end, Time now) const REQUIRES(scheduler_mutex);

  std::vector<Tracked> tracked_ GUARDED_BY(scheduler_mutex);
};

}  // namespace aclvk::runtime
