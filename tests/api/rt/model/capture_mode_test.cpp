// Which synchronous calls a capture forbids to whom (capture-tests B; capture-semantics 5).
#include <array>

#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

/// One call that no stream orders, in the words of each test: "aclrtMemset on thread B is 107030".
class CaptureMode : public CaptureTest {
 protected:
  void SetUp() override {
    CaptureTest::SetUp();
    ASSERT_EQ(aclrtMalloc(&memory_, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
  }
  void TearDown() override {
    EXPECT_EQ(aclrtFree(memory_), 0);
    CaptureTest::TearDown();
  }

  aclError set_memory() { return aclrtMemset(memory_, kBytes, 0, kBytes); }
  aclError copy(aclrtMemcpyKind kind) {
    const bool to_device = kind == ACL_MEMCPY_HOST_TO_DEVICE || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
    const bool from_device = kind == ACL_MEMCPY_DEVICE_TO_HOST || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
    void* dst = to_device ? memory_ : host_.data();
    void* src = from_device ? static_cast<std::byte*>(memory_) + kBytes / 2 : host_.data() + kBytes / 2;
    return aclrtMemcpy(dst, kBytes / 2, src, kBytes / 2, kind);
  }
  static aclmdlRICaptureMode exchange(aclmdlRICaptureMode mode) {
    EXPECT_EQ(aclmdlRICaptureThreadExchangeMode(&mode), 0);
    return mode;
  }
  static aclError set_memory_on_another_thread_of(CaptureMode& test, aclmdlRICaptureMode exchanged = kGlobal) {
    aclError code = -1;
    on_device_thread([&] {
      exchange(exchanged);
      code = test.set_memory();
    });
    return code;
  }

  static constexpr std::size_t kBytes = 64;
  void* memory_ = nullptr;
  std::array<std::byte, kBytes> host_{};
};

TEST_F(CaptureMode, ExchangeWithNullIs100000) {
  EXPECT_EQ(aclmdlRICaptureThreadExchangeMode(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(CaptureMode, T033_ExchangeWithAnUnknownModeIs107000) {
  auto mode = static_cast<aclmdlRICaptureMode>(7);
  EXPECT_EQ(aclmdlRICaptureThreadExchangeMode(&mode), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(CaptureMode, ExchangeWithoutAContextIs107002) {
  on_another_thread([] {
    auto mode = kRelaxed;
    EXPECT_EQ(aclmdlRICaptureThreadExchangeMode(&mode), ACL_ERROR_RT_CONTEXT_NULL);
  });
}

TEST_F(CaptureMode, T034_ExchangeGivesTheModeBeforeWhichIsGlobalAtFirst) {
  on_device_thread([] {
    EXPECT_EQ(exchange(kRelaxed), kGlobal);
    EXPECT_EQ(exchange(kGlobal), kRelaxed);
  });
}

TEST_F(CaptureMode, ExchangeLastsBeyondACapture) {
  exchange(kThreadLocal);
  capture([] {});
  EXPECT_EQ(exchange(kGlobal), kThreadLocal);
}

TEST_F(CaptureMode, T035_WithoutACaptureNothingIsForbidden) {
  for (const auto mode : {kGlobal, kThreadLocal, kRelaxed}) {
    exchange(mode);
    EXPECT_EQ(set_memory(), 0);
  }
}

TEST_F(CaptureMode, GlobalForbidsTheSameThread) {
  begin(s, kGlobal);
  EXPECT_EQ(set_memory(), ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT);
}

TEST_F(CaptureMode, T037_GlobalForbidsOtherThreadsOfTheContext) {
  begin(s, kGlobal);
  EXPECT_EQ(set_memory_on_another_thread_of(*this), ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT);
}

TEST_F(CaptureMode, T038_ThreadLocalForbidsTheSameThreadOnly) {
  begin(s, kThreadLocal);
  EXPECT_EQ(set_memory(), ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT);
  EXPECT_EQ(set_memory_on_another_thread_of(*this), 0);
}

TEST_F(CaptureMode, T039_RelaxedForbidsNothingAndTheCallIsNotCaptured) {
  Cell cell(5);
  begin(s, kRelaxed);
  EXPECT_EQ(aclrtMemset(cell.address(), cell.bytes(), 0, cell.bytes()), 0);
  EXPECT_EQ(copy(ACL_MEMCPY_HOST_TO_DEVICE), 0);
  EXPECT_EQ(set_memory_on_another_thread_of(*this), 0);
  EXPECT_EQ(cell.value(), 0);

  aclmdlRI model = end(s);
  cell.set(5);
  run(model, s);
  EXPECT_EQ(cell.value(), 5);
}

TEST_F(CaptureMode, T041_BystanderExchangedToThreadLocalIsFree) {
  begin(s, kGlobal);
  EXPECT_EQ(set_memory_on_another_thread_of(*this, kThreadLocal), 0);
}

TEST_F(CaptureMode, ThreadExchangedToRelaxedIsFree) {
  begin(s, kGlobal);
  exchange(kRelaxed);
  EXPECT_EQ(set_memory(), 0);
  EXPECT_EQ(exchange(kGlobal), kRelaxed);
  EXPECT_EQ(set_memory(), ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT);
}

TEST_F(CaptureMode, T042_ExchangeToThreadLocalDoesNotFreeTheCapturingThread) {
  for (const auto mode : {kThreadLocal, kGlobal}) {
    begin(s, mode);
    exchange(kThreadLocal);
    EXPECT_EQ(copy(ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT);
    exchange(kGlobal);
    end(s);
  }
}

TEST_F(CaptureMode, T043_CopiesOfEveryKindAreForbidden) {
  begin(s, kGlobal);
  for (const auto kind :
       {ACL_MEMCPY_HOST_TO_HOST, ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_DEVICE_TO_DEVICE}) {
    EXPECT_EQ(copy(kind), ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT) << "kind " << kind;
  }
  EXPECT_EQ(aclrtMemcpy2d(memory_, 16, host_.data(), 16, 8, 4, ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT);
}

TEST_F(CaptureMode, ForbiddenCallHasNoEffect) {
  Cell cell(7);
  begin(s, kGlobal);
  EXPECT_EQ(aclrtMemset(cell.address(), cell.bytes(), 0, cell.bytes()), ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT);
  EXPECT_EQ(cell.value(), 7);
}

TEST_F(CaptureMode, T045_CaptureInAnotherContextForbidsNothing) {
  begin(s, kGlobal);
  on_device_thread([&] {
    aclrtContext other = nullptr;
    ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
    EXPECT_EQ(copy(ACL_MEMCPY_HOST_TO_DEVICE), 0);
    ASSERT_EQ(aclrtDestroyContext(other), 0);
  });
}

// What the thread has begun elsewhere counts where there is a capture at all.
TEST_F(CaptureMode, CapturesOfTheThreadInAnotherContextCount) {
  aclrtContext own = nullptr;
  aclrtContext other = nullptr;
  aclrtStream stream = nullptr;
  begin(s, kThreadLocal);
  ASSERT_EQ(aclrtGetCurrentContext(&own), 0);
  ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
  EXPECT_EQ(set_memory(), 0);
  ASSERT_EQ(aclrtCreateStream(&stream), 0);
  ASSERT_EQ(aclmdlRICaptureBegin(stream, kRelaxed), 0);
  EXPECT_EQ(set_memory(), ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT);
  ASSERT_EQ(aclrtSetCurrentContext(own), 0);
  end(s);
  ASSERT_EQ(aclrtSetCurrentContext(other), 0);
  EXPECT_EQ(set_memory(), 0);
  ASSERT_EQ(aclrtDestroyContext(other), 0);
  ASSERT_EQ(aclrtSetCurrentContext(own), 0);
}

TEST_F(CaptureMode, T046_WhatIsForbiddenFollowsTheCapturesThatAreLeft) {
  begin(s, kGlobal);
  begin(side, kRelaxed);
  EXPECT_EQ(set_memory(), ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT);
  end(s);
  EXPECT_EQ(set_memory(), 0);
}

TEST_F(CaptureMode, T047_ExchangeDoesNotChangeTheThreadRuleOfACapture) {
  begin(s, kGlobal);
  exchange(kRelaxed);
  begin(side, kRelaxed);
  on_device_thread([&] { EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD); });
  exchange(kGlobal);
}

TEST_F(CaptureMode, T049_TheStrictestOfAThreadsCapturesCounts) {
  aclrtStream third = new_stream();
  begin(s, kRelaxed);
  begin(side, kThreadLocal);
  begin(third, kGlobal);
  for (aclrtStream stream : {s, side, third}) {
    EXPECT_EQ(set_memory(), ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT);
    end(stream);
  }
  EXPECT_EQ(set_memory(), 0);
}

TEST_F(CaptureMode, FailedCaptureForbidsNothingAnyMore) {
  begin(s, kGlobal);
  order(s, side);
  EXPECT_EQ(increment(Cell(), side), 0);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_UNJOINED);
  EXPECT_EQ(set_memory(), 0);
}

}  // namespace
}  // namespace aclvk::test
