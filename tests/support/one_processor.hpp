#pragma once

#include <sched.h>

namespace aclvk::test {

/// Binds the calling thread, and threads that it starts, to one processor until the end of the scope. Does nothing on a
/// system that refuses; a test covers less there.
class OneProcessor {
 public:
  OneProcessor() {
    if (sched_getaffinity(0, sizeof(before_), &before_) != 0) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int processor = 0; processor < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++processor) {
      if (CPU_ISSET(processor, &before_)) CPU_SET(processor, &one);
    }
    bound_ = sched_setaffinity(0, sizeof(one), &one) == 0;
  }
  ~OneProcessor() {
    if (bound_) sched_setaffinity(0, sizeof(before_), &before_);
  }
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;

 private:
  cpu_set_t before_{};
  bool bound_ = false;
};

/// Until the end of the scope the calling thread does not preempt another thread when it wakes up.
class GivesWay {
 public:
  GivesWay() { set(SCHED_BATCH); }
  ~GivesWay() { set(SCHED_OTHER); }
  GivesWay(const GivesWay&) = delete;
  GivesWay& operator=(const GivesWay&) = delete;

 private:
  static void set(int policy) {
    const sched_param none{};
    sched_setscheduler(0, policy, &none);
  }
};

}  // namespace aclvk::test
