#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace aclvk {

/// The calls that a test can let fail.
enum class NullCall {
  kAllocate,        ///< creation of a buffer: of a block for small allocations, or of a large allocation
  kCreateTimeline,  ///< Device::create_timeline()
  kRecord,          ///< Device::record()
  kSubmit,          ///< Queue::submit()
  kExecute,         ///< execution of a submission; every fault loses the device, since no call can report it
};

enum class NullFault { kOutOfMemory, kDeviceLost };

/// The state that all objects of a null device share: the lock and the condition of its timelines, whether the device
/// is lost, and the faults that a test has planned. Thread safe.
class NullState {
 public:
  explicit NullState(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }

  /// Lets `count` calls in a row fail, after `skip` more calls of their kind.
  void plan(NullCall call, NullFault fault, std::size_t skip = 0, std::size_t count = 1);
  /// Returns the fault of this call, if one is due.
  std::optional<NullFault> take_fault(NullCall call);
  /// Throws kMemoryAllocation or kDriverError when a fault is due. The latter loses the device.
  void enter(NullCall call);

  bool lost() const { return lost_; }
  void check_not_lost() const;
  /// Loses the device. Waits for the submission that runs: its command buffers may be destroyed afterwards.
  void lose();

  /// Guards the values of timelines and the submissions of queues. No lock may be taken while it is held.
  std::mutex& mutex() { return mutex_; }
  std::condition_variable& changed() { return changed_; }
  /// True while a thread runs commands, which it does without the lock. Requires the lock.
  bool running = false;

  /// Waits until the condition holds, or the device is lost. The condition is called with the lock. Returns false when
  /// the timeout expires first.
  bool wait(const std::function<bool()>& condition, std::optional<std::chrono::nanoseconds> timeout);

  /// Counts a buffer or a timeline for Device::created_objects().
  std::atomic<std::uint64_t> created{0};

 private:
  struct Plan {
    NullFault fault;
    std::size_t skip;
    std::size_t count;
  };

  const std::string name_;
  std::atomic<bool> lost_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::mutex plans_mutex_;
  std::map<NullCall, Plan> plans_;
};

}  // namespace aclvk
