#include "runtime/stream/stream_queue.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "runtime/device/device.hpp"
#include "runtime/failure/fault_injection.hpp"
#include "runtime/stream/dropped_task.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/stream_observer.hpp"
#include "runtime/stream/watcher.hpp"
#include "runtime/task/task_row.hpp"

namespace aclvk::runtime {
namespace {

using Clock = std::chrono::steady_clock;

// The limit for the pending tasks of a stream that is throttled (docs/adr/0014).
constexpr std::size_t kMaxPendingTasks = 16384;

}  // namespace

StreamQueue::StreamQueue(Device& device, std::size_t queue_index, std::uint32_t stream_id,
                         std::shared_ptr<Failures> failures)
    : device_(device),
      identity_{stream_id, device.id, &device, this},
      errors_(identity_, pending_, std::move(failures)),
      batch_(identity_, device.gpu(), device.gpu().queue(queue_index), errors_),
      signals_(identity_, device.gpu(), pending_, errors_, batch_) {
  identity_.scheduler.add_queue(this);
}

// A call on another thread may have pushed tasks after the destruction of the stream has dropped all others.
StreamQueue::~StreamQueue() {
  if (!pending_.empty()) abandon_pending();
  identity_.scheduler.remove_queue(this);
  device_.watcher().remove(this);
  batch_.cancel_end();
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
    batch_.after_push();
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
    release_waiters_for(task, *this);
    pending_.count_processed();
  }
}

// The wait time of the first task starts anew only after progress. A retry without progress continues the same wait,
// whose limit keeps running.
void StreamQueue::pump() noexcept {
  const NoCallScope no_call;  // the calling thread may be in a call on another stream
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
    identity_.scheduler.remove_blocked(this);
    batch_.after_push();
  } else if (progressed) {
    set_blocked();
  }
}

void StreamQueue::pop_pending() {
  batch_.retain_all(pending_.memory_of_front());
  pending_.pop_front();
  batch_.flush_if_full();
}

// A task is throttled before it starts, so that the time limit of a wait does not run meanwhile.
bool StreamQueue::attempt(Task& task) noexcept {
  if (!pending_.front_started() && throttle()) return false;
  pending_.set_front_started(true);
  try {
    if (!run_task(task)) return false;
  } catch (const std::exception&) {
    // The call that issued the task may have returned, so the stream's next synchronisation reports the error.
    errors_.report_current(&task);
    release_waiters_for(task, *this);
  }
  pending_.set_front_started(false);
  return true;
}

// The open batch is submitted in any case. The list advances when the device has completed half of the backlog; the
// other half keeps it busy meanwhile.
bool StreamQueue::throttle() noexcept {
  try {
    if (!throttling_ || batch_.is_open() || !batch_.backlog_full()) return false;
    signals_.retry_when(batch_.half_of_backlog(), device_);
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
  identity_.scheduler.add_blocked(this);
  batch_.flush_now();
}

bool StreamQueue::run_task(Task& task) {
  return std::visit(
      [this, &task](auto& kind) REQUIRES(scheduler_mutex) {
        constexpr TaskClass task_class = kTaskRow<decltype(kind)>.task_class;
        if constexpr (task_class == TaskClass::kDeviceWork) {
          inject_fault(task);
          batch_.record(task);
          return true;
        } else if constexpr (task_class == TaskClass::kSignal) {
          return signals_.run(kind);
        } else if constexpr (task_class == TaskClass::kProcedure) {
          if (!kind.procedure) kind.procedure = kind.start();
          return kind.procedure->advance(*this);
        } else {
          static_assert(task_class == TaskClass::kControlFlow);
          return true;  // is no task of a queue: the pass of a built model executes it
        }
      },
      task);
}

bool StreamQueue::run_step(Task& task, std::uint64_t start) {
  const SignalExecutor::StepScope scope(signals_, start);
  return run_task(task);
}

bool StreamQueue::idle() const { return pending_.empty() && batch_.idle(); }

void StreamQueue::flush_all() noexcept {
  throttling_ = false;
  pump();
  throttling_ = true;
  batch_.flush_now();
}

PointPtr StreamQueue::record_point() {
  batch_.end_burst();  // a host thread waits, which ends a burst
  auto point = std::make_shared<Point>(Point{Point::Queued{}});
  add(EventRecordTask{nullptr, point});
  return point;
}

// Removing an entry is safe: the pool then reuses memory that the epoch has freed only when it is known to be idle.
void StreamQueue::trim_frees() {
  if (frees.size() < trim_frees_at_) return;
  std::set<std::uint32_t> live;
  for (const StreamQueue* queue : identity_.scheduler.queues()) live.insert(queue->pending().epoch());
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
  Scheduler& scheduler = identity_.scheduler;
  const vk::TimelinePoint end{batch_.timeline(), value};
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
  if (limit.count() == 0) return pending_.log_long_wait(identity_.id, now);
  pending_.begin_front();
  const Task& task = pending_.front();
  errors_.report(
      Error(Code::kWaitTimeout, fmt::format("Stream {} has waited for {} for {} s, as long as the wait may last.",
                                            identity_.id, pending_.waits_for(), limit.count())),
      &task);
  release_waiters_for(task, *this);
  pop_pending();
  pending_.begin_wait(now);
  pump();
}

bool StreamQueue::may_use(const vk::BufferRange& allocation) const {
  return batch_.is_open() || pending_.may_use(allocation);
}

void StreamQueue::retain_for_tasks(const vk::BufferRange& allocation, const std::shared_ptr<void>& bytes) {
  batch_.retain(bytes);
  pending_.retain(allocation, bytes);
}

PointPtr StreamQueue::end_point() {
  if (pending_.empty()) return batch_.end_point();
  auto point = std::make_shared<Point>(Point{Point::Queued{}});
  push(EventRecordTask{nullptr, point});
  return point;
}

// The point may be the end of an open batch, which is then submitted. If that fails, the batch has been dropped, and
// its end is cancelled.
void StreamQueue::wait_in_order(const PointPtr& point) {
  for (StreamQueue* queue : identity_.scheduler.queues()) {
    if (!queue->batch_.ends_with(point)) continue;
    queue->batch_.flush_now();
    queue->batch_.cancel_end();
  }
  push(EventWaitTask{nullptr, point, nullptr});
}

// Later tasks are not ordered after what the dropped ones would have waited for, so that the stream is usable at once.
// Tasks are dropped one by one, so that memory which one of them frees does not wait for those before it.
void StreamQueue::abandon_pending() noexcept {
  std::vector<PointPtr> superseded_by;
  const bool any = pending_.drain([&](const Task& task) REQUIRES(scheduler_mutex) {
    release_waiters_for(task, *this, superseded_by);  // first, because it decides whether a host function runs
    try {
      add_dependencies(task, pending_.epoch(), superseded_by);
    } catch (const std::exception&) {
      errors_.report_current();
    }
  });
  if (any) frees.clear();
  identity_.scheduler.remove_blocked(this);
  identity_.scheduler.changed();
}

// A stream that has never had work reports no failure.
void StreamQueue::on_device_lost(const Error& loss) {
  const bool worked = batch_.submitted().value > 0 || batch_.is_open() || !pending_.empty();
  batch_.drop();
  if (worked) errors_.report(loss);
  errors_.on_device_lost(loss);
  batch_.cancel_end();
  abandon_pending();
}

}  // namespace aclvk::runtime
