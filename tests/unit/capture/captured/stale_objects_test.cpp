// Another thread may destroy an object between the look-up of its handle and the acquisition of the scheduler lock. The
// tests look an object up, destroy it, and then do the rest of the call.
#include <gtest/gtest.h>

#include <functional>

#include "base/error.hpp"
#include "capture/built/build.hpp"
#include "capture/captured/capture.hpp"
#include "capture/captured/task_group.hpp"
#include "capture/model/checks.hpp"
#include "capture/model/execute.hpp"
#include "runtime/context/current.hpp"
#include "runtime/context/handles.hpp"
#include "support/capture_fixture.hpp"

namespace aclvk::capture {
namespace {

class StaleObjects : public aclvk::test::CaptureTest {
 protected:
  static aclrtStream make_stream() {
    aclrtStream stream = nullptr;
    EXPECT_EQ(aclrtCreateStream(&stream), 0);
    return stream;
  }
  /// Returns a stream that was destroyed after its look-up.
  static runtime::StreamPtr stale_stream() {
    aclrtStream handle = make_stream();
    runtime::StreamPtr stream = runtime::stream_handles().find(handle);
    EXPECT_EQ(aclrtDestroyStream(handle), 0);
    return stream;
  }
  static void expect_refused(Code code, const std::function<void()>& call) {
    try {
      call();
      ADD_FAILURE() << "the call succeeds";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.sentence();
    }
  }
};

TEST_F(StaleObjects, DestroyedStreamJoinsNoCapture) {
  const runtime::StreamPtr stream = stale_stream();
  aclrtEvent fork = new_event();
  begin(s);
  EXPECT_EQ(aclrtRecordEvent(fork, s), 0);
  const runtime::EventPtr event = runtime::event_handles().find(fork);
  expect_refused(Code::kInvalidHandle, [&] { stream->wait(event); });
  EXPECT_TRUE(stream->executes());
  end(s);
}

TEST_F(StaleObjects, DestroyedStreamBeginsNoCapture) {
  const runtime::StreamPtr stream = stale_stream();
  expect_refused(Code::kInvalidHandle, [&] { begin_capture(stream, aclvk::test::kRelaxed); });
  EXPECT_TRUE(stream->executes());
}

TEST_F(StaleObjects, DestroyedStreamIsNotBound) {
  aclmdlRI handle = nullptr;
  ASSERT_EQ(aclmdlRIBuildBegin(&handle, 0), 0);
  const runtime::StreamPtr stream = stale_stream();
  expect_refused(Code::kInvalidHandle, [&] { bind_stream(model_of(handle), stream, 0); });
  EXPECT_TRUE(stream->executes());
  EXPECT_EQ(aclmdlRIDestroy(handle), 0);
}

TEST_F(StaleObjects, DestroyedStreamUpdatesNoGroup) {
  aclrtTaskGrp handle = nullptr;
  const test::Cell cell;
  CaptureTest::capture([&] {
    EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
    EXPECT_EQ(test::increment(cell, s), 0);
    EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &handle), 0);
  });
  const runtime::StreamPtr stream = stale_stream();
  expect_refused(Code::kInvalidHandle, [&] { begin_update(stream, task_group_of(handle)); });
  EXPECT_FALSE(task_group_of(handle)->updating);
}

TEST_F(StaleObjects, DestroyedStreamRunsNoModel) {
  aclmdlRI handle = CaptureTest::capture([] {});
  const runtime::StreamPtr stream = stale_stream();
  expect_refused(Code::kInvalidHandle, [&] { capture::execute(model_of(handle), stream); });
  EXPECT_FALSE(model_of(handle)->running());
}

// Two such calls: the stream waits when the event is recorded.
TEST_F(StaleObjects, RecordOfADestroyedStreamIsNotWaitedForInVain) {
  aclrtEvent before = new_event();
  aclrtEvent later = new_event();
  test::BlockedStream gate;
  ASSERT_EQ(aclrtRecordEvent(before, gate.get()), 0);
  runtime::StreamPtr stream = stale_stream();
  stream->wait(runtime::event_handles().find(before));
  stream->record(runtime::event_handles().find(later));
  stream.reset();
  gate.release();
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(later, 30000), 0) << aclGetRecentErrMsg();
}

TEST_F(StaleObjects, StreamIsNotBoundToADestroyedModel) {
  aclmdlRI handle = nullptr;
  ASSERT_EQ(aclmdlRIBuildBegin(&handle, 0), 0);
  const ModelPtr model = model_of(handle);
  ASSERT_EQ(aclmdlRIDestroy(handle), 0);
  const runtime::StreamPtr stream = runtime::stream_handles().find(s);
  expect_refused(Code::kParamInvalid, [&] { bind_stream(model, stream, 0); });
  EXPECT_TRUE(stream->executes());
}

TEST_F(StaleObjects, DestroyedContextMakesNoStream) {
  aclrtContext own = nullptr;
  aclrtContext other = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&own), 0);
  ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
  const runtime::ContextPtr context = runtime::current_context();
  ASSERT_EQ(aclrtDestroyContext(other), 0);
  const std::size_t streams = runtime::stream_handles().size();
  expect_refused(Code::kContextNull, [&] { context->create_stream({}); });
  EXPECT_EQ(runtime::stream_handles().size(), streams);
  ASSERT_EQ(aclrtSetCurrentContext(own), 0);
}

TEST_F(StaleObjects, ContextOfAModelStaysAsLongAsACallWorksWithIt) {
  aclrtContext own = nullptr;
  aclrtContext other = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&own), 0);
  ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
  aclmdlRI handle = nullptr;
  ASSERT_EQ(aclmdlRIBuildBegin(&handle, 0), 0);
  const ModelPtr model = model_of(handle);
  {
    const runtime::ContextPtr context = check_own_context(*model);
    ASSERT_EQ(aclrtDestroyContext(other), 0);
    EXPECT_EQ(model->context(), context);
  }
  EXPECT_EQ(model->context(), nullptr);
  ASSERT_EQ(aclrtSetCurrentContext(own), 0);
  EXPECT_EQ(aclmdlRIDestroy(handle), 0);
}

}  // namespace
}  // namespace aclvk::capture
