#include "runtime/stream/device_wait.hpp"

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "base/log_deferral.hpp"
#include "runtime/device/device.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/watcher.hpp"

namespace aclvk::runtime {
namespace {

bool has_stuck_task(Watcher& watcher) {
  const LogDeferral deferral;  // ends after the lock
  const std::lock_guard lock(Scheduler::instance().mutex());
  watcher.check_running();
  return watcher.stuck();
}

}  // namespace

// Waits in slices of 100 ms, and looks for stuck tasks between them, because the watcher may have been stopped.
bool wait_for_work(const Device& device, std::chrono::milliseconds grace) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kSlice{100};
  const std::uint64_t newest = device.memory().newest_submission();
  std::optional<Clock::time_point> deadline;
  for (device.gpu().collect(); !device.memory().completed(newest); device.gpu().collect()) {
    if (has_stuck_task(device.watcher())) {
      if (!deadline) deadline = Clock::now() + grace;
      if (Clock::now() >= *deadline) return false;
    }
    std::vector<vk::TimelinePoint> ends;
    for (const vk::PendingSubmission& submission : device.gpu().oldest_pending()) ends.push_back(submission.end);
    device.gpu().wait_any(ends, kSlice);
  }
  return true;
}

}  // namespace aclvk::runtime
