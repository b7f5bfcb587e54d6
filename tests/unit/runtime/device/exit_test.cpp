// What a forked process does when it ends: exit handlers are inherited, threads are not.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "runtime/current.hpp"
#include "runtime/device/device.hpp"
#include "runtime/profile/session.hpp"
#include "runtime/stream/scheduler.hpp"

namespace aclvk::runtime {
namespace {

constexpr unsigned kPatience = 30;

bool forked = false;

// Handlers run in reverse. What was registered before this one is not ours: a driver's, and what looks for leaks.
void leave_child() {
  if (forked) _exit(0);
}

[[gnu::constructor(101)]] void leave_before_all_others() { std::atexit(leave_child); }

/// The status of a child that leaves as a program does.
int fork_and_leave() {
  const pid_t child = fork();
  if (child == 0) {
    forked = true;
    alarm(kPatience);
    std::exit(0);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

TEST(ChildOfAProfile, LeavesWithTheSessionsLocked) {
  const std::string path = testing::TempDir() + "aclvk_exit_" + std::to_string(getpid()) + ".json";
  const auto session = profile::Session::open(path);
  session->select(&path, {profile::kRanges});
  int status = -1;
  profile::deliver(profile::kRanges, [&](profile::TraceFile&) { status = fork_and_leave(); });
  EXPECT_EQ(status, 0);
  session->close();
  std::remove(path.c_str());
}

TEST(ChildOfADevice, LeavesWithTheSchedulerLocked) {
  set_device(0);
  std::atexit(leave_child);
  rest_before_exit();  // once more, so that it comes before the handlers of the driver
  int status = -1;
  {
    const SchedulerLock lock;
    status = fork_and_leave();
  }
  EXPECT_EQ(status, 0);
  reset_device(0, true);
}

}  // namespace
}  // namespace aclvk::runtime
