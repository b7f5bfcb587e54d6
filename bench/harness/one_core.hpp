#pragma once

#include <sched.h>
#include <sys/types.h>

#include <utility>
#include <vector>

namespace bench {

/// While it lives, all threads that the process has now run on one core, if wanted.
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
