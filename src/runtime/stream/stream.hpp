#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "base/handle.hpp"
#include "runtime/device/core_limits.hpp"
#include "runtime/event/event.hpp"
#include "runtime/kernel/kernel.hpp"
#include "runtime/stream/sink.hpp"
#include "runtime/stream/stream_queue.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::runtime {

class StreamOwner;

enum StreamFlag : std::uint32_t {
  kStreamFastLaunch = 0x1,
  kStreamFastSync = 0x2,
  kStreamPersistent = 0x4,
  kStreamHuge = 0x8,
  kStreamCpuSchedule = 0x10,
  kStreamDeviceUseOnly = 0x20,
};

using Timeout = std::optional<std::chrono::milliseconds>;  ///< none: no limit

/// An aclrtStream: checks arguments, resolves addresses, and passes tasks to its sink. The sink pushes them into the
/// stream's StreamQueue, unless the stream is being captured, is bound to a model that is being built, or updates a
/// task group. Owned by its Context. Thread safe.
class Stream : public std::enable_shared_from_this<Stream> {
 public:
  struct Options {
    std::uint32_t priority = 0;
    std::uint32_t flags = 0;
    bool is_default = false;
    bool private_to_call = false;  ///< made for one call, which alone reports its errors
  };

  Stream(const std::shared_ptr<StreamOwner>& owner, Options options);
  ~Stream();

  const Options options;
  const std::uint32_t id;
  /// The public handle; null until registered.
  void* handle = nullptr;

  /// StreamOwner::number of its context, which may have been destroyed.
  const std::uint64_t context_number;
  /// Returns the context (context_of() as a Context). Throws kContextNull when it has been destroyed.
  std::shared_ptr<StreamOwner> owner() const;
  Device& device() const { return *device_; }
  bool is_default() const { return options.is_default; }

  /// ACL_STREAM_ATTR_CACHE_OP_INFO: a capture stores the operator info that the program gives for its last task.
  std::atomic<bool> caches_op_info{false};
  /// Attributes that are stored and returned only. VkQueues get their priorities when the device is created.
  std::atomic<std::uint32_t> priority;
  std::atomic<std::uint32_t> custom_tag{0};
  CoreLimits core_limits;

  // Tasks. A device pointer outside a live allocation throws kParamInvalid (kernels: kNnRuntime).

  void launch(Kernel&& kernel);
  /// Launches all kernels or, when one is refused, none.
  void launch(std::vector<Kernel>&& kernels);
  /// Copies between device or pinned memory.
  void copy(void* dst, const void* src, std::uint64_t bytes);
  void copy_2d(void* dst, std::uint64_t dst_pitch, const void* src, std::uint64_t src_pitch, std::uint64_t width,
               std::uint64_t height);
  /// Copies between pageable and device memory with a HostTask, which accesses the pageable memory when it executes.
  /// For streams whose sink stores tasks.
  void copy_pageable(void* dst, const void* src, std::uint64_t bytes);
  void fill(void* dst, std::uint8_t value, std::uint64_t bytes);
  void fill_words(void* dst, std::uint32_t value, std::uint64_t words);
  /// Calls a function of the program. `done`: set by the function, and by the stream when the task is dropped; the
  /// stream will wait for it.
  void host_function(std::function<void()> function, std::shared_ptr<Notify> done = nullptr);
  /// Calls a function of the library that copies. An error that it throws fails the stream's next synchronisation.
  void host_copy(std::function<void()> function);
  void record(const EventPtr& event);
  void wait(const EventPtr& event, WaitLimit limit = {});
  void reset(const EventPtr& event);
  /// Other tasks, which need no check. runtime/signal makes those of notifies, counts and words.
  void accept(Task&& task) EXCLUDES(scheduler_mutex);
  /// Blocks while launches are throttled (docs/adr/0014). Releases the lock meanwhile, so state that the caller has
  /// read may have changed.
  void wait_while_throttled() const REQUIRES(scheduler_mutex);
  /// Returns the live device memory at a pointer. Throws kParamInvalid, with `what` as the subject: "Word 0x... with 8
  /// bytes is not ...".
  vk::BufferRange resolve(const void* pointer, std::uint64_t bytes, const char* what) const;

  // Observation. Throws kStreamCaptured on a stream that is being captured.

  void check_executes(const char* what) const;
  /// Throws `code` while a model is being built from the stream. `what`: the verb of the error text, "destroy".
  void check_not_bound(const char* what, Code code) const;
  bool bound() const;

  /// Waits for all tasks; throws the first asynchronous error, kStreamSyncTimeout, kStreamAbort.
  void synchronize(Timeout timeout = {}) EXCLUDES(scheduler_mutex);
  /// Waits for all tasks, and leaves an asynchronous error, or an abort of the stream, to the next synchronize().
  /// Throws kDeviceTaskAbort and the loss of the device when they have dropped the tasks.
  void wait_for_tasks(Timeout timeout) EXCLUDES(scheduler_mutex);
  /// Returns true when all tasks are complete. Throws the error that the next synchronize() will throw.
  bool idle() EXCLUDES(scheduler_mutex);
  /// Drops the tasks that have not been submitted; threads that wait for them get kStreamAbort. A context that a
  /// failure of this stream has stopped resumes. A capture of the stream ends without a model.
  void abort() EXCLUDES(scheduler_mutex);

  // The sink.

  Sink& sink() const { return *sink_.load(std::memory_order_acquire); }
  bool accepts_host_tasks() const;
  bool executes() const { return sink_.load(std::memory_order_acquire) == own_sink_.get(); }
  /// Returns the sink that the stream has had from the beginning; a HoldingSink if it is PERSISTENT.
  Sink& own_sink() const { return *own_sink_; }
  /// Throws kInvalidHandle or kContextNull once the destruction of the stream has begun. Required before set_sink():
  /// the destruction abandons only the sink that is set at that time.
  void check_alive() const REQUIRES(scheduler_mutex);
  /// Sets the sink; null selects the stream's own.
  void set_sink(std::shared_ptr<Sink> sink) REQUIRES(scheduler_mutex);
  StreamQueue& queue() { return *queue_; }

 private:
  void count_task();
  void make_task(Kernel&& kernel, KernelTask& task) const;
  void accept_all(std::vector<Task>&& tasks) EXCLUDES(scheduler_mutex);
  using Deadline = const std::chrono::steady_clock::time_point*;

  enum class AsynchronousError { kThrow, kLeave };
  void wait_for_end(const Timeout& timeout, AsynchronousError error) EXCLUDES(scheduler_mutex);
  [[noreturn]] void fail_synchronisation(const Point& end, const Timeout& timeout) REQUIRES(scheduler_mutex);

  std::weak_ptr<StreamOwner> owner_;
  std::shared_ptr<Device> device_;
  std::unique_ptr<StreamQueue> queue_;
  std::unique_ptr<Sink> own_sink_;
  std::shared_ptr<Sink> other_sink_ GUARDED_BY(scheduler_mutex);
  std::atomic<Sink*> sink_;  // own_sink_ or other_sink_; executes() reads it without the lock
  std::atomic<std::uint32_t> tasks_{0};
};

using StreamPtr = std::shared_ptr<Stream>;
using StreamHandles = HandleTable<Stream, HandleTag::kStream>;
StreamHandles& stream_handles();

/// Returns the number of the last task that the calling thread has issued, 0 for none. Tasks of a stream are numbered
/// from 1.
std::uint32_t last_task_of_thread();

}  // namespace aclvk::runtime
