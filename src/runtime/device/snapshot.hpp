#pragma once

#include <atomic>
#include <cstdint>

namespace aclvk::runtime {

// Snapshots of this process: its device memory is copied to the host, where a tool that saves processes finds it with
// the rest, and copied back later. The steps are lock, backup, restore, unlock; a backup may be restored several times.
// Pinned and managed memory is memory of the process anyway. All fail with a code of their own when they are called out
// of turn; then nothing changes. Any thread may call them, one at a time.

/// Waits until the devices have nothing to do; from then on the calls of other threads on devices wait until the
/// process is unlocked, except those of callbacks of a step. Throws kSnapshotLockTimeout when work goes on for longer
/// than ACLVK_SNAPSHOT_WAIT_MS.
void lock_process();
void unlock_process();
void back_up_process();
/// Allocations that have been freed since the backup stay so.
void restore_process();

/// Public type: gets the number of a device and the program's pointer; another answer than 0 ends the step with
/// kSnapshotCallbackFailed.
using SnapshotCallback = std::uint32_t (*)(std::int32_t device, void* user);

/// A function for a stage (aclrtSnapShotStage), called once for each open device. Throw kInvalidParam for a null
/// function or an unknown stage; kSnapshotRegisterFailed for one that is there already or, to be removed, is not.
void add_snapshot_callback(int stage, SnapshotCallback callback, void* user);
void remove_snapshot_callback(int stage, SnapshotCallback callback);

namespace detail {

extern std::atomic<bool> process_locked;
extern std::atomic<std::uint32_t> unordered_calls;
void wait_for_unlock();
void begin_unordered_call();

}  // namespace detail

/// What every call on devices does first: one load and one branch while the process is not locked. The thread that has
/// locked it does not wait, nor does one that takes a step. Throws kContextRelease when the process has come to its end
/// meanwhile.
inline void wait_while_locked() {
  if (detail::process_locked.load(std::memory_order_relaxed)) detail::wait_for_unlock();
}

/// What a call holds while it copies or fills past all streams, which do not show it: the process is not locked
/// meanwhile. It waits as above, because the process may have been locked since. Not for tasks of streams: whoever has
/// locked the process may wait for them.
class UnorderedCall {
 public:
  UnorderedCall() { detail::begin_unordered_call(); }
  ~UnorderedCall() { --detail::unordered_calls; }
  UnorderedCall(const UnorderedCall&) = delete;
  UnorderedCall& operator=(const UnorderedCall&) = delete;
};

}  // namespace aclvk::runtime
