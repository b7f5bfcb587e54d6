#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/profile/call.hpp"
#include "runtime/stream/task.hpp"
#include "vk_device/device.hpp"

namespace aclvk::runtime {
class Device;
}

namespace aclvk::runtime::profile {

/// A task in a command buffer that is timed.
struct TimedTask {
  std::string name;
  std::string type;
  std::string members;  ///< what else is told about it, see TraceFile
  Call call;            ///< that launched it
  bool mark = false;    ///< a moment, not a slice
};

/// The tasks of a command buffer and the moments between which the device does them: two for each. A command buffer
/// may be submitted again when `busy` is over.
struct TimedTasks {
  explicit TimedTasks(vk::Device& gpu, std::size_t expected) : times(gpu.create_timestamps(2 * expected)) {}

  /// Records the task with its moments. Tasks that are timed run one after the other, as they do on a stream of a
  /// board, so that each has a time of its own.
  void record(vk::CommandRecorder& recorder, const Task& task, TimedTask timed);

  const std::shared_ptr<vk::Timestamps> times;
  std::vector<TimedTask> tasks;
  std::atomic<bool> busy{false};
};

/// What a profile tells about a task: name, type, grid or bytes, and the calling thread's call.
TimedTask describe(const Task& task);

/// The run of a model that a submission belongs to.
struct ModelRun {
  std::uint32_t id = 0;
  std::string name;
  Call call;  ///< that launched it
};

/// A command buffer with timed tasks that has been submitted.
struct TimedSubmission {
  std::shared_ptr<TimedTasks> work;
  const Device* device = nullptr;
  std::uint32_t stream = 0;
  vk::TimelinePoint done;
  std::optional<ModelRun> run;
};

/// Shows the tasks when they are done: at a later submission, or when somebody ends a profile.
void add_submission(TimedSubmission submission);
/// Shows what is done by now.
void collect();
/// Submits what streams have recorded, waits for all of it, and shows it. Does not wait for tasks that are known to run
/// for too long; a warning says that they are missing. Takes the scheduler's lock.
void collect_all();
/// As collect(), for those who have other things to do: failures are logged.
void collect_quietly() noexcept;
/// Forgets the streams that were profiled, if nobody profiles any more.
void clear_if_unused();

}  // namespace aclvk::runtime::profile
