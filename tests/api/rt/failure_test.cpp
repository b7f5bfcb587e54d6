// Tasks that fail on the device, after their calls have returned (runtime-semantics E0.10, 4.3, 4.8).
#include <atomic>
#include <thread>

#include "support/failure_fixture.hpp"

namespace aclvk::test {
namespace {

TEST_F(Failure, IsReportedByTheNextSynchronisation) {
  const Cell cell;
  fail(cell, s);
  EXPECT_EQ(aclrtSynchronizeStream(s), kFailed);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), kFailed);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(cell.value(), 0);
}

TEST_F(Failure, HasAMessage) {
  const Cell cell;
  fail(cell, s);
  EXPECT_EQ(aclrtSynchronizeStream(s), kFailed);
  const char* message = aclGetRecentErrMsg();
  ASSERT_NE(message, nullptr);
  EXPECT_NE(std::string(message).find("aclnnAdds fails"), std::string::npos);
}

TEST_F(Failure, IsSeenByAQueryAndStillReported) {
  const Cell cell;
  fail(cell, s);
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_EQ(aclrtStreamQuery(s, &status), kFailed);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 30000), kFailed);
  EXPECT_EQ(aclrtStreamQuery(s, &status), 0);
}

TEST_F(Failure, IsReportedByASynchronisationOfTheDevice) {
  const Cell cell;
  fail(cell, nullptr);
  EXPECT_EQ(aclrtSynchronizeDevice(), kFailed);
  EXPECT_EQ(aclrtSynchronizeDevice(), 0);
}

// The call hears of it alone; other synchronisations of the device wait for the run, and say nothing.
TEST_F(Failure, OfAModelIsReportedByTheCallThatRunsIt) {
  const Cell cell;
  ASSERT_EQ(aclmdlRICaptureBegin(s, kRelaxed), 0);
  fail(cell, s);
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureEnd(s, &model), 0);
  std::atomic<bool> over{false};
  std::thread other([&] {
    EXPECT_EQ(aclrtSetDevice(0), 0);
    while (!over) EXPECT_EQ(aclrtSynchronizeDevice(), 0);
    EXPECT_EQ(aclrtResetDevice(0), 0);
  });
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(aclmdlRIExecute(model, -1), kFailed) << "run " << i;
  over = true;
  other.join();
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

TEST_F(Failure, OfOneStreamIsNotThatOfAnother) {
  const Cell cell;
  fail(cell, s);
  EXPECT_EQ(aclrtSynchronizeStream(new_stream()), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), kFailed);
}

TEST_F(Failure, LetsLaterTasksRun) {
  const Cell cell;
  BlockedStream blocked(s);
  fail(cell, s);
  EXPECT_EQ(increment(cell, s), 0);
  blocked.release();
  EXPECT_EQ(aclrtSynchronizeStream(s), kFailed);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(Failure, DoesNotKeepAStreamFromBeingDestroyed) {
  const Cell cell;
  fail(cell, s);
  EXPECT_EQ(aclrtDestroyStream(s), kFailed);
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(Failure, OfAModelIsReportedWhereItRuns) {
  const Cell cell;
  ASSERT_EQ(aclmdlRICaptureBegin(s, kThreadLocal), 0);
  EXPECT_EQ(increment(cell, s), 0);
  fail(cell, s);
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureEnd(s, &model), 0);
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(aclmdlRIExecuteAsync(model, s), 0);
    EXPECT_EQ(aclrtSynchronizeStream(s), kFailed);
  }
  EXPECT_EQ(increment(cell, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

TEST_F(Failure, OfABuiltModelIsReportedWhereItRuns) {
  const Cell cell;
  aclrtStream bound = nullptr;
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclrtCreateStreamWithConfig(&bound, 0, ACL_STREAM_PERSISTENT), 0);
  ASSERT_EQ(aclmdlRIBuildBegin(&model, 0), 0);
  ASSERT_EQ(aclmdlRIBindStream(model, bound, ACL_MODEL_STREAM_FLAG_HEAD), 0);
  EXPECT_EQ(increment(cell, bound), 0);
  fail(cell, bound);
  EXPECT_EQ(increment(cell, bound), 0);
  EXPECT_EQ(aclmdlRIEndTask(model, bound), 0);
  ASSERT_EQ(aclmdlRIBuildEnd(model, nullptr), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclmdlRIExecuteAsync(model, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), kFailed);
  EXPECT_EQ(cell.value(), 1);
  EXPECT_EQ(aclmdlRIUnbindStream(model, bound), 0);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

// A wait that takes too long is the failure that every program can have.
TEST_F(Failure, OfAWaitIsReported) {
  EXPECT_EQ(aclrtStreamWaitEventWithTimeout(s, new_event_with(ACL_EVENT_SYNC), 1), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_WAIT_TIMEOUT);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

TEST_F(Failure, OfAWaitComesAfterTheLimitOfTheProcess) {
  EXPECT_EQ(aclrtSetOpWaitTimeout(1), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(s, new_event_with(ACL_EVENT_SYNC)), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_WAIT_TIMEOUT);
  EXPECT_EQ(aclrtSetOpWaitTimeout(0), 0);
  const aclrtEvent event = new_event_with(ACL_EVENT_SYNC);
  EXPECT_EQ(aclrtStreamWaitEvent(s, event), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 2500), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(aclrtRecordEvent(event, new_stream()), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

// Failure mode STOP.

class Stop : public Failure {
 protected:
  void SetUp() override {
    Failure::SetUp();
    ASSERT_EQ(aclrtSetStreamFailureMode(s, ACL_STOP_ON_FAILURE), 0);
  }
};

TEST_F(Failure, T089_ModeGoesOneWay) {
  EXPECT_EQ(aclrtSetStreamFailureMode(s, 2), 0);  // only bit 0 counts
  EXPECT_EQ(aclrtSetStreamFailureMode(s, ACL_STOP_ON_FAILURE), 0);
  EXPECT_EQ(aclrtSetStreamFailureMode(s, 3), 0);
  EXPECT_EQ(aclrtSetStreamFailureMode(s, ACL_CONTINUE_ON_FAILURE), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(Stop, ModeIsThatOfTheContext) {
  aclrtStreamAttrValue value{};
  EXPECT_EQ(aclrtGetStreamAttribute(new_stream(), ACL_STREAM_ATTR_FAILURE_MODE, &value), 0);
  EXPECT_EQ(value.failureMode, static_cast<std::uint64_t>(ACL_STOP_ON_FAILURE));
  EXPECT_EQ(aclrtGetStreamAttribute(nullptr, ACL_STREAM_ATTR_FAILURE_MODE, &value), 0);
  EXPECT_EQ(value.failureMode, static_cast<std::uint64_t>(ACL_STOP_ON_FAILURE));
  aclrtContext other = nullptr;
  ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
  EXPECT_EQ(aclrtGetStreamAttribute(nullptr, ACL_STREAM_ATTR_FAILURE_MODE, &value), 0);
  EXPECT_EQ(value.failureMode, static_cast<std::uint64_t>(ACL_CONTINUE_ON_FAILURE));
  EXPECT_EQ(aclrtDestroyContext(other), 0);
}

TEST_F(Stop, ChangesNothingWhileNothingFails) {
  const Cell cell;
  EXPECT_EQ(increment(cell, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(Stop, KeepsLaterTasksFromRunning) {
  const Cell cell;
  Word word;
  EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
  EXPECT_EQ(increment(cell, s), 0);
  fail(cell, s);
  EXPECT_EQ(increment(cell, s), 0);
  word.set(1);
  EXPECT_EQ(aclrtSynchronizeStream(s), kFailed);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(Stop, KeepsLaterTasksFromRunningAfterAWait) {
  const Cell cell;
  EXPECT_EQ(aclrtStreamWaitEventWithTimeout(s, new_event_with(ACL_EVENT_SYNC), 1), 0);
  EXPECT_EQ(increment(cell, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_WAIT_TIMEOUT);
  EXPECT_EQ(cell.value(), 0);
}

TEST_F(Stop, RefusesNewTasksInTheWholeContext) {
  const Cell cell;
  const aclrtStream other = new_stream();
  const aclrtEvent event = new_event();
  fail(cell, s);
  for (const aclrtStream stream : {s, other, aclrtStream{nullptr}}) {
    EXPECT_EQ(increment(cell, stream), kLaunchRefused);
    EXPECT_EQ(aclrtMemsetAsync(cell.address(), 4, 1, 4, stream), kFailed);
    EXPECT_EQ(aclrtRecordEvent(event, stream), kFailed);
    EXPECT_EQ(aclrtLaunchHostFunc(
                  stream, [](void*) { ADD_FAILURE(); }, nullptr),
              kFailed);
    EXPECT_EQ(aclrtSynchronizeStream(stream), kFailed);
    EXPECT_EQ(aclrtSynchronizeStream(stream), kFailed);
  }
  EXPECT_EQ(aclrtSynchronizeDevice(), kFailed);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 30000), 0);  // no stream waits for a refused record
  EXPECT_EQ(cell.value(), 0);
}

TEST_F(Stop, RefusesRunsOfModels) {
  const Cell cell;
  ASSERT_EQ(aclmdlRICaptureBegin(s, kThreadLocal), 0);
  EXPECT_EQ(increment(cell, s), 0);
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureEnd(s, &model), 0);
  fail(cell, s);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, s), kFailed);
  EXPECT_EQ(aclrtStreamAbort(s), 0);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(cell.value(), 1);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

TEST_F(Stop, LetsGoOfThoseWhoWaitForADroppedRecord) {
  const Cell cell;
  Word word;
  const aclrtEvent event = new_event_ex(ACL_EVENT_SYNC);
  EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
  fail(cell, s);
  EXPECT_EQ(aclrtRecordEvent(event, s), 0);
  word.set(1);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 30000), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), kFailed);
}

TEST_F(Stop, LetsOtherStreamsDoWhatTheyHave) {
  const Cell cell;
  const Cell failing;
  BlockedStream other;
  EXPECT_EQ(increment(cell, other.get()), 0);
  aclrtContext stopped = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&stopped), 0);
  fail(failing, s);
  EXPECT_EQ(aclrtStreamAbort(s), 0);  // for the release, which is a task itself
  other.release();
  EXPECT_EQ(aclrtSynchronizeStream(other.get()), 0);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(Stop, DoesNotConcernOtherContexts) {
  const Cell cell;
  fail(cell, s);
  aclrtContext other = nullptr;
  ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
  EXPECT_EQ(increment(cell, nullptr), 0);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 0);
  EXPECT_EQ(cell.value(), 1);
  EXPECT_EQ(aclrtDestroyContext(other), 0);
}

TEST_F(Stop, IsOverWhenTheFailedStreamIsAborted) {
  const Cell cell;
  fail(cell, s);
  EXPECT_EQ(aclrtStreamAbort(new_stream()), 0);
  EXPECT_EQ(increment(cell, s), kLaunchRefused);
  EXPECT_EQ(aclrtStreamAbort(s), 0);
  EXPECT_EQ(increment(cell, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(Stop, IsOverForAllFailedStreamsWhenOneIsAborted) {
  const Cell failing, cell;
  const Word word;
  const aclrtStream other = new_stream();
  const aclrtEvent event = new_event_with(ACL_EVENT_SYNC);
  for (const aclrtStream stream : {s, other}) {
    EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, stream), 0);
    fail(failing, stream);
  }
  EXPECT_EQ(aclrtValueWrite(word.address(), 1, 0, new_stream()), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), kFailed);
  EXPECT_EQ(aclrtSynchronizeStream(other), kFailed);
  EXPECT_EQ(aclrtStreamAbort(s), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(other, event), 0);
  EXPECT_EQ(increment(cell, other), 0);
  EXPECT_EQ(aclrtRecordEvent(event, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(other), 0);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(Stop, IsOverWhenTheTasksOfTheDeviceAreAborted) {
  const Cell cell;
  fail(cell, s);
  EXPECT_EQ(aclrtDeviceTaskAbort(0, 30000), 0);
  EXPECT_EQ(increment(cell, new_stream()), 0);
  EXPECT_EQ(aclrtSynchronizeDevice(), 0);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(Stop, AndModelsThatAreBuiltDoNotMix) {
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRIBuildBegin(&model, 0), 0);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_PERSISTENT), 0);
  EXPECT_EQ(aclmdlRIBindStream(model, stream, ACL_MODEL_STREAM_FLAG_HEAD), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

// What is known about the device afterwards.

TEST_F(Failure, IsDescribedUntilTheTasksOfTheDeviceAreAborted) {
  const Cell cell;
  fail(cell, s);
  EXPECT_EQ(aclrtSynchronizeStream(s), kFailed);
  aclrtErrorInfo info{};
  EXPECT_EQ(aclrtGetErrorVerbose(0, &info), 0);
  EXPECT_EQ(info.errorType, ACL_RT_ERROR_AICORE);
  EXPECT_EQ(info.hasDetail, 1);
  EXPECT_EQ(info.detail.aicoreErrType, ACL_RT_AICORE_ERROR_UNKNOWN);
  EXPECT_EQ(info.tryRepair, 0);
  EXPECT_EQ(aclrtRepairError(0, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtRepairError(-1, &info), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtRepairError(0, &info), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtDeviceTaskAbort(0, 30000), 0);
  EXPECT_EQ(aclrtGetErrorVerbose(0, &info), 0);
  EXPECT_EQ(info.errorType, ACL_RT_NO_ERROR);
  EXPECT_EQ(aclrtRepairError(0, &info), ACL_ERROR_RT_PARAM_INVALID);
}

}  // namespace
}  // namespace aclvk::test
