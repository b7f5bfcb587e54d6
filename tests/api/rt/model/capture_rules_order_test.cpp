// Which answer wins when several conditions hold, and what a refused call leaves in its outputs (capture-semantics 4).
#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

/// Outputs start with a value that no call gives.
class CaptureOrder : public CaptureTest {
 protected:
  aclError begin_on(aclrtStream stream, int mode = kGlobal) {
    return aclmdlRICaptureBegin(stream, static_cast<aclmdlRICaptureMode>(mode));
  }
  /// The code of an end that leaves the output alone.
  aclError untouched_end(aclrtStream stream) {
    aclmdlRI model = &preset;
    const aclError code = aclmdlRICaptureEnd(stream, &model);
    EXPECT_EQ(model, &preset);
    return code;
  }
  /// The code of an end that gives no model although the capture continues.
  static aclError refused_end(aclrtStream stream) {
    int nothing = 0;
    aclmdlRI model = &nothing;
    const aclError code = aclmdlRICaptureEnd(stream, &model);
    EXPECT_EQ(model, nullptr);
    EXPECT_EQ(status_of(stream), kActive);
    return code;
  }
  static aclrtStream default_stream() {
    aclrtStream stream = nullptr;
    EXPECT_EQ(aclrtCtxGetCurrentDefaultStream(&stream), 0);
    return stream;
  }
  /// A stream with these flags, or bound to a model, until the end of the test.
  aclrtStream stream_with(std::uint32_t flags) {
    aclrtStream stream = nullptr;
    EXPECT_EQ(aclrtCreateStreamWithConfig(&stream, 0, flags), 0);
    return others_.emplace_back(stream);
  }
  aclrtStream bound_stream() {
    aclrtStream stream = stream_with(ACL_STREAM_PERSISTENT);
    EXPECT_EQ(aclmdlRIBuildBegin(&built, 0), 0);
    EXPECT_EQ(aclmdlRIBindStream(built, stream, 0), 0);
    return stream;
  }
  void poison() {
    EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
    EXPECT_EQ(aclrtMemsetAsync(cell.address(), 4, 0, 4, s), ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
  }
  static aclrtStream stale_stream() {
    aclrtStream stream = nullptr;
    EXPECT_EQ(aclrtCreateStream(&stream), 0);
    EXPECT_EQ(aclrtDestroyStream(stream), 0);
    return stream;
  }
  void TearDown() override {
    if (built) {
      EXPECT_EQ(aclmdlRIDestroy(built), 0);
    }
    for (aclrtStream stream : others_) EXPECT_EQ(aclrtDestroyStream(stream), 0);
    CaptureTest::TearDown();
  }

  int preset = 0;
  aclmdlRI built = nullptr;
  Cell cell;

 private:
  std::vector<aclrtStream> others_;
};

using BeginOrder = CaptureOrder;
using EndOrder = CaptureOrder;

TEST_F(BeginOrder, HandleIsLookedAtBeforeTheMode) {
  EXPECT_EQ(begin_on(nullptr, 7), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(begin_on(stale_stream(), 7), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(BeginOrder, ModeIsLookedAtBeforeTheStream) {
  EXPECT_EQ(begin_on(stream_with(ACL_STREAM_DEVICE_USE_ONLY), 7), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(begin_on(default_stream(), 7), ACL_ERROR_RT_PARAM_INVALID);
  on_another_thread([&] { EXPECT_EQ(begin_on(s, 7), ACL_ERROR_RT_PARAM_INVALID); });
  begin(s);
  EXPECT_EQ(begin_on(s, 3), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(BeginOrder, FlagsAreLookedAtBeforeTheContext) {
  aclrtStream stream = stream_with(ACL_STREAM_DEVICE_USE_ONLY);
  on_another_thread([&] { EXPECT_EQ(begin_on(stream), ACL_ERROR_RT_INTERNAL_ERROR); });
}

TEST_F(BeginOrder, CpuScheduleStreamIs507000) {
  EXPECT_EQ(begin_on(stream_with(ACL_STREAM_CPU_SCHEDULE)), ACL_ERROR_RT_INTERNAL_ERROR);
}

TEST_F(BeginOrder, BoundStreamIs107005) {
  aclrtStream stream = bound_stream();
  EXPECT_EQ(begin_on(stream), ACL_ERROR_RT_STREAM_MODEL);
  EXPECT_EQ(status_of(stream), kNone);
}

TEST_F(BeginOrder, CapturingStreamOfAnotherContextIs107003) {
  begin(s);
  on_device_thread([&] {
    aclrtContext other = nullptr;
    ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
    EXPECT_EQ(begin_on(s), ACL_ERROR_RT_STREAM_CONTEXT);
    ASSERT_EQ(aclrtDestroyContext(other), 0);
  });
}

TEST_F(BeginOrder, PoisonedStreamIs107027) {
  begin(s);
  poison();
  EXPECT_EQ(begin_on(s), ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(EndOrder, StreamsThatWereNeverCapturedLeaveTheOutputAlone) {
  EXPECT_EQ(untouched_end(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(untouched_end(stale_stream()), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(untouched_end(stream_with(ACL_STREAM_DEVICE_USE_ONLY)), ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_EQ(untouched_end(default_stream()), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(untouched_end(bound_stream()), ACL_ERROR_RT_STREAM_MODEL);
  on_another_thread([&] { EXPECT_EQ(untouched_end(s), ACL_ERROR_RT_CONTEXT_NULL); });
}

TEST_F(EndOrder, IdleStreamNeedsNoPlaceForAModel) {
  EXPECT_EQ(aclmdlRICaptureEnd(s, nullptr), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
}

TEST_F(EndOrder, PlaceIsLookedForBeforeTheContext) {
  begin(s);
  on_another_thread([&] { EXPECT_EQ(aclmdlRICaptureEnd(s, nullptr), ACL_ERROR_RT_PARAM_INVALID); });
}

TEST_F(EndOrder, PlaceIsLookedForOnAForkedStreamToo) {
  begin(s);
  order(s, side);
  EXPECT_EQ(aclmdlRICaptureEnd(side, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  order(side, s);
}

TEST_F(EndOrder, WithoutAContextTheOutputIsNullWhileCapturing) {
  begin(s);
  on_another_thread([&] { EXPECT_EQ(refused_end(s), ACL_ERROR_RT_CONTEXT_NULL); });
}

TEST_F(EndOrder, ForkedStreamIs107036OnAnyThread) {
  begin(s);
  order(s, side);
  on_device_thread([&] { EXPECT_EQ(refused_end(side), ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED); });
  order(side, s);
}

TEST_F(EndOrder, WrongThreadIsReportedBeforeThePoison) {
  begin(s);
  poison();
  on_device_thread([&] { EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD); });
}

TEST_F(EndOrder, WrongThreadReleasesForkedStreamsAndTheModel) {
  begin(s);
  order(s, side);
  aclmdlRI model = model_of(s);
  on_device_thread([&] { EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD); });
  EXPECT_EQ(status_of(side), kNone);
  std::uint32_t id = 0;
  EXPECT_EQ(aclmdlRIGetId(model, &id), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(EndOrder, PoisonIsReportedBeforeTheOpenGroup) {
  begin(s);
  poison();
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
}

}  // namespace
}  // namespace aclvk::test
