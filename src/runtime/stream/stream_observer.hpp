#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "runtime/stream/stream_identity.hpp"
#include "runtime/task/scheduler_mutex.hpp"
#include "runtime/task/task.hpp"
#include "vk_device/device/device.hpp"

namespace aclvk::runtime {

/// A batch whose tasks are observed. Owned by the OpenBatch.
class ObservedBatch {
 public:
  virtual ~ObservedBatch() = default;
  /// Records device work or a value write into the batch.
  virtual void record(vk::CommandRecorder& recorder, const Task& task) REQUIRES(scheduler_mutex) = 0;
  /// Ends the batch after its submission, which is complete at `done`.
  virtual void on_submitted(const StreamIdentity& stream, const vk::TimelinePoint& done) REQUIRES(scheduler_mutex) = 0;
};

/// Observes the work of all streams. The profiler (runtime/profile) implements it; streams call it while
/// tasks are profiled.
class StreamObserver {
 public:
  /// Returns whether it observes tasks of the device.
  virtual bool observes_tasks_of(std::uint32_t device) const = 0;
  /// Begins a batch of about `expected` tasks.
  virtual std::unique_ptr<ObservedBatch> begin_batch(vk::Device& gpu, std::size_t expected) const = 0;
  /// Handles the end of a function that a callback thread has run for a stream. `type`: HostTask::type. `begin`:
  /// host_ns() before the function.
  virtual void on_host_function(const char* type, std::uint32_t stream, std::int64_t begin) const = 0;

 protected:
  ~StreamObserver() = default;
};

/// The observer while it observes tasks; else null. The only cost of observation on the path of each task while there
/// is none. An observer lives as long as the process.
inline std::atomic<const StreamObserver*> stream_observer{nullptr};

/// Refers to the time at which the API call that the calling thread runs has begun, by host_ns(). The time is 0 without
/// a call, and while calls are not profiled. The profiler (runtime/profile/call.hpp) sets it.
inline std::int64_t& begin_of_api_call() {
  static thread_local std::int64_t begin = 0;  // a thread runs one call at a time
  return begin;
}

/// Detaches the calling thread's tasks from its API call during a scope. For threads that submit pending tasks of other
/// threads.
class NoCallScope {
 public:
  NoCallScope() : outer_(std::exchange(begin_of_api_call(), 0)) {}
  ~NoCallScope() { begin_of_api_call() = outer_; }
  NoCallScope(const NoCallScope&) = delete;
  NoCallScope& operator=(const NoCallScope&) = delete;

 private:
  const std::int64_t outer_;
};

}  // namespace aclvk::runtime
