#include "runtime/context/snapshot.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "base/config.hpp"
#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/process_state.hpp"
#include "runtime/context/handles.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/device_process.hpp"
#include "runtime/stream/scheduler.hpp"

namespace aclvk::runtime {

std::atomic<bool> detail::process_locked{false};
std::atomic<std::uint32_t> detail::unordered_calls{0};

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPollInterval{1};  // short against the copies of a step

/// Blocks the device calls of other threads while it is closed.
class Gate {
 public:
  void close() {
    const LockGuard lock(mutex_);
    owner_ = std::this_thread::get_id();
    at_process_end(StateId::kSnapshotGate, [] { detail::process_locked = false; });
    detail::process_locked = true;
  }
  void open() {
    const LockGuard lock(mutex_);
    detail::process_locked = false;
    opened_.notify_all();
  }
  bool closed() const { return detail::process_locked; }

  /// Lets a thread pass that runs a step, because its callbacks may use devices.
  void set_stepper(std::thread::id thread) {
    const LockGuard lock(mutex_);
    stepper_ = thread;
  }

  bool lets_through() {
    const LockGuard lock(mutex_);
    return caller_is_exempt();
  }
  void pass() {
    const LockGuard lock(mutex_);
    if (caller_is_exempt()) return;
    // Polls, because a process may exit while it is locked.
    const auto ends = [this] { return !closed() || process_exiting(); };
    while (!ends()) opened_.wait_for(mutex_, std::chrono::milliseconds(50), ends);
  }

 private:
  bool caller_is_exempt() const REQUIRES(mutex_) {
    const std::thread::id caller = std::this_thread::get_id();
    return caller == owner_ || caller == stepper_;
  }

  Mutex mutex_;
  ConditionVariable opened_;
  std::thread::id owner_ GUARDED_BY(mutex_);
  std::thread::id stepper_ GUARDED_BY(mutex_);
};

struct SavedRange {
  std::shared_ptr<Device> device;
  vk::BufferRange range;
  std::vector<std::byte> bytes;
};

enum class Stage : int { kLockPre, kBackupPre, kBackupPost, kRestorePre, kRestorePost, kUnlockPost };

struct Callback {
  int stage;
  SnapshotCallback function;
  void* user;
};

struct State {
  Gate gate;
  Mutex step;  // one step at a time
  bool has_backup GUARDED_BY(step) = false;
  std::vector<SavedRange> backup GUARDED_BY(step);
  Mutex callbacks_mutex;
  std::vector<Callback> callbacks GUARDED_BY(callbacks_mutex);
};

// Not destroyed at exit: threads may block in the gate while the process exits.
State& state() { return ProcessState<State, StateId::kSnapshot>::get(); }

/// A running step. A second one, from a callback for instance, is refused and does not deadlock.
class SCOPED_CAPABILITY Step {
 public:
  explicit Step(Code code) ACQUIRE(state().step) : lock_(state().step, std::try_to_lock) {
    check_process_has_devices();
    check(lock_.owns_lock(), code, "Another step of a snapshot is under way.");
    state().gate.set_stepper(std::this_thread::get_id());
  }
  ~Step() RELEASE() { state().gate.set_stepper({}); }
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;

 private:
  std::unique_lock<Mutex> lock_;
};

std::vector<Callback> callbacks_of(Stage stage) {
  const LockGuard lock(state().callbacks_mutex);
  std::vector<Callback> callbacks;
  for (const Callback& callback : state().callbacks) {
    if (callback.stage == static_cast<int>(stage)) callbacks.push_back(callback);
  }
  return callbacks;
}

void run_callbacks(Stage stage) {
  for (const Callback& callback : callbacks_of(stage)) {
    for (const auto& device : open_devices()) {
      const std::uint32_t answer = callback.function(static_cast<std::int32_t>(device->id), callback.user);
      check(answer == 0, Code::kSnapshotCallbackFailed,
            "A callback of stage {} returns {} for device {}; 0 is expected.", callback.stage, answer, device->id);
    }
  }
}

/// Submits the open batches. Returns whether all streams are idle.
bool streams_idle() {
  const std::vector<StreamPtr> streams = stream_handles().all();  // released after the lock: ~Stream takes it
  const SchedulerLock lock;
  for (const StreamPtr& stream : streams) stream->queue().batch().flush_now();
  return std::all_of(streams.begin(), streams.end(),
                     [](const StreamPtr& stream) REQUIRES(scheduler_mutex) { return stream->queue().idle(); });
}

/// Returns whether work that no live stream shows is done: synchronous copies, and submissions of destroyed streams.
bool off_stream_work_idle() {
  if (detail::unordered_calls != 0) return false;
  const auto devices = open_devices();
  return std::all_of(devices.begin(), devices.end(),
                     [](const auto& device) { return device->gpu().oldest_pending().empty(); });
}

Clock::time_point deadline_from_now() { return Clock::now() + std::chrono::milliseconds(config().snapshot_wait_ms); }

/// Returns whether the devices are idle by the deadline. Fails at once when a stream has work. Waits for work outside
/// of streams, which ends by itself as the gate is closed.
bool idle_by(Clock::time_point deadline) {
  while (streams_idle()) {
    if (off_stream_work_idle()) return true;
    if (Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(kPollInterval);
  }
  return false;
}

// Opens the gate again unless the devices are idle.
bool close_gate_if_idle(Clock::time_point deadline) {
  state().gate.close();
  try {
    if (idle_by(deadline)) return true;
  } catch (...) {
    state().gate.open();
    throw;
  }
  state().gate.open();
  return false;
}

void poll_before(Clock::time_point deadline) {
  check(Clock::now() < deadline, Code::kSnapshotLockTimeout,
        "Work on devices has not ended after {} ms (ACLVK_SNAPSHOT_WAIT_MS).", config().snapshot_wait_ms);
  std::this_thread::sleep_for(kPollInterval);
}

// Waits for the streams before it closes the gate, because their work may depend on calls of other threads. A call that
// passed the gate before may have launched work: then it opens the gate and repeats.
void close_gate_on_idle_devices() {
  const Clock::time_point deadline = deadline_from_now();
  while (!streams_idle() || !close_gate_if_idle(deadline)) poll_before(deadline);
}

void check_locked(Code code, const char* what) {
  check(state().gate.closed(), code, "The process is not locked; it cannot be {}.", what);
}

/// Finds the ranges that a backup consists of, mapped memory without access rights included.
std::vector<SavedRange> find_allocations() {
  std::vector<SavedRange> found;
  for (const auto& device : open_devices()) {
    for (const auto placement : {vk::Placement::kDevice, vk::Placement::kPooled, vk::Placement::kMapped}) {
      for (const vk::BufferRange& range : device->memory().allocations(placement)) found.push_back({device, range, {}});
    }
  }
  return found;
}

std::vector<SavedRange> read_allocations() {
  std::vector<SavedRange> saved = find_allocations();
  for (SavedRange& range : saved) {
    range.bytes.resize(range.range.size);
    range.device->gpu().read(range.bytes.data(), range.range);
  }
  return saved;
}

void write_back(const std::vector<SavedRange>& all) {
  std::set<std::pair<const Device*, std::uint64_t>> alive;
  for (const SavedRange& found : find_allocations()) alive.emplace(found.device.get(), found.range.allocation);
  for (const SavedRange& saved : all) {
    if (alive.count({saved.device.get(), saved.range.allocation}) == 0) continue;
    saved.device->gpu().write(saved.range, saved.bytes.data());
  }
}

void check_stage(int stage, SnapshotCallback callback) {
  check(callback != nullptr, Code::kInvalidParam, "The callback function is NULL.");
  check(stage >= 0 && stage <= static_cast<int>(Stage::kUnlockPost), Code::kInvalidParam,
        "stage is {}; 0 to {} is expected.", stage, static_cast<int>(Stage::kUnlockPost));
}

auto find_callback(int stage, SnapshotCallback function) REQUIRES(state().callbacks_mutex) {
  auto& callbacks = state().callbacks;
  return std::find_if(callbacks.begin(), callbacks.end(), [&](const Callback& callback) {
    return callback.stage == stage && callback.function == function;
  });
}

}  // namespace

void lock_process() {
  const Step step(Code::kSnapshotLockFailed);
  check(!state().gate.closed(), Code::kSnapshotLockFailed, "The process is locked already.");
  run_callbacks(Stage::kLockPre);
  close_gate_on_idle_devices();
}

void unlock_process() {
  const Step step(Code::kSnapshotUnlockFailed);
  check_locked(Code::kSnapshotUnlockFailed, "unlocked");
  state().backup = {};
  state().has_backup = false;
  state().gate.open();
  run_callbacks(Stage::kUnlockPost);
}

void back_up_process() {
  const Step step(Code::kSnapshotBackupFailed);
  check_locked(Code::kSnapshotBackupFailed, "backed up");
  run_callbacks(Stage::kBackupPre);
  check(idle_by(deadline_from_now()), Code::kSnapshotBackupFailed,
        "Devices have been given work since the process was locked.");
  std::vector<SavedRange> saved = read_allocations();
  check(idle_by(deadline_from_now()), Code::kSnapshotBackupFailed, "Devices have been given work during the backup.");
  state().backup = std::move(saved);
  state().has_backup = true;
  run_callbacks(Stage::kBackupPost);
}

void restore_process() {
  const Step step(Code::kSnapshotRestoreFailed);
  check_locked(Code::kSnapshotRestoreFailed, "restored");
  check(state().has_backup, Code::kSnapshotRestoreFailed, "There is no backup since the process was locked.");
  run_callbacks(Stage::kRestorePre);
  check(idle_by(deadline_from_now()), Code::kSnapshotRestoreFailed,
        "Devices have been given work since the process was locked.");
  write_back(state().backup);
  run_callbacks(Stage::kRestorePost);
}

void add_snapshot_callback(int stage, SnapshotCallback callback, void* user) {
  check_stage(stage, callback);
  const LockGuard lock(state().callbacks_mutex);
  check(find_callback(stage, callback) == state().callbacks.end(), Code::kSnapshotRegisterFailed,
        "The function is registered for stage {} already.", stage);
  state().callbacks.push_back({stage, callback, user});
}

void remove_snapshot_callback(int stage, SnapshotCallback callback) {
  check_stage(stage, callback);
  const LockGuard lock(state().callbacks_mutex);
  const auto found = find_callback(stage, callback);
  check(found != state().callbacks.end(), Code::kSnapshotRegisterFailed, "The function is not registered for stage {}.",
        stage);
  state().callbacks.erase(found);
}

void detail::wait_for_unlock() {
  state().gate.pass();
  check_process_has_devices();  // the process may have begun to exit meanwhile
}

// Increments the counter before it reads the gate, while lock_process() closes the gate before it reads the counter: at
// least one of them sees the other (Dekker's pattern, on sequentially consistent atomics).
void detail::begin_unordered_call() {
  ++unordered_calls;
  while (process_locked && !state().gate.lets_through()) {
    --unordered_calls;
    wait_for_unlock();
    ++unordered_calls;
  }
}

}  // namespace aclvk::runtime
