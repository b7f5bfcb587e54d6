// What each kind of event does on a capturing stream, and what is left of it afterwards (capture-semantics 6 and 7).
#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

/// "rec", "wait" and "reset" with the arguments in one order, for each kind of event.
template <typename Base>
class EventRules : public Base {
 protected:
  static aclError record(aclrtEvent event, aclrtStream stream) { return aclrtRecordEvent(event, stream); }
  static aclError wait(aclrtStream stream, aclrtEvent event) { return aclrtStreamWaitEvent(stream, event); }
  static aclError reset(aclrtEvent event, aclrtStream stream) { return aclrtResetEvent(event, stream); }
  aclrtEvent new_event_with(std::uint32_t flags) {
    aclrtEvent event = nullptr;
    EXPECT_EQ(aclrtCreateEventWithFlag(&event, flags), 0);
    return with_flag_.emplace_back(event);
  }
  static aclrtEventRecordedStatus recorded_status(aclrtEvent event) {
    auto status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    EXPECT_EQ(aclrtQueryEventStatus(event, &status), 0) << aclGetRecentErrMsg();
    return status;
  }
  void TearDown() override {
    for (aclrtEvent event : with_flag_) EXPECT_EQ(aclrtDestroyEvent(event), 0);
    Base::TearDown();
  }

  Cell cell, seen;

 private:
  std::vector<aclrtEvent> with_flag_;
};

using CaptureEvents = EventRules<CaptureTest>;
using StrictCaptureEvents = EventRules<StrictCaptureTest>;

// 7.1 by the kind of event

TEST_F(StrictCaptureEvents, EventsOfCreateEventWithFlagAre207000AndDoNotSpoilTheCapture) {
  begin(s);
  for (const std::uint32_t flags :
       {ACL_EVENT_SYNC, ACL_EVENT_TIME_LINE, ACL_EVENT_CAPTURE_STREAM_PROGRESS, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE}) {
    aclrtEvent event = new_event_with(flags);
    EXPECT_EQ(record(event, s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT) << flags;
    EXPECT_EQ(wait(s, event), ACL_ERROR_RT_FEATURE_NOT_SUPPORT) << flags;
    EXPECT_EQ(reset(event, s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT) << flags;
  }
}

TEST_F(StrictCaptureEvents, RefusedPlainEventCanStillBeRecordedEagerly) {
  aclrtEvent event = new_plain_event();
  begin(s);
  EXPECT_EQ(record(event, s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(record(event, side), 0);
  sync(side);
  EXPECT_EQ(recorded_status(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
}

TEST_F(StrictCaptureEvents, PlainEventRecordedEagerlyIs207000BeforeTheIsolation) {
  aclrtEvent event = new_plain_event();
  ASSERT_EQ(record(event, side), 0);
  begin(s);
  EXPECT_EQ(wait(s, event), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(StrictCaptureEvents, ExternalEventsAreGraphTasksThereToo) {
  aclrtEvent event = new_external_event();
  begin(s);
  EXPECT_EQ(wait(s, event), 0);
  EXPECT_EQ(reset(event, s), 0);
  EXPECT_EQ(record(event, s), 0);
}

TEST_F(CaptureEvents, ProgressEventOfExKindStoresNothing) {
  aclrtEvent event = new_event(ACL_EVENT_CAPTURE_STREAM_PROGRESS);
  begin(s);
  EXPECT_EQ(record(event, s), 0);
  auto status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  EXPECT_EQ(aclrtQueryEventStatus(event, &status), 0) << "no capture holds it";
  EXPECT_EQ(wait(s, event), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(reset(event, s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(CaptureEvents, ResetOfACapturedExEventIs207000) {
  aclrtEvent event = new_event();
  begin(s);
  ASSERT_EQ(record(event, s), 0);
  EXPECT_EQ(reset(event, s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(CaptureEvents, TimeLineWithSyncForks) {
  aclrtEvent event = new_event(ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE);
  begin(s);
  ASSERT_EQ(record(event, s), 0);
  EXPECT_EQ(wait(side, event), 0);
  EXPECT_EQ(status_of(side), kActive);
  order(side, s);
}

TEST_F(CaptureEvents, PlainEventWithoutRecordIs107000InLenientMode) {
  begin(s);
  EXPECT_EQ(wait(s, new_plain_event()), ACL_ERROR_RT_PARAM_INVALID);
}

// Observing a captured event

TEST_F(CaptureEvents, LegacyQueriesOfACapturedEventAre107028) {
  begin(s);
  for (aclrtEvent event : {new_event(), new_plain_event(), new_event_with(ACL_EVENT_SYNC)}) {
    ASSERT_EQ(record(event, s), 0);
    auto status = ACL_EVENT_STATUS_NOT_READY;
    auto waits = ACL_EVENT_WAIT_STATUS_NOT_READY;
    EXPECT_EQ(aclrtQueryEvent(event, &status), ACL_ERROR_RT_EVENT_CAPTURED);
    EXPECT_EQ(aclrtQueryEventWaitStatus(event, &waits), ACL_ERROR_RT_EVENT_CAPTURED);
    EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 10), ACL_ERROR_RT_EVENT_CAPTURED);
  }
}

TEST_F(CaptureEvents, EitherCapturedEventOfAnElapsedTimeIs107028) {
  constexpr std::uint32_t kTimed = ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE;
  aclrtEvent captured = new_event(kTimed);
  aclrtEvent eager = new_event(kTimed);
  aclrtEvent fresh = new_event(kTimed);
  ASSERT_EQ(record(eager, side), 0);
  begin(s);
  ASSERT_EQ(record(captured, s), 0);
  float ms = 0;
  for (aclrtEvent other : {eager, fresh}) {
    EXPECT_EQ(aclrtEventElapsedTime(&ms, captured, other), ACL_ERROR_RT_EVENT_CAPTURED);
    EXPECT_EQ(aclrtEventElapsedTime(&ms, other, captured), ACL_ERROR_RT_EVENT_CAPTURED);
  }
}

TEST_F(CaptureEvents, RefusedEndOnAForkedStreamKeepsTheEventsCaptured) {
  aclrtEvent event = new_event();
  begin(s);
  ASSERT_EQ(record(event, s), 0);
  ASSERT_EQ(wait(side, event), 0);
  aclmdlRI model = nullptr;
  EXPECT_EQ(aclmdlRICaptureEnd(side, &model), ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED);
  auto status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  EXPECT_EQ(aclrtQueryEventStatus(event, &status), ACL_ERROR_RT_EVENT_CAPTURED);
  order(side, s);
}

TEST_F(CaptureEvents, FailedEndReleasesTheEvents) {
  aclrtEvent event = new_event();
  begin(s);
  ASSERT_EQ(record(event, s), 0);
  ASSERT_EQ(wait(side, event), 0);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_UNJOINED);
  EXPECT_EQ(recorded_status(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
  EXPECT_EQ(wait(side, event), 0);
  EXPECT_EQ(status_of(side), kNone) << "it is an event like any other again";
}

// 7.2 and 7.4

TEST_F(CaptureEvents, CaptureLeavesAnEagerRecordAsItIs) {
  aclrtEvent event = new_event();
  const BlockedStream blocked(side);
  ASSERT_EQ(record(event, side), 0);
  begin(s);
  ASSERT_EQ(record(event, s), 0);
  aclmdlRI model = end(s);
  run(model, s);
  EXPECT_EQ(recorded_status(event), ACL_EVENT_RECORDED_STATUS_NOT_READY) << "a replay does not signal it";
}

TEST_F(CaptureEvents, WaitBindsToTheNewestRecordOfTheCapture) {
  aclrtEvent event = new_event();
  aclmdlRI model = capture([&] {
    ASSERT_EQ(record(event, s), 0);
    EXPECT_EQ(increment(cell, s, 5), 0);
    ASSERT_EQ(record(event, s), 0);
    ASSERT_EQ(wait(side, event), 0);
    EXPECT_EQ(add(cell, 0, seen, side), 0);
    order(side, s);
  });
  run(model, s);
  EXPECT_EQ(seen.value(), 5);
}

TEST_F(CaptureEvents, WaitOnTheRecordingStreamIsADependencyOfItsOwn) {
  aclrtEvent event = new_event();
  aclmdlRI model = capture([&] {
    ASSERT_EQ(record(event, s), 0);
    EXPECT_EQ(wait(s, event), 0);
    EXPECT_EQ(increment(cell, s), 0);
  });
  run(model, s);
  EXPECT_EQ(cell.value(), 1);
}

}  // namespace
}  // namespace aclvk::test
