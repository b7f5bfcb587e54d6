#include "runtime/stream/stream_queue.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <set>

#include "base/config.hpp"
#include "runtime/device/device.hpp"
#include "runtime/event/count_notify.hpp"
#include "runtime/event/event.hpp"
#include "runtime/failure/failed_task.hpp"
#include "runtime/failure/fault_injection.hpp"
#include "runtime/profile/session.hpp"
#include "runtime/profile/task_times.hpp"
#include "runtime/stream/device_work.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/watcher.hpp"

namespace aclvk::runtime {
namespace {

// Exit handlers run in reverse order of their registration. Drivers and layers register some at their first submission,
// and the library's has to run before those.
void register_exit_handler_once() {
  static const bool registered = (quiesce_before_exit(), true);
  static_cast<void>(registered);
}

using Clock = std::chrono::steady_clock;

// A batch that is begun this soon after the last one belongs to a burst: a loop that launches small tasks.
constexpr std::chrono::microseconds kBurst{50};
// In a burst the timeline is queried once for this many tasks.
constexpr std::size_t kTasksBetweenQueries = 8;

// A profiled batch allocates the timestamps of all its tasks when it is begun, so its size needs a limit.
constexpr long kMaxBatchSize = 16384;

std::size_t batch_size() { return static_cast<std::size_t>(std::clamp(config().batch_size, 1L, kMaxBatchSize)); }

// Limits for the tasks of a stream on the device and in the pending list (docs/adr/0014).
constexpr std::size_t kMaxBacklogBatches = 16;
constexpr std::size_t kMaxPendingTasks = 16384;

}  // namespace

StreamQueue::StreamQueue(Device& device, std::size_t queue_index, std::uint32_t stream_id,
                         std::shared_ptr<Failures> failures)
    : device_(device),
      queue_(device.gpu().queue(queue_index)),
      stream_id_(stream_id),
      errors_({stream_id, device.id, &device, this}, pending_, std::move(failures)),
      timeline_(device.gpu().create_timeline()),
      backlog_(kMaxBacklogBatches * batch_size()) {
  Scheduler::instance().add_queue(this);
}

// A call on another thread may have pushed tasks after the destruction of the stream has dropped all others.
StreamQueue::~StreamQueue() {
  if (!pending_.empty()) abandon_pending();
  Scheduler::instance().remove_queue(this);
  device_.watcher().remove(this);
  cancel_open_end();
}

void StreamQueue::check_accepts_tasks() const {
  device_.check_not_lost();
  errors_.check_not_stopped();
}

void StreamQueue::push(Task&& task) {
  check_accepts_tasks();
  push_unchecked(std::move(task));
}

void StreamQueue::push_unchecked(Task&& task) noexcept {
  errors_.clear_dropped();
  add(std::move(task));
}

void StreamQueue::add(Task&& task) noexcept {
  errors_.update_halted();
  pending_.begin_new();
  if (pending_.empty() && attempt(task)) {
    pending_.count_processed();
    after_push();
    return;
  }
  add_pending(std::move(task));
}

// The task may have started, so its call must not fail: an exception is reported as an asynchronous error.
void StreamQueue::add_pending(Task&& task) noexcept {
  if (pending_.empty()) set_blocked();
  try {
    pending_.add(std::move(task));
  } catch (const std::exception&) {
    errors_.report_current(&task);
    abandon(task);
    pending_.count_processed();
  }
}

void StreamQueue::pump() noexcept {
  const profile::NoCallScope no_call;  // the calling thread may be in a call on another stream
  bool progressed = false;
  while (!pending_.empty() && !errors_.halted()) {
    pending_.begin_front();
    const bool had_started = pending_.front_started();
    const bool done = attempt(pending_.front());
    progressed = progressed || done || pending_.front_started() != had_started;
    if (!done) break;
    pop_pending();
  }
  if (errors_.halted()) abandon_pending();
  if (pending_.empty()) {
    Scheduler::instance().remove_blocked(this);
    after_push();
  } else if (progressed) {
    set_blocked();
  }
}

void StreamQueue::pop_pending() {
  if (open_batch_) retained_.splice(retained_.end(), pending_.memory_of_front());
  pending_.pop_front();
  if (open_batch_ && open_batch_->commands() >= batch_size()) flush_now();
}

// A task is throttled before it starts, so that the time limit of a wait does not run meanwhile.
bool StreamQueue::attempt(Task& task) noexcept {
  if (!pending_.front_started() && throttle()) return false;
  pending_.set_front_started(true);
  if (!run(task)) return false;
  pending_.set_front_started(false);
  return true;
}

// The open batch is submitted in any case. The list advances when the device has completed half of the backlog; the
// other half keeps it busy meanwhile.
bool StreamQueue::throttle() noexcept {
  try {
    if (!throttling_ || open_batch_ || !backlog_.full(*timeline_)) return false;
    retry_when({timeline_, backlog_.half_done_value()}, device_);
    return true;
  } catch (const std::exception&) {
    return false;  // device lost or out of memory: the next submission reports it
  }
}

bool StreamQueue::launches_throttled() const {
  return pending_.size() >= kMaxPendingTasks && !pending_.front_started() && !stuck();
}

void StreamQueue::set_blocked() noexcept {
  pending_.begin_wait(Clock::now());
  Scheduler::instance().add_blocked(this);
  flush_now();
}

// A single task is submitted at once when the device has completed all earlier work of the stream. A submission costs
// the host as much as many small tasks, so in a burst the device is queried only at every eighth task, and the watcher
// flushes what remains (docs/adr/0014).
void StreamQueue::after_push() noexcept {
  if (!open_batch_) return;
  const std::size_t tasks = open_batch_->commands();
  const bool query = !in_burst_ || tasks % kTasksBetweenQueries == 0;
  if (tasks >= batch_size() || (query && device_is_idle())) {
    flush_now();
    last_batch_ = Clock::now();
  } else if (!flush_scheduled_) {
    schedule_flush();
  }
}

bool StreamQueue::device_is_idle() noexcept {
  try {
    return submitted().reached();
  } catch (const std::exception&) {  // the submission reports the error
    return true;
  }
}

void StreamQueue::schedule_flush() noexcept {
  try {
    device_.watcher().flush_when_idle(this);
    flush_scheduled_ = true;
  } catch (const std::exception&) {  // no memory for the watcher's entry
    flush_now();
  }
}

// Called before a submission, which may fail: the watcher would retry a failed flush for ever.
void StreamQueue::unschedule_flush() noexcept {
  if (std::exchange(flush_scheduled_, false)) device_.watcher().remove(this);
}

bool StreamQueue::run(Task& task) noexcept {
  try {
    return run_task(task);
  } catch (const std::exception&) {
    // The call that issued the task may have returned, so the stream's next synchronisation reports the error.
    errors_.report_current(&task);
    abandon(task);
    return true;
  }
}

bool StreamQueue::run_task(Task& task) {
  return std::visit(Overloaded{
                        [this](const EventRecordTask& record) {
                          return record.point ? set_point(record.point) : set_flag(record.event->flag), true;
                        },
                        [this](const EventWaitTask& wait) {
                          if (!wait.point) return wait_flag(wait.event->flag);
                          if (!wait_point(wait.point)) return false;
                          if (wait.passed) *wait.passed = *wait.point;
                          return true;
                        },
                        [this](const EventResetTask& reset) {
                          if (reset.point) return set_point(reset.point), true;
                          reset.event->flag.set = false;
                          return true;
                        },
                        [this](const NotifyRecordTask& record) { return set_flag(record.notify->flag), true; },
                        [this](const NotifyWaitTask& wait) {
                          if (wait.notify->flag.shared) return take_shared_flag(*wait.notify->flag.shared);
                          if (!wait_flag(wait.notify->flag)) return false;
                          wait.notify->flag.set = false;
                          return true;
                        },
                        [this](const CountRecordTask& record) {
                          record.notify->apply(record, {flush_preceding(), &device_});
                          Scheduler::instance().changed();
                          return true;
                        },
                        [this](const CountWaitTask& wait) { return wait_count(wait); },
                        [this](const ValueWriteTask& write) { return write_value(write), true; },
                        [this](const ValueWaitTask& wait) { return wait_value(wait); },
                        [this](HostTask& host) { return run_on_host(host); },
                        [this](ProcedureTask& procedure) {
                          if (!procedure.procedure) procedure.procedure = procedure.start();
                          return procedure.procedure->advance(*this);
                        },
                        [this, &task](const auto&) {
                          inject_fault(task);
                          return record(task), true;
                        },
                    },
                    task);
}

vk::CommandRecorder& StreamQueue::recorder() {
  if (!open_batch_) {
    open_batch_ = device_.gpu().record(vk::Level::kPrimary);
    in_burst_ = Clock::now() - last_batch_ < kBurst;
  }
  return *open_batch_;
}

bool StreamQueue::timed() const { return profile::times_tasks(device_.id) && device_.gpu().has_timestamps(); }

void StreamQueue::record(const Task& task) {
  if (profile::on(profile::kTasks) && timed()) return record_timed(task);
  if (!std::holds_alternative<MarkTask>(task)) record_work(recorder(), task);
}

void StreamQueue::record_timed(const Task& task) {
  vk::CommandRecorder& batch = recorder();
  if (!timed_) timed_ = std::make_shared<profile::TimedTasks>(device_.gpu(), batch_size());
  timed_->record(batch, task, profile::describe(task));
}

void StreamQueue::pass_to_profiler(std::shared_ptr<profile::TimedTasks> timed) {
  profile::add_submission({std::move(timed), &device_, stream_id_, submitted(), std::nullopt});
}

bool StreamQueue::idle() const {
  const bool waits_over =
      std::all_of(open_waits_.begin(), open_waits_.end(), [](const auto& w) { return w.reached(); });
  return pending_.empty() && !open_batch_ && waits_over && submitted().reached();
}

vk::TimelinePoint StreamQueue::flush() {
  if (!open_batch_ && open_waits_.empty()) return submitted();
  unschedule_flush();
  auto timed = std::exchange(timed_, nullptr);
  std::vector<std::shared_ptr<vk::CommandBuffer>> commands;
  if (open_batch_) commands.push_back(std::exchange(open_batch_, nullptr)->finish());
  submit_batch(std::move(commands));
  if (timed) pass_to_profiler(std::move(timed));
  return submitted();
}

void StreamQueue::flush_now() noexcept {
  try {
    if (open_batch_) flush();
  } catch (const std::exception&) {
    errors_.report_current();
  }
}

void StreamQueue::flush_all() noexcept {
  throttling_ = false;
  pump();
  throttling_ = true;
  flush_now();
}

vk::TimelinePoint StreamQueue::submit(std::vector<std::shared_ptr<vk::CommandBuffer>> commands) {
  if (open_batch_) flush();
  submit_batch(std::move(commands));
  return submitted();
}

// The waits are cleared only after the submission has succeeded: when it fails, later submissions still need them.
// After the submission nothing may throw.
void StreamQueue::submit_batch(std::vector<std::shared_ptr<vk::CommandBuffer>> commands) {
  std::size_t tasks = 0;
  for (const auto& buffer : commands) tasks += buffer->commands();
  backlog_.add(submitted_ + 1, tasks);
  try {
    queue_.submit({std::move(commands), open_waits_, {timeline_, submitted_ + 1}});
  } catch (...) {
    backlog_.remove_last();
    throw;
  }
  ++submitted_;
  resolve_open_end();
  open_waits_.clear();
  retained_.clear();
  register_exit_handler_once();
}

PointPtr StreamQueue::record_point() {
  last_batch_ = {};  // a host thread waits, which ends a burst
  auto point = std::make_shared<Point>();
  add(EventRecordTask{nullptr, point});
  return point;
}

// Removing an entry is safe: the pool then reuses memory that the epoch has freed only when it is known to be idle.
void StreamQueue::trim_frees() {
  if (frees.size() < trim_frees_at_) return;
  std::set<std::uint32_t> live;
  for (const StreamQueue* queue : Scheduler::instance().queues()) live.insert(queue->pending().epoch());
  for (auto entry = frees.begin(); entry != frees.end();) {
    entry = live.count(entry->first) ? std::next(entry) : frees.erase(entry);
  }
  trim_frees_at_ = std::max(kTrimFreesAt, 2 * frees.size());
}

void StreamQueue::drop_pending(Code reason) noexcept {
  errors_.on_drop(reason);
  abandon_pending();
}

std::optional<Error> StreamQueue::take_error() { return errors_.take(device_.loss()); }

std::optional<Error> StreamQueue::peek_error() const { return errors_.peek(device_.loss()); }

void StreamQueue::on_timeout(std::uint64_t value, std::chrono::microseconds limit) {
  Scheduler& scheduler = Scheduler::instance();
  const vk::TimelinePoint end{timeline_, value};
  // Submissions that wait for this one, or follow it in its VkQueue, cannot complete before it.
  for (const vk::TimelinePoint& first : device_.gpu().blocked_by(end)) {
    if (StreamQueue* queue = scheduler.find_queue(*first.timeline)) queue->errors_.set_stuck(first.value, end);
  }
  scheduler.changed();
  errors_.report_timeout(value, limit);
}

void StreamQueue::check_wait() {
  if (pending_.empty() || !pending_.front_started()) return;
  const auto now = Clock::now();
  const WaitLimit limit = pending_.expired_limit(now);
  if (limit.count() == 0) return pending_.log_long_wait(stream_id_, now);
  pending_.begin_front();
  const Task& task = pending_.front();
  errors_.report(
      Error(Code::kWaitTimeout, fmt::format("Stream {} has waited for {} for {} s, as long as the wait may last.",
                                            stream_id_, pending_.waits_for(), limit.count())),
      &task);
  abandon(task);
  pop_pending();
  pending_.begin_wait(now);
  pump();
}

}  // namespace aclvk::runtime
