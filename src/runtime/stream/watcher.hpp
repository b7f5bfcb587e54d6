#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "runtime/event/point.hpp"
#include "runtime/failure/timeout_detector.hpp"
#include "vk_device/device.hpp"

namespace aclvk::runtime {

class Device;
class SchedulerLock;
class StreamQueue;

/// What only completion can trigger, for one device: the next batch of a stream whose last one has completed, host
/// functions, waits for words that kernels write, and letting go of what completed submissions held. One thread waits
/// for the device; others run user code, as many as there are host functions at the same time, so that a slow one
/// delays nobody but its stream. Members need the scheduler's lock.
class Watcher {
 public:
  explicit Watcher(const Device& device);
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  /// Ends the watching thread, before the driver's own clean-up at process exit. Takes the scheduler's lock itself. A
  /// watcher is never destroyed: host functions may run for as long as they like.
  void stop();

  /// Calls `action` under the scheduler's lock once the point has been reached.
  void when_reached(vk::TimelinePoint point, std::function<void()> action);
  /// The same for what may have no place on a timeline; it is looked at every now and then.
  void when_reached(PointPtr point, std::function<void()> action);
  /// Calls now what the thread would call soon. Who has waited for a point can rely on its actions then.
  void catch_up();
  /// Flushes the queue's open batch when what it has submitted has completed; gives the program a moment before, to
  /// add to the batch or to flush it by itself.
  void flush_when_idle(StreamQueue* queue);
  /// Tries blocked queues again every now and then: something waits for memory.
  void poll_words();
  void remove(StreamQueue* queue);
  /// Runs `function` on a callback thread, without the lock, and `done` behind it, with the lock.
  void run_callback(std::function<void()> function, std::function<void()> done);
  /// Finds what runs longer than it may; at most once a second. The thread does so by itself.
  void check_running();
  /// For what has been found.
  void on_timeout(const TimeoutDetector::Overdue& overdue);
  /// Something of that is still at work, also of a stream that is gone.
  bool stuck() const;

 private:
  struct Callback {
    std::function<void()> function;
    std::function<void()> done;
  };
  struct Watch {
    vk::TimelinePoint point;
    std::function<void()> action;
    bool reached() const { return point.reached(); }
  };
  struct PolledWatch {
    PointPtr point;
    std::function<void()> action;
    bool reached() const { return point->reached(); }
  };

  void watch_loop() noexcept;
  void wait_for_device(const std::vector<vk::TimelinePoint>& wanted, std::chrono::nanoseconds timeout);
  void callback_loop() noexcept;
  void start_callback_thread();
  void fire_reached();
  void flush_idle();
  void check_for_loss();
  void sleep(SchedulerLock& lock);
  std::vector<vk::TimelinePoint> points(std::chrono::steady_clock::time_point now) const;
  void wake();

  const Device& device_;
  vk::Device& gpu_;
  std::shared_ptr<vk::Timeline> wake_timeline_;
  std::uint64_t wake_value_ = 0;
  bool sleeping_in_driver_ = false;
  bool poll_words_ = false;
  bool stop_ = false;
  bool loss_reported_ = false;
  std::list<Watch> watches_;
  std::list<PolledWatch> polled_;
  std::map<StreamQueue*, std::chrono::steady_clock::time_point> to_flush_;  // and since when
  TimeoutDetector timeout_detector_;
  std::vector<vk::TimelinePoint> overdue_;
  std::chrono::steady_clock::time_point running_checked_at_;
  int short_sleeps_ = 0;  // short sleeps that are left, while small tasks come in bursts
  std::deque<Callback> callbacks_;
  std::condition_variable_any watch_condition_;
  std::condition_variable_any callback_condition_;
  std::size_t idle_callback_threads_ = 0;  // waiting, or about to
  std::thread watch_thread_;
};

}  // namespace aclvk::runtime
