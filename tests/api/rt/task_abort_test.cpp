// Tasks that are given up: aclrtDeviceTaskAbort, aclrtStreamAbort, aclrtStreamStop (runtime-semantics 2.11, 4.9, 8.7).
#include <atomic>
#include <functional>
#include <future>
#include <thread>
#include <vector>

#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

class TaskAbort : public OneStream {
 protected:
  /// A synchronisation on another thread, which has to wait.
  std::future<aclError> start_waiting() {
    auto waiting = std::async(std::launch::async, [this] {
      EXPECT_EQ(aclrtSetDevice(0), 0);
      const aclError code = aclrtSynchronizeStream(s);
      EXPECT_EQ(aclrtResetDevice(0), 0);
      return code;
    });
    EXPECT_EQ(waiting.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
    return waiting;
  }
};

TEST_F(TaskAbort, WakesAllThreadsThatWait) {
  const BlockedStream blocked(s);
  auto one = start_waiting();
  auto two = start_waiting();
  EXPECT_EQ(aclrtDeviceTaskAbort(0, 30000), 0);
  EXPECT_EQ(one.get(), ACL_ERROR_RT_DEVICE_TASK_ABORT);
  EXPECT_EQ(two.get(), ACL_ERROR_RT_DEVICE_TASK_ABORT);
}

TEST_F(TaskAbort, IsReportedToWhoComesLater) {
  const BlockedStream blocked(s);
  EXPECT_EQ(aclrtDeviceTaskAbort(0, 30000), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_DEVICE_TASK_ABORT);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

TEST_F(TaskAbort, DropsTheTasksOfAllContexts) {
  const Cell cell;
  const BlockedStream blocked(s);
  EXPECT_EQ(increment(cell, s), 0);
  aclrtContext primary = nullptr;
  aclrtContext other = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&primary), 0);
  ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
  {
    const BlockedStream blocked_too;
    EXPECT_EQ(increment(cell, blocked_too.get()), 0);
    EXPECT_EQ(aclrtDeviceTaskAbort(0, 0), 0);
    EXPECT_EQ(aclrtSynchronizeStream(blocked_too.get()), ACL_ERROR_RT_DEVICE_TASK_ABORT);
  }
  EXPECT_EQ(aclrtDestroyContext(other), 0);
  ASSERT_EQ(aclrtSetCurrentContext(primary), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_DEVICE_TASK_ABORT);
  EXPECT_EQ(cell.value(), 0);
}

TEST_F(TaskAbort, LeavesTheDeviceUsable) {
  const Cell cell;
  const BlockedStream blocked(s);
  EXPECT_EQ(aclrtDeviceTaskAbort(0, 30000), 0);
  EXPECT_EQ(increment(cell, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);  // of the new task
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(TaskAbort, LetsGoOfThoseWhoWaitForADroppedRecord) {
  const Cell cell;
  const BlockedStream blocked(s);
  const aclrtEvent event = new_event_ex(ACL_EVENT_SYNC);
  EXPECT_EQ(aclrtRecordEvent(event, s), 0);
  EXPECT_EQ(aclrtDeviceTaskAbort(0, 30000), 0);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 30000), 0);
}

TEST_F(TaskAbort, DoesNothingToAnIdleDevice) {
  EXPECT_EQ(aclrtDeviceTaskAbort(0, 30000), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

TEST_F(TaskAbort, DoesNotEndCaptures) {
  const Cell cell;
  ASSERT_EQ(aclmdlRICaptureBegin(s, kThreadLocal), 0);
  EXPECT_EQ(increment(cell, s), 0);
  EXPECT_EQ(aclrtDeviceTaskAbort(0, 30000), 0);
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureEnd(s, &model), 0);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(cell.value(), 1);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

TEST_F(TaskAbort, DropsRunsOfModels) {
  const Cell cell;
  ASSERT_EQ(aclmdlRICaptureBegin(s, kThreadLocal), 0);
  EXPECT_EQ(increment(cell, s), 0);
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureEnd(s, &model), 0);
  const BlockedStream blocked(s);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, s), 0);
  EXPECT_EQ(aclrtDeviceTaskAbort(0, 30000), 0);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(cell.value(), 1);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

// The run has a stream of its own, whose failures the call reports that runs the model; the abort is not one of them.
TEST_F(TaskAbort, WakesASynchronisationOfTheDeviceThatWaitsForARun) {
  const Cell flag;
  std::atomic<bool> runs{false};
  ASSERT_EQ(aclmdlRICaptureBegin(s, kRelaxed), 0);
  EXPECT_EQ(aclrtLaunchHostFunc(
                s, [](void* reached) { *static_cast<std::atomic<bool>*>(reached) = true; }, &runs),
            0);
  EXPECT_EQ(aclrtValueWait(flag.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureEnd(s, &model), 0);
  const auto on_device = [](const std::function<aclError()>& call) {
    EXPECT_EQ(aclrtSetDevice(0), 0);
    const aclError code = call();
    EXPECT_EQ(aclrtResetDevice(0), 0);
    return code;
  };
  auto run = std::async(std::launch::async, [&] { return on_device([&] { return aclmdlRIExecute(model, -1); }); });
  while (!runs) std::this_thread::yield();
  auto waiting = std::async(std::launch::async, [&] { return on_device(aclrtSynchronizeDevice); });
  EXPECT_EQ(waiting.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
  EXPECT_EQ(aclrtDeviceTaskAbort(0, 30000), 0);
  EXPECT_EQ(waiting.get(), ACL_ERROR_RT_DEVICE_TASK_ABORT);
  EXPECT_EQ(run.get(), ACL_ERROR_RT_DEVICE_TASK_ABORT);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

TEST_F(TaskAbort, NeedsADevice) {
  EXPECT_EQ(aclrtDeviceTaskAbort(-1, 1), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtDeviceTaskAbort(1000, 1), ACL_ERROR_RT_INVALID_DEVICEID);
}

struct Stage {
  std::int32_t device;
  aclrtDeviceTaskAbortStage stage;
  std::uint32_t timeout;
};

std::int32_t hear(std::int32_t device, aclrtDeviceTaskAbortStage stage, std::uint32_t timeout, void* user) {
  static_cast<std::vector<Stage>*>(user)->push_back({device, stage, timeout});
  return 0;
}

std::int32_t refuse(std::int32_t, aclrtDeviceTaskAbortStage, std::uint32_t, void*) { return 7; }

TEST_F(TaskAbort, IsReportedBeforeAndAfter) {
  std::vector<Stage> heard;
  EXPECT_EQ(aclrtSetDeviceTaskAbortCallback(nullptr, hear, &heard), ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(aclrtSetDeviceTaskAbortCallback("x", refuse, nullptr), 0);
  ASSERT_EQ(aclrtSetDeviceTaskAbortCallback("x", hear, &heard), 0);  // takes the place of the other
  EXPECT_EQ(aclrtDeviceTaskAbort(0, 1234), 0);
  ASSERT_EQ(heard.size(), 2U);
  EXPECT_EQ(heard[0].stage, ACL_RT_DEVICE_TASK_ABORT_PRE);
  EXPECT_EQ(heard[1].stage, ACL_RT_DEVICE_TASK_ABORT_POST);
  for (const Stage& stage : heard) {
    EXPECT_EQ(stage.device, 0);
    EXPECT_EQ(stage.timeout, 1234U);
  }
  ASSERT_EQ(aclrtSetDeviceTaskAbortCallback("x", nullptr, nullptr), 0);
  EXPECT_EQ(aclrtDeviceTaskAbort(0, 1234), 0);
  EXPECT_EQ(heard.size(), 2U);
}

TEST_F(TaskAbort, CanBeRefusedByAListener) {
  BlockedStream blocked(s);
  ASSERT_EQ(aclrtSetDeviceTaskAbortCallback("x", refuse, nullptr), 0);
  EXPECT_EQ(aclrtDeviceTaskAbort(0, 1), ACL_ERROR_RT_INTERNAL_ERROR);
  blocked.release();
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

// aclrtStreamAbort.

TEST_F(TaskAbort, T094_OfAStreamIsReportedToWhoComesLater) {
  const BlockedStream blocked(s);
  EXPECT_EQ(aclrtStreamAbort(s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_STREAM_ABORT);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

TEST_F(TaskAbort, OfAStreamWakesAllThreadsThatWait) {
  const BlockedStream blocked(s);
  auto one = start_waiting();
  auto two = start_waiting();
  EXPECT_EQ(aclrtStreamAbort(s), 0);
  EXPECT_EQ(one.get(), ACL_ERROR_RT_STREAM_ABORT);
  EXPECT_EQ(two.get(), ACL_ERROR_RT_STREAM_ABORT);
}

TEST_F(TaskAbort, OfAStreamIsForgottenWithTheNextTask) {
  const Cell cell;
  const BlockedStream blocked(s);
  EXPECT_EQ(aclrtStreamAbort(s), 0);
  EXPECT_EQ(increment(cell, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(TaskAbort, OfAnIdleStreamIsNoFailure) {
  EXPECT_EQ(aclrtStreamAbort(s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

TEST_F(TaskAbort, OfAStreamNeedsItsContext) {
  aclrtContext other = nullptr;
  ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
  EXPECT_EQ(aclrtStreamAbort(s), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtStreamStop(s), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtDestroyContext(other), 0);
}

// aclrtStreamStop.

TEST_F(TaskAbort, OnlyStreamsOfTheDeviceAreStopped) {
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_DEVICE_USE_ONLY), 0);
  EXPECT_EQ(aclrtStreamStop(s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtStreamStop(nullptr), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  const Cell cell;
  {
    const BlockedStream blocked(stream);
    EXPECT_EQ(increment(cell, stream), 0);
    EXPECT_EQ(aclrtStreamStop(stream), 0);
  }
  EXPECT_EQ(aclrtDestroyStream(stream), 0);
  EXPECT_EQ(aclrtStreamStop(stream), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(cell.value(), 0);
}

}  // namespace
}  // namespace aclvk::test
