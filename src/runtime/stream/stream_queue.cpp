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

void rest_behind_first_submission() {
  static const bool rests = (quiesce_before_exit(), true);
  static_cast<void>(rests);
}

using Clock = std::chrono::steady_clock;

// Batches that follow each other this closely are a burst: a loop that launches small tasks.
constexpr std::chrono::microseconds kBurst{50};
constexpr std::size_t kTasksBetweenLooks = 8;

// A batch that is timed has its timestamps from the beginning, so there is a limit.
constexpr long kLargestBatch = 16384;

std::size_t batch_size() { return static_cast<std::size_t>(std::clamp(config().batch_size, 1L, kLargestBatch)); }

// What a stream may have on the device, and what a program may be ahead of that, before its launches wait.
constexpr std::size_t kMostBatches = 16;
constexpr std::size_t kMostHeldBack = 16384;

}  // namespace

StreamQueue::StreamQueue(Device& device, std::size_t queue_index, std::uint32_t stream_id,
                         std::shared_ptr<Failures> failures)
    : device_(device),
      queue_(device.gpu().queue(queue_index)),
      stream_id_(stream_id),
      order_(next_order()),
      timeline_(device.gpu().create_timeline()),
      backlog_(kMostBatches * batch_size()),
      failures_(std::move(failures)) {
  Scheduler::instance().add_queue(this);
}

// A call that had looked the stream up may have given it tasks after all others were dropped.
StreamQueue::~StreamQueue() {
  if (!pending_.empty()) abandon_pending();
  Scheduler::instance().remove_queue(this);
  device_.watcher().forget(this);
  give_up_tail();
}

void StreamQueue::check_takes_tasks() const {
  device_.check_not_lost();
  if (failures_->stopped_by()) throw Error(*failures_->stopped_by());
}

void StreamQueue::push(Task&& task) {
  check_takes_tasks();
  take(std::move(task));
}

void StreamQueue::take(Task&& task) noexcept {
  dropped_.reset();
  add(std::move(task));
}

void StreamQueue::add(Task&& task) noexcept {
  halted_ = halted_ && failures_->stopped_by();  // the abort of another stream may have let the context go on
  thread_ = this_thread_id();
  if (pending_.empty() && attempt(task)) {
    ++done_;
    after_push();
    return;
  }
  add_pending(std::move(task));
}

// The task may have begun, so that it is too late for its call to fail.
void StreamQueue::add_pending(Task&& task) noexcept {
  if (pending_.empty()) keep_blocked();
  if (const auto* record = std::get_if<EventRecordTask>(&task); record && record->point) {
    record->point->order = order_;
    record->point->number = ++pending_records_;
  }
  Pending pending{std::move(task), thread_};
  try {
    pending_.push_back(std::move(pending));
  } catch (const std::exception&) {
    keep_current_error(&pending.task);
    abandon(pending.task);
    ++done_;
  }
}

void StreamQueue::pump() noexcept {
  const profile::NoCallScope others;
  bool moved = false;
  while (!pending_.empty() && !halted_) {
    thread_ = pending_.front().thread;
    const bool had_begun = begun_;
    const bool done = attempt(pending_.front().task);
    moved = moved || done || begun_ != had_begun;
    if (!done) break;
    go_on();
  }
  if (halted_) abandon_pending();
  if (pending_.empty()) {
    Scheduler::instance().remove_blocked(this);
    after_push();
  } else if (moved) {
    keep_blocked();
  }
}

void StreamQueue::go_on() {
  if (open_) kept_.splice(kept_.end(), pending_.front().keeps);
  pending_.pop_front();
  begun_ = false;
  ++done_;
  if (open_ && open_->commands() >= batch_size()) flush_now();
}

// Whatever comes when the device has enough of this stream is held back before it begins: then no time of a wait runs.
bool StreamQueue::attempt(Task& task) noexcept {
  if (!begun_ && held_back()) return false;
  begun_ = true;
  if (!run(task)) return false;
  begun_ = false;
  return true;
}

// A batch that is open goes out anyway. The list goes on when the device has done half: the other half keeps it busy.
bool StreamQueue::held_back() noexcept {
  try {
    if (!hold_back_ || open_ || !backlog_.full(*timeline_)) return false;
    come_back_at({timeline_, backlog_.half()}, device_);
    return true;
  } catch (const std::exception&) {
    return false;  // the device is lost, or there is no memory for the watch; whoever submits next tells it
  }
}

bool StreamQueue::crowded() const { return pending_.size() >= kMostHeldBack && !begun_ && !stuck(); }

void StreamQueue::keep_blocked() noexcept {
  blocked_since_ = std::chrono::steady_clock::now();
  reported_wait_.clear();
  Scheduler::instance().add_blocked(this);
  flush_now();
}

// A task that comes alone goes out at once when the device has nothing of this stream to do. A submission costs the
// host and the driver as much as many small tasks, so in a burst the device is asked only now and then, and what nobody
// has flushed is left to the watcher, for at most as long as that gathers.
void StreamQueue::after_push() noexcept {
  if (!open_) return;
  const std::size_t tasks = open_->commands();
  const bool look = !in_burst_ || tasks % kTasksBetweenLooks == 0;
  if (tasks >= batch_size() || (look && device_is_done())) {
    flush_now();
    last_batch_ = Clock::now();
  } else if (!watched_for_flush_) {
    leave_to_watcher();
  }
}

bool StreamQueue::device_is_done() noexcept {
  try {
    return submitted().reached();
  } catch (const std::exception&) {  // the submission will tell
    return true;
  }
}

void StreamQueue::leave_to_watcher() noexcept {
  try {
    device_.watcher().flush_when_idle(this);
    watched_for_flush_ = true;
  } catch (const std::exception&) {  // no memory to be remembered
    flush_now();
  }
}

// Before a batch that may not come to its end: else the watcher would look at this stream again and again.
void StreamQueue::take_from_watcher() noexcept {
  if (std::exchange(watched_for_flush_, false)) device_.watcher().forget(this);
}

bool StreamQueue::run(Task& task) noexcept {
  try {
    return run_task(task);
  } catch (const std::exception&) {
    // The call that issued the task may be long gone; the stream's next synchronisation reports it.
    keep_current_error(&task);
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
                          record.notify->apply(record, {before(), &device_});
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
  if (!open_) {
    open_ = device_.gpu().record(vk::Level::kPrimary);
    in_burst_ = Clock::now() - last_batch_ < kBurst;
  }
  return *open_;
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

void StreamQueue::show_timed(std::shared_ptr<profile::TimedTasks> timed) {
  profile::add_submission({std::move(timed), &device_, stream_id_, submitted(), std::nullopt});
}

bool StreamQueue::idle() const {
  const bool waits_over =
      std::all_of(open_waits_.begin(), open_waits_.end(), [](const auto& w) { return w.reached(); });
  return pending_.empty() && !open_ && waits_over && submitted().reached();
}

vk::TimelinePoint StreamQueue::flush() {
  if (!open_ && open_waits_.empty()) return submitted();
  take_from_watcher();
  auto timed = std::exchange(timed_, nullptr);
  std::vector<std::shared_ptr<vk::CommandBuffer>> commands;
  if (open_) commands.push_back(std::exchange(open_, nullptr)->finish());
  hand_over(std::move(commands));
  if (timed) show_timed(std::move(timed));
  return submitted();
}

void StreamQueue::flush_now() noexcept {
  try {
    if (open_) flush();
  } catch (const std::exception&) {
    keep_current_error();
  }
}

void StreamQueue::flush_all() noexcept {
  hold_back_ = false;
  pump();
  hold_back_ = true;
  flush_now();
}

vk::TimelinePoint StreamQueue::submit(std::vector<std::shared_ptr<vk::CommandBuffer>> commands) {
  if (open_) flush();
  hand_over(std::move(commands));
  return submitted();
}

// What is submitted later still has to wait when this submission fails, and what has been submitted must not fail.
void StreamQueue::hand_over(std::vector<std::shared_ptr<vk::CommandBuffer>> commands) {
  std::size_t tasks = 0;
  for (const auto& buffer : commands) tasks += buffer->commands();
  backlog_.add(submitted_ + 1, tasks);
  try {
    queue_.submit({std::move(commands), open_waits_, {timeline_, submitted_ + 1}});
  } catch (...) {
    backlog_.take_back();
    throw;
  }
  ++submitted_;
  place_tail();
  open_waits_.clear();
  kept_.clear();
  rest_behind_first_submission();
}

PointPtr StreamQueue::mark() {
  last_batch_ = {};  // somebody waits: what comes next begins anew
  auto point = std::make_shared<Point>();
  add(EventRecordTask{nullptr, point});
  return point;
}

// Forgetting is safe: memory that such an order has freed is then used again when it is known to be idle.
void StreamQueue::trim_frees() {
  if (frees.size() < frees_to_trim_) return;
  std::set<std::uint32_t> live;
  for (const StreamQueue* queue : Scheduler::instance().queues()) live.insert(queue->order());
  for (auto entry = frees.begin(); entry != frees.end();) {
    entry = live.count(entry->first) ? std::next(entry) : frees.erase(entry);
  }
  frees_to_trim_ = std::max(kManyFrees, 2 * frees.size());
}

}  // namespace aclvk::runtime
