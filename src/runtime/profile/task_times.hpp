#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/profile/call.hpp"
#include "runtime/stream/stream_observer.hpp"
#include "runtime/task/scheduler_mutex.hpp"
#include "runtime/task/task.hpp"
#include "vk_device/device/device.hpp"

namespace aclvk::runtime {
class Device;
}

namespace aclvk::runtime::profile {

/// A task of a timed command buffer.
struct TimedTask {
  std::string name;
  std::string type;
  std::string members;  ///< further members of its event, see TraceFile
  Call call;            ///< the API call that launched it
  bool mark = false;    ///< true for an instant event, false for a slice
};

/// The tasks of a timed command buffer, and two timestamps for each. The command buffer may be submitted again once
/// `busy` is false.
struct TimedTasks {
  explicit TimedTasks(vk::Device& gpu, std::size_t expected) : times(gpu.create_timestamps(2 * expected)) {}

  /// Records the task between two timestamps, with a barrier before it: timed tasks do not overlap, so that each has a
  /// time of its own (docs/adr/0022).
  void record(vk::CommandRecorder& recorder, const Task& task, TimedTask timed);

  const std::shared_ptr<vk::Timestamps> times;
  std::vector<TimedTask> tasks;
  std::atomic<bool> busy{false};
};

/// Describes a task for a profile: name, type, workgroups or bytes, and the calling thread's API call.
TimedTask describe(const Task& task);

/// The run of a model that a submission belongs to.
struct ModelRun {
  std::uint32_t id = 0;
  std::string name;
  Call call;  ///< the API call that launched it
};

/// The submission of a timed command buffer.
struct TimedSubmission {
  std::shared_ptr<TimedTasks> work;
  const Device* device = nullptr;
  std::uint32_t stream = 0;
  vk::TimelinePoint done;
  std::optional<ModelRun> run;
};

/// Adds a submission. Its tasks are written after they have completed: at a later submission, or at the end of a
/// profile.
void add_submission(TimedSubmission submission);
/// Writes the completed submissions, in order, up to the first incomplete one.
void collect();
/// Submits the open batches, waits for all submissions and writes them. Does not wait for tasks that exceed their time
/// limit, and logs a warning that they are missing.
void collect_all() EXCLUDES(scheduler_mutex);
/// As collect(), but logs failures instead of throwing.
void collect_quietly() noexcept;
/// Returns the observer that times the tasks and host functions of streams.
const StreamObserver& stream_profiler();
/// Drops the clock offsets and the times of streams once no tasks are profiled any more.
void clear_if_unused();

}  // namespace aclvk::runtime::profile
