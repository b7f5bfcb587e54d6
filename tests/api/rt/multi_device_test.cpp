// Several devices on one Vulkan device (runtime-semantics 2).
#include <set>
#include <vector>

#include "support/devices_fixture.hpp"

namespace aclvk::test {
namespace {

using Devices = ThreeDevices;

std::int32_t current_device() {
  std::int32_t device = -1;
  EXPECT_EQ(aclrtGetDevice(&device), 0);
  return device;
}

TEST_F(Devices, AreCounted) {
  std::uint32_t count = 0;
  EXPECT_EQ(aclrtGetDeviceCount(&count), 0);
  EXPECT_GE(count, 3U);
  EXPECT_EQ(count % 3, 0U);
  EXPECT_EQ(aclrtSetDevice(static_cast<std::int32_t>(count)), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST_F(Devices, HaveContextsAndDefaultStreamsOfTheirOwn) {
  std::set<aclrtContext> contexts;
  std::set<aclrtStream> streams;
  for (std::int32_t device = 0; device < kDevices; ++device) {
    const OnDevice on(device);
    EXPECT_EQ(current_device(), device);
    aclrtContext context = nullptr;
    aclrtStream stream = nullptr;
    EXPECT_EQ(aclrtGetCurrentContext(&context), 0);
    EXPECT_EQ(aclrtCtxGetCurrentDefaultStream(&stream), 0);
    contexts.insert(context);
    streams.insert(stream);
  }
  EXPECT_EQ(contexts.size(), 3U);
  EXPECT_EQ(streams.size(), 3U);
}

TEST_F(Devices, AreCountedAndResetOneByOne) {
  ASSERT_EQ(aclrtSetDevice(1), 0);
  EXPECT_EQ(aclrtResetDeviceForce(1), 0);
  EXPECT_EQ(aclrtResetDevice(1), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
  std::int32_t active = 7;
  EXPECT_EQ(aclrtGetPrimaryCtxState(1, nullptr, &active), 0);
  EXPECT_EQ(active, 0);
  EXPECT_EQ(aclrtGetPrimaryCtxState(2, nullptr, &active), 0);
  EXPECT_EQ(active, 1);
  ASSERT_EQ(aclrtSetDevice(1), 0);  // for the fixture
  ASSERT_EQ(aclrtSetDevice(0), 0);
  EXPECT_EQ(aclrtResetDevice(0), 0);
}

TEST_F(Devices, StreamsBelongToOne) {
  const aclrtStream other = stream_on(1);
  const auto cell = cell_on(0);
  EXPECT_EQ(aclrtMemsetAsync(cell->address(), 4, 1, 4, other), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtDestroyStream(other), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtSynchronizeStream(other), 0);
  EXPECT_EQ(current_device(), 0);
}

TEST_F(Devices, WorkSideBySide) {
  std::vector<std::unique_ptr<Cell>> cells;
  std::vector<aclrtStream> streams;
  for (std::int32_t device = 0; device < kDevices; ++device) {
    cells.push_back(cell_on(device, static_cast<float>(device)));
    streams.push_back(stream_on(device));
    const OnDevice on(device);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(increment(*cells.back(), streams.back()), 0) << aclGetRecentErrMsg();
  }
  for (std::size_t device = 0; device < cells.size(); ++device) {
    sync(streams[device]);
    EXPECT_EQ(cells[device]->value(), 10 + static_cast<float>(device));
  }
}

TEST_F(Devices, SynchronisingOneDoesNotWaitForAnother) {
  const aclrtStream other = stream_on(1);
  const OnDevice on(1);
  BlockedStream blocked(other);
  {
    const OnDevice first(0);
    EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(30000), 0);
  }
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(50), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  blocked.release();
}

// Memory.

TEST_F(Devices, PointersKnowTheirDevice) {
  for (std::int32_t device = 0; device < kDevices; ++device) {
    const auto cell = cell_on(device);
    aclrtPtrAttributes attributes{};
    EXPECT_EQ(aclrtPointerGetAttributes(cell->address(), &attributes), 0);
    EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
    EXPECT_EQ(attributes.location.id, static_cast<std::uint32_t>(device));
  }
}

TEST_F(Devices, ShareTheMemoryEvenly) {
  std::size_t free = 0;
  std::size_t total = 0;
  std::set<std::size_t> totals;
  for (std::int32_t device = 0; device < kDevices; ++device) {
    const OnDevice on(device);
    EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), 0);
    EXPECT_LE(free, total);
    totals.insert(total);
  }
  EXPECT_EQ(totals.size(), 1U);
  std::int64_t known = 0;
  EXPECT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, &known), 0);
  EXPECT_EQ(static_cast<std::size_t>(known), total);
  void* memory = nullptr;
  EXPECT_EQ(aclrtMalloc(&memory, total + 1, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_ERROR_RT_MEMORY_ALLOCATION);
}

TEST_F(Devices, UseUpTheirOwnMemoryOnly) {
  std::size_t before = 0;
  std::size_t after = 0;
  std::size_t total = 0;
  EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &before, &total), 0);
  const auto cell = cell_on(1);
  EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &after, &total), 0);
  EXPECT_EQ(after, before);
}

TEST_F(Devices, FreeMemoryOfEachOther) {
  void* memory = nullptr;
  {
    const OnDevice on(2);
    ASSERT_EQ(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
  }
  EXPECT_EQ(aclrtFree(memory), 0);
  EXPECT_NE(aclrtFree(memory), 0);
}

TEST_F(Devices, CopyFromOneToAnother) {
  const auto from = cell_on(1, 5);
  const auto to = cell_on(2);
  EXPECT_EQ(aclrtMemcpy(to->address(), to->bytes(), from->address(), from->bytes(), ACL_MEMCPY_DEVICE_TO_DEVICE), 0);
  EXPECT_EQ(to->value(), 5);
}

TEST_F(Devices, CopyInStreamOrderFromOneToAnother) {
  const auto from = cell_on(0, 5);
  const auto to = cell_on(1);
  const aclrtStream stream = stream_on(0);
  EXPECT_EQ(increment(*from, stream), 0);
  EXPECT_EQ(
      aclrtMemcpyAsync(to->address(), to->bytes(), from->address(), from->bytes(), ACL_MEMCPY_DEVICE_TO_DEVICE, stream),
      0);
  sync(stream);
  EXPECT_EQ(to->value(), 6);
}

TEST_F(Devices, UsePinnedMemoryOfEachOther) {
  const Pinned<float> pinned(8, 3);
  const auto cell = cell_on(1);
  const aclrtStream stream = stream_on(1);
  const OnDevice on(1);
  ASSERT_EQ(aclmdlRICaptureBegin(stream, kThreadLocal), 0);  // a captured copy has to be a task of the stream
  EXPECT_EQ(aclrtMemcpyAsync(cell->address(), cell->bytes(), pinned.data(), pinned.bytes(), ACL_MEMCPY_HOST_TO_DEVICE,
                             stream),
            0)
      << aclGetRecentErrMsg();
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureEnd(stream, &model), 0);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, stream), 0);
  sync(stream);
  EXPECT_EQ(cell->value(), 3);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

// Peers (2.10).

std::int32_t peer_status(std::int32_t device, std::int32_t peer) {
  std::int32_t status = 7;
  EXPECT_EQ(aclrtDevicePeerAccessStatus(device, peer, &status), 0);
  return status;
}

TEST_F(Devices, T049_ChecksOfPeersHaveAnOrder) {
  std::int32_t can = 7;
  EXPECT_EQ(aclrtDeviceCanAccessPeer(nullptr, 1, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtDeviceCanAccessPeer(nullptr, 0, 1000), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtDeviceCanAccessPeer(nullptr, 0, 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtDeviceCanAccessPeer(&can, 0, 1), 0);
  EXPECT_EQ(can, 1);
  EXPECT_EQ(aclrtDeviceCanAccessPeer(&can, 2, 1), 0);
  EXPECT_EQ(can, 1);
}

TEST_F(Devices, T050_T051_enabling_has_an_order_of_checks) {
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(0, 1), ACL_ERROR_FEATURE_UNSUPPORTED);
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(0, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(1000, 0), ACL_ERROR_RT_INVALID_DEVICEID);
  on_another_thread([] { EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 0), ACL_ERROR_RT_CONTEXT_NULL); });
  EXPECT_EQ(peer_status(0, 1), 0);
}

TEST_F(Devices, KernelsUseMemoryOfAPeerOnlyWithAccess) {
  const auto own = cell_on(0, 1);
  const auto remote = cell_on(1, 10);
  const aclrtStream stream = stream_on(0);
  EXPECT_EQ(add(*remote, 1, *own, stream), kLaunchRefused);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("device 0 has no peer access"), std::string::npos);
  EXPECT_EQ(aclrtMemsetAsync(remote->address(), 4, 0, 4, stream), ACL_ERROR_RT_PARAM_INVALID);

  EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 0), 0);
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 0), 0);
  EXPECT_EQ(peer_status(0, 1), 1);
  EXPECT_EQ(peer_status(1, 0), 0);
  EXPECT_EQ(peer_status(0, 2), 0);
  EXPECT_EQ(add(*remote, 1, *own, stream), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(add(*own, 1, *remote, stream), 0) << aclGetRecentErrMsg();
  sync(stream);
  EXPECT_EQ(own->value(), 11);
  EXPECT_EQ(remote->value(), 12);

  EXPECT_EQ(aclrtDeviceDisablePeerAccess(1), 0);
  EXPECT_EQ(peer_status(0, 1), 0);
  EXPECT_EQ(add(*remote, 1, *own, stream), kLaunchRefused);
}

TEST_F(Devices, AccessGoesOneWay) {
  const auto cell = cell_on(0);
  const auto remote = cell_on(1);
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 0), 0);
  const aclrtStream stream = stream_on(1);
  const OnDevice on(1);
  EXPECT_EQ(add(*cell, 1, *remote, stream), kLaunchRefused);
}

TEST_F(Devices, CopiesBetweenPeersCanBeCaptured) {
  const auto from = cell_on(1, 4);
  const auto to = cell_on(0);
  const aclrtStream stream = stream_on(0);
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 0), 0);
  ASSERT_EQ(aclmdlRICaptureBegin(stream, kThreadLocal), 0);
  EXPECT_EQ(
      aclrtMemcpyAsync(to->address(), to->bytes(), from->address(), from->bytes(), ACL_MEMCPY_DEVICE_TO_DEVICE, stream),
      0)
      << aclGetRecentErrMsg();
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureEnd(stream, &model), 0);
  EXPECT_EQ(to->value(), 0);
  for (const float value : {4.0F, 9.0F}) {
    from->set(value);
    EXPECT_EQ(aclmdlRIExecuteAsync(model, stream), 0) << aclGetRecentErrMsg();
    sync(stream);
    EXPECT_EQ(to->value(), value);
  }
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

TEST_F(Devices, CapturesDoNotReachMemoryOfOthersWithoutAccess) {
  const auto from = cell_on(1, 4);
  const auto to = cell_on(0);
  const aclrtStream stream = stream_on(0);
  ASSERT_EQ(aclmdlRICaptureBegin(stream, kThreadLocal), 0);
  EXPECT_EQ(
      aclrtMemcpyAsync(to->address(), to->bytes(), from->address(), from->bytes(), ACL_MEMCPY_DEVICE_TO_DEVICE, stream),
      ACL_ERROR_RT_PARAM_INVALID);
  aclmdlRI model = nullptr;
  EXPECT_EQ(aclmdlRICaptureEnd(stream, &model), 0);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

// Events.

TEST_F(Devices, WaitForEachOther) {
  const auto cell = cell_on(0);
  const auto copy = cell_on(1);
  const aclrtStream here = stream_on(0);
  const aclrtStream there = stream_on(1);
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC), 0);
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 0), 0);
  {
    const OnDevice on(1);
    EXPECT_EQ(aclrtDeviceEnablePeerAccess(0, 0), 0);
  }
  for (int round = 1; round <= 20; ++round) {
    EXPECT_EQ(increment(*cell, here), 0);
    EXPECT_EQ(aclrtRecordEvent(event, here), 0);
    {
      const OnDevice on(1);
      EXPECT_EQ(aclrtStreamWaitEvent(there, event), 0);
      EXPECT_EQ(add(*cell, 0, *copy, there), 0) << aclGetRecentErrMsg();
      EXPECT_EQ(aclrtRecordEvent(event, there), 0);
    }
    EXPECT_EQ(aclrtStreamWaitEvent(here, event), 0);
  }
  sync(there);
  EXPECT_EQ(copy->value(), 20);
  EXPECT_EQ(aclrtDestroyEvent(event), 0);
}

TEST_F(Devices, WaitForRecordsThatComeLater) {
  const aclrtStream here = stream_on(0);
  const aclrtStream there = stream_on(1);
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(here, event), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(here, 50), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  {
    const OnDevice on(1);
    EXPECT_EQ(aclrtRecordEvent(event, there), 0);
  }
  sync(here);
  EXPECT_EQ(aclrtDestroyEvent(event), 0);
}

// Callbacks, failures.

TEST_F(Devices, AThreadServesCallbacksOfOne) {
  EXPECT_EQ(aclrtSubscribeReport(1, stream_on(0)), 0);
  EXPECT_EQ(aclrtSubscribeReport(1, stream_on(0)), 0);
  EXPECT_EQ(aclrtSubscribeReport(1, stream_on(1)), ACL_ERROR_RT_THREAD_SUBSCRIBE);
  EXPECT_EQ(aclrtSubscribeReport(2, stream_on(1)), 0);
}

TEST_F(Devices, AbortingTheTasksOfOneLeavesThoseOfOthers) {
  const aclrtStream other = stream_on(1);
  const OnDevice on(1);
  BlockedStream blocked(other);
  EXPECT_EQ(aclrtDeviceTaskAbort(0, 30000), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(other, 50), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  blocked.release();
  sync(other);
}

// ASCEND_RT_VISIBLE_DEVICES.

class VisibleDevices : Settings, public testing::Test {
 protected:
  VisibleDevices() : Settings({{"ACLVK_DEVICES_PER_GPU", "4"}, {"ASCEND_RT_VISIBLE_DEVICES", "3,1,1,2"}}) {}
};

TEST_F(VisibleDevices, AreRenumberedAndCutAtARepetition) {
  std::uint32_t count = 0;
  EXPECT_EQ(aclrtGetDeviceCount(&count), 0);
  EXPECT_EQ(count, 2U);
  std::int32_t logical = -1;
  EXPECT_EQ(aclrtGetLogicDevIdByUserDevId(0, &logical), 0);
  EXPECT_EQ(logical, 3);
  EXPECT_EQ(aclrtGetLogicDevIdByUserDevId(1, &logical), 0);
  EXPECT_EQ(logical, 1);
  EXPECT_EQ(aclrtSetDevice(2), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtSetDevice(1), 0);
  EXPECT_EQ(aclrtResetDevice(1), 0);
}

TEST_F(VisibleDevices, CanBePeers) {
  ASSERT_EQ(aclrtSetDevice(0), 0);
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 0), 0);
  std::int32_t status = 0;
  EXPECT_EQ(aclrtDevicePeerAccessStatus(0, 1, &status), 0);
  EXPECT_EQ(status, 1);
  EXPECT_EQ(aclrtResetDevice(0), 0);
  EXPECT_EQ(aclrtDevicePeerAccessStatus(0, 1, &status), 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace aclvk::test
