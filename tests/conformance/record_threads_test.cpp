// Recordings: threads begin and end them, or are notified of them, while others are at work.
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include "acl/acl_dump.h"
#include "acl/rt/dump.h"
#include "support/recorded_calls.hpp"
#include "support/stress.hpp"
#include "support/watchdog.hpp"

namespace aclvk::test {
namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 10;

/// A recording is still being written after its end, so folders go last.
class RecordThreads : public CaptureTest {
 protected:
  /// A configuration file for dumps into a folder of this name; `members` are further ones of its dump section.
  std::string dump_config(const std::string& name, const std::string& members = "") const {
    return folder.file(name + ".json", R"({"dump": {"dump_path": ")" + folder.path() + "/" + name +
                                           R"(", "dump_op_switch": "on", "dump_mode": "all")" + members + "}}");
  }
  /// Launches again and again, and waits now and then, until it is stopped; not less than a few times.
  static void work_until(const std::atomic<bool>& over) {
    const OwnStream stream;
    const Cell cell;
    for (float expected = 10; expected <= 10 * kRounds || !over; expected += 10) {
      for (int i = 0; i < 10; ++i) EXPECT_EQ(increment(cell, stream), 0) << aclGetRecentErrMsg();
      sync(stream);
      EXPECT_EQ(cell.value(), expected);
    }
  }

  const Folder folder;
  const Watchdog watchdog{std::chrono::seconds(100), "A recording does not come to its end."};
};

/// How often a call of this name is in the recording below the folder. All of its lines are whole.
std::size_t calls_below(const std::string& folder, const std::string& name) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().filename() != "calls.jsonl") continue;
    for (const Json& call : recorded_calls(entry.path().parent_path())) count += call.at("operator") == name ? 1 : 0;
  }
  return count;
}

// There is one dump in a process: who begins it knows what is in it.
TEST_F(RecordThreads, ThreadsAlternatelyDumpWhatAllDo) {
  std::atomic<int> dumps{0};
  const auto dump = [&](const std::string& name) {
    const std::string config = dump_config(name);
    const aclError code = aclmdlInitDump();
    if (code != 0) {
      EXPECT_EQ(code, ACL_ERROR_DUMP_ALREADY_RUN);
      return;
    }
    EXPECT_EQ(aclmdlSetDump(config.c_str()), 0) << aclGetRecentErrMsg();
    const char* place = acldumpGetPath(DATA_DUMP);
    ASSERT_NE(place, nullptr);
    EXPECT_NE(std::string(place).find("/" + name + "/"), std::string::npos) << place;
    const OwnStream stream;
    const Cell first(1);
    const Cell second;
    EXPECT_EQ(add(first, 1, second, stream), 0) << aclGetRecentErrMsg();
    sync(stream);
    EXPECT_EQ(aclmdlFinalizeDump(), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(calls_below(folder.path() + "/" + name, "aclnnAdds"), 1U);
    ++dumps;
  };
  std::atomic<bool> over{false};
  {
    const Crowd workers(2, [&](int) { work_until(over); });
    {
      const Crowd dumpers(kThreads, [&](int thread) {
        for (int round = 0; round < kRounds; ++round) {
          dump("dump_" + std::to_string(thread) + "_" + std::to_string(round));
          acldumpGetPath(OVERFLOW_DUMP);
        }
      });
    }
    over = true;
  }
  EXPECT_GT(dumps, 0);
}

TEST_F(RecordThreads, DumpsAreBegunAndEndedByAllThreads) {
  const std::string place = folder.path() + "/arguments";
  std::atomic<int> begun{0};
  std::atomic<int> ended{0};
  std::atomic<bool> over{false};
  {
    const Crowd workers(2, [&](int) { work_until(over); });
    all_at_once(kThreads, [&](int thread) {
      for (int round = 0; round < 10 * kRounds; ++round) {
        const std::string config = dump_config(std::to_string(thread) + "_" + std::to_string(round));
        if (done_or(ACL_ERROR_DUMP_ALREADY_RUN, aclmdlInitDump())) ++begun;
        done_or(ACL_ERROR_DUMP_NOT_RUN, aclmdlSetDump(config.c_str()));
        const char* dumped = acldumpGetPath(DATA_DUMP);
        if (dumped) {
          EXPECT_EQ(std::string(dumped).rfind(folder.path(), 0), 0U) << dumped;
        }
        if (done_or(ACL_ERROR_DUMP_NOT_RUN, aclmdlFinalizeDump())) ++ended;
        if (done_or(ACL_ERROR_DUMP_ALREADY_RUN, aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, place.c_str()))) ++begun;
        if (done_or(ACL_ERROR_DUMP_NOT_RUN, aclopStopDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS))) ++ended;
      }
    });
    over = true;
  }
  EXPECT_GT(begun, 1);
  EXPECT_EQ(begun, ended);
}

/// The whole process is recorded, from its first operator on.
class AllRecorded {
 protected:
  AllRecorded() { setenv("ACLVK_RECORD", folder.path().c_str(), 1); }

  const Folder folder;
};

struct FirstCallThreads : AllRecorded, CaptureTest {};

TEST_F(FirstCallThreads, AllMakeTheFirstCallThatIsRecorded) {
  const Cell cell;
  aclTensor* tensor = cell.tensor();
  std::atomic<int> missing{2 * kThreads};
  {
    const Crowd crowd(2 * kThreads, [&](int) {
      for (--missing; missing > 0;) std::this_thread::yield();
      EXPECT_EQ(aclDumpOpTensors("own", "of the program", &tensor, 1, 0, s), 0) << aclGetRecentErrMsg();
    });
  }
  sync(s);
  EXPECT_EQ(calls_below(folder.path(), "own"), std::size_t{2 * kThreads});
}

std::atomic<int> pieces{0};

int32_t count_piece(const acldumpChunk*, int32_t) {
  ++pieces;
  return 0;
}

// Calls go to the callback while there is one, and to the folder while there is none.
TEST_F(RecordThreads, EachCallIsPassedToTheCallbackOrWritten) {
  const std::string place = folder.path() + "/arguments";
  ASSERT_EQ(aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, place.c_str()), 0);
  {
    const Crowd crowd(kThreads, [](int thread) {
      const OwnStream stream;
      const Cell cell;
      for (int round = 0; round < kRounds; ++round) {
        if (thread % 2 == 0) {
          EXPECT_EQ(acldumpRegCallback(count_piece, 0), 0);
        } else {
          acldumpUnregCallback();
        }
        EXPECT_EQ(increment(cell, stream), 0);
        EXPECT_EQ(aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, "elsewhere"), ACL_ERROR_DUMP_ALREADY_RUN);
      }
      sync(stream);
    });
  }
  EXPECT_EQ(aclopStopDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS), 0);
  acldumpUnregCallback();
  const auto written = calls_below(place, "aclnnInplaceAdds");
  EXPECT_EQ(written + static_cast<std::size_t>(pieces), std::size_t{kThreads * kRounds});
}

// The runs of one model come one after the other on whatever streams; each leaves the values that it has made.
TEST_F(RecordThreads, ACapturedCallIsRecordedOnceForEachReplay) {
  const Cell cell;
  ASSERT_EQ(aclmdlInitDump(), 0);
  ASSERT_EQ(aclmdlSetDump(dump_config("replays").c_str()), 0) << aclGetRecentErrMsg();
  const std::string place = acldumpGetPath(DATA_DUMP) + std::string("/0");
  aclmdlRI model = capture([&] { EXPECT_EQ(increment(cell, s), 0); });
  {
    const Crowd crowd(kThreads, [model](int) {
      const OwnStream stream;
      for (int round = 0; round < kRounds; ++round) execute(model, stream);
      sync(stream);
    });
  }
  EXPECT_EQ(aclmdlFinalizeDump(), 0);
  EXPECT_EQ(cell.value(), kThreads * kRounds);
  std::set<float> left;
  for (const Json& call : recorded_calls(place)) {
    if (call.contains("replay")) left.insert(recorded_values(place, call, "selfRef", "after").at(0));
  }
  std::set<float> expected;
  for (int run = 1; run <= kThreads * kRounds; ++run) expected.insert(static_cast<float>(run));
  EXPECT_EQ(left, expected);
}

// A run that is given up may still be recording when the next one begins.
TEST_F(RecordThreads, ReplaysAreGivenUpWhileTheyAreRecorded) {
  const Cell cell(0, 1 << 16);  // that takes a while to look at
  ASSERT_EQ(aclmdlInitDump(), 0);
  ASSERT_EQ(aclmdlSetDump(dump_config("replays", R"(, "dump_data": "stats")").c_str()), 0) << aclGetRecentErrMsg();
  aclmdlRI model = capture([&] { EXPECT_EQ(increment(cell, s), 0); });
  {
    const Crowd crowd(kThreads, [model](int) {
      const OwnStream stream;
      for (int round = 0; round < 2 * kRounds; ++round) {
        execute(model, stream);
        EXPECT_EQ(aclrtStreamAbort(stream), 0) << aclGetRecentErrMsg();
        done_or(ACL_ERROR_RT_STREAM_ABORT, aclrtSynchronizeStream(stream));
      }
    });
  }
  const float before = cell.value();
  run(model, s);
  EXPECT_EQ(cell.value(), before + 1);
  EXPECT_EQ(aclmdlFinalizeDump(), 0);
  EXPECT_GT(calls_below(folder.path() + "/replays", "aclnnInplaceAdds"), 1U);
}

}  // namespace
}  // namespace aclvk::test
