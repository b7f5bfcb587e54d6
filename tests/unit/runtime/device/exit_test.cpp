// What a process does when it ends: one that was forked has inherited exit handlers and no threads, and one may have a
// task that does not end.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "runtime/context.hpp"
#include "runtime/current.hpp"
#include "runtime/device/device.hpp"
#include "runtime/profile/session.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/watcher.hpp"
#include "support/spinning_kernel.hpp"

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
  quiesce_before_exit();  // once more, so that it comes before the handlers of the driver
  int status = -1;
  {
    const SchedulerLock lock;
    status = fork_and_leave();
  }
  EXPECT_EQ(status, 0);
  reset_device(0, true);
}

// The kernel is never let go.
[[noreturn]] void leave_with_a_stuck_task(int status) {
  alarm(kPatience);
  set_device(0);
  aclrtBinHandle binary = nullptr;
  aclrtFuncHandle spin = nullptr;
  EXPECT_EQ(aclrtBinaryLoadFromData(test::kSpin, std::strlen(test::kSpin), nullptr, &binary), 0);
  EXPECT_EQ(aclrtBinaryGetFunction(binary, "main", &spin), 0);
  const StreamPtr stream = current_context()->create_stream({});
  new test::Spinning(spin, stream->handle);
  {
    const SchedulerLock lock;
    stream->device().watcher().note_overdue({stream->queue().submitted(), std::chrono::seconds(1)});
  }
  std::exit(status);
}

TEST(ProcessWithAStuckTask, EndsWithItsStatus) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(leave_with_a_stuck_task(7), testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace aclvk::runtime
