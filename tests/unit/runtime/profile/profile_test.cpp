#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "base/config.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "runtime/json_text.hpp"
#include "runtime/profile/active.hpp"
#include "runtime/profile/settings.hpp"
#include "runtime/profile/trace_file.hpp"

namespace aclvk::runtime::profile {
namespace {

using Json = nlohmann::json;

Code code_of_section(const std::string& section) {
  try {
    read_settings(section);
    return Code::kSuccess;
  } catch (const Error& error) {
    return error.code();
  }
}

class TraceFileTest : public testing::Test {
 protected:
  ~TraceFileTest() override { std::remove(path.c_str()); }

  Json read() const {
    std::ifstream file(path);
    return Json::parse(std::string(std::istreambuf_iterator<char>(file), {})).at("traceEvents");
  }
  /// Returns the events without those that name tracks.
  Json events() const {
    Json events = Json::array();
    for (const Json& event : read()) {
      if (event.at("ph") != "M") events.push_back(event);
    }
    return events;
  }

  const std::string path = testing::TempDir() + "aclvk_trace_file_test.json";
};

TEST_F(TraceFileTest, TimesAreMicrosecondsWithNanosecondsAfterThePoint) {
  TraceFile(path, 0).slice({1, 2}, "task", "Add", 12'345'678, 12'346'001);
  const Json slice = events().at(0);
  EXPECT_DOUBLE_EQ(slice.at("ts"), 12345.678);
  EXPECT_DOUBLE_EQ(slice.at("dur"), 0.323);
}

TEST_F(TraceFileTest, ASliceThatEndsBeforeItBeginsHasNoLength) {
  TraceFile(path, 0).slice({1, 2}, "task", "Add", 2000, 1000);
  EXPECT_DOUBLE_EQ(events().at(0).at("dur"), 0);
}

TEST_F(TraceFileTest, EveryTextIsWrittenAsJson) {
  const std::string text = "a \"b\" \\ \n \xe2\x82\xac \xff \x01";
  TraceFile(path, 0).instant({1, 2}, "mark", text, 1000, "\"x\":" + json_text(text));
  const Json event = events().at(0);
  EXPECT_EQ(event.at("name"), event.at("args").at("x"));
  EXPECT_EQ(event.at("name").get<std::string>().rfind("a \"b\" \\ \n \xe2\x82\xac ", 0), 0u);
}

TEST_F(TraceFileTest, EachLineIsNamedOnce) {
  {
    TraceFile file(path, 0);
    for (int i = 0; i < 3; ++i) file.instant({1, 2}, "mark", "x", i);
    file.instant({1, 3}, "mark", "x", 5);
  }
  int processes = 0;
  int threads = 0;
  for (const Json& event : read()) {
    processes += event.at("name") == "process_name";
    threads += event.at("name") == "thread_name";
  }
  EXPECT_EQ(processes, 1);
  EXPECT_EQ(threads, 2);
}

TEST_F(TraceFileTest, ArrowsAndRangesHaveNumbersOfTheirOwn) {
  {
    TraceFile file(path, 0);
    file.arrow({1, 2}, 10, {1, 3}, 20);
    file.arrow({1, 2}, 30, {1, 3}, 40);
    file.range({1, 2}, "range", "x", 10, 20);
  }
  const Json all = events();
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all[0].at("id"), all[1].at("id"));
  EXPECT_NE(all[1].at("id"), all[2].at("id"));
  EXPECT_EQ(all[4].at("id"), all[5].at("id"));
  EXPECT_NE(all[4].at("id"), all[2].at("id"));
}

TEST_F(TraceFileTest, NothingIsAddedPastTheLimit) {
  {
    TraceFile file(path, 1000);
    for (int i = 0; i < 1000; ++i) file.instant({1, 2}, "mark", "x", i);
  }
  EXPECT_GT(events().size(), 0u);
  EXPECT_LT(events().size(), 20u);
}

TEST_F(TraceFileTest, EventsAfterTheEndAreLost) {
  TraceFile file(path, 0);
  file.instant({1, 2}, "mark", "x", 1);
  file.finish();
  file.instant({1, 2}, "mark", "y", 2);
  file.finish();
  file.flush();
  EXPECT_EQ(events().size(), 1u);
}

std::size_t allocated() {
  const auto counts = mallinfo2();
  return counts.uordblks + counts.hblkhd;
}

TEST_F(TraceFileTest, AChildGathersNothing) {
  TraceFile file(path, 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::string name(1U << 20, 'x');
    const std::size_t before = allocated();
    for (int i = 0; i < 32; ++i) file.instant({1, 2}, "mark", name, i);
    _exit(allocated() < before + (16U << 20) ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  file.finish();
  EXPECT_EQ(events().size(), 0u);
}

TEST_F(TraceFileTest, AFailedWriteIsReportedOnce) {
  const auto set_level = [](const char* level) {
    setenv("ASCEND_GLOBAL_LOG_LEVEL", level, 1);
    reload_config();
    reload_log();
  };
  set_level("3");  // the default
  std::string lines;
  const auto listener = add_log_listener([&](bool, const char* line, std::size_t bytes) { lines.append(line, bytes); });
  {
    TraceFile file("/dev/full", 0);
    file.instant({1, 2}, "mark", "x", 1);
    file.flush();
  }
  EXPECT_TRUE(remove_log_listener(listener));
  set_level("4");
  const std::string message = "The profile is not complete: \"/dev/full\" cannot be written: No space left on device.";
  const std::size_t at = lines.find(message);
  EXPECT_NE(at, std::string::npos) << lines;
  EXPECT_EQ(lines.find("not complete", at + message.size()), std::string::npos) << lines;
}

TEST_F(TraceFileTest, AFileThatCannotBeMadeIsRefused) { EXPECT_THROW(TraceFile("/proc/no/such/file", 0), Error); }

TEST(ProfileSettings, HaveDefaults) {
  const auto settings = read_settings(R"({"switch":"on"})");
  ASSERT_TRUE(settings.has_value());
  EXPECT_EQ(settings->folder, ".");
  EXPECT_EQ(settings->categories, kCalls | kTasks | kRanges);
}

TEST(ProfileSettings, LevelsAreSwitchesThatAreOn) {
  const auto settings = read_settings(R"({"switch":"on","task_time":"l0","ascendcl":"off","msproftx":"off"})");
  ASSERT_TRUE(settings.has_value());
  EXPECT_EQ(settings->categories, static_cast<std::uint32_t>(kTasks));
}

TEST(ProfileSettings, AreCheckedAlsoWhenSwitchedOff) {
  EXPECT_FALSE(read_settings(R"({"switch":"off"})").has_value());
  EXPECT_EQ(code_of_section(R"({"switch":"off","task_time":"x"})"), Code::kInvalidProfilingConfig);
  EXPECT_EQ(code_of_section(R"({"switch":"off","output":1})"), Code::kInvalidProfilingConfig);
  EXPECT_EQ(code_of_section("[]"), Code::kInvalidProfilingConfig);
}

TEST(ProfileSettings, SizesHaveAUnit) {
  EXPECT_EQ(read_size("200MB"), std::uint64_t{200} << 20);
  for (const char* bad : {"", "MB", "200", "0200MB", "-1MB", "200GB", "99999999999MB"}) {
    EXPECT_THROW(read_size(bad), Error) << bad;
  }
}

}  // namespace
}  // namespace aclvk::runtime::profile
