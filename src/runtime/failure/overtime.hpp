#pragma once

#include <chrono>
#include <vector>

#include "vk_device/device.hpp"

namespace aclvk::runtime {

/// Finds submissions that run longer than their tasks together may (task_limit). A GPU cannot be interrupted, so they
/// go on; but the stream's synchronisation fails instead of lasting as long as they do.
class Overtime {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Overdue {
    vk::TimelinePoint end;
    std::chrono::microseconds limit;
  };

  /// To be called about once a second: the time of a submission counts from the first look that finds it at work.
  std::vector<Overdue> look(const std::vector<vk::PendingSubmission>& running, Time now);

 private:
  struct Seen {
    vk::TimelinePoint end;
    Time since;
  };

  Time first_seen(const vk::TimelinePoint& end, Time now) const;

  std::vector<Seen> seen_;
};

}  // namespace aclvk::runtime
