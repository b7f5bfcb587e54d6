// What tasks do that are no device work: waits, records, values, host functions.
#include <algorithm>
#include <exception>
#include <utility>

#include "base/config.hpp"
#include "base/current_error.hpp"
#include "runtime/device/device.hpp"
#include "runtime/event/count_notify.hpp"
#include "runtime/event/event.hpp"
#include "runtime/event/event_time.hpp"
#include "runtime/event/word_table.hpp"
#include "runtime/profile/session.hpp"
#include "runtime/profile/task_times.hpp"
#include "runtime/share/shared_signal.hpp"
#include "runtime/stream/device_work.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/stream_queue.hpp"
#include "runtime/stream/watcher.hpp"
#include "vk_device/host_clock.hpp"

namespace aclvk::runtime {
namespace {

void keep_failure(std::optional<Error>& failure) noexcept {
  try {
    failure = current_error();
  } catch (const std::exception&) {  // no memory for the sentence
    failure.emplace(Code::kMemoryAllocation, std::string());
  }
}

void run_and_keep_failure(const std::function<void()>& function, std::optional<Error>& failure) noexcept {
  try {
    function();
  } catch (const std::exception&) {
    keep_failure(failure);
  }
}

}  // namespace

void StreamQueue::wait_for(const vk::TimelinePoint& point) {
  if (point.timeline == timeline_ || point.reached()) return;
  if (open_) flush();
  open_waits_.push_back(point);
}

bool StreamQueue::run_step(Task& task, std::uint64_t start) {
  struct Looked {
    std::optional<std::uint64_t>& start;
    const std::optional<std::uint64_t> outer;  // of the conditional task whose body the step is in
    ~Looked() { start = outer; }
  };
  const Looked looked{start_, std::exchange(start_, start)};
  return run_task(task);
}

vk::TimelinePoint StreamQueue::before() {
  return start_ && *start_ <= submitted_ ? vk::TimelinePoint{timeline_, *start_} : flush();
}

bool StreamQueue::wait_submitted(const vk::TimelinePoint& point, const Device* origin) {
  if (origin == nullptr || origin->is_neighbour(device_)) {
    wait_for(point);
    return true;
  }
  if (point.reached()) {
    origin->check_not_lost();  // what a lost device had to do counts as reached, but is not done
    return true;
  }
  come_back_at(point, *origin);
  return false;
}

bool StreamQueue::wait_point(const PointPtr& point) {
  if (point->aborted) return wait_given_up(*point);
  if (point->elsewhere) return wait_elsewhere(*point->elsewhere);
  return point->submitted && wait_submitted(*point->submitted, point->device);
}

bool StreamQueue::wait_given_up(const Point& point) {
  const bool all =
      std::all_of(point.follows.begin(), point.follows.end(), [this](const PointPtr& p) { return wait_point(p); });
  return all && (!point.submitted || wait_submitted(*point.submitted, point.device));
}

bool StreamQueue::wait_flag(const Flag& flag) { return flag.set && wait_submitted(flag.since, flag.device); }

bool StreamQueue::wait_elsewhere(const Elsewhere& work) {
  if (work.reached()) return true;
  check(!work.lost(), Code::kWaitTimeout,
        "The process whose event the stream waits for has ended or lost its device; the event will never be complete.");
  device_.watcher().poll_words();
  return false;
}

bool StreamQueue::take_shared_flag(SharedFlag& flag) {
  if (flag.take()) return true;
  device_.watcher().poll_words();
  return false;
}

bool StreamQueue::wait_count(const CountWaitTask& wait) {
  if (!wait.notify->satisfies(wait)) return false;
  for (const CountNotify::Change& change : wait.notify->pending()) {
    if (!wait_submitted(change.since, change.device)) return false;
  }
  if (!wait.clears) return true;
  wait.notify->clear();
  Scheduler::instance().changed();
  return true;
}

std::function<void()> StreamQueue::teller(const PointPtr& point) const {
  return [&device = device_, event = point->shared, record = point->shared_record] {
    device.gpu().lost() ? event->note_lost(record) : event->note_reached(record);
  };
}

void StreamQueue::set_point(const PointPtr& point) {
  if (point->timed) return set_timed_point(point);
  point->submitted = before();
  point->device = &device_;
  if (point->shared) device_.watcher().when_reached(*point->submitted, teller(point));
  Scheduler::instance().changed();
}

// The moment is written by the batch that is open, or by one of its own: what has been submitted cannot be added to.
void StreamQueue::set_timed_point(const PointPtr& point) {
  vk::Device& gpu = device_.gpu();
  if (vk::timestamps_are_host_time(gpu) && idle()) {
    point->noted_ns = host_ns();
  } else if (gpu.has_timestamps()) {
    point->time = gpu.create_timestamps(1);
    recorder().write_timestamp(point->time);
  }
  point->submitted = flush();
  point->device = &device_;
  if (!point->time && point->noted_ns < 0) {
    device_.watcher().when_reached(*point->submitted, [point] {
      if (point->noted_ns < 0) point->noted_ns = host_ns();
    });
  }
  Scheduler::instance().changed();
}

void StreamQueue::set_flag(Flag& flag) {
  if (flag.shared) {
    return device_.watcher().when_reached(before(), [&device = device_, shared = flag.shared] {
      if (!device.loss()) shared->set();
      Scheduler::instance().changed();
    });
  }
  flag.since = before();
  flag.device = &device_;
  flag.set = true;
  Scheduler::instance().changed();
}

void StreamQueue::write_value(const ValueWriteTask& task) {
  if (profile::on(profile::kTasks) && timed()) {
    record_timed(task);
  } else {
    recorder().write_word(task.word, task.value);
  }
  WordTable::instance().note_write({&device_.gpu(), task.word.address()}, {task.value, flush()});
  Scheduler::instance().changed();
}

bool StreamQueue::wait_value(const ValueWaitTask& task) {
  // This stream may have changed the word again after a write of its own, so only another stream's write tells.
  const auto write = WordTable::instance().pending_write({&device_.gpu(), task.word.address()});
  if (write && write->since.timeline != timeline_) {
    if (satisfies(write->value, task.comparison, task.value)) {
      wait_for(write->since);
      return true;
    }
    device_.watcher().poll_words();
    return false;
  }
  if (!word_is_settled(task.word)) return false;
  std::uint64_t word = 0;
  device_.gpu().read(&word, task.word);
  if (satisfies(word, task.comparison, task.value)) return true;
  device_.watcher().poll_words();
  return false;
}

// Memory tells the truth about a word only when the tasks before the wait that write it are done: those of this stream,
// and those of other streams whose events it has waited for.
bool StreamQueue::word_is_settled(const vk::BufferRange& word) {
  const vk::TimelinePoint tasks = before();
  if (tasks.reached() || !device_.gpu().writes_in_flight(nullptr, word)) return true;
  come_back_at(tasks, device_);
  return false;
}

// A blocked stream comes here whenever it is tried, and one watch is enough. The point is remembered only behind that.
void StreamQueue::come_back_at(const vk::TimelinePoint& point, const Device& device) {
  const auto is_point = [&](const auto& w) { return w.timeline == point.timeline && w.value == point.value; };
  if (std::any_of(watched_.begin(), watched_.end(), is_point)) return;
  const auto is_reached = [](const auto& w) { return w.reached(); };
  watched_.erase(std::remove_if(watched_.begin(), watched_.end(), is_reached), watched_.end());
  watched_.reserve(watched_.size() + 1);
  device.watcher().when_reached(point, [] { Scheduler::instance().changed(); });
  watched_.push_back(point);
}

// A decision cannot be taken back as a wait can be tried again, so tasks of other streams that this one has waited for
// count as well: they are done when the submission that waits for them is.
bool StreamQueue::read_settled(const vk::BufferRange& range, const vk::TimelinePoint& before, void* out) {
  if (!before.reached()) {
    come_back_at(before, device_);
    return false;
  }
  device_.gpu().read(out, range);
  return true;
}

void StreamQueue::come_back() {
  device_.watcher().when_reached(flush(), [] { Scheduler::instance().changed(); });
}

void StreamQueue::execute(const std::shared_ptr<vk::CommandBuffer>& secondary) { recorder().execute(secondary); }

bool StreamQueue::run_on_host(HostTask& task) {
  if (!task.state) {
    task.state = std::make_shared<std::atomic<HostTask::State>>(HostTask::State::kWaiting);
    task.failure = std::make_shared<std::optional<Error>>();
    device_.watcher().when_reached(before(), [&device = device_, state = task.state, failure = task.failure,
                                              function = task.function, type = task.type, stream = stream_id_] {
      device.watcher().run_callback(
          [&device, state, failure, function, type, stream] {
            auto waiting = HostTask::State::kWaiting;
            if (!state->compare_exchange_strong(waiting, HostTask::State::kStarted)) return;  // it has been dropped
            const std::int64_t begin = profile::on(profile::kTasks) ? host_ns() : 0;
            run_and_keep_failure(
                [&] {
                  device.check_not_lost();  // what the function relies on has not been done
                  function();
                },
                *failure);
            profile::show_host_work(type.c_str(), stream, begin);
          },
          [state] {
            *state = HostTask::State::kDone;
            Scheduler::instance().changed();
          });
    });
  }
  if (*task.state != HostTask::State::kDone) return false;
  if (*task.failure) throw Error(**task.failure);
  return true;
}

}  // namespace aclvk::runtime
