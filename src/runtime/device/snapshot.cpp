#include "runtime/device/snapshot.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "base/config.hpp"
#include "base/error.hpp"
#include "runtime/device/device.hpp"
#include "runtime/handles.hpp"
#include "runtime/stream/scheduler.hpp"

namespace aclvk::runtime {

std::atomic<bool> detail::process_locked{false};
std::atomic<std::uint32_t> detail::unordered_calls{0};

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPause{1};

/// Whether other threads' calls may pass.
class Gate {
 public:
  void close() {
    const std::lock_guard lock(mutex_);
    owner_ = std::this_thread::get_id();
    detail::process_locked = true;
  }
  void open() {
    const std::lock_guard lock(mutex_);
    detail::process_locked = false;
    opened_.notify_all();
  }
  bool closed() const { return detail::process_locked; }

  /// That takes a step: its callbacks may use devices.
  void set_stepper(std::thread::id thread) {
    const std::lock_guard lock(mutex_);
    stepper_ = thread;
  }

  bool lets_through() {
    const std::lock_guard lock(mutex_);
    return knows_caller();
  }
  void pass() {
    std::unique_lock lock(mutex_);
    if (knows_caller()) return;
    // Looked at again now and then, because a process may end while it is locked.
    while (closed() && !process_ends()) opened_.wait_for(lock, std::chrono::milliseconds(50));
  }

 private:
  bool knows_caller() const {
    const std::thread::id caller = std::this_thread::get_id();
    return caller == owner_ || caller == stepper_;
  }

  std::mutex mutex_;
  std::condition_variable opened_;
  std::thread::id owner_;
  std::thread::id stepper_;
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
  std::mutex step;  // one step at a time
  bool has_backup = false;
  std::vector<SavedRange> backup;
  std::mutex callbacks_mutex;
  std::vector<Callback> callbacks;
};

// Leaked: threads may wait at the gate while the process exits.
State& state() {
  static auto* state = new State;
  return *state;
}

/// A step that is under way. A callback that starts another one is refused and does not hang.
class Step {
 public:
  explicit Step(Code code) : lock_(state().step, std::try_to_lock) {
    check_process_has_devices();
    check(lock_.owns_lock(), code, "Another step of a snapshot is under way.");
    state().gate.set_stepper(std::this_thread::get_id());
  }
  ~Step() { state().gate.set_stepper({}); }
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;

 private:
  std::unique_lock<std::mutex> lock_;
};

std::vector<Callback> callbacks_of(Stage stage) {
  const std::lock_guard lock(state().callbacks_mutex);
  std::vector<Callback> callbacks;
  for (const Callback& callback : state().callbacks) {
    if (callback.stage == static_cast<int>(stage)) callbacks.push_back(callback);
  }
  return callbacks;
}

void tell(Stage stage) {
  for (const Callback& callback : callbacks_of(stage)) {
    for (const auto& device : open_devices()) {
      const std::uint32_t answer = callback.function(static_cast<std::int32_t>(device->id), callback.user);
      check(answer == 0, Code::kSnapshotCallbackFailed, "A callback of stage {} answers {} for device {}.",
            callback.stage, answer, device->id);
    }
  }
}

/// Whether no stream has anything left to do. Work that has been recorded is submitted.
bool streams_idle() {
  const std::vector<StreamPtr> streams = stream_handles().all();  // let go of after the lock
  const SchedulerLock lock;
  for (const StreamPtr& stream : streams) stream->queue().flush_now();
  return std::all_of(streams.begin(), streams.end(), [](const StreamPtr& stream) { return stream->queue().idle(); });
}

/// Whether what no stream shows is done: calls that go past them, and the work of streams that are gone.
bool others_idle() {
  if (detail::unordered_calls != 0) return false;
  const auto devices = open_devices();
  return std::all_of(devices.begin(), devices.end(),
                     [](const auto& device) { return device->gpu().oldest_pending().empty(); });
}

Clock::time_point deadline_from_now() { return Clock::now() + std::chrono::milliseconds(config().snapshot_wait_ms); }

/// Whether the devices have nothing to do, for use behind the gate: there what no stream shows comes to its end by
/// itself, and is waited for.
bool idle_by(Clock::time_point deadline) {
  while (streams_idle()) {
    if (others_idle()) return true;
    if (Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(kPause);
  }
  return false;
}

// The gate stays closed only when the devices are idle behind it.
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

void pause_until(Clock::time_point deadline) {
  check(Clock::now() < deadline, Code::kSnapshotLockTimeout,
        "Work on devices goes on for more than {} ms (ACLVK_SNAPSHOT_WAIT_MS).", config().snapshot_wait_ms);
  std::this_thread::sleep_for(kPause);
}

// Streams may need calls of other threads to come to their end, so they are waited for before the gate is closed. A
// call that had passed it may still have put work on one: then once more.
void close_gate_on_idle_devices() {
  const Clock::time_point deadline = deadline_from_now();
  while (!streams_idle() || !close_gate_if_idle(deadline)) pause_until(deadline);
}

void check_locked(Code code, const char* what) {
  check(state().gate.closed(), code, "The process is not locked; it cannot be {}.", what);
}

/// What a backup consists of. Memory that the device may not use at the moment belongs to it, too.
std::vector<SavedRange> find_all() {
  std::vector<SavedRange> found;
  for (const auto& device : open_devices()) {
    for (const auto placement : {vk::Placement::kDevice, vk::Placement::kPooled, vk::Placement::kMapped}) {
      for (const vk::BufferRange& range : device->memory().allocations(placement)) found.push_back({device, range, {}});
    }
  }
  return found;
}

std::vector<SavedRange> read_all() {
  std::vector<SavedRange> saved = find_all();
  for (SavedRange& range : saved) {
    range.bytes.resize(range.range.size);
    range.device->gpu().read(range.bytes.data(), range.range);
  }
  return saved;
}

void write_back(const std::vector<SavedRange>& all) {
  std::set<std::pair<const Device*, std::uint64_t>> alive;
  for (const SavedRange& found : find_all()) alive.emplace(found.device.get(), found.range.allocation);
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

auto find_callback(int stage, SnapshotCallback function) {
  auto& callbacks = state().callbacks;
  return std::find_if(callbacks.begin(), callbacks.end(), [&](const Callback& callback) {
    return callback.stage == stage && callback.function == function;
  });
}

}  // namespace

void lock_process() {
  const Step step(Code::kSnapshotLockFailed);
  check(!state().gate.closed(), Code::kSnapshotLockFailed, "The process is locked already.");
  tell(Stage::kLockPre);
  close_gate_on_idle_devices();
}

void unlock_process() {
  const Step step(Code::kSnapshotUnlockFailed);
  check_locked(Code::kSnapshotUnlockFailed, "unlocked");
  state().backup = {};
  state().has_backup = false;
  state().gate.open();
  tell(Stage::kUnlockPost);
}

void back_up_process() {
  const Step step(Code::kSnapshotBackupFailed);
  check_locked(Code::kSnapshotBackupFailed, "backed up");
  tell(Stage::kBackupPre);
  check(idle_by(deadline_from_now()), Code::kSnapshotBackupFailed,
        "Devices have been given work since the process was locked.");
  std::vector<SavedRange> saved = read_all();
  check(idle_by(deadline_from_now()), Code::kSnapshotBackupFailed, "Devices have been given work during the backup.");
  state().backup = std::move(saved);
  state().has_backup = true;
  tell(Stage::kBackupPost);
}

void restore_process() {
  const Step step(Code::kSnapshotRestoreFailed);
  check_locked(Code::kSnapshotRestoreFailed, "restored");
  check(state().has_backup, Code::kSnapshotRestoreFailed, "There is no backup since the process was locked.");
  tell(Stage::kRestorePre);
  check(idle_by(deadline_from_now()), Code::kSnapshotRestoreFailed,
        "Devices have been given work since the process was locked.");
  write_back(state().backup);
  tell(Stage::kRestorePost);
}

void add_snapshot_callback(int stage, SnapshotCallback callback, void* user) {
  check_stage(stage, callback);
  const std::lock_guard lock(state().callbacks_mutex);
  check(find_callback(stage, callback) == state().callbacks.end(), Code::kSnapshotRegisterFailed,
        "The function is registered for stage {} already.", stage);
  state().callbacks.push_back({stage, callback, user});
}

void remove_snapshot_callback(int stage, SnapshotCallback callback) {
  check_stage(stage, callback);
  const std::lock_guard lock(state().callbacks_mutex);
  const auto found = find_callback(stage, callback);
  check(found != state().callbacks.end(), Code::kSnapshotRegisterFailed, "The function is not registered for stage {}.",
        stage);
  state().callbacks.erase(found);
}

void detail::wait_for_unlock() {
  state().gate.pass();
  check_process_has_devices();  // it may have come to its end meanwhile
}

// Counted before it looks, while a lock closes the gate before it counts: one of them sees the other.
void detail::begin_unordered_call() {
  ++unordered_calls;
  while (process_locked && !state().gate.lets_through()) {
    --unordered_calls;
    wait_for_unlock();
    ++unordered_calls;
  }
}

}  // namespace aclvk::runtime
