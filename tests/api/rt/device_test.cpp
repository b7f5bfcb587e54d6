#include <chrono>
#include <cstdlib>
#include <future>

#include "support/acl_fixture.hpp"

namespace {

using aclvk::test::BlockedStream;
using aclvk::test::on_another_thread;
using DeviceOfPlainProcess = aclvk::test::Plain;
using Device = aclvk::test::OneStream;

aclError allocate_some() {
  void* memory = nullptr;
  const aclError result = aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST);
  if (result == 0) aclrtFree(memory);
  return result;
}

int32_t count() {
  uint32_t devices = 0;
  EXPECT_EQ(aclrtGetDeviceCount(&devices), 0);
  return static_cast<int32_t>(devices);
}

TEST_F(DeviceOfPlainProcess, T025_IsResetAsOftenAsItWasSet) {
  EXPECT_EQ(aclrtSetDevice(0), 0);
  EXPECT_EQ(aclrtSetDevice(0), 0);
  EXPECT_EQ(aclrtResetDevice(0), 0);
  EXPECT_EQ(aclrtResetDevice(0), 0);
  EXPECT_EQ(aclrtResetDevice(0), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
}

TEST_F(DeviceOfPlainProcess, T026_ForceEndsAllReferences) {
  EXPECT_EQ(aclrtSetDevice(0), 0);
  EXPECT_EQ(aclrtResetDeviceForce(0), 0);
  EXPECT_EQ(aclrtResetDevice(0), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
}

TEST_F(DeviceOfPlainProcess, T027_ForceWorksOnce) {
  EXPECT_EQ(aclrtSetDevice(0), 0);
  EXPECT_EQ(aclrtSetDevice(0), 0);
  EXPECT_EQ(aclrtResetDevice(0), 0);
  EXPECT_EQ(aclrtResetDeviceForce(0), 0);
  EXPECT_EQ(aclrtResetDeviceForce(0), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
}

TEST_F(DeviceOfPlainProcess, T029_IdsAreChecked) {
  for (const int32_t id : {-1, count(), 1 << 20}) {
    EXPECT_EQ(aclrtSetDevice(id), ACL_ERROR_RT_INVALID_DEVICEID);
    EXPECT_EQ(aclrtResetDevice(id), ACL_ERROR_RT_INVALID_DEVICEID);
    EXPECT_EQ(aclrtResetDeviceForce(id), ACL_ERROR_RT_INVALID_DEVICEID);
  }
}

TEST_F(DeviceOfPlainProcess, T030_StaysBoundWhileReferencesAreLeft) {
  aclrtSetDevice(0);
  aclrtSetDevice(0);
  aclrtResetDevice(0);
  EXPECT_EQ(allocate_some(), 0);
}

TEST_F(DeviceOfPlainProcess, T031_IsUnboundByTheLastReset) {
  aclrtSetDevice(0);
  aclrtResetDevice(0);
  EXPECT_EQ(allocate_some(), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(DeviceOfPlainProcess, CanBeSetAgainAfterTheLastReset) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(aclrtSetDevice(0), 0);
    EXPECT_EQ(allocate_some(), 0);
    EXPECT_EQ(aclrtResetDevice(0), 0);
  }
}

TEST_F(DeviceOfPlainProcess, T033_ReferencesAreCountedPerProcess) {
  aclrtSetDevice(0);
  on_another_thread([] {
    aclrtSetDevice(0);
    EXPECT_EQ(aclrtResetDevice(0), 0);
  });
  EXPECT_EQ(allocate_some(), 0);
}

TEST_F(DeviceOfPlainProcess, T034_ForceOnAnotherThreadLeavesThisOneWithoutContext) {
  aclrtSetDevice(0);
  on_another_thread([] {
    aclrtSetDevice(0);
    EXPECT_EQ(aclrtResetDeviceForce(0), 0);
  });
  aclrtStream stream = nullptr;
  EXPECT_EQ(aclrtCreateStream(&stream), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(DeviceOfPlainProcess, T035_HasNoCurrentOneAtFirst) {
  int32_t device = 3;
  EXPECT_EQ(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(aclrtGetDevice(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), 0);
}

TEST_F(DeviceOfPlainProcess, CurrentOneIsThatOfTheContext) {
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), 0);
  int32_t device = 3;
  EXPECT_EQ(aclrtGetDevice(&device), 0);
  EXPECT_EQ(device, 0);
}

TEST_F(DeviceOfPlainProcess, T037_CanBeCounted) {
  EXPECT_EQ(aclrtGetDeviceCount(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_GE(count(), 1);
}

TEST_F(DeviceOfPlainProcess, VisibleListIsCutAtTheFirstBadEntry) {
  setenv("ASCEND_RT_VISIBLE_DEVICES", "0,0,1", 1);
  EXPECT_EQ(count(), 1);
  EXPECT_EQ(aclrtSetDevice(0), 0);
  EXPECT_EQ(aclrtSetDevice(1), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST_F(DeviceOfPlainProcess, UnusableVisibleListShowsNoDevice) {
  setenv("ASCEND_RT_VISIBLE_DEVICES", "x,0", 1);
  uint32_t devices = 7;
  EXPECT_EQ(aclrtGetDeviceCount(&devices), ACL_ERROR_RT_NO_DEVICE);
  EXPECT_EQ(aclrtSetDevice(0), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST_F(DeviceOfPlainProcess, NumberingsAgreeWithoutAVisibleList) {
  int32_t id = 7;
  EXPECT_EQ(aclrtGetLogicDevIdByUserDevId(0, &id), 0);
  EXPECT_EQ(id, 0);
  EXPECT_EQ(aclrtGetUserDevIdByLogicDevId(0, &id), 0);
  EXPECT_EQ(aclrtGetLogicDevIdByPhyDevId(0, &id), 0);
  EXPECT_EQ(aclrtGetPhyDevIdByLogicDevId(0, &id), 0);
  EXPECT_EQ(aclrtGetUserDevIdByPhyDevId(0, &id), 0);
  EXPECT_EQ(aclrtGetPhyDevIdByUserDevId(0, &id), 0);
  EXPECT_EQ(id, 0);
}

TEST_F(DeviceOfPlainProcess, NumberingsCheckTheirArguments) {
  int32_t id = 7;
  EXPECT_EQ(aclrtGetLogicDevIdByUserDevId(0, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetUserDevIdByLogicDevId(0, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetLogicDevIdByPhyDevId(0, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetPhyDevIdByLogicDevId(0, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetUserDevIdByPhyDevId(0, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetPhyDevIdByUserDevId(0, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetLogicDevIdByUserDevId(-1, &id), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtGetUserDevIdByLogicDevId(count(), &id), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST_F(DeviceOfPlainProcess, PrimaryContextIsActiveWhileItIsSet) {
  int32_t active = 7;
  EXPECT_EQ(aclrtGetPrimaryCtxState(0, nullptr, &active), 0);
  EXPECT_EQ(active, 0);
  aclrtSetDevice(0);
  EXPECT_EQ(aclrtGetPrimaryCtxState(0, nullptr, &active), 0);
  EXPECT_EQ(active, 1);
  aclrtResetDevice(0);
  EXPECT_EQ(aclrtGetPrimaryCtxState(0, nullptr, &active), 0);
  EXPECT_EQ(active, 0);
}

TEST_F(DeviceOfPlainProcess, PrimaryContextStateChecksItsArguments) {
  int32_t active = 0;
  uint32_t flags = 0;
  EXPECT_EQ(aclrtGetPrimaryCtxState(0, &flags, &active), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetPrimaryCtxState(0, nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetPrimaryCtxState(-1, nullptr, &active), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST_F(Device, T038_IsUsedFromAHost) {
  aclrtRunMode mode = ACL_DEVICE;
  EXPECT_EQ(aclrtGetRunMode(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetRunMode(&mode), 0);
  EXPECT_EQ(mode, ACL_HOST);
}

TEST_F(Device, T039_HasTwoTaskSchedulers) {
  EXPECT_EQ(aclrtSetTsDevice(ACL_TS_ID_AICORE), 0);
  EXPECT_EQ(aclrtSetTsDevice(ACL_TS_ID_AIVECTOR), 0);
  EXPECT_EQ(aclrtSetTsDevice(static_cast<aclrtTsId>(5)), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Device, T041_IsWaitedForWithASensibleTimeout) {
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(-2), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(-1), 0);
}

TEST_F(Device, T042_IsWaitedForNoLongerThanTheTimeout) {
  BlockedStream blocked(s);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(50), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(45));
  blocked.release();
  EXPECT_EQ(aclrtSynchronizeDevice(), 0);
}

TEST_F(DeviceOfPlainProcess, IsWaitedForInAContext) {
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(10), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(Device, T043_HasPrioritiesFrom7To0) {
  int32_t least = -1;
  int32_t greatest = -1;
  EXPECT_EQ(aclrtDeviceGetStreamPriorityRange(&least, &greatest), 0);
  EXPECT_EQ(least, 7);
  EXPECT_EQ(greatest, 0);
  EXPECT_EQ(aclrtDeviceGetStreamPriorityRange(nullptr, nullptr), 0);
}

TEST_F(Device, T045_DoesNotReturnItsUtilization) {
  aclrtUtilizationInfo info{};
  EXPECT_EQ(aclrtGetDeviceUtilizationRate(0, &info), 0);
  EXPECT_EQ(info.memoryUtilization, -1);
  EXPECT_EQ(aclrtGetDeviceUtilizationRate(0, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetDeviceUtilizationRate(-1, &info), ACL_ERROR_RT_INVALID_DEVICEID);
  info.utilizationExtend = reinterpret_cast<aclrtUtilizationExtendInfo*>(&info);
  EXPECT_EQ(aclrtGetDeviceUtilizationRate(0, &info), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Device, T046_UnknownAttributesAreRefused) {
  int64_t value = 0;
  EXPECT_EQ(aclrtGetDeviceInfo(0, static_cast<aclrtDevAttr>(99999), &value), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_AICORE_CORE_NUM, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetDeviceInfo(1000, ACL_DEV_ATTR_AICORE_CORE_NUM, &value), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST_F(Device, TellsItsCoresAndMemory) {
  int64_t value = 0;
  EXPECT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_VECTOR_CORE_NUM, &value), 0);
  EXPECT_GE(value, 1);
  EXPECT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, &value), 0);
  EXPECT_GE(value, int64_t{1} << 26);
  EXPECT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_L2_CACHE_SIZE, &value), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(Device, T049_IsNoPeerOfItself) {
  int32_t can = 7;
  EXPECT_EQ(aclrtDeviceCanAccessPeer(&can, 0, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtDeviceCanAccessPeer(&can, 0, 1000), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST_F(Device, T050_PeerAccessTakesNoFlags) {
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 1), ACL_ERROR_FEATURE_UNSUPPORTED);
}

TEST_F(Device, T051_PeerAccessToItselfIsRefused) {
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(0, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtDeviceDisablePeerAccess(0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(1000, 0), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST_F(DeviceOfPlainProcess, PeerAccessNeedsAContext) {
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(0, 0), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(aclrtDeviceDisablePeerAccess(0), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(Device, T053_SaturationModesAreChecked) {
  EXPECT_EQ(aclrtSetDeviceSatMode(static_cast<aclrtFloatOverflowMode>(7)), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtGetDeviceSatMode(nullptr), ACL_ERROR_INVALID_PARAM);
  aclrtFloatOverflowMode mode = ACL_RT_OVERFLOW_MODE_UNDEF;
  EXPECT_EQ(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN), 0);
  EXPECT_EQ(aclrtGetDeviceSatMode(&mode), 0);
  EXPECT_EQ(mode, ACL_RT_OVERFLOW_MODE_INFNAN);
}

TEST_F(Device, T054_StatusIsNormal) {
  aclrtDeviceStatus status = ACL_RT_DEVICE_STATUS_ABNORMAL;
  EXPECT_EQ(aclrtQueryDeviceStatus(0, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtQueryDeviceStatus(-1, &status), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtQueryDeviceStatus(0, &status), 0);
  EXPECT_EQ(status, ACL_RT_DEVICE_STATUS_NORMAL);
}

TEST_F(Device, ResettingItMakesTheHandlesOfItsStreamsStale) {
  ASSERT_EQ(aclrtResetDevice(0), 0);
  ASSERT_EQ(aclrtSetDevice(0), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(Device, ListenersHearOfSetAndReset) {
  static int seen = 0;
  const auto listener = [](int32_t device, aclrtDeviceState state, void*) {
    EXPECT_EQ(device, 0);
    seen = seen * 10 + static_cast<int>(state);
  };
  EXPECT_EQ(aclrtRegDeviceStateCallback(nullptr, listener, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtRegDeviceStateCallback("x", listener, nullptr), 0);
  aclrtSetDevice(0);
  aclrtResetDevice(0);
  EXPECT_EQ(seen, 123);  // 0 set-pre, 1 set-post, 2 reset-pre, 3 reset-post
  EXPECT_EQ(aclrtResetDevice(0), 0);
  seen = 0;
  EXPECT_EQ(aclrtResetDevice(0), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
  EXPECT_EQ(seen, 0);  // nothing is reset
  EXPECT_EQ(aclrtRegDeviceStateCallback("x", nullptr, nullptr), 0);
}

}  // namespace
