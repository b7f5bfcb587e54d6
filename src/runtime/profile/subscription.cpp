#include "runtime/profile/subscription.hpp"

#include <errno.h>
#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/mutex.hpp"
#include "base/process_state.hpp"
#include "runtime/profile/session.hpp"
#include "runtime/profile/task_times.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::runtime::profile {
namespace {

// Once a subscription has ended, its reader has a second to read on: 20 polls of 50 ms.
constexpr int kPollMs = 50;
constexpr int kMaxPollsAfterEnd = 20;

/// Writes records to a pipe, on a thread of its own because the reader may be slow or may have closed its end.
class Subscriber {
 public:
  Subscriber(int descriptor, bool with_times)
      : with_times_(with_times), descriptor_(descriptor), thread_([this] { write_loop(); }) {}
  /// Waits until all records have been written.
  ~Subscriber() {
    {
      const LockGuard lock(mutex_);
      ended_ = true;
    }
    condition_.notify_all();
    thread_.join();
  }

  bool with_times() const { return with_times_; }

  void add(std::vector<OpRecord> records) {
    {
      const LockGuard lock(mutex_);
      if (reader_gone_) return;
      records_.insert(records_.end(), records.begin(), records.end());
    }
    condition_.notify_all();
  }

 private:
  void write_loop() {
    // SIGPIPE, for a reader that has closed its end, would end the process.
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
    UniqueLock lock(mutex_);
    for (;;) {
      condition_.wait(mutex_, [&]() REQUIRES(mutex_) { return ended_ || !records_.empty(); });
      if (records_.empty()) return;
      const OpRecord record = records_.front();
      records_.pop_front();
      lock.unlock();
      const bool written = write_all(record);
      const int error = errno;
      lock.lock();
      if (written) continue;
      reader_gone_ = true;
      records_.clear();
      lock.unlock();  // a log listener may add records
      log().warn("Nobody reads the profile of a model any more: {}.", std::strerror(error));
      return;
    }
  }

  /// Waits until the pipe is writable; after the end of the subscription for one second at most.
  bool wait_for_room() {
    pollfd pipe{descriptor_, POLLOUT, 0};
    for (int polls = 0; polls < kMaxPollsAfterEnd;) {
      const int ready = ::poll(&pipe, 1, kPollMs);
      if (ready > 0) return true;
      if (ready < 0 && errno != EINTR) return false;
      const LockGuard lock(mutex_);
      if (ended_) ++polls;
    }
    errno = ETIMEDOUT;
    return false;
  }

  bool write_all(const OpRecord& record) {
    const auto* at = reinterpret_cast<const char*>(&record);
    for (std::size_t left = sizeof(record); left > 0;) {
      if (!wait_for_room()) return false;
      const ssize_t written = ::write(descriptor_, at, left);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      at += written;
      left -= static_cast<std::size_t>(written);
    }
    return true;
  }

  const bool with_times_;
  const int descriptor_;
  Mutex mutex_;
  ConditionVariable condition_;
  std::deque<OpRecord> records_ GUARDED_BY(mutex_);
  bool ended_ GUARDED_BY(mutex_) = false;
  bool reader_gone_ GUARDED_BY(mutex_) = false;
  std::thread thread_;  // the last member: the thread uses the others
};

struct Subscribers {
  Mutex mutex ACQUIRED_AFTER(scheduler_mutex);
  std::map<std::uint32_t, std::shared_ptr<Subscriber>> of_model GUARDED_BY(mutex);
};

// Not destroyed at exit: the last runs of a process are reported while it exits.
Subscribers& subscribers() { return ProcessState<Subscribers, StateId::kSubscribers>::get(); }

void copy_text(char* out, std::size_t bytes, const std::string& text) { out[text.copy(out, bytes - 1)] = '\0'; }

}  // namespace

void subscribe(std::uint32_t model, int descriptor, bool with_times) {
  {
    const LockGuard lock(subscribers().mutex);
    auto& of_model = subscribers().of_model;
    check(of_model.count(model) == 0, Code::kProfilingSubscribed, "Model {} has been subscribed to already.", model);
    of_model[model] = std::make_shared<Subscriber>(descriptor, with_times);
  }
  require_model_tasks(true);
}

void unsubscribe(std::uint32_t model) {
  collect_all();
  std::shared_ptr<Subscriber> last;  // destroyed after the lock is released
  {
    const LockGuard lock(subscribers().mutex);
    const auto found = subscribers().of_model.find(model);
    check(found != subscribers().of_model.end(), Code::kInvalidParam, "Nobody has subscribed to model {}.", model);
    last = std::move(found->second);
    subscribers().of_model.erase(found);
  }
  require_model_tasks(false);
}

bool subscribed(std::uint32_t model) {
  if (!on(kModels)) return false;
  const LockGuard lock(subscribers().mutex);
  return subscribers().of_model.count(model) > 0;
}

bool any_subscribed() { return on(kModels); }

void notify_subscribers(const TimedSubmission& submission, const std::vector<std::int64_t>& moments) {
  std::shared_ptr<Subscriber> subscriber;
  {
    const LockGuard lock(subscribers().mutex);
    const auto found = subscribers().of_model.find(submission.run->id);
    if (found == subscribers().of_model.end()) return;
    subscriber = found->second;
  }
  std::vector<OpRecord> records;
  for (std::size_t i = 0; i < submission.work->tasks.size(); ++i) {
    const TimedTask& task = submission.work->tasks[i];
    OpRecord& record = records.emplace_back();
    if (subscriber->with_times()) {
      record.begin = static_cast<std::uint64_t>(moments[2 * i]);
      record.end = static_cast<std::uint64_t>(moments[2 * i + 1]);
    }
    record.model = submission.run->id;
    record.thread = submission.run->call.track.thread;
    copy_text(record.type, sizeof(record.type), task.type);
    copy_text(record.name, sizeof(record.name), task.name);
  }
  subscriber->add(std::move(records));
}

}  // namespace aclvk::runtime::profile
