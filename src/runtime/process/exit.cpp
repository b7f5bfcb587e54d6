#include "runtime/process/exit.hpp"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>

#include "base/log.hpp"
#include "base/log_deferral.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/device_process.hpp"
#include "runtime/profile/session.hpp"
#include "runtime/profile/task_times.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/watcher.hpp"

namespace aclvk::runtime {
namespace {

// A task that exceeds its time limit may still be about to end.
constexpr std::chrono::milliseconds kStuckTaskGrace{1000};

std::atomic<int> exit_status{0};

// Returns false when a task of the device does not end.
bool quiesce_device(const Device& device, std::chrono::milliseconds grace) try {
  device.watcher().stop();
  const bool idle = wait_for_work(device, grace);
  // Runs the callbacks that notify other processes. Streams do not advance any more while the process exits.
  const LogDeferral deferral;
  const LockGuard lock(scheduler_mutex);
  device.watcher().catch_up();
  return idle;
} catch (const std::exception& exception) {
  log().warn("Device {} does not come to rest at process exit: {}", device.id, exception.what());
  return true;
}

// The driver's exit handlers would wait for ever for worker threads that still run the stuck task.
[[noreturn]] void exit_immediately() {
  log().error(
      "A task has been running for too long and continues: the process ends without the rest of its exit "
      "handlers, among them the driver's.");
  profile::finish_files();
  flush_log();
  std::fflush(nullptr);
  _exit(exit_status);
}

// A forked child has none of the threads, and the locks that they held stay locked: it skips quiesce().
void quiesce_at_exit() {
  if (process_exiting()) return;
  const bool idle = !owns_devices() || quiesce();
  end_use_of_devices();
  if (!idle) exit_immediately();
}

void store_exit_status(int status, void*) { exit_status = status; }

}  // namespace

// No thread of the library may be inside the driver while the driver's own exit handlers run, and the device (for a CPU
// driver: its worker threads) must be idle.
bool quiesce() {
  bool idle = true;
  for (const auto& device : retired_devices()) device->watcher().stop();
  for (const auto& device : open_devices()) {
    idle = quiesce_device(*device, idle ? kStuckTaskGrace : std::chrono::milliseconds{0}) && idle;
  }
  profile::collect_quietly();
  return idle;
}

void quiesce_before_exit() {
  own_devices();
  std::atexit(quiesce_at_exit);
  on_exit(store_exit_status, nullptr);  // registered later, and so runs before quiesce_at_exit()
}

}  // namespace aclvk::runtime
