#include "runtime/profile/task_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <map>
#include <utility>

#include "base/log.hpp"
#include "base/log_deferral.hpp"
#include "base/mutex.hpp"
#include "base/process_state.hpp"
#include "runtime/context/handles.hpp"
#include "runtime/device/device.hpp"
#include "runtime/host/host_time.hpp"
#include "runtime/json_text.hpp"
#include "runtime/profile/active.hpp"
#include "runtime/profile/session.hpp"
#include "runtime/profile/subscription.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/task/device_work.hpp"
#include "runtime/task/scheduler_mutex.hpp"
#include "runtime/task/task_name.hpp"
#include "runtime/task/task_row.hpp"

namespace aclvk::runtime::profile {
namespace {

// The clocks of host and device drift apart by some microseconds in a second, and a reading of both takes a few.
constexpr std::int64_t kOffsetValidNs = 100'000'000;

/// The offset of the host's clock from the device's.
struct Offset {
  std::int64_t ns = 0;
  std::int64_t read_at = 0;  // host time; 0 before the first reading
};

// The times that have not been written. The mutexes of the sessions and of the subscribers are taken after this one.
struct Collected {
  Mutex mutex ACQUIRED_AFTER(scheduler_mutex);
  std::deque<TimedSubmission> waiting GUARDED_BY(mutex);
  std::map<const Device*, Offset> offsets GUARDED_BY(mutex);
  std::map<Track, std::int64_t> ends GUARDED_BY(mutex);
};

// Not destroyed at exit: the last tasks of a process are written while it exits.
Collected& collected() { return ProcessState<Collected, StateId::kTaskTimes>::get(); }

std::int64_t offset_of(const Device& device) REQUIRES(collected().mutex) {
  Offset& offset = collected().offsets[&device];
  const std::int64_t now = host_ns();
  if (offset.read_at == 0 || now - offset.read_at > kOffsetValidNs) offset = {device.gpu().host_clock_offset(), now};
  return offset.ns;
}

/// Returns the timestamps of a submission on the host's clock, made monotonic for each stream: viewers reject
/// overlapping slices, and a new clock offset can shift times slightly.
std::vector<std::int64_t> moments_of(const TimedSubmission& submission, Track track) REQUIRES(collected().mutex) {
  std::vector<std::int64_t> moments = submission.work->times->read();
  const std::int64_t offset = offset_of(*submission.device);
  std::int64_t& end = collected().ends[track];
  for (std::int64_t& moment : moments) moment = end = std::max(moment + offset, end);
  return moments;
}

void write_task(TraceFile& file, Track track, const TimedTask& task, std::int64_t begin, std::int64_t end) {
  if (task.mark) return file.instant(track, "mark", task.name, begin, task.members);
  file.slice(track, "task", task.name, begin, end, task.members);
  if (task.call.begin != 0) file.arrow(task.call.track, task.call.begin + 1, track, begin);
}

void write_submission(TraceFile& file, Track track, const TimedSubmission& submission,
                      const std::vector<std::int64_t>& moments) {
  const std::vector<TimedTask>& tasks = submission.work->tasks;
  if (tasks.empty()) return;
  if (const auto& run = submission.run) {
    const std::string name = run->name.empty() ? fmt::format("model {}", run->id) : run->name;
    file.slice(track, "model", name, moments.front(), moments.back(), fmt::format("\"model\":{}", run->id));
    if (run->call.begin != 0) file.arrow(run->call.track, run->call.begin + 1, track, moments.front());
  }
  for (std::size_t i = 0; i < tasks.size(); ++i) write_task(file, track, tasks[i], moments[2 * i], moments[2 * i + 1]);
}

void write(const TimedSubmission& submission) REQUIRES(collected().mutex) {
  try {
    const Track track = stream_track(submission.device->id, submission.stream);
    const std::vector<std::int64_t> moments = moments_of(submission, track);
    deliver_tasks(submission.device->id, [&](TraceFile& file) { write_submission(file, track, submission, moments); });
    if (submission.run) notify_subscribers(submission, moments);
  } catch (const std::exception& exception) {
    log().warn("Tasks of stream {} are missing in the profile: {}", submission.stream, exception.what());
  }
}

void write_and_release(const TimedSubmission& submission) REQUIRES(collected().mutex) {
  write(submission);
  submission.work->times->reset();
  submission.work->busy = false;
}

void flush_streams() {
  const std::vector<StreamPtr> streams = stream_handles().all();  // released after the lock: ~Stream takes it
  const SchedulerLock lock;
  for (const StreamPtr& stream : streams) stream->queue().batch().flush_now();
}

/// Returns false when a task before this point exceeds its time limit.
bool wait_for(const vk::TimelinePoint& point) {
  const SchedulerLock lock;
  return Scheduler::instance().wait_for_device(point, nullptr);
}

/// Writes all completed submissions, those after incomplete ones included. The incomplete ones stay in the list,
/// because the device still writes their timestamps.
void collect_ended() {
  const LogDeferral deferral;
  const LockGuard lock(collected().mutex);
  auto& waiting = collected().waiting;
  for (auto at = waiting.begin(); at != waiting.end();) {
    if (at->done.reached()) {
      write_and_release(*at);
      at = waiting.erase(at);
    } else {
      ++at;
    }
  }
}

std::string groups_text(const std::array<std::uint32_t, 3>& groups) {
  return fmt::format(",\"groups\":[{},{},{}]", groups[0], groups[1], groups[2]);
}

std::string bytes_text(std::uint64_t bytes) { return fmt::format(",\"bytes\":{}", bytes); }

std::string size_of(const KernelTask& kernel) { return groups_text(kernel.dispatch.groups); }
std::string size_of(const CopyTask& copy) { return bytes_text(copy.src.size); }
std::string size_of(const Copy2dTask& rows) { return bytes_text(rows.copy.width * rows.copy.height); }
std::string size_of(const FillTask& fill) { return bytes_text(fill.dst.size); }
std::string size_of(const FillWordsTask& fill) { return bytes_text(fill.dst.size); }
std::string size_of(const MarkTask&) { return {}; }

std::string size_text(const Task& task) {
  return std::visit(
      [](const auto& kind) {
        if constexpr (kTaskRow<decltype(kind)>.is_device_work()) {
          return size_of(kind);
        } else {
          return std::string();
        }
      },
      task);
}

class TimedBatch final : public ObservedBatch {
 public:
  TimedBatch(vk::Device& gpu, std::size_t expected) : timed_(std::make_shared<TimedTasks>(gpu, expected)) {}

  void record(vk::CommandRecorder& recorder, const Task& task) override REQUIRES(scheduler_mutex) {
    timed_->record(recorder, task, describe(task));
  }
  void on_submitted(const StreamIdentity& stream, const vk::TimelinePoint& done) override REQUIRES(scheduler_mutex) {
    add_submission({std::move(timed_), stream.device, stream.id, done, std::nullopt});
  }

 private:
  std::shared_ptr<TimedTasks> timed_ GUARDED_BY(scheduler_mutex);
};

class StreamProfiler final : public StreamObserver {
 public:
  bool observes_tasks_of(std::uint32_t device) const override { return times_tasks(device); }
  std::unique_ptr<ObservedBatch> begin_batch(vk::Device& gpu, std::size_t expected) const override {
    return std::make_unique<TimedBatch>(gpu, expected);
  }
  void on_host_function(const char* type, std::uint32_t stream, std::int64_t begin) const override {
    trace_host_work(type, stream, begin);
  }
};

// Initialised at load time and never destroyed: streams call it without any lock while the process exits.
constexpr StreamProfiler kProfiler;

}  // namespace

TimedTask describe(const Task& task) {
  TimedTask timed;
  timed.type = type_name(task);
  timed.name = timed.type;
  if (const auto* kernel = std::get_if<KernelTask>(&task)) timed.name = kernel->name;
  if (const auto* mark = std::get_if<MarkTask>(&task)) {
    timed.name = mark->text;
    timed.mark = true;
  }
  timed.members = fmt::format("\"type\":{}{}", json_text(timed.type), size_text(task));
  timed.call = current_call();
  return timed;
}

// Writes the second timestamp also for a task that cannot be recorded, so that timestamps stay in pairs.
void TimedTasks::record(vk::CommandRecorder& recorder, const Task& task, TimedTask timed) {
  recorder.full_barrier();
  recorder.write_timestamp(times);
  tasks.push_back(std::move(timed));
  try {
    if (const auto* write = std::get_if<ValueWriteTask>(&task)) {
      recorder.write_word(write->word, write->value);
    } else {
      record_work(recorder, task);
    }
  } catch (...) {
    recorder.write_timestamp(times);
    throw;
  }
  recorder.write_timestamp(times);
}

void add_submission(TimedSubmission submission) {
  submission.work->busy = true;
  {
    const LockGuard lock(collected().mutex);
    collected().waiting.push_back(std::move(submission));
  }
  collect_quietly();
}

void collect() {
  const LogDeferral deferral;  // a log listener may launch work, whose end collects
  const LockGuard lock(collected().mutex);
  auto& waiting = collected().waiting;
  while (!waiting.empty() && waiting.front().done.reached()) {
    write_and_release(waiting.front());
    waiting.pop_front();
  }
}

void collect_all() {
  flush_streams();
  std::vector<vk::TimelinePoint> points;
  {
    const LockGuard lock(collected().mutex);
    for (const TimedSubmission& submission : collected().waiting) points.push_back(submission.done);
  }
  std::size_t stuck = 0;
  for (const vk::TimelinePoint& point : points) stuck += wait_for(point) ? 0 : 1;
  if (stuck == 0) return collect();
  log().warn("The last tasks are missing in the profile: {} of {} submissions do not end.", stuck, points.size());
  collect_ended();
}

void clear_if_unused() {
  const LockGuard lock(collected().mutex);
  if (on(kTasks | kModels)) return;
  collected().offsets.clear();
  collected().ends.clear();
}

void collect_quietly() noexcept {
  try {
    collect();
  } catch (const std::exception& exception) {
    log().warn("Tasks are missing in the profile: {}", exception.what());
  }
}

const StreamObserver& stream_profiler() { return kProfiler; }

}  // namespace aclvk::runtime::profile
