// Captures that run out of what they need (capture-tests A). ACLVK_MAX_MODELS and ACLVK_MAX_MODEL_TASKS take the place
// of the pools of a device.
#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

class FewModels : Settings, public CaptureTest {
 protected:
  FewModels() : Settings({{"ACLVK_MAX_MODELS", "2"}}) {}
};

class FewTasks : Settings, public CaptureTest {
 protected:
  FewTasks() : Settings({{"ACLVK_MAX_MODEL_TASKS", "3"}}) {}
};

class StrictFewTasks : Settings, public StrictCaptureTest {
 protected:
  StrictFewTasks() : Settings({{"ACLVK_MAX_MODEL_TASKS", "3"}}) {}
};

TEST_F(FewModels, T030_BeginIs207010AndTheStreamIsFree) {
  capture([] {});
  capture([] {});
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), 0);
  EXPECT_EQ(aclmdlRICaptureBegin(stream, kGlobal), ACL_ERROR_RT_NO_MODEL_RESOURCE);
  EXPECT_EQ(status_of(stream), kNone);
  EXPECT_EQ(aclrtDestroyStream(stream), 0);
  aclmdlRI built = nullptr;
  EXPECT_EQ(aclmdlRIBuildBegin(&built, 0), ACL_ERROR_RT_NO_MODEL_RESOURCE);
  // The questions at the end of each test need a model.
  clear_models();
}

TEST_F(FewModels, ConditionalTaskGetsAllItsBodiesOrNone) {
  begin(s);
  aclmdlRICondHandle handle = nullptr;
  ASSERT_EQ(aclmdlRICondHandleCreate(model_of(s), 0, static_cast<aclmdlRICondHandleFlag>(0), &handle), 0);
  aclmdlRI bodies[2] = {};
  EXPECT_EQ(aclmdlRIAddCondTask({handle, ACL_MODEL_RI_COND_TYPE_IF, 2, bodies}, s, 0), ACL_ERROR_RT_NO_MODEL_RESOURCE);
  EXPECT_EQ(bodies[0], nullptr);
  EXPECT_EQ(aclmdlRIAddCondTask({handle, ACL_MODEL_RI_COND_TYPE_IF, 1, bodies}, s, 0), 0) << "there is room for one";
  end(s);
  clear_models();
}

TEST_F(FewTasks, T031_LaunchFailsAndTheCaptureIsInvalidated) {
  Cell cell;
  begin(s);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(increment(cell, s), 0);
  EXPECT_EQ(increment(cell, s), kLaunchRefused);
  EXPECT_EQ(status_of(s), kInvalidated);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(StrictFewTasks, OnlyTheStreamThatFailedIsInvalidated) {
  Cell cell;
  begin(s);
  order(s, side);
  EXPECT_EQ(increment(cell, s), 0);
  EXPECT_EQ(increment(cell, side), kLaunchRefused);
  EXPECT_EQ(status_of(side), kInvalidated);
  EXPECT_EQ(status_of(s), kActive);
  EXPECT_EQ(aclmdlRICaptureBegin(side, kGlobal), ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(FewTasks, EventTasksCountToo) {
  begin(s);
  order(s, side);
  EXPECT_EQ(aclrtRecordEvent(new_event(), side), 0);
  EXPECT_EQ(aclrtRecordEvent(new_event(), side), ACL_ERROR_RT_RESOURCE_ALLOC_FAIL);
  EXPECT_EQ(status_of(side), kInvalidated);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
}

}  // namespace
}  // namespace aclvk::test
