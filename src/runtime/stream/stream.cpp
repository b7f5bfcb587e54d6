#include "runtime/stream/stream.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "base/error.hpp"
#include "base/log_deferral.hpp"
#include "base/process_state.hpp"
#include "runtime/device/device.hpp"
#include "runtime/failure/failed_task.hpp"
#include "runtime/host/host_probe.hpp"
#include "runtime/pool/memory_pools.hpp"
#include "runtime/stream/holding_sink.hpp"
#include "runtime/stream/host_function.hpp"
#include "runtime/stream/queue_sink.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/stream_owner.hpp"
#include "runtime/stream/watcher.hpp"
#include "vk_device/buffers/registered_memory.hpp"
#include "vk_device/commands/copy_commands.hpp"

namespace aclvk::runtime {
namespace {

using Clock = std::chrono::steady_clock;

std::uint32_t next_id() { return ProcessValue<std::uint32_t, 0, StateId::kStreamIds>::next(); }

// Without a ThreadValue, which would cost each launch a comparison: the end of a Process resets the number of the
// thread that ends it.
thread_local std::uint32_t last_task = 0;

/// The limit for the number of commands that a copy between overlapping ranges is split into: the thread that launches
/// it records them, so that millions would block it.
constexpr std::uint64_t kMaxCopyCommands = 4096;

void check_copy_commands(std::uint64_t commands, const void* dst, const void* src) {
  check(commands <= kMaxCopyCommands, Code::kParamInvalid,
        "Destination {} and source {} overlap and are too close together: the copy would take {} commands, of which {} "
        "are made; use memory between them.",
        dst, src, commands, kMaxCopyCommands);
}

// Called when the task executes: the program may have unmapped the pageable memory since the call, and a model executes
// the task repeatedly.
void check_program_memory(const void* pointer, std::uint64_t bytes, const char* what, HostAccess access) {
  check(host_accessible(pointer, bytes, access), Code::kParamInvalid,
        "{} {} with {} bytes is not memory of this process any more that can be {}; what a task refers to has to live "
        "until it is done, and as long as its model.",
        what, pointer, bytes, access_verb(access));
}

// A CPU driver accesses registered memory in this process, where a page that the program has unmapped would be a fault.
bool is_accessible(const vk::BufferRange& range, HostAccess access) {
  return !vk::is_registered_host_memory(range) || host_accessible(range.mapped(), range.size, access);
}

void check_accessible(const vk::BufferRange& range, const char* what, HostAccess access) {
  check(is_accessible(range, access), Code::kParamInvalid,
        "{} {:#x} with {} bytes is registered, but is not memory of this process any more that can be {}.", what,
        range.pointer(), range.size, access_verb(access));
}

/// Checks that a resolved range can be written, and returns it.
vk::BufferRange destination(vk::BufferRange found) {
  check_accessible(found, "Destination", HostAccess::kWrite);
  return found;
}

std::unique_ptr<Sink> make_own_sink(const Stream::Options& options) {
  if ((options.flags & kStreamPersistent) != 0) return std::make_unique<HoldingSink>();
  return std::make_unique<QueueSink>();
}

// Runs the watcher's actions for reached points, so that flags in shared pages are set when a synchronisation returns
// (docs/adr/0017).
void catch_up(const Device& device) REQUIRES(scheduler_mutex) {
  device.watcher().catch_up();
  Scheduler::instance().settle();
}

/// Resolves the operands of a kernel.
void find_operands(const Kernel& kernel, const Device& device, vk::DispatchOperands& found) {
  found.reserve(kernel.operands.size());
  for (const Operand& operand : kernel.operands) {
    auto range = device.find(operand.address, operand.bytes);
    if (!range) {
      fail(Code::kNnRuntime, "{} touches {} bytes at {}, which are not inside a live allocation of device {}.{}",
           kernel.name, operand.bytes, operand.address, device.id, device.missing_access(operand.address));
    }
    const bool reads = operand.access == vk::Access::kRead;
    check(is_accessible(*range, reads ? HostAccess::kRead : HostAccess::kWrite), Code::kNnRuntime,
          "{} touches {} bytes at {}, which are registered, but not memory of this process any more.", kernel.name,
          operand.bytes, operand.address);
    found.push_back({*std::move(range), operand.access});
  }
}

}  // namespace

// Not destroyed at exit: a program may destroy its streams from destructors of its own statics, after those of the
// library would have run.
StreamHandles& stream_handles() { return ProcessState<StreamHandles, StateId::kStreamHandles>::get(); }

Stream::Stream(const std::shared_ptr<StreamOwner>& owner, Options stream_options)
    : options(stream_options),
      id(next_id()),
      context_number(owner->number),
      priority(options.priority),
      owner_(owner),
      device_(owner->shared_device()),
      own_sink_(make_own_sink(options)),
      sink_(own_sink_.get()) {
  at_process_end(StateId::kLastTask, [] { last_task = 0; });
  const SchedulerLock lock;
  queue_ = std::make_unique<StreamQueue>(*device_, device_->next_queue(), id, owner->failures);
}

// Takes the scheduler lock, so the last reference to a stream must not be released under it.
Stream::~Stream() {
  const SchedulerLock lock;
  queue_.reset();
}

// The destruction removes the handle, or destroys the context, before it abandons the sink.
void Stream::check_alive() const {
  owner();
  check(stream_handles().find(handle).get() == this, Code::kInvalidHandle, "Stream {} has been destroyed.", id);
}

void Stream::set_sink(std::shared_ptr<Sink> sink) {
  sink_.store(sink ? sink.get() : own_sink_.get(), std::memory_order_release);
  other_sink_ = std::move(sink);
}

std::shared_ptr<StreamOwner> Stream::owner() const {
  auto owner = owner_.lock();
  check(owner && !owner->destroyed(), Code::kContextNull, "The context of stream {} has been destroyed.", id);
  return owner;
}

vk::BufferRange Stream::resolve(const void* pointer, std::uint64_t bytes, const char* what) const {
  auto range = device_->find(pointer, bytes);
  if (!range) {
    fail(Code::kParamInvalid, "{} {} with {} bytes is not inside a live device or pinned allocation.{}", what, pointer,
         bytes, device_->missing_access(pointer));
  }
  check_accessible(*range, what, HostAccess::kRead);
  return *std::move(range);
}

void Stream::count_task() { last_task = ++tasks_; }

std::uint32_t last_task_of_thread() { return last_task; }

// The pending list of a program that never synchronises would fill the host's memory.
void Stream::wait_while_throttled() const {
  if (!queue_->launches_throttled()) return;
  Scheduler::instance().wait([this]() REQUIRES(scheduler_mutex) { return !queue_->launches_throttled(); }, nullptr);
}

void Stream::accept(Task&& task) {
  const SchedulerLock lock;
  wait_while_throttled();
  count_task();
  sink().accept(*this, std::move(task));
}

void Stream::accept_all(std::vector<Task>&& tasks) {
  const SchedulerLock lock;
  wait_while_throttled();
  for (std::size_t i = 0; i < tasks.size(); ++i) count_task();
  sink().accept_all(*this, std::move(tasks));
}

// Fills the task in place: it stores its operands, and a move would copy each of them.
void Stream::make_task(Kernel&& kernel, KernelTask& task) const {
  task.name = kernel.name;
  task.core = kernel.core;
  const bool empty = kernel.groups[0] == 0 || kernel.groups[1] == 0 || kernel.groups[2] == 0;
  if (empty) return;
  vk::Dispatch& dispatch = task.dispatch;
  find_operands(kernel, *device_, dispatch.operands);
  dispatch.shader = kernel.shader;
  dispatch.constants = std::move(kernel.constants);
  dispatch.arguments = std::move(kernel.arguments);
  dispatch.groups = kernel.groups;
  dispatch.copies = kernel.copies;
  dispatch.joined = kernel.joined;
  device_->gpu().prepare(dispatch);
  if (!executes()) device_->gpu().warm_up(dispatch);  // captured: compile now, and not in the first replay
}

void Stream::launch(Kernel&& kernel) {
  Task task(std::in_place_type<KernelTask>);
  make_task(std::move(kernel), std::get<KernelTask>(task));
  accept(std::move(task));
}

void Stream::launch(std::vector<Kernel>&& kernels) {
  if (kernels.size() == 1) return launch(std::move(kernels.front()));
  std::vector<Task> tasks;
  tasks.reserve(kernels.size());
  for (Kernel& kernel : kernels) {
    Task& task = tasks.emplace_back(std::in_place_type<KernelTask>);
    make_task(std::move(kernel), std::get<KernelTask>(task));
  }
  accept_all(std::move(tasks));
}

void Stream::copy(void* dst, const void* src, std::uint64_t bytes) {
  CopyTask task{destination(resolve(dst, bytes, "Destination")), resolve(src, bytes, "Source")};
  check_copy_commands(vk::copy_command_count(task.dst, task.src), dst, src);
  accept(std::move(task));
}

// The last row ends at its width: an allocation need not contain the rest of its pitch.
void Stream::copy_2d(void* dst, std::uint64_t dst_pitch, const void* src, std::uint64_t src_pitch, std::uint64_t width,
                     std::uint64_t height) {
  const vk::BufferRange to = destination(resolve(dst, dst_pitch * (height - 1) + width, "Destination"));
  const vk::BufferRange from = resolve(src, src_pitch * (height - 1) + width, "Source");
  Copy2dTask task{{to, from, dst_pitch, src_pitch, width, height}};
  check_copy_commands(vk::copy_command_count(task.copy), dst, src);
  accept(std::move(task));
}

void Stream::copy_pageable(void* dst, const void* src, std::uint64_t bytes) {
  vk::Device& gpu = device_->gpu();
  const auto take = [this](HostTask task) {
    const SchedulerLock lock;
    count_task();
    sink().accept_pageable(*this, std::move(task));
  };
  if (const auto range = device_->find(dst, bytes)) {
    const auto write = [&gpu, range, src] {
      check_program_memory(src, range->size, "Source", HostAccess::kRead);
      gpu.write(*range, src);
    };
    take(HostTask{"MEMCPY_ASYNC", write, nullptr, range});
  } else {
    const vk::BufferRange from = resolve(src, bytes, "Source");
    const auto read = [&gpu, dst, from] {
      check_program_memory(dst, from.size, "Destination", HostAccess::kWrite);
      gpu.read(dst, from);
    };
    take(HostTask{"MEMCPY_ASYNC", read, nullptr, from});
  }
}

void Stream::fill(void* dst, std::uint8_t value, std::uint64_t bytes) {
  accept(FillTask{destination(resolve(dst, bytes, "Destination")), value});
}

void Stream::fill_words(void* dst, std::uint32_t value, std::uint64_t words) {
  accept(FillWordsTask{destination(resolve(dst, words * sizeof(value), "Destination")), value});
}

void Stream::host_function(std::function<void()> function, std::shared_ptr<Notify> done) {
  const SchedulerLock lock;
  wait_while_throttled();
  count_task();
  auto guarded = terminating_on_exception(std::move(function), id, tasks_);
  sink().accept(*this, HostTask{"HOSTFUNC_CALLBACK", std::move(guarded), nullptr, {}, {}, std::move(done)});
}

void Stream::host_copy(std::function<void()> function) {
  accept(HostTask{"MEMCPY_ASYNC", std::move(function), nullptr});
}

void Stream::record(const EventPtr& event) {
  const SchedulerLock lock;
  wait_while_throttled();
  event->check_record();
  count_task();
  sink().record(*this, event);
}

void Stream::wait(const EventPtr& event, WaitLimit limit) {
  const SchedulerLock lock;
  wait_while_throttled();
  event->check_wait();
  count_task();
  sink().wait(*this, event, limit);
}

void Stream::reset(const EventPtr& event) {
  const SchedulerLock lock;
  wait_while_throttled();
  event->check_reset();
  count_task();
  sink().reset(*this, event);
}

void Stream::check_executes(const char* what) const {
  if (executes()) return;
  const SchedulerLock lock;
  sink().check_executes(*this, what);
}

void Stream::check_not_bound(const char* what, Code code) const {
  if (executes()) return;
  const SchedulerLock lock;
  const auto model = sink().bound_to();
  check(!model, code, "Cannot {} stream {}: it is bound to model {}.", what, id, model.value_or(0));
}

bool Stream::bound() const {
  if (executes()) return false;
  const SchedulerLock lock;
  return sink().bound_to().has_value();
}

bool Stream::accepts_host_tasks() const {
  const SchedulerLock lock;
  return sink().accepts_host_tasks();
}

void Stream::synchronize(Timeout timeout) { wait_for_end(timeout, AsynchronousError::kThrow); }

void Stream::wait_for_tasks(Timeout timeout) { wait_for_end(timeout, AsynchronousError::kLeave); }

// Three waits in order: until the work has been submitted, until the device has completed it, until the failure
// listeners have returned. All of them end at the same deadline.
void Stream::wait_for_end(const Timeout& timeout, AsynchronousError asynchronous) {
  const Clock::time_point limit = Clock::now() + timeout.value_or(std::chrono::milliseconds{0});
  Deadline deadline = timeout ? &limit : nullptr;
  PointPtr end;
  FreeCounts frees_before;
  {
    const SchedulerLock lock;
    sink().check_executes(*this, "synchronize");
    end = queue_->record_point();
    frees_before = queue_->frees;
  }
  // The end of the first lock has retried blocked streams. This one only waits, so it needs no SchedulerLock.
  const LogDeferral deferral;
  const LockGuard lock(scheduler_mutex);
  Scheduler& scheduler = Scheduler::instance();
  bool in_time =
      scheduler.wait([&]() REQUIRES(scheduler_mutex) { return end->settled() || queue_->stuck(); }, deadline);
  in_time = in_time && end->settled();
  if (in_time && !end->cancelled()) {
    const vk::TimelinePoint submitted = *end->submitted();  // a copy: the wait releases the lock
    in_time = scheduler.wait_for_device(submitted, deadline);
  }
  if (in_time && !end->cancelled()) {
    // Releases the resources of completed submissions here, where the program waits anyway, instead of in a launch.
    {
      const UnlockedScope unlocked(scheduler_mutex);
      device_->gpu().collect();
    }
    catch_up(*device_);
  }
  // A synchronisation returns an error only after the listeners have returned (docs/adr/0020).
  if (!inside_failure_listener()) {
    scheduler.wait([&]() REQUIRES(scheduler_mutex) { return queue_->errors().listeners_notified(); }, deadline);
  }
  // Frees that precede the synchronisation are complete, so pools may reuse and release their bytes (docs/adr/0015).
  if (in_time && !end->cancelled()) on_host_waited(*device_, frees_before);
  if (asynchronous == AsynchronousError::kThrow) {
    if (const auto error = queue_->take_error()) throw Error(*error);
  } else if (in_time && (!end->cancelled() || queue_->errors().drop_reason() == Code::kStreamAbort)) {
    return;  // only the call that owns the stream aborts it, and reports that; an abort of the device concerns all
  }
  if (!in_time || end->cancelled()) fail_synchronisation(*end, timeout);
}

void Stream::fail_synchronisation(const Point& end, const Timeout& timeout) {
  check(!end.cancelled(), queue_->errors().drop_reason(), "The tasks of stream {} were aborted.", id);
  const vk::TimelinePoint* submitted = end.submitted();
  const bool stuck = submitted ? Scheduler::instance().stuck(*submitted) : queue_->stuck();
  // A wait without a timeout ends early only when it is stuck, even if the overdue submission has completed since.
  check(
      timeout && !stuck, Code::kAicoreTimeout,
      "Tasks of stream {}, or tasks that they come after, have been running for too long. They cannot be interrupted, "
      "so they continue.",
      id);
  fail(Code::kStreamSyncTimeout, "Stream {} is not done after {} ms; it waits for {}.", id,
       timeout ? timeout->count() : 0, queue_->pending().waits_for());
}

bool Stream::idle() {
  const SchedulerLock lock;
  sink().check_executes(*this, "query");
  queue_->batch().flush_now();
  if (const auto error = queue_->peek_error()) throw Error(*error);
  const bool idle = queue_->idle();
  if (idle) catch_up(*device_);
  return idle;
}

void Stream::abort() {
  const SchedulerLock lock;
  sink().abandon();
  set_sink(nullptr);
  queue_->drop_pending(Code::kStreamAbort);
}

}  // namespace aclvk::runtime
