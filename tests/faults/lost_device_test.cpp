// A device that its driver gives up (docs/adr/0025): no thread waits for it, all listeners are called, and it can be
// opened anew.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_add.h"
#include "support/peer.hpp"
#include "support/virtual_memory.hpp"
#include "support/vulkan_faults.hpp"

namespace aclvk::test {
namespace {

constexpr aclError kLost = ACL_ERROR_RT_DRV_INTERNAL_ERROR;
constexpr std::size_t kBytes = 4096;

class LostDevice : public testing::Test {
 protected:
  void open() {
    ASSERT_EQ(aclrtSetDevice(0), 0) << aclGetRecentErrMsg();
    ASSERT_EQ(aclrtCreateStream(&stream_), 0) << aclGetRecentErrMsg();
    ASSERT_EQ(aclrtMalloc(&memory_, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    ASSERT_EQ(fill(1), 0) << aclGetRecentErrMsg();
  }
  aclError fill(int value) {
    const aclError launched = aclrtMemsetAsync(memory_, kBytes, value, kBytes, stream_);
    const aclError done = aclrtSynchronizeStream(stream_);
    return launched ? launched : done;
  }
  /// The next submission finds the device lost.
  void lose() {
    faults_.arm(VulkanResult::kDeviceLost, 1, "vkQueueSubmit2");
    EXPECT_EQ(fill(2), kLost) << aclGetRecentErrMsg();
    EXPECT_EQ(faults_.disarm().command, "vkQueueSubmit2");
  }
  void open_anew() {
    ASSERT_EQ(aclrtResetDevice(0), 0) << aclGetRecentErrMsg();
    open();
  }
  /// It waits for a notify that is never recorded.
  static aclrtStream blocked_stream() {
    aclrtStream blocked = nullptr;
    aclrtNotify never = nullptr;
    EXPECT_EQ(aclrtCreateStream(&blocked), 0);
    EXPECT_EQ(aclrtCreateNotify(&never, 0), 0);
    EXPECT_EQ(aclrtWaitAndResetNotify(never, blocked, 0), 0);
    return blocked;
  }
  /// Copies, an operator, a capture and its replay.
  void expect_works() {
    std::vector<float> host(kBytes / sizeof(float));
    std::iota(host.begin(), host.end(), 0.0F);
    ASSERT_EQ(aclrtMemcpy(memory_, kBytes, host.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE), 0) << aclGetRecentErrMsg();
    add_to_itself();
    aclmdlRI model = nullptr;
    ASSERT_EQ(aclmdlRICaptureBegin(stream_, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL), 0) << aclGetRecentErrMsg();
    add_to_itself();
    ASSERT_EQ(aclmdlRICaptureEnd(stream_, &model), 0) << aclGetRecentErrMsg();
    ASSERT_EQ(aclmdlRIExecuteAsync(model, stream_), 0) << aclGetRecentErrMsg();
    ASSERT_EQ(aclrtSynchronizeStream(stream_), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclmdlRIDestroy(model), 0);
    std::vector<float> result(host.size());
    ASSERT_EQ(aclrtMemcpy(result.data(), kBytes, memory_, kBytes, ACL_MEMCPY_DEVICE_TO_HOST), 0);
    for (float& value : host) value *= 4;
    EXPECT_EQ(result, host);
  }
  void add_to_itself() {
    const std::int64_t count = kBytes / sizeof(float);
    const std::int64_t stride = 1;
    const float one = 1;
    aclTensor* tensor = aclCreateTensor(&count, 1, ACL_FLOAT, &stride, 0, ACL_FORMAT_ND, &count, 1, memory_);
    aclScalar* alpha = aclCreateScalar(const_cast<float*>(&one), ACL_FLOAT);
    std::uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    ASSERT_EQ(aclnnInplaceAddGetWorkspaceSize(tensor, tensor, alpha, &size, &executor), 0) << aclGetRecentErrMsg();
    ASSERT_EQ(size, 0U);
    ASSERT_EQ(aclnnInplaceAdd(nullptr, 0, executor, stream_), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclDestroyScalar(alpha), 0);
    EXPECT_EQ(aclDestroyTensor(tensor), 0);
  }

  const VulkanFaults faults_;
  aclrtStream stream_ = nullptr;
  void* memory_ = nullptr;
};

TEST_F(LostDevice, FailsItsStreamsFromThenOn) {
  open();
  lose();
  EXPECT_EQ(aclrtSynchronizeStream(stream_), kLost) << "not only once";
  EXPECT_EQ(aclrtMemsetAsync(memory_, kBytes, 3, kBytes, stream_), kLost);
  EXPECT_EQ(aclrtSynchronizeDevice(), kLost);
  aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
  EXPECT_EQ(aclrtStreamQuery(stream_, &status), kLost);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("aclrtResetDevice"), std::string::npos) << "it says what helps";
  aclrtDeviceStatus state = ACL_RT_DEVICE_STATUS_NORMAL;
  EXPECT_EQ(aclrtQueryDeviceStatus(0, &state), 0);
  EXPECT_EQ(state, ACL_RT_DEVICE_STATUS_ABNORMAL);
}

TEST_F(LostDevice, WorksAgainAfterAReset) {
  open();
  expect_works();
  for (int i = 0; i < 3; ++i) {
    lose();
    open_anew();
    expect_works();
  }
}

TEST_F(LostDevice, MayBeFoundOutByAWait) {
  open();
  void* host = nullptr;
  ASSERT_EQ(aclrtMallocHost(&host, kBytes), 0);
  faults_.arm(VulkanResult::kDeviceLost, 1, "vkWaitSemaphores");
  aclError code = 0;
  for (int i = 0; code == 0 && i < 10'000; ++i) code = fill(i % 100);  // most waits find their value without that call
  EXPECT_EQ(code, kLost);
  EXPECT_EQ(faults_.disarm().command, "vkWaitSemaphores");
  EXPECT_EQ(aclrtFreeHost(host), 0);
  open_anew();
  expect_works();
}

TEST_F(LostDevice, MayBeFoundOutByALook) {
  open();
  faults_.arm(VulkanResult::kDeviceLost, 1, "vkGetSemaphoreCounterValue");
  EXPECT_EQ(fill(2), kLost);
  faults_.disarm();
  open_anew();
  expect_works();
}

TEST_F(LostDevice, LetsNoStreamWaitForASignalThatDoesNotCome) {
  open();
  aclrtStream blocked = blocked_stream();
  lose();
  EXPECT_EQ(aclrtSynchronizeStream(blocked), kLost);
  EXPECT_EQ(aclrtDestroyStream(blocked), kLost) << "it ends, and says what became of its tasks";
}

TEST_F(LostDevice, DoesNotCompleteEvents) {
  open();
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), 0);
  ASSERT_EQ(aclrtRecordEvent(event, stream_), 0);
  ASSERT_EQ(aclrtSynchronizeEvent(event), 0);
  ASSERT_EQ(aclrtStreamWaitEvent(stream_, event), 0);
  lose();
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  EXPECT_EQ(aclrtQueryEventStatus(event, &status), kLost);
  aclrtEventStatus done = ACL_EVENT_STATUS_NOT_READY;
  EXPECT_EQ(aclrtQueryEvent(event, &done), kLost);
  aclrtEventWaitStatus passed = ACL_EVENT_WAIT_STATUS_NOT_READY;
  EXPECT_EQ(aclrtQueryEventWaitStatus(event, &passed), kLost);
  EXPECT_EQ(aclrtSynchronizeEvent(event), kLost);
  float milliseconds = 0;
  EXPECT_EQ(aclrtEventElapsedTime(&milliseconds, event, event), kLost);
  std::uint64_t stamp = 0;
  EXPECT_EQ(aclrtEventGetTimestamp(event, &stamp), kLost);
  EXPECT_EQ(aclrtDestroyEvent(event), 0);
}

TEST_F(LostDevice, DoesNotPassWaitsThatItHasDropped) {
  open();
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), 0);
  aclrtStream waiting = nullptr;
  ASSERT_EQ(aclrtCreateStream(&waiting), 0);
  ASSERT_EQ(aclrtRecordEvent(event, blocked_stream()), 0);
  ASSERT_EQ(aclrtStreamWaitEvent(waiting, event), 0);
  lose();
  aclrtEventWaitStatus passed = ACL_EVENT_WAIT_STATUS_NOT_READY;
  while (aclrtQueryEventWaitStatus(event, &passed) == 0) ASSERT_EQ(passed, ACL_EVENT_WAIT_STATUS_NOT_READY);
}

// The device that is opened anew is another one, and waits on the host.
TEST_F(LostDevice, FailsNewStreamsThatRelyOnItsSignals) {
  open();
  aclrtEvent event = nullptr;
  aclrtNotify notify = nullptr;
  aclrtCntNotify count = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), 0);
  ASSERT_EQ(aclrtCreateNotify(&notify, 0), 0);
  ASSERT_EQ(aclrtCntNotifyCreate(&count, 0), 0);
  aclrtCntNotifyRecordInfo add_one{ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE, 1};
  ASSERT_EQ(aclrtRecordEvent(event, stream_), 0);
  ASSERT_EQ(aclrtRecordNotify(notify, stream_), 0);
  ASSERT_EQ(aclrtCntNotifyRecord(count, stream_, &add_one), 0);
  lose();
  open_anew();
  ASSERT_EQ(aclrtStreamWaitEvent(stream_, event), 0);
  EXPECT_EQ(fill(3), kLost);
  ASSERT_EQ(aclrtWaitAndResetNotify(notify, stream_, 0), 0);
  EXPECT_EQ(fill(3), kLost);
  ASSERT_EQ(aclrtCntNotifyRecord(count, stream_, &add_one), 0);
  aclrtCntNotifyWaitInfo both{ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 2, 0, 0, {}};
  ASSERT_EQ(aclrtCntNotifyWaitWithTimeout(count, stream_, &both), 0);
  EXPECT_EQ(fill(3), kLost) << "one of the two has not been done";

  ASSERT_EQ(aclrtRecordEvent(event, stream_), 0);
  ASSERT_EQ(aclrtStreamWaitEvent(stream_, event), 0);
  ASSERT_EQ(aclrtRecordNotify(notify, stream_), 0);
  ASSERT_EQ(aclrtWaitAndResetNotify(notify, stream_, 0), 0);
  ASSERT_EQ(aclrtCntNotifyReset(count, stream_), 0);
  aclrtCntNotifyWaitInfo none{ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 0, 0, 0, {}};
  ASSERT_EQ(aclrtCntNotifyWaitWithTimeout(count, stream_, &none), 0);
  EXPECT_EQ(fill(3), 0) << "they can be used again: " << aclGetRecentErrMsg();
}

TEST_F(LostDevice, RunsNoHostFunctionAfterLostWork) {
  open();
  std::atomic<int> ran{0};
  const auto count = [](void* counter) { ++*static_cast<std::atomic<int>*>(counter); };
  ASSERT_EQ(aclrtLaunchHostFunc(stream_, count, &ran), 0);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), 0);
  EXPECT_EQ(ran, 1);
  faults_.arm(VulkanResult::kDeviceLost, 1, "vkQueueSubmit2");
  aclrtMemsetAsync(memory_, kBytes, 2, kBytes, stream_);
  aclrtLaunchHostFunc(stream_, count, &ran);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), kLost);
  faults_.disarm();
  EXPECT_EQ(ran, 1);
}

TEST_F(LostDevice, LeavesPinnedMemoryToTheProgram) {
  open();
  void* host = nullptr;
  ASSERT_EQ(aclrtMallocHost(&host, kBytes), 0);
  auto* values = static_cast<std::uint8_t*>(host);
  std::fill(values, values + kBytes, 7);
  void* old_memory = memory_;
  lose();
  open_anew();
  EXPECT_EQ(values[kBytes - 1], 7);
  ASSERT_EQ(aclrtMemcpy(memory_, kBytes, host, kBytes, ACL_MEMCPY_HOST_TO_DEVICE), 0) << aclGetRecentErrMsg();
  std::fill(values, values + kBytes, 0);
  ASSERT_EQ(aclrtMemcpyAsync(host, kBytes, memory_, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream_), 0)
      << aclGetRecentErrMsg();
  ASSERT_EQ(aclrtSynchronizeStream(stream_), 0);
  EXPECT_EQ(values[kBytes - 1], 7);
  EXPECT_EQ(aclrtFreeHost(host), 0) << aclGetRecentErrMsg();
  EXPECT_NE(aclrtFreeHost(host), 0) << "once";
  if (old_memory != memory_) {
    EXPECT_NE(aclrtFree(old_memory), 0) << "device memory has ended with the device";
  }
}

TEST_F(LostDevice, CopiesNothingOfItsMemory) {
  open();
  void* host = nullptr;
  ASSERT_EQ(aclrtMallocHost(&host, kBytes), 0);
  lose();
  EXPECT_EQ(aclrtMemset(memory_, kBytes, 1, kBytes), kLost) << "also where the host sees it";
  EXPECT_EQ(aclrtMemsetD32(memory_, kBytes, 1, 1), kLost);
  EXPECT_EQ(aclrtMemcpy(host, kBytes, memory_, kBytes, ACL_MEMCPY_DEVICE_TO_HOST), kLost);
  EXPECT_EQ(aclrtMemcpy(memory_, kBytes, host, kBytes, ACL_MEMCPY_HOST_TO_DEVICE), kLost);
  EXPECT_EQ(aclrtMemcpy2d(memory_, 64, host, 64, 32, 2, ACL_MEMCPY_HOST_TO_DEVICE), kLost);
  EXPECT_EQ(aclrtMemset(host, kBytes, 1, kBytes), 0) << "host memory is the program's: " << aclGetRecentErrMsg();
  EXPECT_EQ(aclrtFreeHost(host), 0);
  open_anew();
}

TEST_F(LostDevice, GivesOutNothingMore) {
  open();
  aclrtContext context = nullptr;
  aclrtContext explicit_context = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&context), 0);
  ASSERT_EQ(aclrtCreateContext(&explicit_context, 0), 0);
  ASSERT_EQ(aclrtSetCurrentContext(context), 0);
  const auto expect_nothing = [] {
    void* pointer = nullptr;
    EXPECT_EQ(aclrtMalloc(&pointer, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY), kLost);
    EXPECT_EQ(aclrtMallocHost(&pointer, kBytes), kLost);
    EXPECT_EQ(aclrtMemAllocManaged(&pointer, kBytes, ACL_RT_MEM_ATTACH_GLOBAL), kLost);
    EXPECT_EQ(aclrtReserveMemAddress(&pointer, kChunk, 0, nullptr, 0), kLost);
  };
  lose();
  expect_nothing();
  aclrtMemPool pool = nullptr;
  aclrtMemPoolProps props{};
  props.allocType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  props.handleType = ACL_MEM_HANDLE_TYPE_NONE;
  props.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
  EXPECT_EQ(aclrtMemPoolCreate(&pool, &props), kLost);
  open_anew();
  ASSERT_EQ(aclrtSetCurrentContext(explicit_context), 0);
  expect_nothing();
  EXPECT_EQ(aclrtDestroyContext(explicit_context), 0);
}

TEST_F(LostDevice, LeavesItsAddressesToBeReleased) {
  open();
  void* start = nullptr;
  const aclError reserved = aclrtReserveMemAddress(&start, kChunk, 0, nullptr, 0);
  if (reserved == ACL_ERROR_RT_FEATURE_NOT_SUPPORT) GTEST_SKIP() << aclGetRecentErrMsg();
  ASSERT_EQ(reserved, 0);
  lose();
  open_anew();
  EXPECT_EQ(aclrtReleaseMemAddress(start), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclrtReleaseMemAddress(start), ACL_ERROR_RT_PARAM_INVALID) << "once";
}

TEST_F(LostDevice, LeavesItsObjectsToBeDestroyed) {
  open();
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureBegin(stream_, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL), 0);
  add_to_itself();
  ASSERT_EQ(aclmdlRICaptureEnd(stream_, &model), 0);
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), 0);
  ASSERT_EQ(aclrtRecordEvent(event, stream_), 0);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&context), 0);
  aclrtContext other = nullptr;
  ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
  ASSERT_EQ(aclrtSetCurrentContext(context), 0);
  lose();
  EXPECT_EQ(aclmdlRIExecuteAsync(model, stream_), kLost);
  open_anew();
  EXPECT_NE(aclmdlRIExecuteAsync(model, stream_), 0) << "it is a model of the old context";
  EXPECT_EQ(aclmdlRIDestroy(model), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclrtDestroyEvent(event), 0);
  EXPECT_EQ(aclrtDestroyContext(other), 0) << aclGetRecentErrMsg();
  expect_works();
}

TEST_F(LostDevice, IsReportedToListeners) {
  static std::atomic<std::uint32_t> heard{0};
  open();
  ASSERT_EQ(
      aclrtSetExceptionInfoCallback([](aclrtExceptionInfo* info) { heard = aclrtGetErrorCodeFromExceptionInfo(info); }),
      0);
  faults_.arm(VulkanResult::kDeviceLost, 1, "vkQueueSubmit2");
  EXPECT_EQ(fill(2), kLost);
  faults_.disarm();
  EXPECT_EQ(heard, static_cast<std::uint32_t>(kLost));
  EXPECT_EQ(aclrtSetExceptionInfoCallback(nullptr), 0);
}

TEST_F(LostDevice, TakesItsNeighboursAlong) {
  setenv("ACLVK_DEVICES_PER_GPU", "2", 1);
  open();
  ASSERT_EQ(aclrtSetDevice(1), 0);
  aclrtStream neighbour = nullptr;
  ASSERT_EQ(aclrtCreateStream(&neighbour), 0);
  ASSERT_EQ(aclrtSetDevice(0), 0);
  lose();
  EXPECT_EQ(aclrtSynchronizeStream(neighbour), kLost) << "it is one VkDevice";
  ASSERT_EQ(aclrtResetDevice(0), 0);
  open_anew();
  expect_works();
  ASSERT_EQ(aclrtSetDevice(1), 0);
  EXPECT_EQ(aclrtSynchronizeDevice(), kLost) << "each has its own reset";
  ASSERT_EQ(aclrtResetDeviceForce(1), 0);
  ASSERT_EQ(aclrtSetDevice(1), 0);
  EXPECT_EQ(aclrtSynchronizeDevice(), 0) << aclGetRecentErrMsg();
}

// A peer is another process that uses the library, with a device of its own.
TEST_F(LostDevice, TellsOtherProcessesThatAnEventWillNotBeComplete) {
  open();
  aclrtEvent event = nullptr;
  aclrtIpcEventHandle handle{};
  ASSERT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC), 0);
  ASSERT_EQ(aclrtIpcGetEventHandle(event, &handle), 0) << aclGetRecentErrMsg();
  Peer peer;
  ASSERT_EQ(peer.code("import-event " + std::string(handle.reserved, sizeof(handle.reserved))), 0);
  ASSERT_EQ(aclrtRecordEvent(event, blocked_stream()), 0);
  lose();
  EXPECT_EQ(peer.ask("query-event").result, "not-ready");
  ASSERT_EQ(peer.code("wait-event"), 0);
  EXPECT_EQ(peer.code("synchronize 30000"), ACL_ERROR_RT_WAIT_TIMEOUT);
  open_anew();
}

TEST_F(LostDevice, SetsNoNotifyOfOtherProcesses) {
  open();
  aclrtNotify notify = nullptr;
  char key[65] = {};
  ASSERT_EQ(aclrtCreateNotify(&notify, 0), 0);
  ASSERT_EQ(aclrtNotifyGetExportKey(notify, key, sizeof(key), 2), 0);
  Peer peer;
  ASSERT_EQ(peer.code("import-notify " + std::string(key) + " 0"), 0);
  ASSERT_EQ(peer.code("wait-notify"), 0);
  ASSERT_EQ(aclrtRecordNotify(notify, blocked_stream()), 0);
  lose();
  EXPECT_EQ(peer.code("synchronize 300"), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT) << "its work has not been done";
  open_anew();
  ASSERT_EQ(aclrtRecordNotify(notify, stream_), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(peer.code("synchronize 30000"), 0) << "the notify can be used again";
}

}  // namespace
}  // namespace aclvk::test
