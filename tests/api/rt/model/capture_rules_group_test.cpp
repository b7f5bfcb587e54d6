// Task groups and updates: what the catalogue does not ask (capture-semantics 9).
#include <string>

#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

class GroupRules : public CaptureTest {
 protected:
  static aclError begin_group(aclrtStream stream) { return aclmdlRICaptureTaskGrpBegin(stream); }
  /// A group of what `body` launches.
  static aclrtTaskGrp group_on(aclrtStream stream, const std::function<void()>& body) {
    aclrtTaskGrp made = nullptr;
    EXPECT_EQ(begin_group(stream), 0) << aclGetRecentErrMsg();
    body();
    EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(stream, &made), 0) << aclGetRecentErrMsg();
    return made;
  }
  static aclError begin_update(aclrtStream stream, aclrtTaskGrp group) {
    return aclmdlRICaptureTaskUpdateBegin(stream, group);
  }
  static aclError end_update(aclrtStream stream) { return aclmdlRICaptureTaskUpdateEnd(stream); }
  aclmdlRI capture_one() {
    return capture([&] { group = group_on(s, [&] { EXPECT_EQ(add(in, 1, out, s), 0); }); });
  }
  /// `code` is what a call inside a group answered; the capture is lost.
  void expect_not_for_groups(aclError code) {
    EXPECT_EQ(code, ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
    EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
    EXPECT_EQ(group, nullptr);
    EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), ACL_ERROR_STREAM_TASK_GROUP_STATUS) << "it is over";
    EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
  }
  void open() {
    begin(s);
    EXPECT_EQ(begin_group(s), 0);
  }

  Cell in{10}, out;
  aclrtTaskGrp group = nullptr;
};

using UpdateRules = GroupRules;

TEST_F(GroupRules, BoundStreamIsNotCapturing) {
  aclmdlRI built = nullptr;
  ASSERT_EQ(aclmdlRIBuildBegin(&built, 0), 0);
  ASSERT_EQ(aclmdlRIBindStream(built, s, 0), 0);
  EXPECT_EQ(begin_group(s), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  EXPECT_EQ(aclmdlRIDestroy(built), 0);
}

TEST_F(GroupRules, StaleStreamIs107017) {
  aclrtStream stale = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stale), 0);
  ASSERT_EQ(aclrtDestroyStream(stale), 0);
  EXPECT_EQ(begin_group(stale), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(stale, &group), ACL_ERROR_RT_INVALID_HANDLE);
  capture_one();
  EXPECT_EQ(begin_update(stale, group), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(end_update(stale), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(GroupRules, EndWithoutAPlaceForTheHandleLeavesTheGroupOpen) {
  open();
  EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(begin_group(s), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), 0);
}

TEST_F(GroupRules, EndOnAnotherStreamOfTheModelLeavesTheGroupOpen) {
  begin(s);
  order(s, side);
  ASSERT_EQ(begin_group(s), 0);
  EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(side, &group), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), 0);
  order(side, s);
}

TEST_F(GroupRules, StreamsHaveGroupsOneAfterTheOther) {
  aclrtTaskGrp first = nullptr;
  aclrtTaskGrp second = nullptr;
  Cell other;
  aclmdlRI model = capture([&] {
    order(s, side);
    first = group_on(s, [&] { EXPECT_EQ(add(in, 1, out, s), 0); });
    second = group_on(side, [&] { EXPECT_EQ(add(in, 2, other, side), 0); });
    order(side, s);
  });
  ASSERT_EQ(begin_update(side, second), 0);
  EXPECT_EQ(add(in, 7, other, side), 0);
  EXPECT_EQ(end_update(side), 0);
  sync(side);
  run(model, s);
  EXPECT_EQ(out.value(), 11);
  EXPECT_EQ(other.value(), 17);
}

TEST_F(GroupRules, RowsInsideAre507009) {
  open();
  expect_not_for_groups(aclrtMemcpy2dAsync(out.address(), 8, in.address(), 8, 8, 2, ACL_MEMCPY_DEVICE_TO_DEVICE, s));
}

TEST_F(GroupRules, ValueWriteInsideIs507009) {
  Word word;
  open();
  expect_not_for_groups(aclrtValueWrite(word.address(), 1, 0, s));
}

TEST_F(GroupRules, ResetInsideIs507009) {
  open();
  expect_not_for_groups(aclrtResetEvent(new_external_event(), s));
}

TEST_F(GroupRules, WaitForACapturedEventInsideIs507009) {
  aclrtEvent event = new_event();
  begin(s);
  ASSERT_EQ(aclrtRecordEvent(event, s), 0);
  ASSERT_EQ(begin_group(s), 0);
  expect_not_for_groups(aclrtStreamWaitEvent(s, event));
}

TEST_F(GroupRules, ConditionalTaskInsideIs507009AndGivesNoBodies) {
  begin(s);
  aclmdlRICondHandle handle = nullptr;
  ASSERT_EQ(aclmdlRICondHandleCreate(model_of(s), 0, static_cast<aclmdlRICondHandleFlag>(0), &handle), 0);
  ASSERT_EQ(begin_group(s), 0);
  aclmdlRI body = nullptr;
  expect_not_for_groups(aclmdlRIAddCondTask({handle, ACL_MODEL_RI_COND_TYPE_IF, 1, &body}, s, 0));
  EXPECT_EQ(body, nullptr);
}

// Updates

TEST_F(UpdateRules, SeveralGroupsFollowEachOtherOnOneStream) {
  aclrtTaskGrp first = nullptr;
  aclrtTaskGrp second = nullptr;
  aclmdlRI model = capture([&] {
    first = group_on(s, [&] { EXPECT_EQ(add(in, 1, out, s), 0); });
    second = group_on(s, [&] { EXPECT_EQ(increment(out, s, 1), 0); });
  });
  ASSERT_EQ(begin_update(side, first), 0);
  EXPECT_EQ(add(in, 100, out, side), 0);
  EXPECT_EQ(end_update(side), 0);
  ASSERT_EQ(begin_update(side, second), 0);
  EXPECT_EQ(increment(out, side, 1000), 0);
  EXPECT_EQ(end_update(side), 0);
  sync(side);
  run(model, s);
  EXPECT_EQ(out.value(), 1110);
}

TEST_F(UpdateRules, GroupInABodyIsUpdatedLikeAnyOther) {
  aclmdlRI model = capture([&] {
    aclmdlRICondHandle handle = nullptr;
    aclmdlRI body = nullptr;
    ASSERT_EQ(aclmdlRICondHandleCreate(model_of(s), 1, ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT, &handle), 0);
    ASSERT_EQ(aclmdlRIAddCondTask({handle, ACL_MODEL_RI_COND_TYPE_IF, 1, &body}, s, 0), 0);
    ASSERT_EQ(aclmdlRICaptureToModelRIBegin(side, body, kGlobal), 0);
    group = group_on(side, [&] { EXPECT_EQ(add(in, 1, out, side), 0); });
    ASSERT_EQ(aclmdlRICaptureEnd(side, nullptr), 0);
  });
  run(model, s);
  EXPECT_EQ(out.value(), 11);
  ASSERT_EQ(begin_update(side, group), 0);
  EXPECT_EQ(add(in, 2, out, side), 0);
  EXPECT_EQ(end_update(side), 0);
  sync(side);
  run(model, s);
  EXPECT_EQ(out.value(), 12);
}

TEST_F(UpdateRules, LastOfThreeKernelsStaysWhenItIsMissing) {
  Cell first, second, third;
  aclmdlRI model = capture([&] {
    group = group_on(s, [&] {
      for (const Cell* cell : {&first, &second, &third}) EXPECT_EQ(add(in, 1, *cell, s), 0);
    });
  });
  ASSERT_EQ(begin_update(side, group), 0);
  EXPECT_EQ(add(in, 2, first, side), 0);
  EXPECT_EQ(add(in, 3, second, side), 0);
  EXPECT_EQ(end_update(side), ACL_ERROR_RT_INTERNAL_ERROR);
  const char* text = aclGetRecentErrMsg();
  ASSERT_NE(text, nullptr);
  EXPECT_NE(std::string(text).find("has 3 kernels and the update launched 2"), std::string::npos) << text;
  sync(side);
  run(model, s);
  EXPECT_EQ(first.value(), 12);
  EXPECT_EQ(second.value(), 13);
  EXPECT_EQ(third.value(), 11);
}

TEST_F(UpdateRules, ExcessIsRefusedAndTheUpdateIsGood) {
  aclmdlRI model = capture_one();
  ASSERT_EQ(begin_update(side, group), 0);
  EXPECT_EQ(add(in, 2, out, side), 0);
  EXPECT_EQ(add(in, 3, out, side), kLaunchRefused);
  EXPECT_EQ(end_update(side), 0);
  sync(side);
  run(model, s);
  EXPECT_EQ(out.value(), 12);
}

TEST_F(UpdateRules, FailedEndLeavesTheUpdate) {
  capture_one();
  ASSERT_EQ(begin_update(side, group), 0);
  EXPECT_EQ(end_update(side), ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_EQ(end_update(side), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  ASSERT_EQ(begin_update(s, group), 0) << "another stream may update the group now";
  EXPECT_EQ(add(in, 2, out, s), 0);
  EXPECT_EQ(end_update(s), 0);
}

TEST_F(UpdateRules, RefusedBeginLeavesTheFirstUpdateAsItIs) {
  aclmdlRI model = capture_one();
  ASSERT_EQ(begin_update(side, group), 0);
  EXPECT_EQ(begin_update(s, group), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  EXPECT_EQ(begin_update(side, group), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  EXPECT_EQ(add(in, 5, out, side), 0);
  EXPECT_EQ(end_update(side), 0);
  sync(side);
  run(model, s);
  EXPECT_EQ(out.value(), 15);
}

TEST_F(UpdateRules, EndOnACapturingOrABoundStreamSaysSo) {
  aclmdlRI built = nullptr;
  ASSERT_EQ(aclmdlRIBuildBegin(&built, 0), 0);
  ASSERT_EQ(aclmdlRIBindStream(built, side, 0), 0);
  EXPECT_EQ(end_update(side), ACL_ERROR_RT_STREAM_MODEL);
  EXPECT_EQ(aclmdlRIDestroy(built), 0);
  begin(s);
  EXPECT_EQ(end_update(s), ACL_ERROR_RT_STREAM_CAPTURED);
}

TEST_F(UpdateRules, ForkedStreamIs107027) {
  capture_one();
  begin(s);
  order(s, side);
  EXPECT_EQ(begin_update(side, group), ACL_ERROR_RT_STREAM_CAPTURED);
  order(side, s);
}

TEST_F(UpdateRules, StreamInAnUpdateDoesNotJoinACapture) {
  capture_one();
  aclrtEvent event = new_event();
  begin(s);
  ASSERT_EQ(aclrtRecordEvent(event, s), 0);
  ASSERT_EQ(begin_update(side, group), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(side, event), ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
  EXPECT_EQ(aclmdlRICaptureBegin(side, kGlobal), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  EXPECT_EQ(status_of(side), kNone);
  EXPECT_EQ(add(in, 2, out, side), 0);
  EXPECT_EQ(end_update(side), 0);
}

TEST_F(UpdateRules, ShapesOperandsAndRunsMayChangeEachTime) {
  aclmdlRI model = capture_one();
  for (const std::int64_t count : {4, 64, 1}) {
    Cell from(3, count);
    Cell to(0, count);
    ASSERT_EQ(begin_update(side, group), 0);
    EXPECT_EQ(add(from, 4, to, side), 0);
    EXPECT_EQ(end_update(side), 0);
    sync(side);
    run(model, s);
    EXPECT_EQ(to.value(), 7);
  }
  EXPECT_EQ(out.value(), 0);
}

}  // namespace
}  // namespace aclvk::test
