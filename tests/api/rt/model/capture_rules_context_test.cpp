// Captures, models and conditions belong to a context, and threads without one can do little with them
// (capture-semantics 4, 9, 13, 14, 15, 17).
#include "support/model_task_fixture.hpp"

namespace aclvk::test {
namespace {

/// What the functions answer in a context that is not the stream's, and on a thread that has none.
class CaptureContext : public ModelTaskTest {
 protected:
  static void in_another_context(const std::function<void()>& function) {
    aclrtContext own = nullptr;
    aclrtContext other = nullptr;
    EXPECT_EQ(aclrtGetCurrentContext(&own), 0);
    EXPECT_EQ(aclrtCreateContext(&other, 0), 0);
    function();
    EXPECT_EQ(aclrtDestroyContext(other), 0);
    EXPECT_EQ(aclrtSetCurrentContext(own), 0);
  }
  /// A model of one kernel in a group.
  aclmdlRI capture_group() {
    return capture([&] {
      EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
      EXPECT_EQ(increment(cell, s), 0);
      EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), 0);
    });
  }
  aclError update_begin() const { return aclmdlRICaptureTaskUpdateBegin(side, group); }

  aclrtTaskGrp group = nullptr;
};

TEST_F(CaptureContext, UpdateOnAStreamOfAnotherContextIs107003) {
  capture_group();
  in_another_context([&] { EXPECT_EQ(update_begin(), ACL_ERROR_RT_STREAM_CONTEXT); });
  EXPECT_EQ(update_begin(), 0) << "the refusal has taken nothing";
  in_another_context([&] { EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), ACL_ERROR_RT_STREAM_CONTEXT); });
  EXPECT_EQ(increment(cell, side, 2), 0);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), 0);
}

TEST_F(CaptureContext, UpdateOfAGroupOfAnotherContextIs107004) {
  capture_group();
  in_another_context([&] {
    aclrtStream here = nullptr;
    ASSERT_EQ(aclrtCreateStream(&here), 0);
    EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(here, group), ACL_ERROR_RT_MODEL_CONTEXT);
    EXPECT_EQ(aclrtDestroyStream(here), 0);
  });
}

TEST_F(CaptureContext, UpdateWithoutAContextIs107002) {
  capture_group();
  on_another_thread([&] { EXPECT_EQ(update_begin(), ACL_ERROR_RT_CONTEXT_NULL); });
  ASSERT_EQ(update_begin(), 0);
  on_another_thread([&] { EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), ACL_ERROR_RT_CONTEXT_NULL); });
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), ACL_ERROR_RT_INTERNAL_ERROR) << "nothing was launched";
}

TEST_F(CaptureContext, CapturingStreamIsReportedBeforeTheContext) {
  capture_group();
  begin(side);
  in_another_context([&] {
    EXPECT_EQ(update_begin(), ACL_ERROR_RT_STREAM_CAPTURED);
    EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), ACL_ERROR_RT_STREAM_CAPTURED);
  });
}

TEST_F(CaptureContext, GroupOfAThreadWithoutAContextIs107002) {
  begin(s);
  on_another_thread([&] {
    EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), ACL_ERROR_RT_CONTEXT_NULL);
  });
}

TEST_F(CaptureContext, ExecutionWithoutAContextIs107002) {
  aclmdlRI model = capture([] {});
  on_another_thread([&] { EXPECT_EQ(aclmdlRIExecuteAsync(model, s), ACL_ERROR_RT_CONTEXT_NULL); });
  on_another_thread([&] { EXPECT_EQ(aclmdlRIExecuteAsync(model, nullptr), ACL_ERROR_RT_CONTEXT_NULL); });
}

TEST_F(CaptureContext, InfoIsGivenFromEverywhere) {
  begin(s);
  in_another_context([&] { EXPECT_EQ(status_of(s), kActive); });
  on_another_thread([&] { EXPECT_EQ(status_of(s), kActive); });
}

TEST_F(CaptureContext, StreamOfAnotherContextDoesNotJoin) {
  aclrtEvent event = new_event();
  begin(s);
  ASSERT_EQ(aclrtRecordEvent(event, s), 0);
  in_another_context([&] {
    aclrtStream here = nullptr;
    ASSERT_EQ(aclrtCreateStream(&here), 0);
    EXPECT_EQ(aclrtStreamWaitEvent(here, event), ACL_ERROR_RT_STREAM_CONTEXT) << "of the event";
    EXPECT_EQ(aclrtStreamWaitEvent(side, event), ACL_ERROR_RT_STREAM_CONTEXT) << "of the stream";
    EXPECT_EQ(aclrtRecordEvent(event, here), 0) << "an eager record";
    EXPECT_EQ(aclrtDestroyStream(here), 0);
  });
}

TEST_F(CaptureContext, CapturesThatShareAnEventAcrossContextsAreBothLost) {
  aclrtEvent event = new_event();
  begin(s);
  ASSERT_EQ(aclrtRecordEvent(event, s), 0);
  in_another_context([&] {
    aclrtStream here = nullptr;
    ASSERT_EQ(aclrtCreateStream(&here), 0);
    ASSERT_EQ(aclmdlRICaptureBegin(here, kGlobal), 0);
    EXPECT_EQ(aclrtStreamWaitEvent(here, event), ACL_ERROR_STREAM_CAPTURE_CONFLICT);
    EXPECT_EQ(failed_end(here), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
    EXPECT_EQ(aclrtDestroyStream(here), 0);
  });
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(CaptureContext, ConditionOfAnotherContextIs107004) {
  begin(s);
  aclmdlRICondHandle handle = nullptr;
  in_another_context([&] {
    EXPECT_EQ(aclmdlRICondHandleCreate(model_of(s), 0, static_cast<aclmdlRICondHandleFlag>(0), &handle),
              ACL_ERROR_RT_MODEL_CONTEXT);
  });
}

TEST_F(CaptureContext, ConditionalTaskAndItsBodyFromAnotherContextAre107003) {
  begin(s);
  aclmdlRICondHandle handle = nullptr;
  ASSERT_EQ(aclmdlRICondHandleCreate(model_of(s), 0, static_cast<aclmdlRICondHandleFlag>(0), &handle), 0);
  aclmdlRI body = nullptr;
  const aclmdlRICondTaskParams params{handle, ACL_MODEL_RI_COND_TYPE_IF, 1, &body};
  in_another_context([&] { EXPECT_EQ(aclmdlRIAddCondTask(params, s, 0), ACL_ERROR_RT_STREAM_CONTEXT); });
  ASSERT_EQ(aclmdlRIAddCondTask(params, s, 0), 0);
  in_another_context([&] {
    EXPECT_EQ(aclmdlRICaptureToModelRIBegin(side, body, kGlobal), ACL_ERROR_RT_STREAM_CONTEXT);
    aclrtStream here = nullptr;
    ASSERT_EQ(aclrtCreateStream(&here), 0);
    EXPECT_EQ(aclmdlRICaptureToModelRIBegin(here, body, kGlobal), ACL_ERROR_RT_MODEL_CONTEXT);
    EXPECT_EQ(aclrtDestroyStream(here), 0);
  });
}

TEST_F(CaptureContext, ChangesFromAnotherContextAre107004AndDoNotSpoilTheModel) {
  aclmdlRI model = capture([&] { EXPECT_EQ(increment(cell, s), 0); });
  aclmdlRITask task = only_task(model);
  aclmdlRITaskParams params = params_of(task);
  in_another_context([&] {
    EXPECT_EQ(aclmdlRITaskSetParams(task, &params), ACL_ERROR_RT_MODEL_CONTEXT);
    EXPECT_EQ(aclmdlRITaskDisable(task), ACL_ERROR_RT_MODEL_CONTEXT);
    EXPECT_EQ(aclmdlRIUpdate(model), ACL_ERROR_RT_MODEL_CONTEXT);
  });
  run(model, s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(CaptureContext, BuildingFromAnotherContextIsRefused) {
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRIBuildBegin(&model, 0), 0);
  in_another_context([&] { EXPECT_EQ(aclmdlRIBindStream(model, side, 0), ACL_ERROR_RT_STREAM_CONTEXT); });
  ASSERT_EQ(aclmdlRIBindStream(model, side, 0), 0);
  in_another_context([&] {
    EXPECT_EQ(aclmdlRIEndTask(model, side), ACL_ERROR_RT_STREAM_CONTEXT);
    EXPECT_EQ(aclmdlRIUnbindStream(model, side), ACL_ERROR_RT_STREAM_CONTEXT);
    EXPECT_EQ(aclmdlRIBuildEnd(model, nullptr), ACL_ERROR_RT_MODEL_CONTEXT);
    EXPECT_EQ(aclmdlRIAbort(model), ACL_ERROR_RT_MODEL_CONTEXT);
    EXPECT_EQ(aclmdlRIDestroy(model), ACL_ERROR_RT_MODEL_CONTEXT);
  });
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

TEST_F(CaptureContext, CapturingStreamIs107027ForAnExecutionFromAnotherContext) {
  aclmdlRI model = capture([] {});
  begin(side);
  in_another_context([&] { EXPECT_EQ(aclmdlRIExecuteAsync(model, side), ACL_ERROR_RT_STREAM_CAPTURED); });
}

}  // namespace
}  // namespace aclvk::test
