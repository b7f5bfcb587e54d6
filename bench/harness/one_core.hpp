#pragma once

#include <sched.h>
#include <sys/types.h>

#include <utility>
#include <vector>

namespace bench {

/// Pins all current threads of the process to one core during its lifetime, if `wanted`.
class OneCore {
 public:
  explicit OneCore(bool wanted);
  ~OneCore();
  OneCore(const OneCore&) = delete;
  OneCore& operator=(const OneCore&) = delete;

 private:
  std::vector<std::pair<pid_t, cpu_set_t>> before_;
};

}  // namespace bench
