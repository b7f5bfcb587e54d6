#include "runtime/stream/stream.hpp"

#include <algorithm>
#include <atomic>

#include "base/error.hpp"
#include "base/log_deferral.hpp"
#include "runtime/context.hpp"
#include "runtime/device/device.hpp"
#include "runtime/failure/failed_task.hpp"
#include "runtime/handles.hpp"
#include "runtime/memory/host_probe.hpp"
#include "runtime/memory/memory_pool.hpp"
#include "runtime/stream/holding_sink.hpp"
#include "runtime/stream/program_function.hpp"
#include "runtime/stream/queue_sink.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/watcher.hpp"
#include "vk_device/copy_commands.hpp"
#include "vk_device/registered_memory.hpp"

namespace aclvk::runtime {
namespace {

using Clock = std::chrono::steady_clock;

std::uint32_t next_id() {
  static std::atomic<std::uint32_t> id{0};
  return id++;
}

thread_local std::uint32_t last_task = 0;

/// What a copy between ranges that overlap may be cut into.
constexpr std::uint64_t kMostCommandsOfCopy = 4096;

void check_apart(std::uint64_t commands, const void* dst, const void* src) {
  check(commands <= kMostCommandsOfCopy, Code::kParamInvalid,
        "Destination {} and source {} overlap and are too close together: the copy would take {} commands, of which {} "
        "are made; use memory between them.",
        dst, src, commands, kMostCommandsOfCopy);
}

// The program may have given its memory up by the time that the task is done, and a model does it again and again.
void check_still_there(const void* pointer, std::uint64_t bytes, const char* what, HostAccess access) {
  check(host_accessible(pointer, bytes, access), Code::kParamInvalid,
        "{} {} with {} bytes is not memory of this process any more that can be {}; what a task refers to has to live "
        "until it is done, and as long as its model.",
        what, pointer, bytes, done_to(access));
}

// A CPU driver touches registered memory in this process.
bool can_touch(const vk::BufferRange& range, HostAccess access) {
  return !vk::is_registered_host_memory(range) || host_accessible(range.mapped(), range.size, access);
}

void check_touchable(const vk::BufferRange& range, const char* what, HostAccess access) {
  check(can_touch(range, access), Code::kParamInvalid,
        "{} {:#x} with {} bytes is registered, but is not memory of this process any more that can be {}.", what,
        range.pointer(), range.size, done_to(access));
}

/// What resolve() has found for a task that writes there.
vk::BufferRange destination(vk::BufferRange found) {
  check_touchable(found, "Destination", HostAccess::kWrite);
  return found;
}

std::unique_ptr<Sink> make_own_sink(const Stream::Options& options) {
  if ((options.flags & kStreamPersistent) != 0) return std::make_unique<HoldingSink>();
  return std::make_unique<QueueSink>();
}

// Flags that other processes look at are set when the program knows that they must be. With the scheduler's lock.
void catch_up(const Device& device) {
  device.watcher().catch_up();
  Scheduler::instance().settle();
}

vk::Dispatch to_dispatch(Kernel&& kernel, const Device& device) {
  vk::Dispatch dispatch;
  dispatch.shader = kernel.shader;
  dispatch.constants = std::move(kernel.constants);
  dispatch.arguments = std::move(kernel.arguments);
  dispatch.groups = kernel.groups;
  dispatch.operands.reserve(kernel.operands.size());
  for (const Operand& operand : kernel.operands) {
    auto range = device.find(operand.address, operand.bytes);
    if (!range) {
      fail(Code::kNnRuntime, "{} touches {} bytes at {}, which are not inside a live allocation of device {}.{}",
           kernel.name, operand.bytes, operand.address, device.id, device.missing_access(operand.address));
    }
    const bool reads = operand.access == vk::Access::kRead;
    check(can_touch(*range, reads ? HostAccess::kRead : HostAccess::kWrite), Code::kNnRuntime,
          "{} touches {} bytes at {}, which are registered, but not memory of this process any more.", kernel.name,
          operand.bytes, operand.address);
    dispatch.operands.push_back({*std::move(range), operand.access});
  }
  dispatch.copies = kernel.copies;
  dispatch.joined = kernel.joined;
  return dispatch;
}

}  // namespace

Stream::Stream(std::shared_ptr<Context> context, Options stream_options)
    : options(stream_options),
      id(next_id()),
      context_number(context->number),
      priority(options.priority),
      context_(context),
      device_(context->shared_device()),
      own_sink_(make_own_sink(options)),
      sink_(own_sink_.get()) {
  const SchedulerLock lock;
  queue_ = std::make_unique<StreamQueue>(*device_, device_->next_queue(), id, context->failures);
}

Stream::~Stream() {
  const SchedulerLock lock;
  queue_.reset();
}

// It loses its handle, or its context ends, before its sink is abandoned.
void Stream::check_alive() const {
  context();
  check(stream_handles().find(handle).get() == this, Code::kInvalidHandle, "Stream {} has been destroyed.", id);
}

void Stream::set_sink(std::shared_ptr<Sink> sink) {
  sink_.store(sink ? sink.get() : own_sink_.get(), std::memory_order_release);
  other_sink_ = std::move(sink);
}

std::vector<Task> Stream::held_tasks() const {
  const auto* holding = dynamic_cast<const HoldingSink*>(own_sink_.get());
  return holding ? holding->tasks() : std::vector<Task>{};
}

void Stream::forget_held_tasks() noexcept {
  if (auto* holding = dynamic_cast<HoldingSink*>(own_sink_.get())) holding->forget_tasks();
}

std::shared_ptr<Context> Stream::context() const {
  auto context = context_.lock();
  check(context && !context->destroyed(), Code::kContextNull, "The context of stream {} has been destroyed.", id);
  return context;
}

vk::BufferRange Stream::resolve(const void* pointer, std::uint64_t bytes, const char* what) const {
  auto range = device_->find(pointer, bytes);
  if (!range) {
    fail(Code::kParamInvalid, "{} {} with {} bytes is not inside a live device or pinned allocation.{}", what, pointer,
         bytes, device_->missing_access(pointer));
  }
  check_touchable(*range, what, HostAccess::kRead);
  return *std::move(range);
}

void Stream::drop_held_tasks() {
  const SchedulerLock lock;
  auto* holding = dynamic_cast<HoldingSink*>(own_sink_.get());
  check(holding != nullptr, Code::kParamInvalid,
        "Stream {} was created with flags 0x{:x}; only PERSISTENT streams (0x4) collect tasks.", id, options.flags);
  check(&sink() == holding, Code::kParamInvalid, "The tasks of stream {} belong to a model.", id);
  holding->forget_tasks();
}

void Stream::note_task() { last_task = ++tasks_; }

std::uint32_t last_task_of_thread() { return last_task; }

// A program that never waits would fill the host's memory with tasks.
void Stream::wait_for_room(SchedulerLock& lock) const {
  if (!queue_->crowded()) return;
  Scheduler::instance().wait(
      lock.get(), [this] { return !queue_->crowded(); }, nullptr);
}

void Stream::accept(Task&& task) {
  SchedulerLock lock;
  wait_for_room(lock);
  note_task();
  sink().accept(*this, std::move(task));
}

void Stream::accept_all(std::vector<Task>&& tasks) {
  SchedulerLock lock;
  wait_for_room(lock);
  for (std::size_t i = 0; i < tasks.size(); ++i) note_task();
  sink().accept_all(*this, std::move(tasks));
}

Task Stream::task_of(Kernel&& kernel) {
  const std::string_view name = kernel.name;
  const bool empty = kernel.groups[0] == 0 || kernel.groups[1] == 0 || kernel.groups[2] == 0;
  const Core core = kernel.core;
  if (empty) return KernelTask{name, {}, core};
  vk::Dispatch dispatch = to_dispatch(std::move(kernel), *device_);
  device_->gpu().prepare(dispatch);
  if (!executes()) device_->gpu().warm_up(dispatch);
  return KernelTask{name, std::move(dispatch), core};
}

void Stream::launch(Kernel kernel) { accept(task_of(std::move(kernel))); }

void Stream::launch(std::vector<Kernel> kernels) {
  if (kernels.size() == 1) return launch(std::move(kernels.front()));
  std::vector<Task> tasks;
  tasks.reserve(kernels.size());
  for (Kernel& kernel : kernels) tasks.push_back(task_of(std::move(kernel)));
  accept_all(std::move(tasks));
}

void Stream::copy(void* dst, const void* src, std::uint64_t bytes) {
  CopyTask task{destination(resolve(dst, bytes, "Destination")), resolve(src, bytes, "Source")};
  check_apart(vk::copy_command_count(task.dst, task.src), dst, src);
  accept(std::move(task));
}

void Stream::copy_2d(void* dst, std::uint64_t dst_pitch, const void* src, std::uint64_t src_pitch, std::uint64_t width,
                     std::uint64_t height) {
  const vk::BufferRange to = destination(resolve(dst, dst_pitch * (height - 1) + width, "Destination"));
  const vk::BufferRange from = resolve(src, src_pitch * (height - 1) + width, "Source");
  Copy2dTask task{{to, from, dst_pitch, src_pitch, width, height}};
  check_apart(vk::copy_command_count(task.copy), dst, src);
  accept(std::move(task));
}

void Stream::copy_pageable(void* dst, const void* src, std::uint64_t bytes) {
  vk::Device& gpu = device_->gpu();
  const auto take = [this](HostTask task) {
    const SchedulerLock lock;
    note_task();
    sink().accept_pageable(*this, std::move(task));
  };
  if (const auto range = device_->find(dst, bytes)) {
    const auto write = [&gpu, range, src] {
      check_still_there(src, range->size, "Source", HostAccess::kRead);
      gpu.write(*range, src);
    };
    take(HostTask{"MEMCPY_ASYNC", write, nullptr, range});
  } else {
    const vk::BufferRange from = resolve(src, bytes, "Source");
    const auto read = [&gpu, dst, from] {
      check_still_there(dst, from.size, "Destination", HostAccess::kWrite);
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

void Stream::write_value(void* word, std::uint64_t value) { accept(ValueWriteTask{resolve(word, 8, "Word"), value}); }

void Stream::wait_value(void* word, std::uint64_t value, Comparison comparison) {
  accept(ValueWaitTask{resolve(word, 8, "Word"), value, comparison});
}

void Stream::host_function(std::function<void()> function, std::shared_ptr<Notify> done) {
  SchedulerLock lock;
  wait_for_room(lock);
  note_task();
  auto guarded = without_exceptions(std::move(function), id, tasks_);
  sink().accept(*this, HostTask{"HOSTFUNC_CALLBACK", std::move(guarded), nullptr, {}, {}, std::move(done)});
}

void Stream::host_copy(std::function<void()> function) {
  accept(HostTask{"MEMCPY_ASYNC", std::move(function), nullptr});
}

void Stream::record(const EventPtr& event) {
  const SchedulerLock lock;
  event->check_record();
  note_task();
  sink().record(*this, event);
}

void Stream::wait(const EventPtr& event, WaitLimit limit) {
  const SchedulerLock lock;
  event->check_wait();
  note_task();
  sink().wait(*this, event, limit);
}

void Stream::reset(const EventPtr& event) {
  const SchedulerLock lock;
  event->check_reset();
  note_task();
  sink().reset(*this, event);
}

void Stream::record_external(const EventPtr& event) { accept(EventRecordTask{event, nullptr, EventUse::kExternal}); }

void Stream::wait_external(const EventPtr& event) {
  accept(EventWaitTask{event, nullptr, nullptr, {}, EventUse::kExternal});
}

void Stream::record(const std::shared_ptr<Notify>& notify) { accept(NotifyRecordTask{notify}); }

void Stream::wait_and_reset(const std::shared_ptr<Notify>& notify, WaitLimit limit) {
  accept(NotifyWaitTask{notify, limit});
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

bool Stream::takes_host_tasks() const {
  const SchedulerLock lock;
  return sink().takes_host_tasks();
}

void Stream::synchronize(Timeout timeout) { wait_for_end(timeout, AsynchronousError::kThrow); }

void Stream::wait_for_tasks(Timeout timeout) { wait_for_end(timeout, AsynchronousError::kLeave); }

void Stream::wait_for_end(const Timeout& timeout, AsynchronousError asynchronous) {
  const Clock::time_point limit = Clock::now() + timeout.value_or(std::chrono::milliseconds{0});
  Deadline deadline = timeout ? &limit : nullptr;
  PointPtr end;
  FreesSeen frees_before;
  {
    const SchedulerLock lock;
    sink().check_executes(*this, "synchronize");
    end = queue_->mark();
    frees_before = queue_->frees;
  }
  const LogDeferral deferral;
  std::unique_lock lock(Scheduler::instance().mutex());
  Scheduler& scheduler = Scheduler::instance();
  const auto issued = [&] { return end->aborted || end->submitted; };
  bool in_time = scheduler.wait(
      lock, [&] { return issued() || queue_->stuck(); }, deadline);
  in_time = in_time && issued();
  if (in_time && !end->aborted) in_time = scheduler.wait_for_device(lock, *end->submitted, deadline);
  if (in_time && !end->aborted) {
    // Who has waited anyhow lets go of what the work held; else the next launch would have to.
    lock.unlock();
    device_->gpu().collect();
    lock.lock();
    catch_up(*device_);
  }
  if (!inside_failure_listener()) {
    scheduler.wait(
        lock, [&] { return queue_->failures_told(); }, deadline);
  }
  if (in_time && !end->aborted) note_host_waited(*device_, frees_before);
  if (asynchronous == AsynchronousError::kThrow) {
    if (const auto error = queue_->take_error()) throw Error(*error);
  } else if (in_time) {
    return;
  }
  if (!in_time || end->aborted) fail_synchronisation(*end, timeout);
}

void Stream::fail_synchronisation(const Point& end, const Timeout& timeout) {
  check(!end.aborted, queue_->drop_reason(), "The tasks of stream {} were aborted.", id);
  const bool stuck = end.submitted ? Scheduler::instance().stuck(*end.submitted) : queue_->stuck();
  // Without a limit nothing else ends the wait, whatever has happened since.
  check(timeout && !stuck, Code::kAicoreTimeout,
        "Tasks of stream {}, or tasks that they come after, have been running for too long. They cannot be interrupted "
        "and go on.",
        id);
  fail(Code::kStreamSyncTimeout, "Stream {} is not done after {} ms; it waits for {}.", id,
       timeout ? timeout->count() : 0, queue_->waits_for());
}

bool Stream::idle() {
  const SchedulerLock lock;
  sink().check_executes(*this, "query");
  queue_->flush_now();
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
