#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

namespace aclvk::test {

/// Ends the process with a sentence after a timeout, unless the scope ends first. For tests that may hang in the
/// library.
class Watchdog {
 public:
  Watchdog(std::chrono::seconds patience, std::string sentence)
      : thread_([this, patience, sentence = std::move(sentence)] {
          std::unique_lock lock(mutex_);
          if (condition_.wait_for(lock, patience, [this] { return over_; })) return;
          std::fprintf(stderr, "After %lld s: %s\n", static_cast<long long>(patience.count()), sentence.c_str());
          std::abort();
        }) {}
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    condition_.notify_all();
    thread_.join();
  }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable condition_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace aclvk::test
