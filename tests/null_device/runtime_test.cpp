// What the runtime does with a device: the test decides when the device works, and when it fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>

#include "null_device/chosen_devices.hpp"
#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

constexpr aclError kLost = ACL_ERROR_RT_DRV_INTERNAL_ERROR;
constexpr std::size_t kBytes = 64;
constexpr std::size_t kLarge = std::size_t{8} << 20;  // has a buffer of its own

class OnNullDevice : public OneStream {
 protected:
  void SetUp() override {
    OneStream::SetUp();
    device = opened_null_device();
    ASSERT_NE(device, nullptr);
    ASSERT_EQ(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    ASSERT_EQ(aclrtMemset(memory, kBytes, 0, kBytes), 0);
  }

  aclError fill(int value, aclrtStream stream) { return aclrtMemsetAsync(memory, kBytes, value, kBytes, stream); }
  std::uint8_t byte() const {
    std::uint8_t value = 0;
    EXPECT_EQ(aclrtMemcpy(&value, 1, memory, 1, ACL_MEMCPY_DEVICE_TO_HOST), 0) << aclGetRecentErrMsg();
    return value;
  }
  static bool is_complete(aclrtStream stream) {
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    EXPECT_EQ(aclrtStreamQuery(stream, &status), 0) << aclGetRecentErrMsg();
    return status == ACL_STREAM_STATUS_COMPLETE;
  }

  std::shared_ptr<NullDevice> device;
  void* memory = nullptr;
};

/// The device works in advance() alone.
class OnSteppedDevice : public OnNullDevice {
 protected:
  void SetUp() override {
    OnNullDevice::SetUp();
    ASSERT_EQ(aclrtSynchronizeDevice(), 0);
    device->set_stepwise(true);
  }
  void TearDown() override {
    device->set_stepwise(false);
    OnNullDevice::TearDown();
  }
  /// Runs all that can run.
  void advance() {
    while (device->advance()) {
    }
  }
};

TEST_F(OnSteppedDevice, StreamIsCompleteWhenTheDeviceIs) {
  EXPECT_TRUE(is_complete(s));
  ASSERT_EQ(fill(1, s), 0);
  EXPECT_FALSE(is_complete(s));
  EXPECT_EQ(byte(), 0);
  advance();
  EXPECT_TRUE(is_complete(s));
  EXPECT_EQ(byte(), 1);
}

TEST_F(OnSteppedDevice, EventIsReachedWhenTheWorkBeforeItIs) {
  const aclrtEvent event = new_event_ex(ACL_EVENT_SYNC);
  ASSERT_EQ(fill(1, s), 0);
  ASSERT_EQ(aclrtRecordEvent(event, s), 0);
  ASSERT_FALSE(is_complete(s));  // submits what is recorded
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  EXPECT_EQ(aclrtQueryEventStatus(event, &status), 0);
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_NOT_READY);
  advance();
  EXPECT_EQ(aclrtQueryEventStatus(event, &status), 0);
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_COMPLETE);
}

TEST_F(OnSteppedDevice, StreamsWaitForEachOtherOnTheDevice) {
  const aclrtStream other = new_stream();
  const aclrtEvent event = new_event_ex(ACL_EVENT_SYNC);
  ASSERT_EQ(fill(1, s), 0);
  ASSERT_EQ(aclrtRecordEvent(event, s), 0);
  ASSERT_EQ(aclrtStreamWaitEvent(other, event), 0);
  ASSERT_EQ(fill(2, other), 0);
  EXPECT_FALSE(is_complete(s));
  EXPECT_FALSE(is_complete(other));
  advance();
  EXPECT_TRUE(is_complete(s));
  EXPECT_TRUE(is_complete(other));
  EXPECT_EQ(byte(), 2);
}

TEST_F(OnSteppedDevice, RecordsWaitWhenTooManyTasksAreThrottled) {
  constexpr int kRecords = 20000;
  const aclrtEvent event = new_event_ex(ACL_EVENT_SYNC);
  for (int i = 0; i < 2000; ++i) ASSERT_EQ(fill(1, s), 0);  // 1,024 of them are on the device
  std::atomic<int> records{0};
  const auto program = std::async(std::launch::async, [&] {
    EXPECT_EQ(aclrtSetDevice(0), 0);
    for (; records < kRecords; ++records) EXPECT_EQ(aclrtRecordEvent(event, s), 0);
  });
  EXPECT_EQ(program.wait_for(std::chrono::seconds(1)), std::future_status::timeout);
  EXPECT_LE(records, 16384);
  while (program.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready) advance();
  EXPECT_EQ(records, kRecords);
  device->set_stepwise(false);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

TEST_F(OnSteppedDevice, SynchronisationEndsAtItsTimeout) {
  ASSERT_EQ(fill(1, s), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 10), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  advance();
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 10000), 0);
}

TEST_F(OnSteppedDevice, FreedMemoryIsNotReusedBeforeItsLastUse) {
  ASSERT_EQ(fill(1, s), 0);
  ASSERT_FALSE(is_complete(s));
  ASSERT_EQ(aclrtFree(memory), 0);
  void* other = nullptr;
  ASSERT_EQ(aclrtMalloc(&other, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
  EXPECT_NE(other, memory);
  advance();
  void* again = nullptr;
  ASSERT_EQ(aclrtMalloc(&again, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
  EXPECT_EQ(again, memory);
}

TEST_F(OnNullDevice, KernelGetsItsOperands) {
  const Cell cell(1);
  const std::size_t before = device->kernels().count();
  EXPECT_EQ(increment(cell, s, 2), 0);
  sync(s);
  EXPECT_EQ(cell.value(), 3);
  ASSERT_EQ(device->kernels().count(), before + 1);
  const NullLaunch launch = device->kernels().launches().back();
  EXPECT_EQ(launch.kernel, "elementwise/binary_f32");
  EXPECT_EQ(launch.groups, (std::array<std::uint32_t, 3>{1, 1, 1}));
  ASSERT_EQ(launch.operands.size(), 3u);
  EXPECT_EQ(launch.operands.front().address, reinterpret_cast<std::uintptr_t>(cell.address()));
  EXPECT_EQ(launch.operands.back().address, reinterpret_cast<std::uintptr_t>(cell.address()));
  EXPECT_EQ(launch.operands.back().bytes, cell.bytes());
  EXPECT_EQ(launch.operands.front().access, vk::Access::kRead);
}

// The library gives idle memory back, and tries again.
TEST_F(OnNullDevice, AllocationThatFailsOnceSucceeds) {
  void* large = nullptr;
  device->plan(NullCall::kAllocate, NullFault::kOutOfMemory);
  ASSERT_EQ(aclrtMalloc(&large, kLarge, ACL_MEM_MALLOC_NORMAL_ONLY), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclrtFree(large), 0);
}

TEST_F(OnNullDevice, AllocationThatFailsTwiceIsRefusedAndTheNextOneSucceeds) {
  void* large = nullptr;
  device->plan(NullCall::kAllocate, NullFault::kOutOfMemory, 0, 2);
  EXPECT_EQ(aclrtMalloc(&large, kLarge, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(aclrtMalloc(&large, kLarge, ACL_MEM_MALLOC_NORMAL_ONLY), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclrtFree(large), 0);
}

TEST_F(OnNullDevice, RefusedSubmissionIsReportedAndTheStreamWorksOn) {
  device->plan(NullCall::kSubmit, NullFault::kOutOfMemory);
  const aclError launched = fill(1, s);
  const aclError done = aclrtSynchronizeStream(s);
  EXPECT_EQ(std::max(launched, done), ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(byte(), 0);
  ASSERT_EQ(fill(2, s), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(byte(), 2);
}

TEST_F(OnNullDevice, LostDeviceFailsItsStreamsAndIsOpenedAnew) {
  device->lose();
  EXPECT_EQ(aclrtSynchronizeStream(s), kLost);
  EXPECT_EQ(fill(1, s), kLost);
  EXPECT_EQ(aclrtSynchronizeDevice(), kLost);
  aclrtDeviceStatus status = ACL_RT_DEVICE_STATUS_NORMAL;
  EXPECT_EQ(aclrtQueryDeviceStatus(0, &status), 0);
  EXPECT_EQ(status, ACL_RT_DEVICE_STATUS_ABNORMAL);
  ASSERT_EQ(aclrtResetDevice(0), 0) << aclGetRecentErrMsg();
  ASSERT_EQ(aclrtSetDevice(0), 0) << aclGetRecentErrMsg();
  EXPECT_NE(opened_null_device(), device);
  ASSERT_EQ(aclrtCreateStream(&s), 0) << aclGetRecentErrMsg();
  ASSERT_EQ(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY), 0) << aclGetRecentErrMsg();
  ASSERT_EQ(fill(3, s), 0) << aclGetRecentErrMsg();
  ASSERT_EQ(aclrtSynchronizeStream(s), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(byte(), 3);
}

}  // namespace
}  // namespace aclvk::test
