#include "runtime/dump/dump_target.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "base/log.hpp"
#include "support/folder.hpp"
#include "support/watchdog.hpp"

namespace aclvk::runtime {
namespace {

class DumpTargetTest : public testing::Test {
 protected:
  ~DumpTargetTest() override { set_dump_listener(nullptr); }

  static DumpOptions to_listener() {
    DumpOptions options;
    options.to_listener = true;
    return options;
  }

  const test::Folder folder;
  const test::Watchdog watchdog{std::chrono::seconds(60), "A listener waits for the target that called it."};
};

TEST_F(DumpTargetTest, AListenerMayRecordToTheSameTarget) {
  DumpTarget target(folder.path() + "/one", to_listener());
  std::vector<std::uint64_t> offsets;
  set_dump_listener([&](const DumpChunk& chunk) {
    offsets.push_back(chunk.offset);
    if (offsets.size() == 1) target.write_call(0, "inner");
    return 0;
  });
  target.write_call(0, "outer");
  EXPECT_EQ(offsets, (std::vector<std::uint64_t>{0, 6}));
}

TEST_F(DumpTargetTest, AListenerMayRecordToATargetThatAnotherThreadWritesTo) {
  DumpTarget first(folder.path() + "/one", to_listener());
  DumpTarget second(folder.path() + "/two", to_listener());
  std::thread other;
  std::atomic<int> pieces{0};
  set_dump_listener([&](const DumpChunk&) {
    if (pieces++ > 0) return 0;
    std::atomic<bool> started{false};
    other = std::thread([&second, &started] {
      started = true;
      second.write_call(0, "from the other thread");
    });
    while (!started) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // most likely it waits for this listener by now
    second.write_call(0, "from the listener");
    return 0;
  });
  first.write_call(0, "outer");
  other.join();
  EXPECT_EQ(pieces, 3);
}

// The log callback receives the line that reports the failed write.
TEST_F(DumpTargetTest, AListenerOfTheLogMayWaitForWhoRecordsToTheSameTarget) {
  DumpTarget target(folder.path() + "/one", {});
  std::filesystem::create_directories(folder.path() + "/one/calls.jsonl");
  const auto level = log().level();
  log().set_level(spdlog::level::err);
  std::atomic<int> lines{0};
  const std::uint64_t listener = add_log_listener([&](bool, const char*, std::size_t) {
    if (lines++ == 0) std::thread([&] { target.write_call(0, "inner"); }).join();
  });
  target.write_call(0, "outer");
  remove_log_listener(listener);
  log().set_level(level);
  EXPECT_EQ(lines, 1);
}

TEST_F(DumpTargetTest, FilesContinueAfterWhatTheListenerGot) {
  DumpTarget target(folder.path() + "/one", to_listener());
  std::vector<std::uint64_t> offsets;
  const auto listen = [&](const DumpChunk& chunk) {
    offsets.push_back(chunk.offset);
    return 0;
  };
  set_dump_listener(listen);
  target.write_call(0, "12345");
  set_dump_listener(nullptr);
  target.write_call(0, "in the file");
  set_dump_listener(listen);
  target.write_call(0, "12345");
  EXPECT_EQ(offsets, (std::vector<std::uint64_t>{0, 18}));
}

}  // namespace
}  // namespace aclvk::runtime
