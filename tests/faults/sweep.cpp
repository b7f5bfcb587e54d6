#include "faults/sweep.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "acl/acl.h"
#include "aclnn/opdev/op_errno.h"
#include "faults/host_allocations.hpp"

namespace aclvk::test {
namespace {

constexpr unsigned kPatienceSeconds = 60;  // of one run
constexpr int kMostComplaints = 5;
// Where threads alternate, lists that are kept for later use do not end with the same length each time.
constexpr std::int64_t kFewAllocations = 24;

std::uint64_t number_of(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

struct Range {
  std::uint64_t first;
  std::uint64_t stride;

  /// The use to meet after this one. After those of the library come, with some drivers, a million of SPIRV-Tools,
  /// which prepares modules for them: of those ever fewer.
  std::uint64_t after(std::uint64_t at) const {
    constexpr std::uint64_t kMostOfLibrary = 2048;
    return at + (at > kMostOfLibrary ? std::max(stride, at / 8) : stride);
  }
};

Range chosen() {
  return {std::max<std::uint64_t>(number_of("ACLVK_FAULT_FIRST", 1), 1),
          std::max<std::uint64_t>(number_of("ACLVK_FAULT_STRIDE", ACLVK_FAULT_STRIDE), 1)};
}

// The message of a crash or a hang: which use of which story.
char current[128];

void note(const char* name, std::uint64_t at) {
  std::snprintf(current, sizeof(current), "%s, use %llu\n", name, static_cast<unsigned long long>(at));
}

void report_signal(int signal) {
  const char* what = signal == SIGALRM ? "The library hangs in: " : "The library crashes in: ";
  const auto write_text = [](const char* text) { return write(STDERR_FILENO, text, std::strlen(text)); };
  if (write_text(what) < 0 || write_text(current) < 0) _exit(99);
  HostAllocations::print_place(STDERR_FILENO);
  ::signal(SIGABRT, SIG_DFL);
  std::abort();
}

void watch_signals() {
  ::signal(SIGALRM, report_signal);
  ::signal(SIGABRT, report_signal);
#ifndef ACLVK_SANITIZED
  ::signal(SIGSEGV, report_signal);
#endif
}

// Memory and everything else of the device; runtime-semantics E0.9.
bool is_documented(int code) {
  switch (code) {
    case kNothingMade:
    case ACL_ERROR_RT_MEMORY_ALLOCATION:
    case ACL_ERROR_RT_DRV_INTERNAL_ERROR:
    case ACLNN_ERR_RUNTIME_ERROR: return true;
    default: return false;
  }
}

std::string describe(const Outcome& outcome) {
  return outcome.code == 0 ? "all calls succeed" : outcome.call + " returns " + std::to_string(outcome.code);
}

void check_failed(const Outcome& outcome) {
  EXPECT_TRUE(outcome.code == 0 || is_documented(outcome.code)) << describe(outcome);
  EXPECT_EQ(outcome.broken, "") << describe(outcome);
}

void check_unharmed(const Outcome& outcome) {
  EXPECT_EQ(outcome.code, 0) << outcome.call << ": " << aclGetRecentErrMsg();
  EXPECT_EQ(outcome.broken, "");
}

std::size_t free_memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), 0);
  return free;
}

int complaints() {
  const auto* result = testing::UnitTest::GetInstance()->current_test_info()->result();
  int failed = 0;
  for (int i = 0; i < result->total_part_count(); ++i) failed += result->GetTestPartResult(i).failed() ? 1 : 0;
  return failed;
}

// False when the fault was not met.
bool run_with(const Fault& fault, StoryBody body, std::uint64_t at) {
  alarm(kPatienceSeconds);
  fault.arm(at);
  const Outcome outcome = run_story(body);
  const Fault::Report report = fault.disarm();
  const bool seen = std::getenv("ACLVK_FAULT_SHOW") != nullptr;
  if (seen) {
    std::fprintf(stderr, "%s  %s: %s; %lld\n", current, report.where.c_str(), describe(outcome).c_str(),
                 static_cast<long long>(HostAllocations::alive()));
  }
  const testing::ScopedTrace place(__FILE__, __LINE__, current + report.where);
  report.fired ? check_failed(outcome) : check_unharmed(outcome);
  if (report.fired) {
    fault.recover();
    check_unharmed(run_story(body));
  }
  alarm(0);
  return report.fired;
}

}  // namespace

VulkanFault::Report VulkanFault::disarm() const {
  const VulkanFaults::Report report = faults_.disarm();
  return {report.failed > 0, report.command};
}

void LossFault::recover() const {
  EXPECT_EQ(aclrtResetDeviceForce(0), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclrtSetDevice(0), 0) << aclGetRecentErrMsg();
}

void HostFault::arm(std::uint64_t at) const { HostAllocations::arm(at); }

HostFault::Report HostFault::disarm() const {
  const HostAllocations::Report report = HostAllocations::disarm();
  return {report.failed > 0, report.place};
}

namespace {

// The number of uses that were met.
std::uint64_t meet_each(const char* name, StoryBody body, const Fault& fault) {
  const Range range = chosen();
  std::uint64_t met = 0;
  std::uint64_t at = range.first;
  for (note(name, at); run_with(fault, body, at) && complaints() < kMostComplaints; note(name, at)) {
    at = range.after(at);
    ++met;
  }
  check_unharmed(run_story(body));
  return met;
}

}  // namespace

void sweep(const char* name, StoryBody body, const Fault& fault, bool keeps_nothing) {
  watch_signals();
  note(name, 0);
  HostAllocations::alive();                                     // begins to count
  for (int i = 0; i < 3; ++i) check_unharmed(run_story(body));  // fills what is kept for later use
  const std::size_t free_before = free_memory();
  const std::uint64_t met = meet_each(name, body, fault);
  const std::int64_t alive_before = HostAllocations::alive();
  meet_each(name, body, fault);
  const std::int64_t more = HostAllocations::alive() - alive_before;
  EXPECT_EQ(free_memory(), free_before);
  if (keeps_nothing) {
    EXPECT_LE(more, kFewAllocations);
  }
  std::printf("%s: met %llu uses; %lld allocations more after the second time than after the first\n", name,
              static_cast<unsigned long long>(met), static_cast<long long>(more));
}

namespace {

enum ChildAnswer : int { kMet = 0, kFailed = 1, kNotMet = 2 };

// Leaves as a program does, through its exit handlers.
[[noreturn]] void run_child(const Fault& fault, StoryBody prepare, StoryBody body, std::uint64_t at) {
  const int before = complaints();
  if (prepare) check_unharmed(run_story(prepare));
  const bool met = run_with(fault, body, at);
  std::fflush(stdout);
  std::exit(complaints() > before ? kFailed : met ? kMet : kNotMet);
}

ChildAnswer run_process(const Fault& fault, StoryBody prepare, StoryBody body, std::uint64_t at) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) run_child(fault, prepare, body, at);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  const bool left = WIFEXITED(status) && (WEXITSTATUS(status) == kMet || WEXITSTATUS(status) == kNotMet);
  EXPECT_TRUE(left) << current << "the process ends with status " << status;
  return left ? static_cast<ChildAnswer>(WEXITSTATUS(status)) : kFailed;
}

}  // namespace

void sweep_processes(const char* name, StoryBody prepare, StoryBody body, const Fault& fault) {
  watch_signals();
  const Range range = chosen();
  std::uint64_t met = 0;
  std::uint64_t at = range.first;
  for (note(name, at); complaints() < kMostComplaints; note(name, at)) {
    if (run_process(fault, prepare, body, at) == kNotMet) break;
    at = range.after(at);
    ++met;
  }
  std::printf("%s: met %llu uses\n", name, static_cast<unsigned long long>(met));
}

}  // namespace aclvk::test
