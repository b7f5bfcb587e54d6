// acl/rt/capture.h: a capture from begin to end, and what its streams refuse meanwhile (capture-tests A and C).
#include <string>

#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

using CaptureBegin = CaptureTest;
using CaptureEnd = CaptureTest;
using CaptureInfo = CaptureTest;
using CaptureSync = CaptureTest;

// Begin

TEST_F(CaptureBegin, T001_StreamIsActiveUntilTheEnd) {
  begin(s);
  EXPECT_EQ(status_of(s), kActive);
  aclmdlRI during = model_of(s);
  EXPECT_NE(during, nullptr);

  EXPECT_EQ(end(s), during);
  EXPECT_EQ(status_of(s), kNone);
  EXPECT_EQ(model_of(s), nullptr);
}

TEST_F(CaptureBegin, T002_EmptyCaptureIsAModelWithoutEffect) {
  aclmdlRI model = capture([] {});
  run(model, s);
}

TEST_F(CaptureBegin, T003_NullStreamIs100000) {
  EXPECT_EQ(aclmdlRICaptureBegin(nullptr, kGlobal), ACL_ERROR_INVALID_PARAM);
}

TEST_F(CaptureBegin, UnknownModeIs107000) {
  EXPECT_EQ(aclmdlRICaptureBegin(s, static_cast<aclmdlRICaptureMode>(3)), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRICaptureBegin(s, static_cast<aclmdlRICaptureMode>(-1)), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(CaptureBegin, StaleStreamIs107017) {
  aclrtStream stale = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stale), 0);
  ASSERT_EQ(aclrtDestroyStream(stale), 0);
  EXPECT_EQ(aclmdlRICaptureBegin(stale, kGlobal), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(CaptureBegin, GarbageStreamIs107017) {
  int garbage = 0;
  EXPECT_EQ(aclmdlRICaptureBegin(&garbage, kGlobal), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(CaptureBegin, T005_StreamForTheDeviceOnlyIs507000) {
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_DEVICE_USE_ONLY), 0);
  EXPECT_EQ(aclmdlRICaptureBegin(stream, kGlobal), ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_EQ(aclrtDestroyStream(stream), 0);
}

TEST_F(CaptureBegin, T006_DefaultStreamIs207000) {
  aclrtStream default_stream = nullptr;
  ASSERT_EQ(aclrtCtxGetCurrentDefaultStream(&default_stream), 0);
  EXPECT_EQ(aclmdlRICaptureBegin(default_stream, kGlobal), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(CaptureBegin, T007_StreamOfAnotherContextIs107003) {
  on_device_thread([&] {
    aclrtContext other = nullptr;
    ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
    EXPECT_EQ(aclmdlRICaptureBegin(s, kGlobal), ACL_ERROR_RT_STREAM_CONTEXT);
    ASSERT_EQ(aclrtDestroyContext(other), 0);
  });
}

TEST_F(CaptureBegin, WithoutAContextIs107002) {
  on_another_thread([&] { EXPECT_EQ(aclmdlRICaptureBegin(s, kGlobal), ACL_ERROR_RT_CONTEXT_NULL); });
}

TEST_F(CaptureBegin, T009_SecondTimeIs107027) {
  begin(s);
  EXPECT_EQ(aclmdlRICaptureBegin(s, kGlobal), ACL_ERROR_RT_STREAM_CAPTURED);
}

TEST_F(CaptureBegin, T010_SecondTimeInAnotherModeIs107027) {
  begin(s);
  EXPECT_EQ(aclmdlRICaptureBegin(s, kRelaxed), ACL_ERROR_RT_STREAM_CAPTURED);
}

TEST_F(CaptureBegin, ForkedStreamIs107027) {
  begin(s);
  order(s, side);
  EXPECT_EQ(aclmdlRICaptureBegin(side, kGlobal), ACL_ERROR_RT_STREAM_CAPTURED);
  order(side, s);
}

TEST_F(CaptureBegin, T011_TwoStreamsAreCapturedIndependently) {
  Cell first, second;
  begin(s);
  begin(side);
  EXPECT_EQ(increment(first, s), 0);
  EXPECT_EQ(increment(second, side, 10), 0);
  aclmdlRI first_model = end(s);
  aclmdlRI second_model = end(side);

  run(first_model, s);
  EXPECT_EQ(first.value(), 1);
  EXPECT_EQ(second.value(), 0);
  run(second_model, s);
  EXPECT_EQ(first.value(), 1);
  EXPECT_EQ(second.value(), 10);
}

TEST_F(CaptureBegin, T025_EarlierWorkRunsOnceAndIsNotInTheModel) {
  Cell cell;
  EXPECT_EQ(increment(cell, s), 0);
  aclmdlRI model = capture([] {});
  sync(s);
  EXPECT_EQ(cell.value(), 1);
  run(model, s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(CaptureBegin, T026_CapturedKernelsDoNotRunBeforeTheModelDoes) {
  Cell cell;
  aclmdlRI model = capture([&] {
    EXPECT_EQ(increment(cell, s), 0);
    sync(side);
    EXPECT_EQ(cell.value(), 0);
  });
  EXPECT_EQ(cell.value(), 0);
  run(model, s);
  EXPECT_EQ(cell.value(), 1);
}

// End

TEST_F(CaptureEnd, NullStreamIs100000) {
  aclmdlRI model = nullptr;
  EXPECT_EQ(aclmdlRICaptureEnd(nullptr, &model), ACL_ERROR_INVALID_PARAM);
}

TEST_F(CaptureEnd, T013_OfAnIdleStreamIs107029AndLeavesTheResultAlone) {
  int mark = 0;
  aclmdlRI model = &mark;
  EXPECT_EQ(aclmdlRICaptureEnd(s, &model), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  EXPECT_EQ(model, &mark);
}

TEST_F(CaptureEnd, T014_SecondTimeIs107029) {
  capture([] {});
  aclmdlRI model = nullptr;
  EXPECT_EQ(aclmdlRICaptureEnd(s, &model), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
}

TEST_F(CaptureEnd, T015_WithoutAPlaceForTheModelIs107000AndTheCaptureGoesOn) {
  Cell cell;
  begin(s);
  EXPECT_EQ(increment(cell, s), 0);
  EXPECT_EQ(aclmdlRICaptureEnd(s, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  run(end(s), s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(CaptureEnd, T017_OnAnotherThreadIs107038AndReleasesTheStream) {
  begin(s);
  on_device_thread([&] { EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD); });
  EXPECT_EQ(status_of(s), kNone);
}

TEST_F(CaptureEnd, T018_OnAnotherThreadInThreadLocalModeIs107038) {
  begin(s, kThreadLocal);
  order(s, side);
  on_device_thread([&] { EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD); });
  EXPECT_EQ(status_of(side), kNone);
}

TEST_F(CaptureEnd, T019_OnAnotherThreadInRelaxedModeGivesTheModel) {
  Cell cell;
  begin(s, kRelaxed);
  EXPECT_EQ(increment(cell, s), 0);
  aclmdlRI model = nullptr;
  on_device_thread([&] { model = end(s); });
  run(model, s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(CaptureEnd, OnAForkedStreamIs107036AndTheCaptureGoesOn) {
  begin(s);
  order(s, side);
  int mark = 0;
  aclmdlRI model = &mark;
  EXPECT_EQ(aclmdlRICaptureEnd(side, &model), ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED);
  EXPECT_EQ(model, nullptr);
  order(side, s);
}

TEST_F(CaptureEnd, T029_WithoutAContextIs107002) {
  begin(s);
  on_another_thread([&] {
    aclmdlRI model = nullptr;
    EXPECT_EQ(aclmdlRICaptureEnd(s, &model), ACL_ERROR_RT_CONTEXT_NULL);
  });
}

TEST_F(CaptureEnd, InAnotherContextIs107003AndTheCaptureGoesOn) {
  begin(s);
  on_device_thread([&] {
    aclrtContext other = nullptr;
    ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
    aclmdlRI model = nullptr;
    EXPECT_EQ(aclmdlRICaptureEnd(s, &model), ACL_ERROR_RT_STREAM_CONTEXT);
    ASSERT_EQ(aclrtDestroyContext(other), 0);
  });
}

TEST_F(CaptureEnd, ThreadsMayLaunchIntoACaptureThatAnotherBegan) {
  Cell cell;
  begin(s);
  on_device_thread([&] { EXPECT_EQ(increment(cell, s), 0); });
  run(end(s), s);
  EXPECT_EQ(cell.value(), 1);
}

// Callers end the capture in a "finally" and so hide what went wrong first.
TEST_F(CaptureEnd, SentenceTellsTheFirstErrorOfTheCapture) {
  begin(s);
  order(s, side);
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_STREAM_CAPTURED);
  aclGetRecentErrMsg();
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_UNJOINED);
  const std::string sentence = aclGetRecentErrMsg();
  EXPECT_NE(sentence.find("107025"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("The first error of this capture was: Cannot synchronize"), std::string::npos) << sentence;
}

TEST_F(CaptureEnd, HandleOfADestroyedModelIsNeverReused) {
  aclmdlRI first = capture([] {});
  ASSERT_EQ(aclmdlRIDestroy(first), 0);
  destroyed(first);
  EXPECT_NE(capture([] {}), first);
}

// GetInfo

TEST_F(CaptureInfo, NullStreamIs100000) {
  auto status = kNone;
  EXPECT_EQ(aclmdlRICaptureGetInfo(nullptr, &status, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(CaptureInfo, T021_WithoutAnyPlaceIs100000) {
  EXPECT_EQ(aclmdlRICaptureGetInfo(s, nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(CaptureInfo, T022_EitherPlaceMayBeMissing) {
  begin(s);
  auto status = kNone;
  EXPECT_EQ(aclmdlRICaptureGetInfo(s, &status, nullptr), 0);
  EXPECT_EQ(status, kActive);
  aclmdlRI model = nullptr;
  EXPECT_EQ(aclmdlRICaptureGetInfo(s, nullptr, &model), 0);
  EXPECT_NE(model, nullptr);
}

TEST_F(CaptureInfo, T023_ForkedStreamBelongsToTheSameModel) {
  begin(s);
  order(s, side);
  EXPECT_EQ(status_of(side), kActive);
  EXPECT_EQ(model_of(side), model_of(s));
  order(side, s);
}

TEST_F(CaptureInfo, IsAnsweredOnAnyThreadInAnyMode) {
  begin(s);
  on_device_thread([&] { EXPECT_EQ(status_of(s), kActive); });
}

// What a capture does not allow

TEST_F(CaptureSync, T027_DestroyingACapturingStreamIs107027) {
  begin(s);
  EXPECT_EQ(aclrtDestroyStream(s), ACL_ERROR_RT_STREAM_CAPTURED);
}

TEST_F(CaptureSync, DestroyingAForkedStreamIs107027) {
  begin(s);
  order(s, side);
  EXPECT_EQ(aclrtDestroyStream(side), ACL_ERROR_RT_STREAM_CAPTURED);
  order(side, s);
}

TEST_F(CaptureSync, T050_SynchronisingACapturingStreamIs107027) {
  begin(s);
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_STREAM_CAPTURED);
}

TEST_F(CaptureSync, T051_WaitingForOrQueryingACapturingStreamIs107027) {
  begin(s);
  order(s, side);
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  for (aclrtStream stream : {s, side}) {
    EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 100), ACL_ERROR_RT_STREAM_CAPTURED);
    EXPECT_EQ(aclrtStreamQuery(stream, &status), ACL_ERROR_RT_STREAM_CAPTURED);
  }
  order(side, s);
}

TEST_F(CaptureSync, T053_OtherStreamsCanBeSynchronised) {
  Cell cell;
  begin(s);
  EXPECT_EQ(increment(cell, nullptr), 0);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 0);
  EXPECT_EQ(cell.value(), 1);
  EXPECT_EQ(increment(cell, side), 0);
  EXPECT_EQ(aclrtSynchronizeStream(side), 0);
  EXPECT_EQ(cell.value(), 2);
}

TEST_F(CaptureSync, T054_SynchronisingTheDeviceIs107027) {
  begin(s, kRelaxed);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(100), ACL_ERROR_RT_STREAM_CAPTURED);
}

TEST_F(CaptureSync, T055_AnotherContextCanBeSynchronised) {
  begin(s);
  on_device_thread([&] {
    aclrtContext other = nullptr;
    ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
    EXPECT_EQ(aclrtSynchronizeDevice(), 0);
    ASSERT_EQ(aclrtDestroyContext(other), 0);
  });
}

TEST_F(CaptureSync, AllocationIsAllowedInEveryMode) {
  for (const auto mode : {kGlobal, kThreadLocal, kRelaxed}) {
    begin(s, mode);
    void* device = nullptr;
    void* host = nullptr;
    EXPECT_EQ(aclrtMalloc(&device, 64, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    EXPECT_EQ(aclrtMallocHost(&host, 64), 0);
    EXPECT_EQ(aclrtFree(device), 0);
    EXPECT_EQ(aclrtFreeHost(host), 0);
    end(s);
  }
}

TEST_F(CaptureSync, ResettingTheDeviceEndsTheCaptureWithoutAModel) {
  on_device_thread([&] {
    aclrtContext other = nullptr;
    ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
    aclrtStream stream = nullptr;
    ASSERT_EQ(aclrtCreateStream(&stream), 0);
    ASSERT_EQ(aclmdlRICaptureBegin(stream, kRelaxed), 0);
    aclmdlRI model = model_of(stream);
    EXPECT_EQ(aclrtDestroyContext(other), 0);
    EXPECT_EQ(aclmdlRIDestroy(model), ACL_ERROR_RT_INVALID_HANDLE);
  });
}

}  // namespace
}  // namespace aclvk::test
