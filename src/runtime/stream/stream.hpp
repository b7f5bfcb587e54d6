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
#include "runtime/device/resource_limit.hpp"
#include "runtime/event/event.hpp"
#include "runtime/kernel/kernel.hpp"
#include "runtime/stream/sink.hpp"
#include "runtime/stream/stream_queue.hpp"

namespace aclvk::runtime {

class Context;
class SchedulerLock;

enum StreamFlag : std::uint32_t {
  kStreamFastLaunch = 0x1,
  kStreamFastSync = 0x2,
  kStreamPersistent = 0x4,
  kStreamHuge = 0x8,
  kStreamCpuSchedule = 0x10,
  kStreamDeviceUseOnly = 0x20,
};

using Timeout = std::optional<std::chrono::milliseconds>;  ///< none: for ever

/// An aclrtStream: checks what the runtime layer checks, resolves addresses, and hands tasks to its sink. The sink is
/// the stream's own queue unless the stream is being captured, is bound to a model that is built, or updates a task
/// group. Thread safe.
class Stream : public std::enable_shared_from_this<Stream> {
 public:
  struct Options {
    std::uint32_t priority = 0;
    std::uint32_t flags = 0;
    bool is_default = false;
    bool private_to_call = false;  ///< a call has it for itself, and is told alone how its tasks end
  };

  Stream(std::shared_ptr<Context> context, Options options);
  ~Stream();

  const Options options;
  const std::uint32_t id;
  /// The public handle, once registered.
  void* handle = nullptr;

  /// That of the context, which may be destroyed.
  const std::uint64_t context_number;
  /// The context, or throws kContextNull when it has been destroyed.
  std::shared_ptr<Context> context() const;
  Device& device() const { return *device_; }
  bool is_default() const { return options.is_default; }

  /// ACL_STREAM_ATTR_CACHE_OP_INFO: what a program says about its last task is kept while the stream is captured.
  std::atomic<bool> caches_op_info{false};
  /// Attributes that are kept for who asks. Queues of Vulkan get their priorities when the device is opened.
  std::atomic<std::uint32_t> priority;
  std::atomic<std::uint32_t> custom_tag{0};
  CoreLimits core_limits;

  // Tasks. A device pointer outside a live allocation is refused with kParamInvalid (kernels: kNnRuntime).

  void launch(Kernel kernel);
  /// All of them or, where one is refused, none.
  void launch(std::vector<Kernel> kernels);
  /// Both sides are device or pinned memory.
  void copy(void* dst, const void* src, std::uint64_t bytes);
  void copy_2d(void* dst, std::uint64_t dst_pitch, const void* src, std::uint64_t src_pitch, std::uint64_t width,
               std::uint64_t height);
  /// One side is pageable memory, read or written when the stream reaches the task. For sinks that store tasks.
  void copy_pageable(void* dst, const void* src, std::uint64_t bytes);
  void fill(void* dst, std::uint8_t value, std::uint64_t bytes);
  void fill_words(void* dst, std::uint32_t value, std::uint64_t words);
  void write_value(void* word, std::uint64_t value);
  void wait_value(void* word, std::uint64_t value, Comparison comparison);
  /// The stream will wait for `done`, which the function sets, and the stream itself when the task fails.
  void host_function(std::function<void()> function, std::shared_ptr<Notify> done = nullptr);
  /// What the host does in the place of a copy. What it throws is the answer of the stream's next synchronisation.
  void host_copy(std::function<void()> function);
  void record(const EventPtr& event);
  void wait(const EventPtr& event, WaitLimit limit = {});
  void reset(const EventPtr& event);
  /// The EXTERNAL kind of record and wait, for captured streams (EventUse).
  void record_external(const EventPtr& event);
  void wait_external(const EventPtr& event);
  void record(const std::shared_ptr<Notify>& notify);
  void wait_and_reset(const std::shared_ptr<Notify>& notify, WaitLimit limit = {});
  void accept(Task&& task);
  /// Gives the lock away until the queue holds fewer tasks back than it may; what the caller knew before may be over.
  void wait_while_throttled(SchedulerLock& lock) const;
  /// Drops what a PERSISTENT stream has collected. kParamInvalid for other streams and while a model has the tasks.
  void drop_held_tasks();
  /// The live device memory behind a pointer; kParamInvalid "Word 0x... with 8 bytes is not ...".
  vk::BufferRange resolve(const void* pointer, std::uint64_t bytes, const char* what) const;

  // Observation. Refused with kStreamCaptured on a capturing stream.

  void check_executes(const char* what) const;
  /// Throws `code` while a model is built from the stream: "cannot destroy stream 3".
  void check_not_bound(const char* what, Code code) const;
  bool bound() const;

  /// Waits for all tasks; throws the first asynchronous error, kStreamSyncTimeout, kStreamAbort.
  void synchronize(Timeout timeout = {});
  /// The same, but an asynchronous error is left to the next synchronisation.
  void wait_for_tasks(Timeout timeout);
  bool idle();  ///< throws what the next synchronisation reports
  /// Drops what has not been submitted; synchronisations of that get kStreamAbort. A context that has stopped at a
  /// failure of this stream goes on. A capture of the stream ends without a
  /// model.
  void abort();

  // The sink. Changed under the scheduler's lock.

  Sink& sink() const { return *sink_.load(std::memory_order_acquire); }
  bool takes_host_tasks() const;
  bool executes() const { return sink_.load(std::memory_order_acquire) == own_sink_.get(); }
  /// What a PERSISTENT stream has collected before it was bound to a model. Needs the scheduler's lock.
  std::vector<Task> held_tasks() const;
  /// A model has them.
  void clear_held_tasks() noexcept;
  /// Throws kInvalidHandle or kContextNull once the stream is being destroyed. To be asked before another sink is set:
  /// who destroys it lets go of the sink that is there by then. Needs the scheduler's lock.
  void check_alive() const;
  /// Null gives the stream back to its queue.
  void set_sink(std::shared_ptr<Sink> sink);
  StreamQueue& queue() { return *queue_; }

 private:
  void count_task();
  Task make_task(Kernel&& kernel);
  void accept_all(std::vector<Task>&& tasks);
  using Deadline = const std::chrono::steady_clock::time_point*;

  enum class AsynchronousError { kThrow, kLeave };
  void wait_for_end(const Timeout& timeout, AsynchronousError error);
  [[noreturn]] void fail_synchronisation(const Point& end, const Timeout& timeout);

  std::weak_ptr<Context> context_;
  std::shared_ptr<Device> device_;
  std::unique_ptr<StreamQueue> queue_;
  std::unique_ptr<Sink> own_sink_;
  std::shared_ptr<Sink> other_sink_;
  std::atomic<Sink*> sink_;  // one of the two; read without the lock by executes()
  std::atomic<std::uint32_t> tasks_{0};
};

using StreamPtr = std::shared_ptr<Stream>;

/// The number of the task that the calling thread has issued last: tasks of a stream are numbered from 1. 0: none yet.
std::uint32_t last_task_of_thread();

}  // namespace aclvk::runtime
