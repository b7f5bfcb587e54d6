// Which refusals spoil a capture and which do not, and what the later ones say (capture-semantics 6 and 12).
#include <string>

#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

struct StrictWithCell : StrictCaptureTest {
  Cell cell;
};

class CapturePoison : public CaptureTest {
 protected:
  /// A captured record and a wait on another capture's stream: both are lost.
  void poison_by_conflict() {
    aclrtEvent event = new_event();
    EXPECT_EQ(aclrtRecordEvent(event, s), 0);
    EXPECT_EQ(aclrtStreamWaitEvent(side, event), ACL_ERROR_STREAM_CAPTURE_CONFLICT);
  }
  static std::string message() {
    const char* text = aclGetRecentErrMsg();
    return text ? text : "";
  }
  static void expect_part(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
  static std::string id_of(aclrtStream stream) {
    std::int32_t id = -1;
    EXPECT_EQ(aclrtStreamGetId(stream, &id), 0);
    return std::to_string(id);
  }

  Cell cell;
};

using StrictCapturePoison = StrictWithCell;

TEST_F(CapturePoison, RefusedCallsOfEveryKindDoNotSpoilTheCapture) {
  aclrtEvent event = new_event();
  aclrtEvent eager = new_event();
  aclmdlRI other = capture([] {});
  ASSERT_EQ(aclrtRecordEvent(eager, side), 0);
  begin(s);
  ASSERT_EQ(aclrtRecordEvent(event, s), 0);
  float pageable = 0;
  EXPECT_EQ(aclrtMemset(cell.address(), 4, 0, 4), ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT);
  EXPECT_EQ(aclrtMemcpyAsync(cell.address(), 4, &pageable, 4, ACL_MEMCPY_HOST_TO_DEVICE, side),
            ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC);
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(100), ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(aclrtDestroyStreamForce(s), ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(aclmdlRIExecuteAsync(other, s), ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(aclrtSynchronizeEvent(event), ACL_ERROR_RT_EVENT_CAPTURED);
  EXPECT_EQ(aclrtStreamWaitEvent(s, eager), ACL_ERROR_RT_CAPTURE_DEPENDENCY);
  EXPECT_EQ(aclrtStreamWaitEvent(nullptr, event), ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT);
  EXPECT_EQ(aclrtRecordEvent(event, nullptr), ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT);
  EXPECT_EQ(aclmdlRIDestroy(model_of(s)), ACL_ERROR_RT_MODEL_CAPTURED);
  EXPECT_EQ(increment(cell, s), 0);
  run(end(s), s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(CapturePoison, OverflowSwitchOfACapturingStreamIs107027) {
  begin(s);
  order(s, side);
  for (aclrtStream stream : {s, side}) {
    std::uint32_t flag = 7;
    aclrtStreamAttrValue value{};
    EXPECT_EQ(aclrtSetStreamOverflowSwitch(stream, 0), ACL_ERROR_RT_STREAM_CAPTURED);
    EXPECT_EQ(aclrtGetStreamOverflowSwitch(stream, &flag), ACL_ERROR_RT_STREAM_CAPTURED);
    EXPECT_EQ(flag, 7u);
    EXPECT_EQ(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value),
              ACL_ERROR_RT_STREAM_CAPTURED);
    EXPECT_EQ(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value),
              ACL_ERROR_RT_STREAM_CAPTURED);
  }
  order(side, s);
}

TEST_F(CapturePoison, LabelsAndActivationsOnACapturingStreamAre107027) {
  aclrtLabel label = nullptr;
  aclrtLabelList list = nullptr;
  ASSERT_EQ(aclrtCreateLabel(&label), 0);
  ASSERT_EQ(aclrtCreateLabelList(&label, 1, &list), 0);
  begin(s);
  EXPECT_EQ(aclrtSetLabel(label, s), ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(aclrtSwitchLabelByIndex(cell.address(), 1, list, s), ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(aclrtActiveStream(side, s), ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(aclrtSwitchStream(cell.address(), ACL_RT_EQUAL, cell.address(), ACL_RT_SWITCH_INT32, side, nullptr, s),
            ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(aclrtDestroyLabelList(list), 0);
  EXPECT_EQ(aclrtDestroyLabel(label), 0);
}

TEST_F(StrictCapturePoison, FailedGroupLeavesTheStatusActive) {
  begin(s);
  ASSERT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
  EXPECT_EQ(aclrtMemsetAsync(cell.address(), 4, 0, 4, s), ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
  EXPECT_EQ(status_of(s), kActive);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(CapturePoison, PoisonedCaptureStillTakesTasksButNoStreams) {
  aclrtEvent event = new_event();
  begin(s);
  begin(side);
  poison_by_conflict();
  EXPECT_EQ(increment(cell, s), 0);
  EXPECT_EQ(aclrtMemsetAsync(cell.address(), 4, 0, 4, side), 0);
  EXPECT_EQ(aclrtRecordEvent(event, s), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(s, event), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(new_stream(), event), ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
  EXPECT_EQ(failed_end(side), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(CapturePoison, EndSaysWhatTheFirstErrorWas) {
  begin(s);
  begin(side);
  poison_by_conflict();
  message();
  for (aclrtStream stream : {s, side}) {
    EXPECT_EQ(failed_end(stream), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
    const std::string last = message();
    expect_part(last, "The first error of this capture was");
    expect_part(last, "belongs to the capture of model");
  }
}

TEST_F(CapturePoison, EndOfAGroupSaysWhatTheFirstErrorWas) {
  begin(s);
  begin(side);
  ASSERT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
  aclrtEvent event = new_event();
  ASSERT_EQ(aclrtRecordEvent(event, side), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(s, event), ACL_ERROR_STREAM_CAPTURE_CONFLICT);
  message();
  aclrtTaskGrp group = &cell;
  EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
  EXPECT_EQ(group, nullptr);
  const std::string text = message();
  expect_part(text, "belongs to the capture of model");
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
  EXPECT_EQ(failed_end(side), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(CapturePoison, UnjoinedStreamIsNamedWithItsLastTask) {
  begin(s);
  order(s, side);
  EXPECT_EQ(aclrtMemsetAsync(cell.address(), 4, 0, 4, side), 0);
  message();
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_UNJOINED);
  const std::string text = message();
  expect_part(text, "Stream " + id_of(side) + " is not joined");
  expect_part(text, "MEMSET_ASYNC");
}

}  // namespace
}  // namespace aclvk::test
