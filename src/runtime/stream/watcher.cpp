#include "runtime/stream/watcher.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/log_deferral.hpp"
#include "runtime/device/device.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/stream_queue.hpp"

namespace aclvk::runtime {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""us;
using Clock = std::chrono::steady_clock;

// A kernel's write to a word raises no signal: while a stream waits for one, memory is looked at this often.
constexpr auto kPollInterval = 1ms;
// Otherwise it looks up this often, for streams that wait too long.
constexpr auto kLongWait = 1000ms;
// What could not be done, for want of memory, is tried again after this long.
constexpr auto kPauseAfterFailure = 10ms;
// An open batch gathers tasks for this long before the watcher flushes it. A loop of launches flushes by itself sooner,
// and waking this thread for each of its batches would cost it more than the batches: so after a look at a young batch
// come some more, with nobody waking it.
constexpr auto kGather = 100us;
constexpr int kLooksAfterBatch = 10;

// Calls the actions of what has been reached. What an exception keeps from being called stays, to be tried again.
template <typename Watches>
void fire(Watches& watches) {
  Watches reached;
  try {
    for (auto next = watches.begin(); next != watches.end();) {
      const auto watch = next++;
      if (watch->reached()) reached.splice(reached.end(), watches, watch);
    }
    for (; !reached.empty(); reached.pop_front()) reached.front().action();
  } catch (...) {
    watches.splice(watches.begin(), reached);
    throw;
  }
}

}  // namespace

Watcher::Watcher(const Device& device) : device_(device), gpu_(device.gpu()), wake_timeline_(gpu_.create_timeline()) {
  Scheduler::instance();  // made here, where it may fail, and not by the thread
  watch_thread_ = std::thread([this] { watch_loop(); });
}

void Watcher::stop() {
  {
    const SchedulerLock lock;
    stop_ = true;
    wake();
    callback_condition_.notify_all();
  }
  if (watch_thread_.joinable()) watch_thread_.join();
}

void Watcher::catch_up() {
  if (!watches_.empty() || !polled_.empty()) fire_reached();
}

void Watcher::when_reached(vk::TimelinePoint point, std::function<void()> action) {
  watches_.push_back({std::move(point), std::move(action)});
  wake();
}

void Watcher::when_reached(PointPtr point, std::function<void()> action) {
  polled_.push_back({std::move(point), std::move(action)});
  wake();
}

void Watcher::flush_when_idle(StreamQueue* queue) {
  if (!to_flush_.emplace(queue, Clock::now()).second || looks_ > 0) return;
  looks_ = kLooksAfterBatch;
  wake();
}

void Watcher::poll_words() {
  if (!std::exchange(poll_words_, true)) wake();
}

void Watcher::forget(StreamQueue* queue) { to_flush_.erase(queue); }

void Watcher::run_callback(std::function<void()> function, std::function<void()> done) {
  callbacks_.push_back({std::move(function), std::move(done)});
  if (idle_callback_threads_ >= callbacks_.size()) {
    callback_condition_.notify_one();
  } else {
    start_callback_thread();
  }
}

// Never joined: a host function may not return, and the process does not wait for it.
void Watcher::start_callback_thread() {
  try {
    std::thread([this] { callback_loop(); }).detach();
    ++idle_callback_threads_;
  } catch (...) {
    callbacks_.pop_back();  // those that run may never come back for it
    throw;
  }
}

void Watcher::wake() {
  if (sleeping_in_driver_) {
    sleeping_in_driver_ = false;
    wake_timeline_->signal(++wake_value_);
  } else {
    watch_condition_.notify_one();
  }
}

// What the driver is waited for. Not the streams whose batch is young: their points may be reached long ago.
std::vector<vk::TimelinePoint> Watcher::points(Clock::time_point now) const {
  std::vector<vk::TimelinePoint> points{{wake_timeline_, wake_value_ + 1}};
  for (const Watch& watch : watches_) points.push_back(watch.point);
  for (const auto& [queue, since] : to_flush_) {
    if (now - since >= kGather) points.push_back(queue->submitted());
  }
  return points;
}

void Watcher::fire_reached() {
  fire(watches_);
  fire(polled_);
  flush_ripe();
  if (std::exchange(poll_words_, false)) Scheduler::instance().changed();
}

void Watcher::flush_ripe() {
  std::vector<StreamQueue*> ripe;
  const auto now = Clock::now();
  for (const auto& [queue, since] : to_flush_) {
    if (now - since >= kGather && queue->submitted().reached()) ripe.push_back(queue);
  }
  for (StreamQueue* queue : ripe) queue->flush_now();  // takes itself off the list
}

void Watcher::look_at_running() try {
  const auto now = Clock::now();
  if (now - looked_at_running_ < kLongWait) return;
  looked_at_running_ = now;
  for (const Overtime::Overdue& overdue : overtime_.look(gpu_.running(), now)) note_overdue(overdue);
} catch (const Error& error) {
  log().error("What the device is doing cannot be found out: {}", error.sentence());
}

void Watcher::note_overdue(const Overtime::Overdue& overdue) {
  const vk::TimelinePoint& end = overdue.end;
  StreamQueue* queue = Scheduler::instance().find_queue(*end.timeline);
  if (queue != nullptr) queue->note_overtime(end.value, overdue.limit);
  const auto is_past = [&](const auto& known) { return known.timeline == end.timeline || known.reached(); };
  overdue_.erase(std::remove_if(overdue_.begin(), overdue_.end(), is_past), overdue_.end());
  overdue_.push_back(end);
}

bool Watcher::stuck() const {
  return std::any_of(overdue_.begin(), overdue_.end(), [](const auto& end) { return !end.reached(); });
}

// A task of a stream that is blocked for good has nobody who could find out for it that its device is lost.
void Watcher::look_for_loss() {
  const auto loss = device_.loss();
  if (!loss || std::exchange(loss_told_, true)) return;
  for (StreamQueue* queue : Scheduler::instance().queues()) {
    if (&queue->device() == &device_) queue->note_loss(*loss);
  }
  Scheduler::instance().changed();
}

void Watcher::wait_for_device(const std::vector<vk::TimelinePoint>& wanted, std::chrono::nanoseconds timeout) try {
  gpu_.wait_any(wanted, timeout);
  gpu_.collect();
  if (gpu_.lost()) std::this_thread::sleep_for(kPollInterval);  // its points are reached; this thread must not spin
} catch (const std::bad_alloc&) {
  std::this_thread::sleep_for(kPauseAfterFailure);
} catch (const Error& error) {
  log().error("The device cannot be waited for: {}", error.sentence());
  const bool passes = error.code() == Code::kMemoryAllocation;
  std::this_thread::sleep_for(passes ? kPauseAfterFailure : kLongWait);
}

void Watcher::watch_loop() noexcept {
  SchedulerLock lock;
  while (!stop_) {
    try {
      fire_reached();
      look_for_loss();
      Scheduler::instance().check_waits();
      look_at_running();
      Scheduler::instance().settle();
      if (!lock.write_log()) sleep(lock);  // else somebody may have woken this thread meanwhile
    } catch (const std::exception& error) {
      log().error("The watching thread goes on after an exception: {}", error.what());
      Scheduler::instance().settle();
      lock.write_log();
      watch_condition_.wait_for(lock.get(), kPauseAfterFailure);
    }
  }
}

// Without a look to come the driver is waited for, or nobody: the thread costs nothing then.
void Watcher::sleep(SchedulerLock& lock) {
  const auto now = Clock::now();
  const bool young =
      std::any_of(to_flush_.begin(), to_flush_.end(), [&](const auto& entry) { return now - entry.second < kGather; });
  looks_ = young ? kLooksAfterBatch : std::max(looks_ - 1, 0);
  const std::vector<vk::TimelinePoint> wanted = points(now);
  const bool polls = poll_words_ || !polled_.empty();
  if (wanted.size() == 1 && !polls) {
    watch_condition_.wait_for(lock.get(), looks_ > 0 ? std::chrono::nanoseconds(kGather) : kLongWait);
    return;
  }
  const std::chrono::nanoseconds timeout = looks_ > 0 ? kGather : polls ? kPollInterval : kLongWait;
  sleeping_in_driver_ = true;
  lock.get().unlock();
  wait_for_device(wanted, timeout);
  lock.get().lock();
  sleeping_in_driver_ = false;
}

// A thread is idle again before it lets go of the lock behind its function: else the next one that a stream has would
// get a thread of its own whenever this one is slow to come back, and there would be more and more of them. Not while
// it writes what has been logged under the lock: a function of the program that gets the lines may wait for that next
// one.
void Watcher::callback_loop() noexcept {
  std::unique_lock lock(Scheduler::instance().mutex());
  while (true) {
    callback_condition_.wait(lock, [this] { return stop_ || !callbacks_.empty(); });
    --idle_callback_threads_;
    if (stop_) return;
    const Callback callback = std::move(callbacks_.front());
    callbacks_.pop_front();
    lock.unlock();
    callback.function();
    const LogDeferral deferral;  // not before: what the function logs is written at once
    lock.lock();
    callback.done();
    Scheduler::instance().settle();
    if (LogDeferral::pending()) {
      lock.unlock();
      LogDeferral::flush();
      lock.lock();
    }
    ++idle_callback_threads_;
  }
}

}  // namespace aclvk::runtime
