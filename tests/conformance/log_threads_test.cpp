// The log: threads log and listen at the same time.
#include <atomic>
#include <string>
#include <thread>

#include "base/acl_log.h"
#include "support/standard_error.hpp"
#include "support/stress.hpp"
#include "support/watchdog.hpp"

namespace aclvk::test {
namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 20;

/// Lines from INFO on are logged, into a file of the test.
struct LogThreads : Settings, testing::Test {
  LogThreads() : Settings({{"ASCEND_GLOBAL_LOG_LEVEL", "1"}}) {}
  const StandardError captured;
};

/// Counts the lines that one thread has logged.
struct OwnLines {
  std::string mark;
  std::atomic<int> lines{0};
};

int32_t count_own(void* user, uint32_t, const char* line, size_t bytes) {
  auto* own = static_cast<OwnLines*>(user);
  if (std::string(line, bytes).find(own->mark) != std::string::npos) ++own->lines;
  return 0;
}

// Whichever thread logs first, there is one log, and one thread that writes it.
TEST_F(LogThreads, AllLogTheFirstLine) {
  const Watchdog watchdog(std::chrono::seconds(30), "More than one thread writes the log.");
  const std::int64_t before = footprint().threads;
  all_at_once(2 * kThreads, [](int) { acllogRecord(3, DLOG_INFO, "first"); });
  while (footprint().threads > before + 1) std::this_thread::yield();  // those that have ended are seen for a moment
}

std::string mark_of(int thread, int round) { return "<" + std::to_string(thread) + "|" + std::to_string(round) + ">"; }

/// A removed listener has received all that was logged before.
void log_and_listen(const std::string& mark) {
  OwnLines own{mark};
  acllogCallbackHandle handle = 0;
  EXPECT_EQ(acllogRegisterCallback(count_own, &own, OUTPUT_TYPE_BOTH, &handle), 0);
  for (const int32_t level : {DLOG_INFO, DLOG_ERROR, DLOG_WARN | RUN_LOG_MASK, DLOG_DEBUG}) {
    acllogRecord(3, level, "%s", mark.c_str());
  }
  EXPECT_EQ(acllogUnregisterCallback(handle), 0);
  EXPECT_EQ(own.lines, 3) << "all but that of DEBUG, which the level hides";
  EXPECT_EQ(acllogUnregisterCallback(handle), -1);
}

TEST_F(LogThreads, EachHearsItsOwnLines) {
  all_at_once(kThreads, [](int thread) {
    for (int round = 0; round < kRounds; ++round) log_and_listen(mark_of(thread, round));
  });
  const std::string text = captured.text();
  for (int thread = 0; thread < kThreads; ++thread) {
    for (int round = 0; round < kRounds; ++round) {
      EXPECT_NE(text.find(mark_of(thread, round)), std::string::npos) << mark_of(thread, round);
    }
  }
}

}  // namespace
}  // namespace aclvk::test
