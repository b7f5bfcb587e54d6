// base/acl_log.h, and the program's own lines in the log.
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <cstdarg>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/acl_log.h"
#include "support/capture_fixture.hpp"
#include "support/standard_error.hpp"
#include "support/watchdog.hpp"

namespace {

namespace test = aclvk::test;
using aclvk::test::StandardError;
using testing::HasSubstr;
using testing::Not;

/// A process that logs from a level on.
class Logging : public testing::Test {
 protected:
  static void set_level(const char* level) { setenv("ASCEND_GLOBAL_LOG_LEVEL", level, 1); }
};

/// What a callback has been given; its user pointer.
struct Seen {
  std::vector<std::pair<uint32_t, std::string>> lines;
};

int32_t keep(void* user, uint32_t type, const char* line, size_t bytes) {
  static_cast<Seen*>(user)->lines.emplace_back(type, std::string(line, bytes));
  return 0;
}

void log_list(int32_t level, const char* format, ...) {
  va_list list;
  va_start(list, format);
  acllogVaList(3, level, format, list);
  va_end(list);
}

TEST_F(Logging, TheLevelDecidesWhatIsWritten) {
  set_level("2");
  EXPECT_EQ(acllogCheckDebugLevel(3, DLOG_DEBUG), 0);
  EXPECT_EQ(acllogCheckDebugLevel(3, DLOG_INFO), 0);
  EXPECT_EQ(acllogCheckDebugLevel(3, DLOG_WARN), 1);
  EXPECT_EQ(acllogCheckDebugLevel(3, DLOG_ERROR), 1);
  EXPECT_EQ(acllogCheckDebugLevel(3, DLOG_ERROR | RUN_LOG_MASK), 1);
  EXPECT_EQ(acllogCheckDebugLevel(3, DLOG_NULL), 0);
  EXPECT_EQ(acllogCheckDebugLevel(3, 9), 0);
  EXPECT_EQ(acllogCheckDebugLevel(3, -1), 0);
}

TEST_F(Logging, NothingIsWrittenAtLevel4) {
  set_level("4");
  EXPECT_EQ(acllogCheckDebugLevel(3, DLOG_ERROR), 0);
}

TEST_F(Logging, ARecordIsFormattedAndHasItsModule) {
  set_level("3");
  const StandardError captured;
  acllogRecord(12, DLOG_ERROR, "%s is %d", "answer", 42);
  log_list(DLOG_ERROR, "%s has %d", "list", 7);
  acllogRecord(12, DLOG_INFO, "below the level");
  acllogRecord(12, DLOG_ERROR, nullptr);
  EXPECT_THAT(captured.text(), HasSubstr("[module 12] answer is 42"));
  EXPECT_THAT(captured.text(), HasSubstr("[module 3] list has 7"));
  EXPECT_THAT(captured.text(), Not(HasSubstr("below the level")));
}

TEST_F(Logging, ALongRecordIsCutTo1024Characters) {
  set_level("3");
  const StandardError captured;
  acllogRecord(1, DLOG_ERROR, "%s", std::string(2000, 'x').c_str());
  const std::string mark = "...[truncated]";
  EXPECT_THAT(captured.text(), HasSubstr(" " + std::string(1024 - mark.size(), 'x') + mark + "\n"));
}

TEST_F(Logging, ExactlyAsMuchAsFitsIsNotCut) {
  set_level("3");
  const StandardError captured;
  acllogRecord(1, DLOG_ERROR, "%s", std::string(1024, 'y').c_str());
  EXPECT_THAT(captured.text(), HasSubstr(std::string(1024, 'y') + "\n"));
}

TEST_F(Logging, ACallbackGetsTheLinesOfItsType) {
  set_level("1");
  const StandardError captured;
  Seen debug, run, both;
  acllogCallbackHandle handles[3] = {};
  ASSERT_EQ(acllogRegisterCallback(keep, &debug, OUTPUT_TYPE_DEBUG, &handles[0]), 0);
  ASSERT_EQ(acllogRegisterCallback(keep, &run, OUTPUT_TYPE_RUN, &handles[1]), 0);
  ASSERT_EQ(acllogRegisterCallback(keep, &both, OUTPUT_TYPE_BOTH, &handles[2]), 0);
  acllogRecord(1, DLOG_INFO, "one");
  acllogRecord(1, DLOG_INFO | RUN_LOG_MASK, "two");
  acllogRecord(1, DLOG_DEBUG, "three");
  for (const auto handle : handles) EXPECT_EQ(acllogUnregisterCallback(handle), 0);
  acllogRecord(1, DLOG_ERROR, "four");
  ASSERT_EQ(debug.lines.size(), 1U);
  EXPECT_EQ(debug.lines[0].first, static_cast<uint32_t>(OUTPUT_TYPE_DEBUG));
  EXPECT_THAT(debug.lines[0].second, HasSubstr("one\n"));
  ASSERT_EQ(run.lines.size(), 1U);
  EXPECT_EQ(run.lines[0].first, static_cast<uint32_t>(OUTPUT_TYPE_RUN));
  EXPECT_THAT(run.lines[0].second, HasSubstr("two\n"));
  EXPECT_EQ(both.lines.size(), 2U);
}

TEST_F(Logging, ACallbackSeesTheErrorsOfTheLibrary) {
  set_level("3");
  const StandardError captured;
  Seen seen;
  acllogCallbackHandle handle = 0;
  ASSERT_EQ(acllogRegisterCallback(keep, &seen, OUTPUT_TYPE_DEBUG, &handle), 0);
  EXPECT_EQ(aclrtDestroyStream(nullptr), ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(seen.lines.size(), 1U);
  EXPECT_THAT(seen.lines[0].second, HasSubstr("aclrtDestroyStream returns 100000"));
  EXPECT_EQ(acllogUnregisterCallback(handle), 0);
}

TEST_F(Logging, WrongArgumentsOfRegistrationsAreRefused) {
  set_level("4");
  Seen seen;
  acllogCallbackHandle handle = 0;
  EXPECT_EQ(acllogRegisterCallback(nullptr, &seen, OUTPUT_TYPE_BOTH, &handle), -1);
  EXPECT_EQ(acllogRegisterCallback(keep, &seen, OUTPUT_TYPE_BOTH, nullptr), -1);
  EXPECT_EQ(acllogRegisterCallback(keep, &seen, OUTPUT_TYPE_MAX, &handle), -1);
  EXPECT_EQ(acllogUnregisterCallback(0), -1);
  ASSERT_EQ(acllogRegisterCallback(keep, nullptr, OUTPUT_TYPE_BOTH, &handle), 0);
  EXPECT_EQ(acllogUnregisterCallback(handle), 0);
  EXPECT_EQ(acllogUnregisterCallback(handle), -1);
}

TEST_F(Logging, LinesOfTheProgramAreInTheOrderOfTheCalls) {
  set_level("0");
  const StandardError captured;
  aclAppLog(ACL_DEBUG, "f", "file.cpp", 1, "first %d", 1);
  aclAppLog(ACL_WARNING, "f", "file.cpp", 2, "second");
  aclAppLog(ACL_ERROR, "f", "file.cpp", 3, "third");
  const std::string text = captured.text();
  EXPECT_LT(text.find("first 1"), text.find("second"));
  EXPECT_LT(text.find("second"), text.find("third"));
  EXPECT_NE(text.find("third"), std::string::npos);
}

/// aclnnAdds fails on the device, and errors are logged.
class LoggedFailure : test::Settings, public test::OneStream {
 protected:
  LoggedFailure() : Settings({{"ACLVK_FAIL_KERNEL", "aclnnAdds"}, {"ASCEND_GLOBAL_LOG_LEVEL", "3"}}) {}
};

/// A callback of the log that asks for a stream.
struct Asking {
  aclrtStream stream;
  std::atomic<int> calls{0};
};

int32_t ask(void* user, uint32_t, const char*, size_t) {
  auto* asking = static_cast<Asking*>(user);
  ++asking->calls;
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  aclrtStreamQuery(asking->stream, &status);
  return 0;
}

TEST_F(LoggedFailure, LetsACallbackCallTheRuntime) {
  const StandardError captured;
  const test::Cell cell;
  Asking asking{new_stream()};
  acllogCallbackHandle handle = 0;
  ASSERT_EQ(acllogRegisterCallback(ask, &asking, OUTPUT_TYPE_BOTH, &handle), 0);
  EXPECT_EQ(test::add(cell, 1, cell, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_AICORE_EXCEPTION);
  EXPECT_EQ(acllogUnregisterCallback(handle), 0);
  EXPECT_GE(asking.calls, 1);
}

void spin_until(void* set) {
  while (!*static_cast<std::atomic<bool>*>(set)) std::this_thread::yield();
}

TEST_F(LoggedFailure, AfterAHostFunctionLetsACallbackCallTheRuntime) {
  const StandardError captured;
  const test::Watchdog watchdog(std::chrono::seconds(30), "A callback of the log runs under a lock.");
  const test::Cell cell;
  std::atomic<bool> go{false};
  Asking asking{new_stream()};
  acllogCallbackHandle handle = 0;
  ASSERT_EQ(acllogRegisterCallback(ask, &asking, OUTPUT_TYPE_BOTH, &handle), 0);
  EXPECT_EQ(aclrtLaunchHostFunc(s, spin_until, &go), 0);
  EXPECT_EQ(test::add(cell, 1, cell, s), 0);
  go = true;
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_AICORE_EXCEPTION);
  EXPECT_EQ(acllogUnregisterCallback(handle), 0);
  EXPECT_GE(asking.calls, 1);
}

/// A callback of the log that holds the first thread that writes, and asks for a stream on others.
struct Holding {
  Asking asking;
  std::atomic<bool> holds{false};
  std::atomic<bool> go{false};
};

int32_t hold_or_ask(void* user, uint32_t type, const char* line, size_t bytes) {
  auto* holding = static_cast<Holding*>(user);
  if (holding->holds.exchange(true)) return ask(&holding->asking, type, line, bytes);
  spin_until(&holding->go);
  return 0;
}

aclrtNotify new_shared_notify() {
  aclrtNotify notify = nullptr;
  char key[65] = {};
  EXPECT_EQ(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT), 0);
  EXPECT_EQ(aclrtNotifyGetExportKey(notify, key, sizeof(key), 0), 0) << aclGetRecentErrMsg();
  return notify;
}

// A record of a shared notify is done by the watching thread, or by who synchronises while that one is held.
TEST_F(LoggedFailure, SeenByASynchronisationLetsACallbackCallTheRuntime) {
  const StandardError captured;
  const test::Watchdog watchdog(std::chrono::seconds(30), "A callback of the log runs under a lock.");
  const test::Cell cell;
  const aclrtStream records = new_stream();
  Holding holding{{new_stream()}};
  acllogCallbackHandle handle = 0;
  ASSERT_EQ(acllogRegisterCallback(hold_or_ask, &holding, OUTPUT_TYPE_BOTH, &handle), 0);
  const auto fail_after_a_notify = [&](aclrtStream stream) {
    const aclrtNotify notify = new_shared_notify();
    EXPECT_EQ(aclrtWaitAndResetNotify(notify, stream, 0), 0);
    EXPECT_EQ(test::add(cell, 1, cell, stream), 0);
    EXPECT_EQ(aclrtRecordNotify(notify, records), 0);
  };
  const aclrtStream first = new_stream();
  const aclrtStream second = new_stream();
  fail_after_a_notify(first);
  spin_until(&holding.holds);
  fail_after_a_notify(second);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(holding.asking.calls, 1);
  holding.go = true;
  EXPECT_EQ(aclrtSynchronizeStream(first), ACL_ERROR_RT_AICORE_EXCEPTION);
  EXPECT_EQ(aclrtSynchronizeStream(second), ACL_ERROR_RT_AICORE_EXCEPTION);
  EXPECT_EQ(acllogUnregisterCallback(handle), 0);
}

}  // namespace
