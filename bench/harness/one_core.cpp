#include "harness/one_core.hpp"

#include <filesystem>
#include <string>

namespace bench {

// sched_setaffinity() binds one thread, so the threads of the driver are bound one by one, too.
OneCore::OneCore(bool wanted) {
  if (!wanted) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    const pid_t thread = std::stoi(entry.path().filename());
    cpu_set_t before;
    if (sched_getaffinity(thread, sizeof(before), &before) != 0) continue;  // the thread has ended meanwhile
    if (sched_setaffinity(thread, sizeof(one), &one) == 0) before_.emplace_back(thread, before);
  }
}

OneCore::~OneCore() {
  for (const auto& [thread, before] : before_) sched_setaffinity(thread, sizeof(before), &before);
}

}  // namespace bench
