// aclrtRecordEventWithFlag and aclrtStreamWaitEventWithFlag with EXTERNAL: events that cross the border of a model anew
// with each launch (capture-semantics 7.6, capture-tests E).
#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

class ExternalFlag : public CaptureTest {
 protected:
  static aclError record(aclrtEvent event, aclrtStream stream, std::uint32_t flag = ACL_EVENT_RECORD_EXTERNAL) {
    return aclrtRecordEventWithFlag(event, stream, flag);
  }
  static aclError wait(aclrtStream stream, aclrtEvent event, std::uint32_t flag = ACL_EVENT_WAIT_EXTERNAL) {
    return aclrtStreamWaitEventWithFlag(stream, event, 0, flag);
  }

  /// `external wait`, then cell += 1.
  aclmdlRI gated_model(aclrtEvent event) {
    return capture([&] {
      EXPECT_EQ(wait(s, event), 0);
      EXPECT_EQ(increment(cell, s), 0);
    });
  }
  /// cell += 1, then `external record`.
  aclmdlRI publishing_model(aclrtEvent event) {
    return capture([&] {
      EXPECT_EQ(increment(cell, s), 0);
      EXPECT_EQ(record(event, s), 0);
    });
  }

  Cell cell;
};

TEST_F(ExternalFlag, T113_UnknownFlagIs100000) {
  aclrtEvent event = new_event();
  EXPECT_EQ(record(event, s, 2), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(wait(s, event, 2), ACL_ERROR_INVALID_PARAM);
}

TEST_F(ExternalFlag, ExternalWaitWithATimeLimitIs100000) {
  begin(s);
  EXPECT_EQ(aclrtStreamWaitEventWithFlag(s, new_event(), 1, ACL_EVENT_WAIT_EXTERNAL), ACL_ERROR_INVALID_PARAM);
}

TEST_F(ExternalFlag, T114_StreamThatIsNotCapturedIs107029) {
  EXPECT_EQ(record(new_event(), s), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  EXPECT_EQ(wait(s, new_event()), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
}

TEST_F(ExternalFlag, T115_OtherEventsAre207000) {
  begin(s);
  for (aclrtEvent event : {new_plain_event(), new_event(ACL_EVENT_TIME_LINE | ACL_EVENT_SYNC), new_external_event()}) {
    EXPECT_EQ(record(event, s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    EXPECT_EQ(wait(s, event), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  }
}

TEST_F(ExternalFlag, T117_PlainRecordExcludesExternalOnes) {
  aclrtEvent event = new_event();
  EXPECT_EQ(aclrtRecordEvent(event, side), 0);
  begin(s);
  EXPECT_EQ(record(event, s), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(ExternalFlag, T118_RefusedExternalRecordExcludesPlainOnes) {
  aclrtEvent event = new_event();
  EXPECT_EQ(record(event, s), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  EXPECT_EQ(aclrtRecordEvent(event, s), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(ExternalFlag, T119_GraphHasOneExternalUseOfAnEvent) {
  aclrtEvent recorded = new_event();
  aclrtEvent waited_for = new_event();
  begin(s);
  EXPECT_EQ(record(recorded, s), 0);
  EXPECT_EQ(record(recorded, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(wait(s, recorded), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(wait(s, waited_for), 0);
  EXPECT_EQ(wait(s, waited_for), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(record(waited_for, s), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(ExternalFlag, OneEventServesSeveralModels) {
  aclrtEvent event = new_event();
  run(publishing_model(event), s);
  run(publishing_model(event), s);
  EXPECT_EQ(cell.value(), 2);
}

TEST_F(ExternalFlag, InATaskGroupIs507009) {
  begin(s);
  EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
  EXPECT_EQ(record(new_event(), s), ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(ExternalFlag, DoesNotJoinAStreamToTheCapture) {
  aclrtEvent event = new_event();
  begin(s);
  EXPECT_EQ(record(event, s), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(side, event), 0);
  EXPECT_EQ(status_of(side), kNone);
}

TEST_F(ExternalFlag, T121_PlainWaitAfterTheLaunchIsForThatLaunch) {
  aclrtEvent event = new_event();
  aclmdlRI model = publishing_model(event);
  Cell copy;
  BlockedStream gate(s);
  for (int launch = 1; launch <= 3; ++launch) {
    execute(model, s);
    EXPECT_EQ(aclrtStreamWaitEvent(side, event), 0);
    EXPECT_EQ(add(cell, 0, copy, side), 0);
    if (launch == 1) {
      EXPECT_TRUE(stays_blocked(side));
      gate.release();
    }
    sync(side);
    EXPECT_EQ(copy.value(), launch);
  }
}

TEST_F(ExternalFlag, CaptureIsNoRecord) {
  aclrtEvent event = new_event();
  publishing_model(event);
  EXPECT_EQ(aclrtStreamWaitEvent(side, event), 0);
  sync(side);
  EXPECT_EQ(cell.value(), 0);
}

TEST_F(ExternalFlag, T122_ModelWaitsForTheNewestRecordAtItsLaunch) {
  aclrtEvent event = new_event();
  aclmdlRI model = gated_model(event);
  BlockedStream gate(side);
  EXPECT_EQ(aclrtRecordEvent(event, side), 0);
  execute(model, s);
  EXPECT_TRUE(stays_blocked(s));
  EXPECT_EQ(cell.value(), 0);
  gate.release();
  sync(s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(ExternalFlag, T122_WithoutARecordTheModelRunsAtOnce) {
  aclrtEvent event = new_event();
  aclmdlRI model = gated_model(event);
  run(model, s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(ExternalFlag, RecordAfterTheLaunchIsForTheNextOne) {
  aclrtEvent event = new_event();
  aclmdlRI model = gated_model(event);
  execute(model, s);
  BlockedStream gate(side);
  EXPECT_EQ(aclrtRecordEvent(event, side), 0);
  sync(s);
  execute(model, s);
  EXPECT_TRUE(stays_blocked(s));
  gate.release();
  sync(s);
  EXPECT_EQ(cell.value(), 2);
}

TEST_F(ExternalFlag, TwoModelsHandOnWork) {
  aclrtEvent event = new_event();
  Cell copy;
  aclmdlRI producer = publishing_model(event);
  begin(side);
  EXPECT_EQ(wait(side, event), 0);
  EXPECT_EQ(add(cell, 0, copy, side), 0);
  aclmdlRI consumer = end(side);
  for (int step = 1; step <= 50; ++step) {
    execute(producer, s);
    execute(consumer, side);
    sync(side);
    EXPECT_EQ(copy.value(), step);
  }
}

TEST_F(ExternalFlag, DestroyedStreamLetsGoOfThoseWhoWaitForItsLaunch) {
  aclrtEvent event = new_event();
  aclmdlRI model = publishing_model(event);
  aclrtStream doomed = nullptr;
  ASSERT_EQ(aclrtCreateStream(&doomed), 0);
  const BlockedStream gate(doomed);
  execute(model, doomed);
  EXPECT_EQ(aclrtStreamWaitEvent(side, event), 0);
  EXPECT_EQ(aclrtDestroyStreamForce(doomed), 0);
  sync(side);
  EXPECT_EQ(cell.value(), 0);
}

TEST_F(ExternalFlag, ParametersReturnTheKind) {
  aclrtEvent event = new_event();
  aclmdlRI model = publishing_model(event);
  aclrtStream stream = nullptr;
  std::uint32_t streams = 1;
  ASSERT_EQ(aclmdlRIGetStreams(model, &stream, &streams), 0);
  aclmdlRITask tasks[2] = {};
  std::uint32_t count = 2;
  ASSERT_EQ(aclmdlRIGetTasksByStream(stream, tasks, &count), 0);
  aclmdlRITaskParams params{};
  ASSERT_EQ(aclmdlRITaskGetParams(tasks[1], &params), 0);
  EXPECT_EQ(params.type, ACL_MODEL_RI_TASK_EVENT_RECORD);
  EXPECT_EQ(params.eventRecordTaskParams.event, event);
  EXPECT_EQ(params.eventRecordTaskParams.eventFlag, ACL_EVENT_SYNC);
  EXPECT_EQ(params.eventRecordTaskParams.recordFlag, ACL_EVENT_RECORD_EXTERNAL);
}

TEST_F(ExternalFlag, NullAndFlagAreLookedAtBeforeTheHandles) {
  int garbage = 0;
  EXPECT_EQ(record(nullptr, s, 2), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(record(&garbage, &garbage, 2), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(wait(&garbage, &garbage, 2), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(record(&garbage, s), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(wait(s, &garbage), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtStreamWaitEventWithFlag(s, &garbage, 1, ACL_EVENT_WAIT_EXTERNAL), ACL_ERROR_INVALID_PARAM);
}

TEST_F(ExternalFlag, KindOfTheEventIsLookedAtBeforeTheCapture) {
  EXPECT_EQ(record(new_plain_event(), s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(wait(s, new_external_event()), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(record(new_event(ACL_EVENT_TIME_LINE), s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(ExternalFlag, NoStreamButACapturedOneIs107029) {
  aclmdlRI built = nullptr;
  ASSERT_EQ(aclmdlRIBuildBegin(&built, 0), 0);
  ASSERT_EQ(aclmdlRIBindStream(built, side, 0), 0);
  for (aclrtStream stream : {s, side, aclrtStream{nullptr}}) {
    EXPECT_EQ(record(new_event(), stream), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
    EXPECT_EQ(wait(stream, new_event()), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  }
  EXPECT_EQ(aclmdlRIDestroy(built), 0);
}

TEST_F(ExternalFlag, FlagZeroIsThePlainCall) {
  aclrtEvent event = new_event();
  begin(s);
  ASSERT_EQ(record(event, s, 0), 0);
  ASSERT_EQ(wait(side, event, 0), 0);
  EXPECT_EQ(status_of(side), kActive);
  order(side, s);
}

TEST_F(ExternalFlag, RecordsAndWaitsAreStickyEachForItself) {
  aclrtEvent event = new_event();
  EXPECT_EQ(record(event, s), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  EXPECT_EQ(aclrtRecordEvent(event, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtStreamWaitEvent(s, event), 0);
  EXPECT_EQ(wait(s, event), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(ExternalFlag, RefusalsDoNotSpoilTheCapture) {
  aclrtEvent event = new_event();
  begin(s);
  EXPECT_EQ(record(event, s), 0);
  EXPECT_EQ(record(event, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(wait(s, event), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtRecordEvent(event, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(record(new_plain_event(), s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  run(end(s), s);
}

TEST_F(ExternalFlag, EventIsFreeForTheNextCaptureAfterAFailedOne) {
  aclrtEvent event = new_event();
  begin(s);
  EXPECT_EQ(record(event, s), 0);
  ASSERT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
  EXPECT_EQ(failed_end(s), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  begin(s);
  EXPECT_EQ(record(event, s), 0);
}

}  // namespace
}  // namespace aclvk::test
