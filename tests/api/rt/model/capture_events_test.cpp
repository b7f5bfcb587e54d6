// Events inside captures: forks, joins, what may be observed (capture-tests C and D).
#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

/// "rec" and "wait" with the arguments in one order.
class CaptureFork : public CaptureTest {
 protected:
  static aclError record(aclrtEvent event, aclrtStream stream) { return aclrtRecordEvent(event, stream); }
  static aclError wait(aclrtStream stream, aclrtEvent event) { return aclrtStreamWaitEvent(stream, event); }

  Cell cell;
};

using CapturedEvent = CaptureFork;
using StrictCapturedEvent = StrictCaptureTest;

TEST_F(CapturedEvent, T086_IpcEventsAre207000AndSpoilNothing) {
  aclrtEvent event = new_event(ACL_EVENT_IPC);
  for (int i = 0; i < 2; ++i) {
    begin(s);
    EXPECT_EQ(record(event, s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    EXPECT_EQ(wait(s, event), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    EXPECT_EQ(aclrtResetEvent(event, s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    EXPECT_EQ(increment(cell, s), 0);
    run(end(s), s);
    EXPECT_EQ(cell.value(), static_cast<float>(i + 1));
    EXPECT_EQ(record(event, s), 0);
    EXPECT_EQ(wait(side, event), 0);
    sync(side);
  }
}

// Observing events

TEST_F(CapturedEvent, T057_StatusIs107028) {
  aclrtEvent event = new_event();
  begin(s);
  ASSERT_EQ(record(event, s), 0);
  auto status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  EXPECT_EQ(aclrtQueryEventStatus(event, &status), ACL_ERROR_RT_EVENT_CAPTURED);
  EXPECT_EQ(aclrtSynchronizeEvent(event), ACL_ERROR_RT_EVENT_CAPTURED);
}

TEST_F(CapturedEvent, T058_LegacyQueriesOfAnExEventAre207000) {
  aclrtEvent event = new_event();
  auto status = ACL_EVENT_STATUS_NOT_READY;
  EXPECT_EQ(aclrtQueryEvent(event, &status), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  auto wait_status = ACL_EVENT_WAIT_STATUS_NOT_READY;
  EXPECT_EQ(aclrtQueryEventWaitStatus(event, &wait_status), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(CapturedEvent, T059_TimesAre107028) {
  aclrtEvent first = new_event(ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE);
  aclrtEvent second = new_event(ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE);
  begin(s);
  ASSERT_EQ(record(first, s), 0);
  ASSERT_EQ(record(second, s), 0);
  float ms = 0;
  EXPECT_EQ(aclrtEventElapsedTime(&ms, first, second), ACL_ERROR_RT_EVENT_CAPTURED);
  std::uint64_t timestamp = 0;
  EXPECT_EQ(aclrtEventGetTimestamp(first, &timestamp), ACL_ERROR_RT_EVENT_CAPTURED);
}

TEST_F(CapturedEvent, T061_ExternalEventsCannotBeObserved) {
  aclrtEvent event = new_external_event();
  auto status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  float ms = 0;
  EXPECT_EQ(aclrtSynchronizeEvent(event), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtQueryEventStatus(event, &status), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtEventElapsedTime(&ms, event, event), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(CapturedEvent, T062_EagerEventsCanBeQueriedDuringAGlobalCapture) {
  aclrtEvent event = new_event();
  ASSERT_EQ(record(event, side), 0);
  sync(side);
  begin(s);
  on_device_thread([&] {
    auto status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    EXPECT_EQ(aclrtQueryEventStatus(event, &status), 0);
    EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_COMPLETE);
  });
}

// Fork and join

TEST_F(CaptureFork, T063_BothBranchesRunEachTime) {
  Cell other;
  aclmdlRI model = capture([&] {
    order(s, side);
    EXPECT_EQ(increment(other, side), 0);
    EXPECT_EQ(increment(cell, s), 0);
    order(side, s);
  });
  for (const float times : {1.0F, 2.0F}) {
    run(model, s);
    EXPECT_EQ(cell.value(), times);
    EXPECT_EQ(other.value(), times);
  }
}

TEST_F(CaptureFork, T065_RecordWithoutWaitIs107025) {
  begin(s);
  order(s, side);
  EXPECT_EQ(increment(cell, side), 0);
  EXPECT_EQ(record(new_event(), side), 0);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_UNJOINED);
}

TEST_F(CaptureFork, T066_KernelAfterTheJoinIs107025) {
  begin(s);
  order(s, side);
  order(side, s);
  EXPECT_EQ(increment(cell, side), 0);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_UNJOINED);
}

TEST_F(CaptureFork, T067_WaitAfterTheJoinIs107025) {
  begin(s);
  order(s, side);
  order(side, s);
  order(s, side);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_UNJOINED);
}

TEST_F(CaptureFork, T069_ChainOfJoinsReachesTheOrigin) {
  aclrtStream third = new_stream();
  begin(s);
  order(s, side);
  order(s, third);
  EXPECT_EQ(increment(cell, third), 0);
  order(third, side);
  EXPECT_EQ(increment(cell, side), 0);
  order(side, s);
  run(end(s), s);
  EXPECT_EQ(cell.value(), 2);
}

TEST_F(CaptureFork, T069_DirectJoinsReachTheOrigin) {
  aclrtStream third = new_stream();
  Cell other;
  begin(s);
  order(s, side);
  order(s, third);
  EXPECT_EQ(increment(cell, side), 0);
  EXPECT_EQ(increment(other, third), 0);
  order(side, s);
  order(third, s);
  run(end(s), s);
  EXPECT_EQ(cell.value() + other.value(), 2);
}

TEST_F(CaptureFork, T070_ChainThatMissesTheOriginIs107025) {
  aclrtStream third = new_stream();
  begin(s);
  order(s, side);
  order(side, third);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_UNJOINED);
  EXPECT_EQ(status_of(third), kNone);
}

TEST_F(CaptureFork, TwoForkedStreamsThatOnlyJoinEachOtherAre107025) {
  aclrtStream third = new_stream();
  aclrtStream joined = new_stream();
  begin(s);
  order(s, joined);
  order(s, side);
  order(s, third);
  aclrtEvent from_side = new_event(), from_third = new_event();
  EXPECT_EQ(record(from_side, side), 0);
  EXPECT_EQ(wait(third, from_side), 0);
  EXPECT_EQ(record(from_third, third), 0);
  EXPECT_EQ(wait(side, from_third), 0);
  order(joined, s);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_UNJOINED);
}

TEST_F(CaptureFork, T071_EmptyBranchIsAllowed) {
  begin(s);
  order(s, side);
  order(side, s);
  run(end(s), s);
}

TEST_F(CaptureFork, T073_OneEventForksAndJoins) {
  aclrtEvent event = new_event();
  begin(s);
  EXPECT_EQ(record(event, s), 0);
  EXPECT_EQ(wait(side, event), 0);
  EXPECT_EQ(increment(cell, side), 0);
  EXPECT_EQ(record(event, side), 0);
  EXPECT_EQ(wait(s, event), 0);
  run(end(s), s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(CaptureFork, T074_WaitForTheEventOfAnotherCaptureIs107032AndPoisonsBoth) {
  aclrtEvent event = new_event();
  begin(s);
  begin(side);
  EXPECT_EQ(record(event, s), 0);
  EXPECT_EQ(wait(side, event), ACL_ERROR_STREAM_CAPTURE_CONFLICT);
  EXPECT_EQ(status_of(s), kInvalidated);
  EXPECT_EQ(status_of(side), kInvalidated);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
  EXPECT_EQ(failed_end(side), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(StrictCapturedEvent, T074_PoisonedStreamsStillSayActive) {
  aclrtEvent event = new_event();
  begin(s);
  begin(side);
  EXPECT_EQ(aclrtRecordEvent(event, s), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(side, event), ACL_ERROR_STREAM_CAPTURE_CONFLICT);
  EXPECT_EQ(status_of(s), kActive);
  EXPECT_EQ(status_of(side), kActive);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
  EXPECT_EQ(failed_end(side), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(CaptureFork, T075_RecordOfTheEventOfAnotherCaptureIs107032AndPoisonsBoth) {
  aclrtEvent event = new_event();
  begin(s);
  begin(side);
  EXPECT_EQ(record(event, s), 0);
  EXPECT_EQ(record(event, side), ACL_ERROR_STREAM_CAPTURE_CONFLICT);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
  EXPECT_EQ(failed_end(side), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(CaptureFork, T077_WaitForANeverRecordedEventStoresNothing) {
  begin(s);
  EXPECT_EQ(wait(s, new_event()), 0);
}

TEST_F(CaptureFork, WaitForAnEventRecordedOutsideIs107024) {
  aclrtEvent event = new_event();
  EXPECT_EQ(record(event, side), 0);
  begin(s);
  EXPECT_EQ(wait(s, event), ACL_ERROR_RT_CAPTURE_DEPENDENCY);
}

TEST_F(CaptureFork, T078_DefaultStreamCannotJoin) {
  aclrtEvent event = new_event();
  begin(s);
  EXPECT_EQ(record(event, s), 0);
  EXPECT_EQ(wait(nullptr, event), ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT);
  EXPECT_EQ(record(event, nullptr), ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT);
}

TEST_F(CaptureFork, T079_DefaultStreamRecordsOtherEventsEagerly) {
  aclrtEvent event = new_event();
  begin(s);
  EXPECT_EQ(record(event, nullptr), 0);
  EXPECT_EQ(aclrtSynchronizeEvent(event), 0);
}

TEST_F(CaptureFork, EagerRecordOfACapturedEventDoesNotDetachIt) {
  aclrtEvent event = new_event();
  begin(s);
  EXPECT_EQ(record(event, s), 0);
  EXPECT_EQ(record(event, side), 0);
  EXPECT_EQ(status_of(side), kNone);
  EXPECT_EQ(wait(side, event), 0);
  EXPECT_EQ(status_of(side), kActive);
  order(side, s);
}

TEST_F(CaptureFork, T087_StreamThatCannotBeCapturedIs507000) {
  aclrtStream unsuitable = nullptr;
  ASSERT_EQ(aclrtCreateStreamWithConfig(&unsuitable, 0, ACL_STREAM_CPU_SCHEDULE), 0);
  aclrtEvent event = new_event();
  begin(s);
  EXPECT_EQ(record(event, s), 0);
  EXPECT_EQ(wait(unsuitable, event), ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_EQ(aclrtDestroyStream(unsuitable), 0);
}

TEST_F(CaptureFork, T089_PoisonedCaptureTakesNoMoreStreams) {
  aclrtStream late = new_stream();
  aclrtEvent event = new_event();
  begin(s);
  begin(side);
  EXPECT_EQ(record(event, s), 0);
  EXPECT_EQ(wait(side, event), ACL_ERROR_STREAM_CAPTURE_CONFLICT);
  EXPECT_EQ(wait(late, event), ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_EQ(increment(cell, s), 0);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
  EXPECT_EQ(failed_end(side), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
  EXPECT_EQ(cell.value(), 0);
}

TEST_F(CaptureFork, T090_WaitWhoseRecordIsNotInTheModelIs107024) {
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC), 0);
  begin(s);
  EXPECT_EQ(wait(s, event), 0);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_CAPTURE_DEPENDENCY);
  EXPECT_EQ(aclrtDestroyEvent(event), 0);
}

TEST_F(CaptureFork, T091_EventsAreFreeAfterACapture) {
  aclrtEvent event = new_event();
  const auto fork_with_event = [&] {
    EXPECT_EQ(record(event, s), 0);
    EXPECT_EQ(wait(side, event), 0);
    EXPECT_EQ(increment(cell, side), 0);
    order(side, s);
  };
  aclmdlRI first = capture(fork_with_event);
  EXPECT_EQ(record(event, side), 0);
  EXPECT_EQ(aclrtSynchronizeEvent(event), 0);
  aclmdlRI second = capture(fork_with_event);
  run(first, s);
  run(second, side);
  EXPECT_EQ(cell.value(), 2);
}

TEST_F(CaptureFork, CapturedRecordHasNoEagerEffect) {
  aclrtEvent event = new_event();
  aclmdlRI model = capture([&] { EXPECT_EQ(record(event, s), 0); });
  auto status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  EXPECT_EQ(aclrtQueryEventStatus(event, &status), 0);
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_COMPLETE);
  run(model, s);
  EXPECT_EQ(wait(side, event), 0);
  sync(side);
}

TEST_F(CaptureFork, EventDestroyedDuringTheCaptureStillOrders) {
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC), 0);
  begin(s);
  EXPECT_EQ(record(event, s), 0);
  EXPECT_EQ(wait(side, event), 0);
  EXPECT_EQ(aclrtDestroyEvent(event), 0);
  EXPECT_EQ(increment(cell, side), 0);
  order(side, s);
  run(end(s), s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(CaptureFork, T093_StreamCreatedDuringTheCaptureCanJoin) {
  begin(s);
  aclrtStream late = new_stream();
  order(s, late);
  EXPECT_EQ(increment(cell, late), 0);
  order(late, s);
  run(end(s), s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(CaptureFork, T095_StreamsWorkAtOnceAfterAFailedEnd) {
  begin(s);
  order(s, side);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_UNJOINED);
  EXPECT_EQ(aclmdlRICaptureEnd(s, nullptr), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  expect_usable(s);
  expect_usable(side);
}

// Which events take part

TEST_F(CapturedEvent, T081_PlainEventForksInLenientMode) {
  aclrtEvent out = new_plain_event(), back = new_plain_event();
  begin(s);
  EXPECT_EQ(record(out, s), 0);
  EXPECT_EQ(wait(side, out), 0);
  EXPECT_EQ(increment(cell, side), 0);
  EXPECT_EQ(record(back, side), 0);
  EXPECT_EQ(wait(s, back), 0);
  run(end(s), s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(StrictCapturedEvent, T081_RecordOfAPlainEventIs207000) {
  begin(s);
  EXPECT_EQ(aclrtRecordEvent(new_plain_event(), s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(StrictCapturedEvent, T082_WaitForAPlainEventIs207000) {
  aclrtEvent event = new_plain_event();
  EXPECT_EQ(aclrtRecordEvent(event, side), 0);
  begin(s);
  EXPECT_EQ(aclrtStreamWaitEvent(s, event), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(CapturedEvent, T083_ResetOfAPlainEventIsCapturedInLenientMode) {
  aclrtEvent event = new_plain_event();
  begin(s);
  EXPECT_EQ(record(event, s), 0);
  EXPECT_EQ(aclrtResetEvent(event, s), 0);
  run(end(s), s);
}

TEST_F(StrictCapturedEvent, T083_ResetOfAPlainEventIs207000) {
  begin(s);
  EXPECT_EQ(aclrtResetEvent(new_plain_event(), s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(CapturedEvent, ResetOfAnExEventIs207000) {
  begin(s);
  EXPECT_EQ(aclrtResetEvent(new_event(), s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(CapturedEvent, T085_RecordOfATimeLineEventStoresNothing) {
  aclrtEvent event = new_event(ACL_EVENT_TIME_LINE);
  begin(s);
  EXPECT_EQ(record(event, s), 0);
  EXPECT_EQ(wait(side, event), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(status_of(side), kNone);
}

TEST_F(CapturedEvent, EventForTheDeviceOnlyIs107000) {
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEventWithFlag(&event, ACL_EVENT_DEVICE_USE_ONLY), 0);
  begin(s);
  EXPECT_EQ(record(event, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(wait(s, event), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtDestroyEvent(event), 0);
}

}  // namespace
}  // namespace aclvk::test
