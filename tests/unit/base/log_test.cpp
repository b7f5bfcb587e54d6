#include "base/log.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/config.hpp"
#include "base/log_deferral.hpp"
#include "support/standard_error.hpp"
#include "support/watchdog.hpp"

namespace aclvk {
namespace {

using testing::HasSubstr;
using testing::Not;

void set_level(const char* level) {
  setenv("ASCEND_GLOBAL_LOG_LEVEL", level, 1);
  reload_config();
  reload_log();
}

/// Restores the tests' log settings: silent.
class Log : public testing::Test {
 protected:
  void TearDown() override {
    unsetenv("ASCEND_SLOG_PRINT_TO_STDOUT");
    unsetenv("ASCEND_PROCESS_LOG_PATH");
    set_level("4");
  }
};

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t lines_with(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

TEST_F(Log, KeepsLinesUntilTheLastDeferralOfTheThreadEnds) {
  for (const char* level : {"3", "2"}) {  // written by the thread itself, and by the writer
    set_level(level);
    std::vector<std::string> lines;
    std::mutex mutex;
    const std::uint64_t listener = add_log_listener([&](bool, const char* line, std::size_t bytes) {
      const std::lock_guard lock(mutex);  // would deadlock if it were called inside the scope below
      lines.emplace_back(line, bytes);
    });
    {
      const LogDeferral outer;  // ends after the lock
      const std::lock_guard lock(mutex);
      {
        const LogDeferral inner;
        log().error("first");
      }
      log().error("second");
      EXPECT_THAT(lines, testing::IsEmpty());
      EXPECT_TRUE(LogDeferral::pending());
      EXPECT_FALSE(std::async(std::launch::async, LogDeferral::pending).get());
    }
    EXPECT_THAT(lines, testing::ElementsAre(HasSubstr("first"), HasSubstr("second")));
    EXPECT_TRUE(remove_log_listener(listener));
  }
}

TEST_F(Log, WritesWhatTheLevelLetsThrough) {
  const test::StandardError captured;
  set_level("2");
  log().info("an info");
  log().warn("a warning");
  flush_log();
  EXPECT_THAT(captured.text(), HasSubstr("a warning"));
  EXPECT_THAT(captured.text(), Not(HasSubstr("an info")));
}

TEST_F(Log, AnErrorIsWrittenWhenTheCallReturnsWithAllThatCameBefore) {
  const test::StandardError captured;
  set_level("0");
  for (int i = 0; i < 100; ++i) log().debug("number {} of many", i);
  log().error("the error");
  const std::string text = captured.text();
  EXPECT_EQ(lines_with(text, "of many"), 100U);
  EXPECT_LT(text.find("number 99 of many"), text.find("the error"));
}

TEST_F(Log, AnErrorAloneIsWrittenWhenTheCallReturns) {
  const test::StandardError captured;
  set_level("3");
  log().error("the error");
  EXPECT_THAT(captured.text(), HasSubstr("the error"));
}

TEST_F(Log, KeepsTheOrderOfAThreadAndLosesNothing) {
  const test::StandardError captured;
  set_level("1");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 3000; ++i) log().info("<{}:{}>", t, i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  flush_log();
  const std::string text = captured.text();
  for (int t = 0; t < 4; ++t) {
    std::size_t last = 0;
    for (int i = 0; i < 3000; ++i) {
      const std::size_t at = text.find(fmt::format("<{}:{}>", t, i), last);
      ASSERT_NE(at, std::string::npos) << t << ":" << i;
      last = at;
    }
  }
}

TEST_F(Log, TellsTheThreadThatLogsAndNotTheOneThatWrites) {
  const test::StandardError captured;
  set_level("1");
  log().info("here");
  flush_log();
  EXPECT_THAT(captured.text(), HasSubstr(fmt::format("[{}:{}] here", getpid(), gettid())));
}

TEST_F(Log, GoesToFilesWhenThereIsAFolder) {
  const auto folder = std::filesystem::path(testing::TempDir()) / fmt::format("aclvk_log_{}", getpid());
  setenv("ASCEND_PROCESS_LOG_PATH", folder.c_str(), 1);
  set_level("1");
  log().info("into the file");
  flush_log();
  EXPECT_THAT(text_of(folder / "debug" / "plog" / fmt::format("plog-{}.log", getpid())), HasSubstr("into the file"));
  std::filesystem::remove_all(folder);
}

TEST_F(Log, AFolderThatCannotBeMadeIsReportedAndReplacedByStandardError) {
  const test::StandardError captured;
  setenv("ASCEND_PROCESS_LOG_PATH", "/proc/none", 1);
  set_level("3");
  log().error("somewhere else");
  EXPECT_THAT(captured.text(), HasSubstr("ASCEND_PROCESS_LOG_PATH"));
  EXPECT_THAT(captured.text(), HasSubstr("somewhere else"));
}

struct Line {
  bool run;
  std::string text;
};

TEST_F(Log, ListenersGetWhatIsWritten) {
  const test::StandardError captured;
  set_level("1");
  std::mutex mutex;
  std::vector<Line> lines;
  const auto number = add_log_listener([&](bool run, const char* line, std::size_t bytes) {
    std::lock_guard lock(mutex);
    lines.push_back({run, std::string(line, bytes)});
  });
  EXPECT_NE(number, 0U);
  log().debug("not written");
  log().info("to debug");
  run_log().info("to run");
  EXPECT_TRUE(remove_log_listener(number));
  log().info("too late");
  flush_log();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_FALSE(lines[0].run);
  EXPECT_THAT(lines[0].text, HasSubstr("to debug\n"));
  EXPECT_TRUE(lines[1].run);
  EXPECT_FALSE(remove_log_listener(number));
}

TEST_F(Log, AListenerMayLogAndRemoveItself) {
  const test::StandardError captured;
  set_level("1");
  int calls = 0;
  std::uint64_t number = 0;
  number = add_log_listener([&](bool, const char*, std::size_t) {
    ++calls;
    log().info("from inside");
    log().error("an error from inside");
    EXPECT_TRUE(remove_log_listener(number));
  });
  log().info("first");
  log().error("second");
  flush_log();
  EXPECT_EQ(calls, 1);
  EXPECT_THAT(captured.text(), HasSubstr("from inside"));
  EXPECT_THAT(captured.text(), HasSubstr("second"));
}

TEST_F(Log, AListenerIsNotWaitedForByThreadsThatLog) {
  const test::StandardError captured;
  set_level("3");
  std::promise<void> second;
  std::atomic<int> calls{0};
  const std::uint64_t number = add_log_listener([&](bool, const char*, std::size_t) {
    if (calls++ > 0) return second.set_value();
    EXPECT_EQ(second.get_future().wait_for(std::chrono::seconds(20)), std::future_status::ready);
  });
  auto first = std::async(std::launch::async, [] { log().error("first"); });
  while (calls == 0) std::this_thread::yield();
  log().error("second");
  first.get();
  EXPECT_TRUE(remove_log_listener(number));
  EXPECT_EQ(calls, 2);
}

TEST_F(Log, AListenerIsWaitedForByWhoRemovesIt) {
  const test::StandardError captured;
  set_level("3");
  std::promise<void> began, go;
  std::atomic<bool> returns{false};
  const std::uint64_t number = add_log_listener([&](bool, const char*, std::size_t) {
    began.set_value();
    go.get_future().wait();
    returns = true;
  });
  auto logging = std::async(std::launch::async, [] { log().error("the line"); });
  began.get_future().wait();
  auto removal = std::async(std::launch::async, [&] {
    EXPECT_TRUE(remove_log_listener(number));
    EXPECT_TRUE(returns);
  });
  EXPECT_EQ(removal.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
  go.set_value();
  removal.get();
}

TEST_F(Log, ListenersMayRemoveEachOtherAtTheSameTime) {
  const test::StandardError captured;
  const test::Watchdog watchdog(std::chrono::seconds(60), "Two listeners wait for each other.");
  set_level("3");
  std::promise<void> in_first, in_second;
  std::uint64_t first = 0, second = 0;
  first = add_log_listener([&](bool, const char* line, std::size_t bytes) {
    if (lines_with({line, bytes}, "for the first") == 0) return;
    in_first.set_value();
    in_second.get_future().wait();
    EXPECT_TRUE(remove_log_listener(second));
  });
  second = add_log_listener([&](bool, const char* line, std::size_t bytes) {
    if (lines_with({line, bytes}, "for the second") == 0) return;
    in_second.set_value();
    in_first.get_future().wait();
    EXPECT_TRUE(remove_log_listener(first));
  });
  auto other = std::async(std::launch::async, [] { log().error("for the second"); });
  log().error("for the first");
  other.get();
  EXPECT_FALSE(remove_log_listener(first));
  EXPECT_FALSE(remove_log_listener(second));
}

TEST_F(Log, ListenersMayChangeWhichLaterOnesGetTheLine) {
  const test::StandardError captured;
  set_level("3");
  int calls = 0;
  std::uint64_t added = 0;
  std::uint64_t removed = 0;
  const std::uint64_t number = add_log_listener([&](bool, const char*, std::size_t) {
    EXPECT_TRUE(remove_log_listener(removed));
    added = add_log_listener([&](bool, const char*, std::size_t) { ++calls; });
  });
  removed = add_log_listener([](bool, const char*, std::size_t) { ADD_FAILURE() << "it has been removed"; });
  log().error("first");
  EXPECT_EQ(calls, 0);
  EXPECT_TRUE(remove_log_listener(number));
  log().error("second");
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(remove_log_listener(added));
}

TEST_F(Log, AChildProcessLogsByItself) {
  const test::StandardError captured;
  set_level("1");
  log().info("the parent");
  const pid_t child = fork();
  if (child == 0) {
    log().info("the child");
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  flush_log();
  EXPECT_EQ(lines_with(captured.text(), "the parent"), 1U);
  EXPECT_EQ(lines_with(captured.text(), "the child"), 1U);
}

// Each of these tests runs in a new process, which gtest starts.
class LogDeathTest : public Log {
 protected:
  LogDeathTest() { testing::GTEST_FLAG(death_test_style) = "threadsafe"; }
};

struct LogsAtTheEnd {
  ~LogsAtTheEnd() { log().info("from a destructor"); }
};

void log_much() {
  set_level("0");
  for (int i = 0; i < 5000; ++i) log().debug("message {} before the end", i);
}

TEST_F(LogDeathTest, AProcessThatEndsLosesNothing) {
  EXPECT_EXIT(
      {
        log_much();
        std::exit(0);
      },
      testing::ExitedWithCode(0), "message 4999 before the end");
}

TEST_F(LogDeathTest, AQuickExitLosesNothing) {
  EXPECT_EXIT(
      {
        log_much();
        std::quick_exit(0);
      },
      testing::ExitedWithCode(0), "message 4999 before the end");
}

TEST_F(LogDeathTest, DestructorsOfTheProgramMayLog) {
  EXPECT_EXIT(
      {
        static LogsAtTheEnd at_the_end;
        log_much();
        std::exit(0);
      },
      testing::ExitedWithCode(0), "from a destructor");
}

void log_at_exit() {
  std::thread([] { log().error("from another thread"); }).join();
}

void end_in_a_listener() {
  set_level("3");
  alarm(20);
  std::atexit(log_at_exit);
  add_log_listener([called = false](bool, const char*, std::size_t) mutable {
    if (!std::exchange(called, true)) std::exit(0);
  });
  log().error("the first line");
}

TEST_F(LogDeathTest, AListenerMayEndTheProcessWhileOthersLog) {
  EXPECT_EXIT(end_in_a_listener(), testing::ExitedWithCode(0), "from another thread");
}

TEST_F(LogDeathTest, AnErrorBeforeAnAbortIsWritten) {
  EXPECT_DEATH(
      {
        log_much();
        log().error("the last words");
        std::abort();
      },
      "the last words");
}

}  // namespace
}  // namespace aclvk
