// Task groups while they are captured (capture-tests G; capture-semantics 9.1).
#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

/// A group is open on stream s, which is being captured.
class TaskGroup : public CaptureTest {
 protected:
  void open() {
    begin(s);
    EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
  }
  /// The group ends with this code, and without a handle.
  static aclError failed_group_end(aclrtStream stream) {
    int nothing = 0;
    aclrtTaskGrp handle = &nothing;
    const aclError code = aclmdlRICaptureTaskGrpEnd(stream, &handle);
    EXPECT_EQ(handle, nullptr);
    return code;
  }
  /// `code` is what a call inside the group answered: it is not a task for groups, and the capture is lost.
  void expect_not_for_groups(aclError code) {
    EXPECT_EQ(code, ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
    EXPECT_EQ(failed_group_end(s), ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
    EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
  }

  Cell cell;
  aclrtTaskGrp handle = nullptr;
};

TEST_F(TaskGroup, T141_NullIs100000) {
  EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(nullptr, &handle), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(TaskGroup, T142_OnAnIdleStreamIs107029) {
  EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &handle), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
}

TEST_F(TaskGroup, InAnotherContextIs107003) {
  begin(s);
  on_device_thread([&] {
    aclrtContext other = nullptr;
    ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
    EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), ACL_ERROR_RT_STREAM_CONTEXT);
    ASSERT_EQ(aclrtDestroyContext(other), 0);
  });
}

TEST_F(TaskGroup, T143_EndWithoutBeginIs107033) {
  begin(s);
  EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &handle), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
}

TEST_F(TaskGroup, BeginInsideAGroupIs107033) {
  open();
  EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &handle), 0);
}

TEST_F(TaskGroup, OneGroupAtATimeInAModel) {
  begin(s);
  order(s, side);
  EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
  EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(side), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(side, &handle), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &handle), 0);
  order(side, s);
}

TEST_F(TaskGroup, T145_EmptyGroupIsUpdatedByAnEmptyUpdate) {
  open();
  EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &handle), 0);
  EXPECT_NE(handle, nullptr);
  aclmdlRI model = end(s);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(side, handle), 0);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), 0);
  run(model, s);
}

TEST_F(TaskGroup, T146_CaptureEndsWith107033WhileAGroupIsOpen) {
  open();
  EXPECT_EQ(increment(cell, s), 0);
  EXPECT_EQ(failed_end(s), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
}

TEST_F(TaskGroup, OpenGroupIsReportedBeforeUnjoinedStreams) {
  begin(s);
  order(s, side);
  EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
  EXPECT_EQ(failed_end(s), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
}

TEST_F(TaskGroup, T147_CopyInsideIs507009) {
  Cell copy;
  open();
  expect_not_for_groups(
      aclrtMemcpyAsync(copy.address(), copy.bytes(), cell.address(), cell.bytes(), ACL_MEMCPY_DEVICE_TO_DEVICE, s));
}

TEST_F(TaskGroup, FillInsideIs507009) {
  open();
  expect_not_for_groups(aclrtMemsetAsync(cell.address(), cell.bytes(), 0, cell.bytes(), s));
}

// Kernels here, and work of the copy engine on an NPU.
TEST_F(TaskGroup, ReductionInsideIs507009) {
  Cell sum;
  open();
  expect_not_for_groups(aclrtReduceAsync(sum.address(), cell.address(), cell.bytes(), ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM,
                                         ACL_FLOAT, s, nullptr));
}

TEST_F(TaskGroup, EventRecordInsideIs507009) {
  open();
  expect_not_for_groups(aclrtRecordEvent(new_event(), s));
}

TEST_F(TaskGroup, EventWaitInsideIs507009) {
  aclrtEvent event = new_event();
  begin(s);
  EXPECT_EQ(aclrtRecordEvent(event, s), 0);
  EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
  expect_not_for_groups(aclrtStreamWaitEvent(s, event));
}

TEST_F(TaskGroup, ExternalEventInsideIs507009) {
  open();
  expect_not_for_groups(aclrtStreamWaitEvent(s, new_external_event()));
}

TEST_F(TaskGroup, HostFunctionInsideIs507009) {
  open();
  expect_not_for_groups(aclrtLaunchHostFunc(
      s, [](void*) {}, nullptr));
}

TEST_F(TaskGroup, ValueWaitInsideIs507009) {
  const Word word;
  open();
  expect_not_for_groups(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, s));
}

TEST_F(TaskGroup, NotifyInsideIs507009) {
  aclrtNotify notify = nullptr;
  ASSERT_EQ(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT), 0);
  open();
  expect_not_for_groups(aclrtRecordNotify(notify, s));
  EXPECT_EQ(aclrtDestroyNotify(notify), 0);
}

TEST_F(TaskGroup, T149_KernelOnAnotherStreamIs107034) {
  begin(s);
  order(s, side);
  EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
  EXPECT_EQ(increment(cell, side), kLaunchRefused);
  EXPECT_EQ(failed_group_end(s), ACL_ERROR_STREAM_TASK_GROUP_INTR);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(TaskGroup, CopyOnAnotherStreamIsAllowedAndNotPartOfTheGroup) {
  Cell copy, out;
  begin(s);
  order(s, side);
  EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
  EXPECT_EQ(
      aclrtMemcpyAsync(copy.address(), copy.bytes(), cell.address(), cell.bytes(), ACL_MEMCPY_DEVICE_TO_DEVICE, side),
      0);
  EXPECT_EQ(add(cell, 1, out, s), 0);
  EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &handle), 0);
  order(side, s);
  aclmdlRI model = end(s);

  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(side, handle), 0);
  EXPECT_EQ(add(cell, 5, out, side), 0);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), 0);
  sync(side);
  cell.set(3);
  run(model, s);
  EXPECT_EQ(copy.value(), 3);
  EXPECT_EQ(out.value(), 8);
}

TEST_F(TaskGroup, T150_EndInAPoisonedCaptureIs507903) {
  aclrtEvent event = new_event();
  begin(side);
  EXPECT_EQ(aclrtRecordEvent(event, side), 0);
  begin(s);
  EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(s, event), ACL_ERROR_STREAM_CAPTURE_CONFLICT);
  EXPECT_EQ(failed_group_end(s), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
  EXPECT_EQ(failed_end(side), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(TaskGroup, RefusedLaunchInsideDoesNotSpoilTheGroup) {
  open();
  EXPECT_EQ(aclnnInplaceAdds(nullptr, 0, nullptr, s), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(increment(cell, s), 0);
  EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &handle), 0);
  run(end(s), s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(TaskGroup, HandleOfAFailedCaptureIsStale) {
  open();
  EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &handle), 0);
  order(s, side);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_UNJOINED);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(s, handle), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(TaskGroup, HandleOfARunningCaptureIsNotUsableYet) {
  open();
  EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &handle), 0);
  EXPECT_NE(aclmdlRICaptureTaskUpdateBegin(side, handle), 0);
}

}  // namespace
}  // namespace aclvk::test
