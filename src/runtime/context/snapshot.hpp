#pragma once

#include <atomic>
#include <cstdint>

namespace aclvk::runtime {

// Checkpoints of this process (aclrtSnapShot*): device memory is copied to host memory, which a checkpoint tool saves
// with the process, and copied back later. The steps are lock, backup, restore, unlock; a backup may be restored
// several times. Pinned and managed memory is host memory already. A step in the wrong order throws the error code of
// that step and changes nothing. Any thread may call the steps, one at a time.

/// Waits until the devices are idle. From then on device calls of other threads block until the process is unlocked,
/// except calls from callbacks of a step. Throws kSnapshotLockTimeout when the devices are still busy after
/// ACLVK_SNAPSHOT_WAIT_MS.
void lock_process();
void unlock_process();
void back_up_process();
/// Writes the backup to the allocations that still live. Those that have been freed since stay freed.
void restore_process();

/// A callback of the program, with the id of a device and the program's pointer. A result other than 0 ends the step
/// with kSnapshotCallbackFailed.
using SnapshotCallback = std::uint32_t (*)(std::int32_t device, void* user);

// Callbacks for a stage (aclrtSnapShotStage), called once for each open device. Throw kInvalidParam for a null function
// or an unknown stage, kSnapshotRegisterFailed when the function is registered already or, to be removed, is not.

void add_snapshot_callback(int stage, SnapshotCallback callback, void* user);
void remove_snapshot_callback(int stage, SnapshotCallback callback);

namespace detail {

extern std::atomic<bool> process_locked;
extern std::atomic<std::uint32_t> unordered_calls;
void wait_for_unlock();
void begin_unordered_call();

}  // namespace detail

/// Blocks while the process is locked by another thread. Every device call begins with it; it costs one load and one
/// branch while the process is not locked. The thread that holds the lock and the thread that runs a step pass. Throws
/// kContextRelease when the process exits during the wait.
inline void wait_while_locked() {
  if (detail::process_locked.load(std::memory_order_relaxed)) detail::wait_for_unlock();
}

/// Marks a synchronous copy or fill, which no stream orders and which the idle check of streams does not see.
/// lock_process() waits for its end. The constructor blocks like wait_while_locked(). Not for tasks of streams: the
/// thread that has locked the process may wait for those, which would deadlock.
class UnorderedCall {
 public:
  UnorderedCall() { detail::begin_unordered_call(); }
  ~UnorderedCall() { --detail::unordered_calls; }
  UnorderedCall(const UnorderedCall&) = delete;
  UnorderedCall& operator=(const UnorderedCall&) = delete;
};

}  // namespace aclvk::runtime
