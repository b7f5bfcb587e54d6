// Captures that run out of what they need (capture-tests A). ACLVK_MAX_MODELS and ACLVK_MAX_MODEL_TASKS take the place
// of the pools of a device.
#include <cstdlib>

#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

/// Limits are read once, so they are set before the library is first used.
struct Limits {
  Limits(const char* models, const char* tasks) {
    setenv("ACLVK_MAX_MODELS", models, 1);
    setenv("ACLVK_MAX_MODEL_TASKS", tasks, 1);
  }
};

class FewModels : Limits, public CaptureTest {
 protected:
  FewModels() : Limits("2", "0") {}
};

class FewTasks : Limits, public CaptureTest {
 protected:
  FewTasks() : Limits("0", "3") {}
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

TEST_F(FewTasks, T031_LaunchFailsAndTheCaptureIsInvalidated) {
  Cell cell;
  begin(s);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(increment(cell, s), 0);
  EXPECT_EQ(increment(cell, s), kLaunchRefused);
  EXPECT_EQ(status_of(s), kInvalidated);
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
