#include <chrono>
#include <thread>
#include <vector>

#include "support/acl_fixture.hpp"

namespace {

using aclvk::test::BlockedStream;
using aclvk::test::on_another_thread;
using Event = aclvk::test::OneStream;

aclrtStreamStatus status_of(aclrtStream stream) {
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_EQ(aclrtStreamQuery(stream, &status), 0);
  return status;
}

aclrtEventRecordedStatus recorded_status(aclrtEvent event) {
  auto status = static_cast<aclrtEventRecordedStatus>(9);
  EXPECT_EQ(aclrtQueryEventStatus(event, &status), 0);
  return status;
}

TEST_F(Event, T099_CreatorsCheckTheirArguments) {
  EXPECT_EQ(aclrtCreateEvent(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCreateEventWithFlag(nullptr, ACL_EVENT_SYNC), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCreateEventExWithFlag(nullptr, ACL_EVENT_SYNC), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Event, CreatorsNeedAContext) {
  on_another_thread([] {
    aclrtEvent event = nullptr;
    EXPECT_EQ(aclrtCreateEvent(&event), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC), ACL_ERROR_RT_CONTEXT_NULL);
  });
}

TEST_F(Event, T101_FlagsOfLegacyEvents) {
  aclrtEvent event = nullptr;
  for (const uint32_t flags : {1U, 2U, 8U, 9U, 0xBU, 0x10U, 0x20U}) {
    EXPECT_EQ(aclrtCreateEventWithFlag(&event, flags), 0) << flags;
    EXPECT_EQ(aclrtDestroyEvent(event), 0);
  }
  for (const uint32_t flags : {0U, 0x11U, 0x21U, 0x30U, 0x40U, 0x100U}) {
    EXPECT_EQ(aclrtCreateEventWithFlag(&event, flags), ACL_ERROR_RT_PARAM_INVALID) << flags;
  }
}

TEST_F(Event, T102_FlagsThatNewEventsDoNotTake) {
  aclrtEvent event = nullptr;
  for (const uint32_t flags : {0U, 0x10U, 0x20U, 0x41U, 0x100U}) {
    EXPECT_EQ(aclrtCreateEventExWithFlag(&event, flags), ACL_ERROR_RT_PARAM_INVALID) << flags;
  }
}

TEST_F(Event, T103_FlagsOfNewEvents) {
  aclrtEvent event = nullptr;
  for (const uint32_t flags : {1U, 2U, 8U, 9U, 0xBU, 0x40U})
    EXPECT_EQ(aclrtCreateEventExWithFlag(&event, flags), 0) << flags;
}

/// Every function that takes an event gives the code.
void expect_refused(aclrtEvent event, int code, aclrtStream stream) {
  aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
  aclrtEventRecordedStatus recorded = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  aclrtEventWaitStatus waited = ACL_EVENT_WAIT_STATUS_RESERVED;
  uint64_t time = 0;
  uint32_t id = 0;
  float ms = 0;
  EXPECT_EQ(aclrtRecordEvent(event, stream), code);
  EXPECT_EQ(aclrtRecordEventWithFlag(event, stream, 0), code);
  EXPECT_EQ(aclrtResetEvent(event, stream), code);
  EXPECT_EQ(aclrtQueryEvent(event, &status), code);
  EXPECT_EQ(aclrtQueryEventStatus(event, &recorded), code);
  EXPECT_EQ(aclrtQueryEventWaitStatus(event, &waited), code);
  EXPECT_EQ(aclrtSynchronizeEvent(event), code);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 10), code);
  EXPECT_EQ(aclrtEventElapsedTime(&ms, event, event), code);
  EXPECT_EQ(aclrtEventGetTimestamp(event, &time), code);
  EXPECT_EQ(aclrtStreamWaitEvent(stream, event), code);
  EXPECT_EQ(aclrtStreamWaitEventWithFlag(stream, event, 0, 0), code);
  EXPECT_EQ(aclrtGetEventId(event, &id), code);
  EXPECT_EQ(aclrtDestroyEvent(event), code);
}

TEST_F(Event, T105_NullIsRefused) { expect_refused(nullptr, ACL_ERROR_INVALID_PARAM, s); }

TEST_F(Event, T106_StaleHandlesAreRefused) {
  const aclrtEvent event = new_event();
  EXPECT_EQ(aclrtDestroyEvent(event), 0);
  new_event();  // takes the same place
  expect_refused(event, ACL_ERROR_RT_INVALID_HANDLE, s);
}

TEST_F(Event, ForeignHandlesAndGarbageAreRefused) {
  int on_stack = 0;
  aclrtNotify notify = nullptr;
  aclrtCreateNotify(&notify, 0);
  for (void* handle :
       {static_cast<void*>(s), static_cast<void*>(notify), static_cast<void*>(&on_stack), reinterpret_cast<void*>(1),
        reinterpret_cast<void*>(0x12345678), reinterpret_cast<void*>(~uintptr_t{0})}) {
    expect_refused(handle, ACL_ERROR_RT_INVALID_HANDLE, s);
  }
}

TEST_F(Event, OutputsAreRequired) {
  const aclrtEvent event = new_event();
  EXPECT_EQ(aclrtQueryEvent(event, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtQueryEventStatus(event, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtQueryEventWaitStatus(event, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Event, StreamsAreChecked) {
  const aclrtEvent event = new_event();
  EXPECT_EQ(aclrtRecordEvent(event, event), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtStreamWaitEvent(event, event), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtResetEvent(event, event), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(Event, T107_APlainOneMustBeRecordedBeforeAStreamWaits) {
  EXPECT_EQ(aclrtStreamWaitEvent(s, new_event()), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(Event, T109_ALegacyOneHoldsAStreamUntilALaterRecord) {
  const aclrtEvent event = new_event_with(ACL_EVENT_SYNC);
  EXPECT_EQ(aclrtStreamWaitEvent(s, event), 0);
  EXPECT_EQ(status_of(s), ACL_STREAM_STATUS_NOT_READY);
  EXPECT_EQ(aclrtRecordEvent(event, new_stream()), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

TEST_F(Event, AWaitThatTimesOutFailsTheSynchronisationAndLetsTheStreamContinue) {
  const aclrtEvent event = new_event_with(ACL_EVENT_SYNC);
  EXPECT_EQ(aclrtStreamWaitEventWithTimeout(s, event, 1), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_WAIT_TIMEOUT);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

TEST_F(Event, ANewOneNeverRecordedBlocksNoStream) {
  EXPECT_EQ(aclrtStreamWaitEvent(s, new_event_ex(ACL_EVENT_SYNC)), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

TEST_F(Event, T110_ALegacyOneWithoutSyncCannotBeWaitedFor) {
  const aclrtEvent event = new_event_with(ACL_EVENT_TIME_LINE);
  EXPECT_EQ(aclrtRecordEvent(event, s), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(s, event), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(Event, T111_ANewOneWithoutSyncCannotBeWaitedFor) {
  EXPECT_EQ(aclrtStreamWaitEvent(s, new_event_ex(ACL_EVENT_TIME_LINE)), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(Event, OfDeviceUseOnlyIsNotForStreams) {
  const aclrtEvent event = new_event_with(ACL_EVENT_DEVICE_USE_ONLY);
  EXPECT_EQ(aclrtRecordEvent(event, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtStreamWaitEvent(s, event), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtResetEvent(event, s), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(Event, T113_StatusBeforeTheFirstRecord) {
  EXPECT_EQ(recorded_status(new_event_ex(ACL_EVENT_SYNC)), ACL_EVENT_RECORDED_STATUS_COMPLETE);
  EXPECT_EQ(recorded_status(new_event()), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  EXPECT_EQ(recorded_status(new_event_with(ACL_EVENT_SYNC)), ACL_EVENT_RECORDED_STATUS_NOT_READY);
}

TEST_F(Event, T114_TheOldQueryCallsAnUnrecordedOneComplete) {
  aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
  EXPECT_EQ(aclrtQueryEvent(new_event(), &status), 0);
  EXPECT_EQ(status, ACL_EVENT_STATUS_COMPLETE);
}

TEST_F(Event, T115_TheOldQueriesDoNotTakeNewOnes) {
  aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
  aclrtEventWaitStatus waited = ACL_EVENT_WAIT_STATUS_RESERVED;
  const aclrtEvent event = new_event_ex(ACL_EVENT_SYNC);
  EXPECT_EQ(aclrtQueryEvent(event, &status), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtQueryEventWaitStatus(event, &waited), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(Event, StatusFollowsTheStream) {
  BlockedStream blocked;
  for (const aclrtEvent event : {new_event(), new_event_with(ACL_EVENT_SYNC), new_event_ex(ACL_EVENT_SYNC)}) {
    EXPECT_EQ(aclrtRecordEvent(event, blocked.get()), 0);
    EXPECT_EQ(recorded_status(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  }
  const aclrtEvent last = new_event();
  aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
  EXPECT_EQ(aclrtRecordEvent(last, blocked.get()), 0);
  EXPECT_EQ(aclrtQueryEvent(last, &status), 0);
  EXPECT_EQ(status, ACL_EVENT_STATUS_NOT_READY);
  blocked.release();
  EXPECT_EQ(aclrtSynchronizeEvent(last), 0);
  EXPECT_EQ(recorded_status(last), ACL_EVENT_RECORDED_STATUS_COMPLETE);
}

TEST_F(Event, WaitStatusFollowsTheWaitingStream) {
  BlockedStream blocked;
  const aclrtEvent event = new_event_with(ACL_EVENT_SYNC);
  aclrtEventWaitStatus waited = ACL_EVENT_WAIT_STATUS_RESERVED;
  EXPECT_EQ(aclrtQueryEventWaitStatus(event, &waited), 0);
  EXPECT_EQ(waited, ACL_EVENT_WAIT_STATUS_COMPLETE);
  aclrtRecordEvent(event, blocked.get());
  aclrtStreamWaitEvent(s, event);
  EXPECT_EQ(aclrtQueryEventWaitStatus(event, &waited), 0);
  EXPECT_EQ(waited, ACL_EVENT_WAIT_STATUS_NOT_READY);
  blocked.release();
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(aclrtQueryEventWaitStatus(event, &waited), 0);
  EXPECT_EQ(waited, ACL_EVENT_WAIT_STATUS_COMPLETE);
}

TEST_F(Event, WaitStatusCoversTheWaitsOfAllStreams) {
  BlockedStream recording;
  BlockedStream waiting;
  const aclrtEvent event = new_event_with(ACL_EVENT_SYNC);
  aclrtRecordEvent(event, recording.get());
  aclrtStreamWaitEvent(waiting.get(), event);
  recording.release();
  aclrtStreamWaitEvent(s, event);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  aclrtEventWaitStatus waited = ACL_EVENT_WAIT_STATUS_RESERVED;
  EXPECT_EQ(aclrtQueryEventWaitStatus(event, &waited), 0);
  EXPECT_EQ(waited, ACL_EVENT_WAIT_STATUS_NOT_READY);
  waiting.release();
  EXPECT_EQ(aclrtSynchronizeStream(waiting.get()), 0);
  EXPECT_EQ(aclrtQueryEventWaitStatus(event, &waited), 0);
  EXPECT_EQ(waited, ACL_EVENT_WAIT_STATUS_COMPLETE);
}

TEST_F(Event, T117_NewOnesAndThoseWithoutSyncCannotBeReset) {
  EXPECT_EQ(aclrtResetEvent(new_event_ex(ACL_EVENT_SYNC), s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtResetEvent(new_event_with(ACL_EVENT_TIME_LINE), s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(Event, T118_IsNotReadyAfterAReset) {
  const aclrtEvent event = new_event_with(ACL_EVENT_SYNC);
  const aclrtStream b = new_stream();
  EXPECT_EQ(aclrtRecordEvent(event, s), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(b, event), 0);
  EXPECT_EQ(aclrtResetEvent(event, b), 0);
  EXPECT_EQ(aclrtSynchronizeStream(b), 0);
  EXPECT_EQ(recorded_status(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
}

TEST_F(Event, T119_WaitingForAnUnrecordedOneReturnsAtOnce) {
  for (const aclrtEvent event : {new_event(), new_event_with(ACL_EVENT_SYNC), new_event_ex(ACL_EVENT_SYNC)}) {
    EXPECT_EQ(aclrtSynchronizeEvent(event), 0);
    EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 10), 0);
  }
}

TEST_F(Event, T121_OrderOfTheTimeoutChecks) {
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(nullptr, 10), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(nullptr, -2), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(new_event(), 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(new_event(), -1), 0);
}

TEST_F(Event, T122_IsWaitedForNoLongerThanTheTimeout) {
  BlockedStream blocked;
  const aclrtEvent event = new_event();
  ASSERT_EQ(aclrtRecordEvent(event, blocked.get()), 0);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 50), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
  blocked.release();
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 10000), 0);
}

TEST_F(Event, T123_ArgumentsOfTheWaitWithTimeout) {
  EXPECT_EQ(aclrtStreamWaitEventWithTimeout(s, new_event(), -1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtStreamWaitEventWithTimeout(s, nullptr, 0), ACL_ERROR_RT_PARAM_INVALID);
  const aclrtEvent event = new_event();
  aclrtRecordEvent(event, new_stream());
  EXPECT_EQ(aclrtStreamWaitEventWithTimeout(s, event, 5), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

TEST_F(Event, T125_KindsOfRecordAndWaitAre0And1) {
  const aclrtEvent event = new_event();
  EXPECT_EQ(aclrtRecordEventWithFlag(event, s, 2), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtStreamWaitEventWithFlag(s, event, 0, 2), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtStreamWaitEventWithFlag(s, event, 1, ACL_EVENT_WAIT_EXTERNAL), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtRecordEventWithFlag(event, s, ACL_EVENT_RECORD_DEFAULT), 0);
  EXPECT_EQ(aclrtStreamWaitEventWithFlag(new_stream(), event, 1, ACL_EVENT_WAIT_DEFAULT), 0);
}

TEST_F(Event, T126_KindsOfWaitsDoNotMix) {
  const aclrtEvent event = new_event_ex(ACL_EVENT_SYNC);
  EXPECT_EQ(aclrtStreamWaitEvent(s, event), 0);
  EXPECT_EQ(aclrtStreamWaitEventWithFlag(s, event, 0, ACL_EVENT_WAIT_EXTERNAL), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(Event, ExternalKindsAreForCapturedStreamsAndNewEvents) {
  const aclrtEvent event = new_event_ex(ACL_EVENT_SYNC);
  EXPECT_EQ(aclrtRecordEventWithFlag(event, s, ACL_EVENT_RECORD_EXTERNAL), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  EXPECT_EQ(aclrtStreamWaitEventWithFlag(s, event, 0, ACL_EVENT_WAIT_EXTERNAL), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  EXPECT_EQ(aclrtRecordEventWithFlag(new_event(), s, ACL_EVENT_RECORD_EXTERNAL), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(Event, T130_AnEarlierWaitKeepsTheEarlierRecord) {
  BlockedStream blocked;
  const aclrtEvent event = new_event_ex(ACL_EVENT_SYNC);
  const aclrtStream waiting = new_stream();
  EXPECT_EQ(aclrtRecordEvent(event, blocked.get()), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(waiting, event), 0);
  EXPECT_EQ(aclrtRecordEvent(event, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(status_of(waiting), ACL_STREAM_STATUS_NOT_READY);
  blocked.release();
  EXPECT_EQ(aclrtSynchronizeStream(waiting), 0);
}

TEST_F(Event, T131_AStreamMayWaitForItsOwnRecord) {
  const aclrtEvent event = new_event_ex(ACL_EVENT_SYNC);
  EXPECT_EQ(aclrtRecordEvent(event, s), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(s, event), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

TEST_F(Event, T133_OrdersStreamsOfTwoContexts) {
  static bool done = false;
  static bool seen = false;
  const auto slow = [](void*) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    done = true;
  };
  const aclrtEvent event = new_event();
  ASSERT_EQ(aclrtLaunchHostFunc(s, slow, nullptr), 0);
  ASSERT_EQ(aclrtRecordEvent(event, s), 0);
  aclrtContext other = nullptr;
  ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
  const aclrtStream b = new_stream();
  EXPECT_EQ(aclrtStreamWaitEvent(b, event), 0);
  ASSERT_EQ(aclrtLaunchHostFunc(
                b, [](void*) { seen = done; }, nullptr),
            0);
  EXPECT_EQ(aclrtSynchronizeStream(b), 0);
  EXPECT_TRUE(seen);
}

TEST_F(Event, T134_IsRecordedByStreamsOfThisContext) {
  const aclrtEvent event = new_event_with(ACL_EVENT_SYNC);
  aclrtContext other = nullptr;
  ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
  EXPECT_EQ(aclrtRecordEvent(event, s), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtStreamWaitEvent(s, event), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtResetEvent(event, s), ACL_ERROR_RT_STREAM_CONTEXT);
}

TEST_F(Event, T135_NewOnesHaveAnIdOnceRecorded) {
  const aclrtEvent event = new_event_ex(ACL_EVENT_SYNC);
  uint32_t id = 0;
  EXPECT_EQ(aclrtGetEventId(event, &id), ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_EQ(aclrtGetEventId(event, nullptr), ACL_ERROR_INVALID_PARAM);
  aclrtRecordEvent(event, s);
  EXPECT_EQ(aclrtGetEventId(event, &id), 0);
  EXPECT_EQ(aclrtGetEventId(new_event_with(ACL_EVENT_SYNC), &id), 0);
}

TEST_F(Event, SomeAreLeft) {
  uint32_t before = 0;
  uint32_t after = 0;
  EXPECT_EQ(aclrtGetEventAvailNum(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetEventAvailNum(&before), 0);
  new_event();
  EXPECT_EQ(aclrtGetEventAvailNum(&after), 0);
  EXPECT_EQ(after, before - 1);
}

// More than a board has, and no end of them in sight: the number never says that there are none while there are.
TEST_F(Event, AsManyAreLeftAsCanBeMade) {
  uint32_t before = 0;
  ASSERT_EQ(aclrtGetEventAvailNum(&before), 0);
  std::vector<aclrtEvent> events(70000);
  for (aclrtEvent& event : events) ASSERT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC), 0);
  uint32_t left = 0;
  EXPECT_EQ(aclrtGetEventAvailNum(&left), 0);
  EXPECT_EQ(left, before - 70000);
  for (const aclrtEvent event : events) ASSERT_EQ(aclrtDestroyEvent(event), 0);
  EXPECT_EQ(aclrtGetEventAvailNum(&left), 0);
  EXPECT_EQ(left, before);
}

TEST_F(Event, ExternalOnesAreNotForTheHost) {
  const aclrtEvent event = new_event_with(ACL_EVENT_EXTERNAL);
  aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
  aclrtEventRecordedStatus recorded = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  float ms = 0;
  EXPECT_EQ(aclrtQueryEvent(event, &status), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtQueryEventStatus(event, &recorded), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtSynchronizeEvent(event), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtEventElapsedTime(&ms, event, event), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(Event, AnExternalOneIsSetAndResetByStreams) {
  const aclrtEvent event = new_event_with(ACL_EVENT_EXTERNAL);
  EXPECT_EQ(aclrtStreamWaitEvent(s, event), 0);
  EXPECT_EQ(aclrtResetEvent(event, s), 0);
  EXPECT_EQ(status_of(s), ACL_STREAM_STATUS_NOT_READY);
  EXPECT_EQ(aclrtRecordEvent(event, new_stream()), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(s, event), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 50), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(aclrtRecordEvent(event, new_stream()), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

TEST_F(Event, MayBeDestroyedWhileStreamsUseIt) {
  BlockedStream blocked;
  const aclrtEvent event = new_event();
  aclrtRecordEvent(event, blocked.get());
  aclrtStreamWaitEvent(s, event);
  EXPECT_EQ(aclrtDestroyEvent(event), 0);
  EXPECT_EQ(status_of(s), ACL_STREAM_STATUS_NOT_READY);
  blocked.release();
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

TEST_F(Event, BlocksNoStreamOnceItIsDestroyedWithoutARecord) {
  const aclrtEvent event = new_event_with(ACL_EVENT_SYNC);
  ASSERT_EQ(aclrtStreamWaitEvent(s, event), 0);
  EXPECT_EQ(status_of(s), ACL_STREAM_STATUS_NOT_READY);
  EXPECT_EQ(aclrtDestroyEvent(event), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 5000), 0);
}

}  // namespace
