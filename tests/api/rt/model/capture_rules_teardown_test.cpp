// What becomes of a capture whose stream, event or context goes away (capture-semantics 6, 11, 17).
#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

/// A capture on a stream of a context of its own, in which the thread works.
class CaptureTeardown : public CaptureTest {
 protected:
  void enter_new_context() {
    ASSERT_EQ(aclrtGetCurrentContext(&own), 0);
    ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
    ASSERT_EQ(aclrtCreateStream(&there), 0);
  }
  void leave_and_destroy_context() {
    ASSERT_EQ(aclrtDestroyContext(other), 0);
    ASSERT_EQ(aclrtSetCurrentContext(own), 0);
  }
  static aclError id_code(aclmdlRI model) {
    std::uint32_t id = 0;
    return aclmdlRIGetId(model, &id);
  }

  aclrtContext own = nullptr;
  aclrtContext other = nullptr;
  aclrtStream there = nullptr;
  Cell cell;
};

TEST_F(CaptureTeardown, ContextTakesItsCapturesWithIt) {
  enter_new_context();
  ASSERT_EQ(aclmdlRICaptureBegin(there, kGlobal), 0);
  aclmdlRI model = model_of(there);
  leave_and_destroy_context();
  EXPECT_EQ(id_code(model), ACL_ERROR_RT_INVALID_HANDLE);
  aclmdlRI nothing = nullptr;
  EXPECT_EQ(aclmdlRICaptureEnd(there, &nothing), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtMemset(cell.address(), 4, 0, 4), 0);
}

TEST_F(CaptureTeardown, ContextTakesCapturesOfBodiesWithIt) {
  enter_new_context();
  aclrtStream second = nullptr;
  ASSERT_EQ(aclrtCreateStream(&second), 0);
  ASSERT_EQ(aclmdlRICaptureBegin(there, kGlobal), 0);
  aclmdlRICondHandle handle = nullptr;
  ASSERT_EQ(aclmdlRICondHandleCreate(model_of(there), 0, static_cast<aclmdlRICondHandleFlag>(0), &handle), 0);
  aclmdlRI body = nullptr;
  ASSERT_EQ(aclmdlRIAddCondTask({handle, ACL_MODEL_RI_COND_TYPE_IF, 1, &body}, there, 0), 0);
  ASSERT_EQ(aclmdlRICaptureToModelRIBegin(second, body, kGlobal), 0);
  EXPECT_EQ(increment(cell, second), 0);
  leave_and_destroy_context();
  EXPECT_EQ(id_code(body), ACL_ERROR_RT_INVALID_HANDLE);
  std::uint64_t* word = nullptr;
  EXPECT_EQ(aclmdlRICondHandleGetCondPtr(handle, &word), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(CaptureTeardown, ModelOfADestroyedContextIs107004) {
  enter_new_context();
  ASSERT_EQ(aclmdlRICaptureBegin(there, kGlobal), 0);
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureEnd(there, &model), 0);
  leave_and_destroy_context();
  EXPECT_EQ(aclmdlRIExecuteAsync(model, s), ACL_ERROR_RT_MODEL_CONTEXT);
  EXPECT_EQ(aclmdlRIUpdate(model), ACL_ERROR_RT_MODEL_CONTEXT);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

TEST_F(CaptureTeardown, AbortOfAForkedStreamEndsTheWholeCapture) {
  begin(s);
  order(s, side);
  aclmdlRI model = model_of(s);
  EXPECT_EQ(aclrtStreamAbort(side), 0);
  EXPECT_EQ(status_of(s), kNone);
  EXPECT_EQ(status_of(side), kNone);
  EXPECT_EQ(id_code(model), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(CaptureTeardown, EventDestroyedInACaptureIsGoneForLaterCallsOnly) {
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC), 0);
  aclmdlRI model = capture([&] {
    ASSERT_EQ(aclrtRecordEvent(event, s), 0);
    ASSERT_EQ(aclrtStreamWaitEvent(side, event), 0);
    EXPECT_EQ(aclrtDestroyEvent(event), 0);
    EXPECT_EQ(aclrtStreamWaitEvent(s, event), ACL_ERROR_RT_INVALID_HANDLE);
    EXPECT_EQ(increment(cell, side), 0);
    order(side, s);
  });
  run(model, s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(CaptureTeardown, ExternalEventDestroyedAfterTheCaptureDoesNoHarm) {
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEventWithFlag(&event, ACL_EVENT_EXTERNAL), 0);
  aclmdlRI model = capture([&] {
    EXPECT_EQ(aclrtRecordEvent(event, s), 0);
    EXPECT_EQ(increment(cell, s), 0);
  });
  ASSERT_EQ(aclrtDestroyEvent(event), 0);
  run(model, s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(CaptureTeardown, FailedCaptureCanBeFollowedByManyMore) {
  for (int i = 0; i < 50; ++i) {
    begin(s);
    order(s, side);
    EXPECT_EQ(increment(cell, side), 0);
    EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_UNJOINED);
  }
}

}  // namespace
}  // namespace aclvk::test
