// What stands in a trace of acl_prof.h: calls, tasks with the device's times, replays, arrows.
#include <map>
#include <set>
#include <thread>

#include "support/profile_fixture.hpp"

namespace aclvk::test {
namespace {

class ProfileTrace : public ProfileTest {
 protected:
  const Cell cell;
};

TEST_F(ProfileTrace, IsWhatAViewerOpens) {
  aclmdlRI model = capture([&] {
    order(s, side);
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(aclrtMemsetAsync(cell.address(), cell.bytes(), 0, cell.bytes(), side), 0);
    order(side, s);
  });
  const Json events = profile([&] {
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(aclrtMemsetAsync(cell.address(), cell.bytes(), 0, cell.bytes(), s), 0);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(aclmdlRIExecuteAsync(model, s), 0);
    EXPECT_EQ(aclprofMarkEx("a \"mark\"\n\xff", 10, s), 0);
    sync(s);
  });
  EXPECT_GT(events.size(), 10u);
  expect_events_are_complete(events);
  expect_slices_nest(events);
}

TEST_F(ProfileTrace, HasEachEagerTaskOnTheLineOfItsStream) {
  const Cell other;
  const Json events = profile([&] {
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(
        aclrtMemcpyAsync(other.address(), cell.bytes(), cell.address(), cell.bytes(), ACL_MEMCPY_DEVICE_TO_DEVICE, s),
        0);
    EXPECT_EQ(aclrtMemsetAsync(other.address(), cell.bytes(), 0, cell.bytes(), side), 0);
    sync(s);
    sync(side);
  });
  EXPECT_EQ(find(events, "X", "task").size(), 3u);
  const auto kernel = find(events, "X", "task", "aclnnInplaceAdds");
  const auto copy = find(events, "X", "task", "MEMCPY_ASYNC");
  const auto fill = find(events, "X", "task", "MEMSET_ASYNC");
  ASSERT_EQ(kernel.size(), 1u);
  ASSERT_EQ(copy.size(), 1u);
  ASSERT_EQ(fill.size(), 1u);
  EXPECT_EQ(kernel[0].json.at("args").at("type"), "KERNEL_AIVEC");
  EXPECT_EQ(copy[0].json.at("args").at("bytes"), cell.bytes());
  EXPECT_EQ(kernel[0].line(), copy[0].line());
  EXPECT_NE(kernel[0].line(), fill[0].line());
}

TEST_F(ProfileTrace, HasTheTasksOfAStreamInTheirOrder) {
  const Json events = profile([&] {
    for (int i = 0; i < 200; ++i) EXPECT_EQ(increment(cell, s), 0);
    sync(s);
  });
  const auto tasks = find(events, "X", "task");
  ASSERT_EQ(tasks.size(), 200u);
  for (std::size_t i = 1; i < tasks.size(); ++i) EXPECT_LE(tasks[i - 1].end(), tasks[i].begin() + 0.0005);
}

// The device's times lie on the host's axis: a task runs after the call that launches it began, and before the one that
// waits for it ends.
TEST_F(ProfileTrace, TasksLieBetweenTheCallsThatLaunchAndAwaitThem) {
  const Json events = profile([&] {
    EXPECT_EQ(aclrtMemsetAsync(cell.address(), cell.bytes(), 0, cell.bytes(), s), 0);
    EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  });
  const auto launch = find(events, "X", "api", "aclrtMemsetAsync");
  const auto wait = find(events, "X", "api", "aclrtSynchronizeStream");
  const auto task = find(events, "X", "task", "MEMSET_ASYNC");
  ASSERT_EQ(launch.size(), 1u);
  ASSERT_EQ(wait.size(), 1u);
  ASSERT_EQ(task.size(), 1u);
  constexpr double kClockError = 200;  // microseconds, for devices whose clock is only anchored
  EXPECT_GE(task[0].begin(), launch[0].begin() - kClockError);
  EXPECT_LE(task[0].end(), wait[0].end() + kClockError);
}

TEST_F(ProfileTrace, AnArrowLeadsFromTheLaunchToTheTask) {
  const Json events = profile([&] {
    EXPECT_EQ(aclrtMemsetAsync(cell.address(), cell.bytes(), 0, cell.bytes(), s), 0);
    sync(s);
  });
  const auto launch = find(events, "X", "api", "aclrtMemsetAsync");
  const auto task = find(events, "X", "task");
  const auto from = find(events, "s", "launch");
  const auto to = find(events, "f", "launch");
  ASSERT_EQ(from.size(), 1u);
  ASSERT_EQ(to.size(), 1u);
  ASSERT_EQ(launch.size(), 1u);
  ASSERT_EQ(task.size(), 1u);
  EXPECT_EQ(from[0].json.at("id"), to[0].json.at("id"));
  EXPECT_EQ(from[0].line(), launch[0].line());
  EXPECT_GE(from[0].begin(), launch[0].begin());
  EXPECT_LE(from[0].begin(), launch[0].end());
  EXPECT_EQ(to[0].line(), task[0].line());
  EXPECT_EQ(to[0].begin(), task[0].begin());
}

TEST_F(ProfileTrace, HasEachTaskOfEachReplay) {
  aclmdlRI model = capture([&] {
    for (int i = 0; i < 5; ++i) EXPECT_EQ(increment(cell, s), 0);
  });
  const Json events = profile([&] {
    for (int i = 0; i < 20; ++i) EXPECT_EQ(aclmdlRIExecuteAsync(model, s), 0);
    sync(s);
  });
  EXPECT_EQ(cell.value(), 100);
  const auto tasks = find(events, "X", "task");
  const auto runs = find(events, "X", "model");
  ASSERT_EQ(tasks.size(), 100u);
  ASSERT_EQ(runs.size(), 20u);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    EXPECT_EQ(tasks[i].json.at("args").at("task"), i % 5);
    EXPECT_GE(tasks[i].begin(), runs[i / 5].begin());
    EXPECT_LE(tasks[i].end(), runs[i / 5].end() + 0.0005);
  }
  EXPECT_EQ(find(events, "s", "launch").size(), 20u);
}

TEST_F(ProfileTrace, AReplayIsNamedAsTheProgramNamesItsModel) {
  aclmdlRI model = capture([&] { EXPECT_EQ(increment(cell, s), 0); });
  EXPECT_EQ(aclmdlRISetName(model, "decode"), 0);
  const Json events = profile([&] {
    EXPECT_EQ(aclmdlRIExecuteAsync(model, s), 0);
    sync(s);
  });
  EXPECT_EQ(find(events, "X", "model", "decode").size(), 1u);
}

// A replay on the way when the profile begins, one inside, one after: right results, and one of them is shown.
TEST_F(ProfileTrace, ReplaysAroundAProfileAreNotShown) {
  aclmdlRI model = capture([&] { EXPECT_EQ(increment(cell, s), 0); });
  EXPECT_EQ(aclmdlRIExecuteAsync(model, s), 0);
  const Json events = profile([&] { EXPECT_EQ(aclmdlRIExecuteAsync(model, s), 0); });
  EXPECT_EQ(aclmdlRIExecuteAsync(model, s), 0);
  sync(s);
  EXPECT_EQ(cell.value(), 3);
  EXPECT_EQ(find(events, "X", "task").size(), 1u);
}

TEST_F(ProfileTrace, UpdatedTaskGroupsAreShownAsTheyAre) {
  begin(s);
  EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
  EXPECT_EQ(increment(cell, s), 0);
  aclrtTaskGrp group = nullptr;
  EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), 0);
  aclmdlRI model = end(s);
  const Json events = profile([&] {
    EXPECT_EQ(aclmdlRIExecuteAsync(model, s), 0);
    EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(side, group), 0);
    EXPECT_EQ(increment(cell, side, 10), 0);
    EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), 0);
    sync(side);
    EXPECT_EQ(aclmdlRIExecuteAsync(model, s), 0);
    sync(s);
  });
  EXPECT_EQ(cell.value(), 11);
  EXPECT_EQ(find(events, "X", "task", "aclnnInplaceAdds").size(), 2u);
}

TEST_F(ProfileTrace, HasHostFunctionsOnTheirThread) {
  const Json events = profile([&] {
    const auto nothing = [](void*) {};
    EXPECT_EQ(aclrtLaunchHostFunc(s, nothing, nullptr), 0);
    sync(s);
  });
  const auto work = find(events, "X", "host work");
  ASSERT_EQ(work.size(), 1u);
  EXPECT_EQ(work[0].json.at("pid"), getpid());
  EXPECT_NE(work[0].json.at("tid"), gettid());
}

TEST_F(ProfileTrace, HasTheCallsOfEachThread) {
  const Json events = profile([&] {
    const auto look = [] {
      std::int32_t device = -1;
      aclrtGetDevice(&device);
    };
    look();
    std::thread(look).join();
  });
  const auto calls = find(events, "X", "api", "aclrtGetDevice");
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_NE(calls[0].line(), calls[1].line());
}

TEST_F(ProfileTrace, NamesItsLines) {
  const Json events = profile([&] {
    EXPECT_EQ(increment(cell, s), 0);
    sync(s);
  });
  std::map<Json, std::string> threads;
  std::map<Json, std::string> processes;
  for (const Json& event : events) {
    if (event.at("name") == "thread_name") threads[TraceEvent{event}.line()] = event.at("args").at("name");
    if (event.at("name") == "process_name") processes[event.at("pid")] = event.at("args").at("name");
  }
  for (const TraceEvent& task : find(events, "X", "task")) {
    EXPECT_EQ(threads.at(task.line()).rfind("stream ", 0), 0u);
    EXPECT_EQ(processes.at(task.json.at("pid")).rfind("device 0: ", 0), 0u);
  }
  for (const Json& event : events) EXPECT_EQ(threads.count(TraceEvent{event}.line()), 1u) << event;
}

TEST_F(ProfileTrace, HasOnlyWhatTheConfigurationNames) {
  const auto work = [&] {
    EXPECT_EQ(increment(cell, s), 0);
    sync(s);
  };
  const Json tasks = profile(work, ACL_PROF_TASK_TIME);
  EXPECT_EQ(find(tasks, "X", "task").size(), 1u);
  EXPECT_TRUE(find(tasks, "X", "api").empty());
}

TEST_F(ProfileTrace, OfCallsAloneHasNoTasks) {
  const Json calls = profile(
      [&] {
        EXPECT_EQ(increment(cell, s), 0);
        sync(s);
      },
      ACL_PROF_ACL_API);
  EXPECT_TRUE(find(calls, "X", "task").empty());
  EXPECT_FALSE(find(calls, "X", "api", "aclrtSynchronizeStreamWithTimeout").empty());
}

TEST_F(ProfileTrace, WaitsForWhatStreamsWereGivenBeforeTheEnd) {
  const Json events = profile([&] {
    for (int i = 0; i < 30; ++i) EXPECT_EQ(increment(cell, s), 0);
  });
  EXPECT_EQ(find(events, "X", "task").size(), 30u);
}

TEST_F(ProfileTrace, HasTasksThatWereThrottled) {
  const Json events = profile([&] {
    BlockedStream blocked(s);
    EXPECT_EQ(increment(cell, s), 0);
    blocked.release();
    sync(s);
  });
  EXPECT_EQ(cell.value(), 1);
  EXPECT_EQ(find(events, "X", "task", "aclnnInplaceAdds").size(), 1u);
  EXPECT_EQ(find(events, "X", "task", "MEM_WRITE_VALUE").size(), 1u);
}

TEST_F(ProfileTrace, HasTheTasksOfABuiltModel) {
  aclrtStream bound = nullptr;
  ASSERT_EQ(aclrtCreateStreamWithConfig(&bound, 0, ACL_STREAM_PERSISTENT), 0);
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRIBuildBegin(&model, 0), 0) << aclGetRecentErrMsg();
  ASSERT_EQ(aclmdlRIBindStream(model, bound, ACL_MODEL_STREAM_FLAG_HEAD), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(increment(cell, bound), 0);
  EXPECT_EQ(increment(cell, bound), 0);
  ASSERT_EQ(aclmdlRIEndTask(model, bound), 0) << aclGetRecentErrMsg();
  ASSERT_EQ(aclmdlRIBuildEnd(model, nullptr), 0) << aclGetRecentErrMsg();
  const Json events = profile([&] {
    EXPECT_EQ(aclmdlRIExecuteAsync(model, s), 0);
    sync(s);
  });
  EXPECT_EQ(cell.value(), 2);
  EXPECT_EQ(find(events, "X", "task", "aclnnInplaceAdds").size(), 2u);
  EXPECT_EQ(aclmdlRIUnbindStream(model, bound), 0);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
  EXPECT_EQ(aclrtDestroyStream(bound), 0);
}

}  // namespace
}  // namespace aclvk::test
