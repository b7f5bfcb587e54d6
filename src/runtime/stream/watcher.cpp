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

// A kernel's write to a word signals nothing, so memory is polled at this interval while a stream waits for a word.
constexpr auto kPollInterval = 1ms;
// Otherwise the thread wakes up at this interval, to find waits and submissions that time out.
constexpr auto kLongWait = 1000ms;
// The pause before the retry of what has failed for lack of memory.
constexpr auto kPauseAfterFailure = 10ms;
// The age at which the watcher flushes an open batch. A loop of launches flushes its batches sooner, and waking this
// thread for each of them would cost the loop more than the batches. So once the thread has seen a younger batch, it
// sleeps this long several times and needs no wake-up (docs/adr/0014).
constexpr auto kGatherTime = 100us;
constexpr int kShortSleepsAfterBatch = 10;

// Calls the actions of reached points. Moves these to a list of their own first, so that an action may add watches;
// splicing allocates nothing. After an exception the actions that were not completed stay in the list.
template <typename Watches>
void fire(Watches& watches) REQUIRES(scheduler_mutex) {
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

bool has_stuck_task(Watcher& watcher) {
  const LogDeferral deferral;  // ends after the lock
  const LockGuard lock(scheduler_mutex);
  watcher.check_running();
  return watcher.stuck();
}

}  // namespace

std::shared_ptr<Watcher> start_watcher(const Device& device) { return std::make_shared<Watcher>(device); }

// The scheduler is created here, where the exception can be handled, and not by the thread.
Watcher::Watcher(const Device& device)
    : device_(device), gpu_(device.gpu()), scheduler_(Scheduler::instance()), wake_timeline_(gpu_.create_timeline()) {
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

// Polls the counter, because detached threads cannot be joined.
bool Watcher::wait_for_callback_threads(std::chrono::milliseconds grace) const {
  const auto deadline = Clock::now() + grace;
  while (callback_threads_ > 0) {
    if (Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(kPollInterval);
  }
  return true;
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
  if (!to_flush_.emplace(queue, Clock::now()).second || short_sleeps_ > 0) return;
  short_sleeps_ = kShortSleepsAfterBatch;
  wake();
}

void Watcher::poll_words() {
  if (!std::exchange(poll_words_, true)) wake();
}

void Watcher::remove(StreamQueue* queue) { to_flush_.erase(queue); }

void Watcher::run_callback(std::function<void()> function, std::function<void()> done) {
  callbacks_.push_back({std::move(function), std::move(done)});
  if (idle_callback_threads_ >= callbacks_.size()) {
    callback_condition_.notify_one();
  } else {
    start_callback_thread();
  }
}

// Detached: a host function may never return, and the process does not wait for it.
void Watcher::start_callback_thread() {
  ++callback_threads_;
  try {
    std::thread([this] {
      callback_loop();
      --callback_threads_;
    }).detach();
    ++idle_callback_threads_;
  } catch (...) {
    --callback_threads_;
    callbacks_.pop_back();  // the threads that exist may never return for it
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

// Returns the points for the wait in the driver. Queues with a young batch are left out: their submissions may be
// complete already, and the wait would return at once.
std::vector<vk::TimelinePoint> Watcher::points(Clock::time_point now) const {
  std::vector<vk::TimelinePoint> points{{wake_timeline_, wake_value_ + 1}};
  for (const Watch& watch : watches_) points.push_back(watch.point);
  for (const auto& [queue, since] : to_flush_) {
    if (now - since >= kGatherTime) points.push_back(queue->batch().submitted());
  }
  return points;
}

void Watcher::fire_reached() {
  fire(watches_);
  fire(polled_);
  flush_idle();
  if (std::exchange(poll_words_, false)) scheduler_.changed();
}

void Watcher::flush_idle() {
  std::vector<StreamQueue*> idle;
  const auto now = Clock::now();
  for (const auto& [queue, since] : to_flush_) {
    if (now - since >= kGatherTime && queue->batch().submitted().reached()) idle.push_back(queue);
  }
  for (StreamQueue* queue : idle) queue->batch().flush_now();  // calls remove()
}

void Watcher::check_running() try {
  const auto now = Clock::now();
  if (now - running_checked_at_ < kLongWait) return;
  running_checked_at_ = now;
  for (const auto& overdue : timeout_detector_.find_overdue(gpu_.oldest_pending(), now)) on_timeout(overdue);
} catch (const Error& error) {
  log().error("What the device is doing cannot be found out: {}", error.sentence());
}

void Watcher::on_timeout(const TimeoutDetector::Overdue& overdue) {
  const vk::TimelinePoint& end = overdue.end;
  StreamQueue* queue = scheduler_.find_queue(*end.timeline);
  if (queue != nullptr) queue->on_timeout(end.value, overdue.limit);
  const auto is_past = [&](const auto& existing) { return existing.timeline == end.timeline || existing.reached(); };
  overdue_.erase(std::remove_if(overdue_.begin(), overdue_.end(), is_past), overdue_.end());
  overdue_.push_back(end);
}

bool Watcher::stuck() const {
  return std::any_of(overdue_.begin(), overdue_.end(), [](const auto& end) { return !end.reached(); });
}

// A stream that is blocked for ever makes no call to the driver, and would not find out that its device is lost.
void Watcher::check_for_loss() {
  const auto loss = device_.loss();
  if (!loss || std::exchange(loss_reported_, true)) return;
  for (StreamQueue* queue : scheduler_.queues()) {
    if (&queue->device() == &device_) queue->on_device_lost(*loss);
  }
  scheduler_.changed();
}

void Watcher::wait_for_device(const std::vector<vk::TimelinePoint>& wanted, std::chrono::nanoseconds timeout) try {
  gpu_.wait_any(wanted, timeout);
  gpu_.collect();
  if (gpu_.lost()) std::this_thread::sleep_for(kPollInterval);  // its points are reached, so the wait does not block
} catch (const std::bad_alloc&) {
  std::this_thread::sleep_for(kPauseAfterFailure);
} catch (const Error& error) {
  log().error("The device cannot be waited for: {}", error.sentence());
  const bool passes = error.code() == Code::kMemoryAllocation;
  std::this_thread::sleep_for(passes ? kPauseAfterFailure : kLongWait);
}

void Watcher::watch_loop() noexcept {
  const SchedulerLock lock;
  while (!stop_) {
    try {
      fire_reached();
      check_for_loss();
      scheduler_.check_waits();
      check_running();
      scheduler_.settle();
      if (!SchedulerLock::write_log()) sleep();  // write_log() released the lock, so wake() may have been called
    } catch (const std::exception& error) {
      log().error("The watcher thread continues after an exception: {}", error.what());
      scheduler_.settle();
      SchedulerLock::write_log();
      watch_condition_.wait_for(scheduler_mutex, kPauseAfterFailure);
    }
  }
}

// Waits in the driver, or for wake() when there is no point to wait for: an idle watcher costs no processor time.
void Watcher::sleep() {
  const auto now = Clock::now();
  const bool young = std::any_of(to_flush_.begin(), to_flush_.end(),
                                 [&](const auto& entry) { return now - entry.second < kGatherTime; });
  short_sleeps_ = young ? kShortSleepsAfterBatch : std::max(short_sleeps_ - 1, 0);
  const std::vector<vk::TimelinePoint> wanted = points(now);
  const bool polls = poll_words_ || !polled_.empty();
  if (wanted.size() == 1 && !polls) {
    watch_condition_.wait_for(scheduler_mutex, short_sleeps_ > 0 ? std::chrono::nanoseconds(kGatherTime) : kLongWait);
    return;
  }
  const std::chrono::nanoseconds timeout = short_sleeps_ > 0 ? kGatherTime : polls ? kPollInterval : kLongWait;
  sleeping_in_driver_ = true;
  {
    const UnlockedScope unlocked(scheduler_mutex);
    wait_for_device(wanted, timeout);
  }
  sleeping_in_driver_ = false;
}

// A thread counts as idle before it releases the lock after its function. Otherwise the stream's next function would
// start a new thread whenever this one is slow to return, and threads would accumulate. It is not idle while it writes
// deferred log lines: a log callback of the program may wait for that next function.
void Watcher::callback_loop() noexcept {
  UniqueLock lock(scheduler_mutex);
  while (true) {
    callback_condition_.wait(scheduler_mutex,
                             [this]() REQUIRES(scheduler_mutex) { return stop_ || !callbacks_.empty(); });
    --idle_callback_threads_;
    if (stop_) return;
    const Callback callback = std::move(callbacks_.front());
    callbacks_.pop_front();
    lock.unlock();
    callback.function();
    const LogDeferral deferral;  // after the function, whose log lines are written at once
    lock.lock();
    callback.done();
    scheduler_.settle();
    if (LogDeferral::pending()) {
      lock.unlock();
      LogDeferral::flush();
      lock.lock();
    }
    ++idle_callback_threads_;
  }
}

// Waits in slices of 100 ms, and checks for stuck tasks between them, because the watcher may have been stopped.
bool wait_for_work(const Device& device, std::chrono::milliseconds grace) {
  constexpr std::chrono::milliseconds kSlice{100};
  const std::uint64_t newest = device.memory().newest_submission();
  std::optional<Clock::time_point> deadline;
  for (device.gpu().collect(); !device.memory().completed(newest); device.gpu().collect()) {
    if (has_stuck_task(device.watcher())) {
      if (!deadline) deadline = Clock::now() + grace;
      if (Clock::now() >= *deadline) return false;
    }
    std::vector<vk::TimelinePoint> ends;
    for (const vk::PendingSubmission& submission : device.gpu().oldest_pending()) ends.push_back(submission.end);
    device.gpu().wait_any(ends, kSlice);
  }
  return true;
}

}  // namespace aclvk::runtime
