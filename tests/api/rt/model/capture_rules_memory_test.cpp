// Batches, rows and callbacks in a capture, and pageable copies beside one (capture-semantics 5 and 8).
#include <pthread.h>

#include <array>
#include <atomic>

#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

/// Two copies of half a cell from the host in one call, and copies on streams that are not captured.
template <typename Base>
class MemoryRules : public Base {
 protected:
  aclError batch(float* first, float* second, aclrtStream stream) {
    auto* half = static_cast<std::byte*>(cell.address()) + kHalf;
    std::array<void*, 2> dsts{cell.address(), half};
    std::array<void*, 2> srcs{first, second};
    std::array<size_t, 2> sizes{kHalf, kHalf};
    aclrtMemcpyBatchAttr attribute{{0, ACL_MEM_LOCATION_TYPE_DEVICE}, {0, ACL_MEM_LOCATION_TYPE_HOST}, {}};
    size_t index = 0;
    return aclrtMemcpyBatchAsync(dsts.data(), sizes.data(), srcs.data(), sizes.data(), 2, &attribute, &index, 1,
                                 &fail_index, stream);
  }
  aclError copy(aclrtStream stream) {
    return aclrtMemcpyAsync(cell.address(), kHalf, pageable.data(), kHalf, ACL_MEMCPY_HOST_TO_DEVICE, stream);
  }
  aclError copy_rows(aclrtStream stream) {
    return aclrtMemcpy2dAsync(cell.address(), 8, pageable.data(), 8, 8, 2, ACL_MEMCPY_HOST_TO_DEVICE, stream);
  }

  static constexpr std::size_t kHalf = 4 * sizeof(float);
  Cell cell;
  Pinned<float> pinned{8, 3.0F};
  std::vector<float> pageable = std::vector<float>(8, 4.0F);
  size_t fail_index = 77;
};

using CaptureMemoryRules = MemoryRules<CaptureTest>;
using StrictCaptureMemoryRules = MemoryRules<StrictCaptureTest>;

TEST_F(CaptureMemoryRules, BatchIsReplayed) {
  aclmdlRI model = this->capture([&] { EXPECT_EQ(batch(pinned.data(), pinned.data() + 4, s), 0); });
  EXPECT_EQ(cell.value(), 0);
  for (const float value : {5.0F, 6.0F}) {
    pinned.fill(value);
    run(model, s);
    EXPECT_EQ(cell.value(), value);
  }
}

TEST_F(CaptureMemoryRules, BatchOfPageableMemoryIs107000AndStoresNothing) {
  begin(s);
  EXPECT_EQ(batch(pinned.data(), pageable.data(), s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(fail_index, 1u);
  run(end(s), s);
  EXPECT_EQ(cell.value(), 0);
}

TEST_F(StrictCaptureMemoryRules, BatchOfPageableMemoryIs107000AndStoresNothing) {
  begin(s);
  EXPECT_EQ(batch(pinned.data(), pageable.data(), s), ACL_ERROR_RT_PARAM_INVALID);
  run(end(s), s);
  EXPECT_EQ(cell.value(), 0);
}

TEST_F(StrictCaptureMemoryRules, PageableCopyInATaskUpdateIs507009) {
  aclrtTaskGrp group = nullptr;
  capture([&] {
    ASSERT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
    ASSERT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), 0);
  });
  ASSERT_EQ(aclmdlRICaptureTaskUpdateBegin(side, group), 0);
  EXPECT_EQ(copy(side), ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), 0);
}

TEST_F(StrictCaptureMemoryRules, RefusedPageableCopyDoesNotSpoilTheCapture) {
  begin(s);
  EXPECT_EQ(copy(s), ACL_ERROR_RT_PARAM_INVALID);
  run(end(s), s);
  EXPECT_EQ(cell.value(), 0);
}

TEST_F(CaptureMemoryRules, RowsBetweenDeviceMemoryAreReplayed) {
  Cell from(9);
  aclmdlRI model = capture([&] {
    EXPECT_EQ(aclrtMemcpy2dAsync(cell.address(), 16, from.address(), 16, 16, 2, ACL_MEMCPY_DEVICE_TO_DEVICE, s), 0);
  });
  EXPECT_EQ(cell.value(), 0);
  run(model, s);
  EXPECT_EQ(cell.value(), 9);
}

TEST_F(CaptureMemoryRules, RowsBetweenHostMemoryAre207000) {
  begin(s);
  EXPECT_EQ(aclrtMemcpy2dAsync(pinned.data(), 8, pinned.data() + 4, 8, 8, 2, ACL_MEMCPY_DEFAULT, s),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(CaptureMemoryRules, ARefusedReductionDoesNotSpoilTheCapture) {
  Cell other;
  begin(s);
  EXPECT_EQ(
      aclrtReduceAsync(cell.address(), other.address(), 0, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT, s, nullptr),
      ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(
      aclrtReduceAsync(cell.address(), other.address(), 4, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT, s, nullptr), 0);
}

// Beside a capture

TEST_F(CaptureMemoryRules, PageableCopiesOfEveryShapeBesideAGlobalCaptureAre107041) {
  begin(s, kGlobal);
  EXPECT_EQ(copy(side), ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC);
  EXPECT_EQ(copy_rows(side), ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC);
  EXPECT_EQ(batch(pageable.data(), pageable.data() + 4, side), ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC);
  EXPECT_EQ(copy(nullptr), ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC);
  EXPECT_EQ(cell.value(), 0);
  on_device_thread([&] { EXPECT_EQ(copy(side), ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC); });
}

TEST_F(CaptureMemoryRules, PageableCopyBesideAThreadLocalCaptureIsForOtherThreads) {
  begin(s, kThreadLocal);
  EXPECT_EQ(copy(side), ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC);
  on_device_thread([&] { EXPECT_EQ(copy(side), 0); });
}

TEST_F(CaptureMemoryRules, RelaxedThreadMayCopyPageableMemoryBesideACapture) {
  begin(s, kGlobal);
  const RelaxedThread relaxed;
  EXPECT_EQ(copy(side), 0);
}

// Functions of the host

TEST_F(CaptureMemoryRules, CallbackOnAStreamOfHostFunctionsIs107011) {
  const auto thread = static_cast<std::uint64_t>(pthread_self());
  ASSERT_EQ(aclrtSubscribeHostFunc(thread, s), 0);
  begin(s);
  EXPECT_EQ(aclrtLaunchCallback([](void*) {}, nullptr, ACL_CALLBACK_NO_BLOCK, s), ACL_ERROR_RT_STREAM_SUBSCRIBE);
  EXPECT_EQ(aclrtUnSubscribeHostFunc(thread, s), 0);
}

TEST_F(CaptureMemoryRules, ForkedStreamNeedsASubscriptionOfItsOwn) {
  const auto thread = static_cast<std::uint64_t>(pthread_self());
  ASSERT_EQ(aclrtSubscribeReport(thread, s), 0);
  begin(s);
  order(s, side);
  EXPECT_EQ(aclrtLaunchCallback([](void*) {}, nullptr, ACL_CALLBACK_NO_BLOCK, side), ACL_ERROR_RT_STREAM_NO_CB_REG);
  order(side, s);
  EXPECT_EQ(aclrtUnSubscribeReport(thread, s), 0);
}

TEST_F(CaptureMemoryRules, HostFunctionRunsOnAForkedStream) {
  std::atomic<int> calls{0};
  aclmdlRI model = capture([&] {
    order(s, side);
    EXPECT_EQ(aclrtLaunchHostFunc(
                  side, [](void* counter) { ++*static_cast<std::atomic<int>*>(counter); }, &calls),
              0);
    order(side, s);
  });
  EXPECT_EQ(calls, 0);
  run(model, s);
  run(model, s);
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace aclvk::test
