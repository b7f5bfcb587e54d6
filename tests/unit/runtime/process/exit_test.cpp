// The exit of a process: of a forked child, which inherits exit handlers but no threads, and of a process with a task
// that does not end.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "runtime/context/context.hpp"
#include "runtime/context/current.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/device_process.hpp"
#include "runtime/profile/session.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/watcher.hpp"
#include "support/spinning_kernel.hpp"

namespace aclvk::runtime {
namespace {

constexpr unsigned kTimeoutSeconds = 30;

bool forked = false;

// Handlers run in reverse order of registration. Those before this one belong to drivers and to the leak checker.
void leave_child() {
  if (forked) _exit(0);
}

[[gnu::constructor(101)]] void leave_before_all_others() { std::atexit(leave_child); }

/// Returns the exit status of a child that exits as a program does.
int fork_and_leave() {
  const pid_t child = fork();
  if (child == 0) {
    forked = true;
    alarm(kTimeoutSeconds);
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
  quiesce_before_exit();  // registered again, so that it runs before the handlers of the driver
  int status = -1;
  {
    const SchedulerLock lock;
    // Lets the threads of the device reach their waits: the allocator of AddressSanitizer (LLVM 14) stays locked in a
    // child that is forked while another thread allocates.
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    status = fork_and_leave();
  }
  EXPECT_EQ(status, 0);
  reset_device(0, true);
}

// The device never finishes the kernel.
[[noreturn]] void leave_with_a_stuck_task(int status) {
  alarm(kTimeoutSeconds);
  set_device(0);
  aclrtBinHandle binary = nullptr;
  aclrtFuncHandle spin = nullptr;
  EXPECT_EQ(aclrtBinaryLoadFromData(test::kSpin, std::strlen(test::kSpin), nullptr, &binary), 0);
  EXPECT_EQ(aclrtBinaryGetFunction(binary, "main", &spin), 0);
  const StreamPtr stream = current_context()->create_stream({});
  new test::Spinning(spin, stream->handle);
  {
    const SchedulerLock lock;
    stream->device().watcher().on_timeout({stream->queue().batch().submitted(), std::chrono::seconds(1)});
  }
  std::exit(status);
}

TEST(ProcessWithAStuckTask, EndsWithItsStatus) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(leave_with_a_stuck_task(7), testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace aclvk::runtime
