#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "runtime/failure/timeout_detector.hpp"
#include "runtime/task/point.hpp"
#include "runtime/task/scheduler_mutex.hpp"
#include "vk_device/device/device.hpp"

namespace aclvk::runtime {

class Device;
class Scheduler;
class StreamQueue;

/// Reacts to completed work of one device: flushes open batches, starts host functions, polls words that kernels write,
/// releases the resources of completed submissions, and finds submissions that time out. Owned by the Device.
///
/// The watcher thread waits for the device. Callback threads run host functions of the program, one thread for each
/// function that runs at a time, so that a slow function delays only its own stream.
class Watcher {
 public:
  explicit Watcher(const Device& device);
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  /// Ends the watcher thread, before the driver's own clean-up at process exit. In a program a Watcher is never
  /// destroyed, because host functions may still be running.
  void stop() EXCLUDES(scheduler_mutex);
  /// Waits, after stop() and without the lock, until the callback threads have ended. Returns false when a host
  /// function still runs after `grace`; then the Watcher must not be destroyed.
  bool wait_for_callback_threads(std::chrono::milliseconds grace) const;

  /// Calls `action` with the scheduler lock once the point has been reached.
  void when_reached(vk::TimelinePoint point, std::function<void()> action) REQUIRES(scheduler_mutex);
  /// Calls `action` for a point that may not have been submitted; the watcher thread polls it.
  void when_reached(PointPtr point, std::function<void()> action) REQUIRES(scheduler_mutex);
  /// Calls the actions of all points that have been reached, ahead of the watcher thread. A caller that has waited for
  /// a point can then rely on the actions' effects.
  void catch_up() REQUIRES(scheduler_mutex);
  /// Flushes the queue's open batch once its submissions have completed, but not before kGatherTime: the program may
  /// add to the batch or flush it.
  void flush_when_idle(StreamQueue* queue) REQUIRES(scheduler_mutex);
  /// Retries blocked queues after kPollInterval. For waits for memory, whose change the device does not signal.
  void poll_words() REQUIRES(scheduler_mutex);
  /// Cancels flush_when_idle().
  void remove(StreamQueue* queue) REQUIRES(scheduler_mutex);
  /// Calls `function` on a callback thread without the lock, and then `done` with the lock.
  void run_callback(std::function<void()> function, std::function<void()> done) REQUIRES(scheduler_mutex);
  /// Calls on_timeout() for overdue submissions; at most once a second. Also called by the watcher thread.
  void check_running() REQUIRES(scheduler_mutex);
  /// Marks the streams that an overdue submission blocks as stuck.
  void on_timeout(const TimeoutDetector::Overdue& overdue) REQUIRES(scheduler_mutex);
  /// Returns true while an overdue submission is still running, even when its stream has been destroyed.
  bool stuck() const REQUIRES(scheduler_mutex);

 private:
  struct Callback {
    std::function<void()> function;
    std::function<void()> done;
  };
  /// An action that waits for a timeline value.
  struct Watch {
    vk::TimelinePoint point;
    std::function<void()> action;
    bool reached() const { return point.reached(); }
  };
  /// An action that waits for a point without a timeline value.
  struct PolledWatch {
    PointPtr point;
    std::function<void()> action;
    bool reached() const REQUIRES(scheduler_mutex) { return point->reached(); }
  };

  void watch_loop() noexcept EXCLUDES(scheduler_mutex);
  void wait_for_device(const std::vector<vk::TimelinePoint>& wanted, std::chrono::nanoseconds timeout);
  void callback_loop() noexcept EXCLUDES(scheduler_mutex);
  void start_callback_thread() REQUIRES(scheduler_mutex);
  void fire_reached() REQUIRES(scheduler_mutex);
  void flush_idle() REQUIRES(scheduler_mutex);
  void check_for_loss() REQUIRES(scheduler_mutex);
  void sleep() REQUIRES(scheduler_mutex);
  std::vector<vk::TimelinePoint> points(std::chrono::steady_clock::time_point now) const REQUIRES(scheduler_mutex);
  void wake() REQUIRES(scheduler_mutex);

  const Device& device_;
  vk::Device& gpu_;
  Scheduler& scheduler_;
  std::shared_ptr<vk::Timeline> wake_timeline_;  // signalled by wake() to end a wait in the driver
  std::uint64_t wake_value_ GUARDED_BY(scheduler_mutex) = 0;
  bool sleeping_in_driver_ GUARDED_BY(scheduler_mutex) = false;
  bool poll_words_ GUARDED_BY(scheduler_mutex) = false;
  bool stop_ GUARDED_BY(scheduler_mutex) = false;
  bool loss_reported_ GUARDED_BY(scheduler_mutex) = false;
  std::list<Watch> watches_ GUARDED_BY(scheduler_mutex);
  std::list<PolledWatch> polled_ GUARDED_BY(scheduler_mutex);
  // Queue, time of flush_when_idle().
  std::map<StreamQueue*, std::chrono::steady_clock::time_point> to_flush_ GUARDED_BY(scheduler_mutex);
  TimeoutDetector timeout_detector_ GUARDED_BY(scheduler_mutex);
  std::vector<vk::TimelinePoint> overdue_ GUARDED_BY(scheduler_mutex);  // the last overdue submission of each timeline
  std::chrono::steady_clock::time_point running_checked_at_ GUARDED_BY(scheduler_mutex);
  int short_sleeps_ GUARDED_BY(scheduler_mutex) = 0;  // remaining sleeps of kGatherTime, during bursts of small tasks
  std::deque<Callback> callbacks_ GUARDED_BY(scheduler_mutex);
  std::condition_variable_any watch_condition_;
  std::condition_variable_any callback_condition_;
  std::size_t idle_callback_threads_ GUARDED_BY(scheduler_mutex) = 0;  // waiting or about to wait
  std::atomic<std::size_t> callback_threads_{0};                       // decremented as the last access of a thread
  std::thread watch_thread_;
};

/// Waits for all work that has been submitted to the device. Returns false when a task exceeds its time limit and still
/// runs after `grace`: it may never end.
bool wait_for_work(const Device& device, std::chrono::milliseconds grace);

}  // namespace aclvk::runtime
