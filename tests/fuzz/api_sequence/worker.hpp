#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace aclvk::fuzz {

/// A thread that does one call at a time while the caller waits: what it is to be another thread, without any race.
class Worker {
 public:
  Worker() : thread_([this] { serve(); }) { thread_.detach(); }

  void run(const std::function<void()>& work) {
    std::unique_lock lock(mutex_);
    work_ = &work;
    changed_.notify_all();
    changed_.wait(lock, [&] { return work_ == nullptr; });
  }

 private:
  [[noreturn]] void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return work_ != nullptr; });
      (*work_)();
      work_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* work_ = nullptr;
  std::thread thread_;
};

}  // namespace aclvk::fuzz
