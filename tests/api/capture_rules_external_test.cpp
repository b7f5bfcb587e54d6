// Events that cross the border of a model: order of checks, stickiness, resets (capture-semantics 7.5 and 7.6).
#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

class ExternalRules : public CaptureTest {
 protected:
  static aclError record(aclrtEvent event, aclrtStream stream, std::uint32_t flag = ACL_EVENT_RECORD_EXTERNAL) {
    return aclrtRecordEventWithFlag(event, stream, flag);
  }
  static aclError wait(aclrtStream stream, aclrtEvent event, std::uint32_t flag = ACL_EVENT_WAIT_EXTERNAL) {
    return aclrtStreamWaitEventWithFlag(stream, event, 0, flag);
  }
  /// wait(event), reset(event), cell += 1.
  aclmdlRI gated_model(aclrtEvent event) {
    return capture([&] {
      EXPECT_EQ(aclrtStreamWaitEvent(s, event), 0);
      EXPECT_EQ(aclrtResetEvent(event, s), 0);
      EXPECT_EQ(increment(cell, s), 0);
    });
  }

  Cell cell;
};

using GatedModel = ExternalRules;

TEST_F(ExternalRules, NullAndFlagAreLookedAtBeforeTheHandles) {
  int garbage = 0;
  EXPECT_EQ(record(nullptr, s, 2), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(record(&garbage, &garbage, 2), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(wait(&garbage, &garbage, 2), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(record(&garbage, s), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(wait(s, &garbage), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtStreamWaitEventWithFlag(s, &garbage, 1, ACL_EVENT_WAIT_EXTERNAL), ACL_ERROR_INVALID_PARAM);
}

TEST_F(ExternalRules, KindOfTheEventIsLookedAtBeforeTheCapture) {
  EXPECT_EQ(record(new_plain_event(), s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(wait(s, new_external_event()), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(record(new_event(ACL_EVENT_TIME_LINE), s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(ExternalRules, NoStreamButACapturedOneIs107029) {
  aclmdlRI built = nullptr;
  ASSERT_EQ(aclmdlRIBuildBegin(&built, 0), 0);
  ASSERT_EQ(aclmdlRIBindStream(built, side, 0), 0);
  for (aclrtStream stream : {s, side, aclrtStream{nullptr}}) {
    EXPECT_EQ(record(new_event(), stream), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
    EXPECT_EQ(wait(stream, new_event()), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  }
  EXPECT_EQ(aclmdlRIDestroy(built), 0);
}

TEST_F(ExternalRules, FlagZeroIsThePlainCall) {
  aclrtEvent event = new_event();
  begin(s);
  ASSERT_EQ(record(event, s, 0), 0);
  ASSERT_EQ(wait(side, event, 0), 0);
  EXPECT_EQ(status_of(side), kActive);
  order(side, s);
}

TEST_F(ExternalRules, RecordsAndWaitsAreStickyEachForItself) {
  aclrtEvent event = new_event();
  EXPECT_EQ(record(event, s), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  EXPECT_EQ(aclrtRecordEvent(event, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtStreamWaitEvent(s, event), 0);
  EXPECT_EQ(wait(s, event), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(ExternalRules, RefusalsDoNotSpoilTheCapture) {
  aclrtEvent event = new_event();
  begin(s);
  EXPECT_EQ(record(event, s), 0);
  EXPECT_EQ(record(event, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(wait(s, event), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtRecordEvent(event, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(record(new_plain_event(), s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  run(end(s), s);
}

TEST_F(ExternalRules, EventIsFreeForTheNextCaptureAfterAFailedOne) {
  aclrtEvent event = new_event();
  begin(s);
  EXPECT_EQ(record(event, s), 0);
  ASSERT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
  EXPECT_EQ(failed_end(s), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  begin(s);
  EXPECT_EQ(record(event, s), 0);
}

// ACL_EVENT_EXTERNAL

TEST_F(GatedModel, ResetOutsideTakesTheRecordBack) {
  aclrtEvent event = new_external_event();
  aclmdlRI model = gated_model(event);
  EXPECT_EQ(aclrtRecordEvent(event, side), 0);
  EXPECT_EQ(aclrtResetEvent(event, side), 0);
  sync(side);
  execute(model, s);
  EXPECT_TRUE(stays_blocked(s));
  EXPECT_EQ(aclrtRecordEvent(event, nullptr), 0) << "the default stream may set it, captured or not";
  sync(s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(GatedModel, EventCanBeUsedEagerlyWhileItIsCaptured) {
  aclrtEvent event = new_external_event();
  begin(s);
  EXPECT_EQ(aclrtStreamWaitEvent(s, event), 0);
  EXPECT_EQ(aclrtRecordEvent(event, side), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(side, event), 0);
  sync(side);
  EXPECT_EQ(status_of(side), kNone);
  run(end(s), s);
}

TEST_F(GatedModel, LegacyQueriesOfItAre207000) {
  aclrtEvent event = new_external_event();
  auto status = ACL_EVENT_STATUS_NOT_READY;
  auto waits = ACL_EVENT_WAIT_STATUS_NOT_READY;
  std::uint64_t time = 0;
  EXPECT_EQ(aclrtQueryEvent(event, &status), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtQueryEventWaitStatus(event, &waits), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtEventGetTimestamp(event, &time), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

}  // namespace
}  // namespace aclvk::test
