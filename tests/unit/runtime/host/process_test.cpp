#include "runtime/host/process.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

namespace aclvk::runtime {
namespace {

TEST(ProcessId, IsTheFirstOfTheNamespaces) {
  EXPECT_EQ(outermost_process_id("Name:\tx\nNSpid:\t4711\t12\t1\nThreads:\t1\n"), 4711);
  EXPECT_EQ(outermost_process_id("NSpid:\t8\n"), 8);
}

TEST(ProcessId, MayBeMissing) {
  EXPECT_EQ(outermost_process_id("Pid:\t8\n"), -1);
  EXPECT_EQ(outermost_process_id("NSpid:\n"), -1);
  EXPECT_EQ(outermost_process_id("NSpid:"), -1);
  EXPECT_EQ(outermost_process_id(""), -1);
}

TEST(ProcessEnd, IsThatOfAZombie) {
  EXPECT_FALSE(has_ended(getpid()));
  const pid_t process = fork();
  if (process == 0) _exit(0);
  siginfo_t end{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(process), &end, WEXITED | WNOWAIT), 0);
  EXPECT_TRUE(has_ended(process)) << "not waited for";
  ASSERT_EQ(waitpid(process, nullptr, 0), process);
  EXPECT_TRUE(has_ended(process));
}

TEST(ProcessEnd, IsInTheState) {
  const std::string rest = " 1 8 8 0 -1 4228364 0 0 0 0 0 0 0 0 20 0 ";
  EXPECT_TRUE(stat_shows_exit("8 (name) Z" + rest + "1 0 77"));
  EXPECT_TRUE(stat_shows_exit("8 (name) X" + rest + "0 0 77"));
  EXPECT_TRUE(stat_shows_exit("8 (a) R b) Z" + rest + "1 0 77"));
  EXPECT_FALSE(stat_shows_exit("8 (name) S" + rest + "1 0 77"));
  EXPECT_FALSE(stat_shows_exit("8 (a) Z b) R" + rest + "1 0 77"));
  EXPECT_FALSE(stat_shows_exit("8 (name) Z" + rest + "3 0 77")) << "other threads go on";
  EXPECT_FALSE(stat_shows_exit("8 (name) Z"));
  EXPECT_FALSE(stat_shows_exit(""));
}

}  // namespace
}  // namespace aclvk::runtime
