// Questions about memory, caches, links and broken cells: what T183 and T198 leave open.
#include "support/capture_fixture.hpp"
#include "support/memory_fixture.hpp"

namespace aclvk::test {
namespace {

using MemoryFacts = OneBuffer;

std::uint64_t used_by(const char* part, bool peak = false) {
  aclrtMemUsageInfo infos[8] = {};
  size_t count = 0;
  EXPECT_EQ(aclrtGetMemUsageInfo(0, infos, 8, &count), 0);
  for (size_t i = 0; i < count; ++i) {
    if (std::string(infos[i].name) == part) return peak ? infos[i].memPeakSize : infos[i].curMemSize;
  }
  ADD_FAILURE() << "no part is called " << part;
  return 0;
}

TEST_F(MemoryFacts, UsageFollowsAllocations) {
  const std::uint64_t before = used_by("allocations");
  EXPECT_GE(before, kSize);
  void* p = nullptr;
  ASSERT_EQ(aclrtMalloc(&p, 1 << 20, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  EXPECT_GE(used_by("allocations"), before + (1 << 20));
  ASSERT_EQ(aclrtFree(p), 0);
  EXPECT_EQ(used_by("allocations"), before);
  EXPECT_GE(used_by("allocations", true), before + (1 << 20)) << "the peak stays";
  EXPECT_EQ(used_by("pools"), 0U);
}

TEST_F(MemoryFacts, UsageBadArguments) {
  aclrtMemUsageInfo info{};
  size_t count = 0;
  EXPECT_EQ(aclrtGetMemUsageInfo(0, nullptr, 1, &count), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetMemUsageInfo(0, &info, 1, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetMemUsageInfo(0, &info, 0, &count), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtGetMemUsageInfo(999, &info, 1, &count), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtGetMemUsageInfo(0, &info, 1, &count), 0);
  EXPECT_EQ(count, 1U) << "no more than fit";
}

TEST_F(MemoryFacts, PointersAreOfATypeOrNot) {
  int on_stack = 0;
  void* device[] = {d, static_cast<char*>(d) + 8};
  void* mixed[] = {d, &on_stack};
  std::uint32_t result = 9;
  ASSERT_EQ(aclrtCheckMemType(device, 2, ACL_RT_MEM_TYPE_DEV, &result, 0), 0);
  EXPECT_EQ(result, 1U);
  ASSERT_EQ(aclrtCheckMemType(mixed, 2, ACL_RT_MEM_TYPE_DEV, &result, 0), 0);
  EXPECT_EQ(result, 0U);
  ASSERT_EQ(aclrtCheckMemType(device, 2, ACL_RT_MEM_TYPE_DVPP, &result, 0), 0);
  EXPECT_EQ(result, 0U);
  ASSERT_EQ(aclrtCheckMemType(device, 2, ACL_RT_MEM_TYPE_DEV | ACL_RT_MEM_TYPE_DVPP, &result, 0), 0);
  EXPECT_EQ(result, 1U);
  ASSERT_EQ(aclrtCheckMemType(&h, 1, ACL_RT_MEM_TYPE_DEV, &result, 0), 0);
  EXPECT_EQ(result, 0U) << "pinned";
  EXPECT_EQ(aclrtCheckMemType(nullptr, 2, ACL_RT_MEM_TYPE_DEV, &result, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCheckMemType(device, 2, ACL_RT_MEM_TYPE_DEV, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCheckMemType(device, 0, ACL_RT_MEM_TYPE_DEV, &result, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCheckMemType(device, 2, ACL_RT_MEM_TYPE_DEV, &result, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCheckMemType(device, 2, 0, &result, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtCheckMemType(device, 2, 1, &result, 0), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(MemoryFacts, WhatReachesMappedHostMemory) {
  auto answer = aclrtHostMemMapCapability(9);
  ASSERT_EQ(aclrtHostMemMapCapabilities(0, ACL_RT_HAC_TYPE_DVPP, &answer), 0);
  EXPECT_EQ(answer, ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED) << "there is none";
  ASSERT_EQ(aclrtHostMemMapCapabilities(0, ACL_RT_HAC_TYPE_AIV, &answer), 0);
  void* memory = std::aligned_alloc(4096, 4096);
  const bool registers = aclrtHostRegisterV2(memory, 4096, ACL_HOST_REG_MAPPED) == 0;
  EXPECT_EQ(answer, registers ? ACL_RT_HOST_MEM_MAP_SUPPORTED : ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED);
  if (registers) {
    EXPECT_EQ(aclrtHostUnregister(memory), 0);
  }
  std::free(memory);
  EXPECT_EQ(aclrtHostMemMapCapabilities(0, ACL_RT_HAC_TYPE_AIV, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtHostMemMapCapabilities(999, ACL_RT_HAC_TYPE_AIV, &answer), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtHostMemMapCapabilities(0, aclrtHacType(10), &answer), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(MemoryFacts, AtomicOperations) {
  const aclrtAtomicOperation operations[] = {ACL_RT_ATOMIC_OPERATION_INTEGER_ADD, ACL_RT_ATOMIC_OPERATION_DMA_ADD};
  std::uint32_t capabilities[] = {99, 99};
  ASSERT_EQ(aclrtDeviceGetHostAtomicCapabilities(capabilities, operations, 2, 0), 0);
  EXPECT_NE(capabilities[0], 99U);
  EXPECT_EQ(capabilities[1], 0U) << "there is no such unit";
  ASSERT_EQ(aclrtDeviceGetP2PAtomicCapabilities(capabilities, operations, 2, 0, 0), 0);
  EXPECT_NE(capabilities[0] & ACL_RT_ATOMIC_CAPABILITY_SCALAR32, 0U) << "its own memory";
  EXPECT_EQ(aclrtDeviceGetHostAtomicCapabilities(nullptr, operations, 2, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtDeviceGetHostAtomicCapabilities(capabilities, nullptr, 2, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtDeviceGetHostAtomicCapabilities(capabilities, operations, 0, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtDeviceGetHostAtomicCapabilities(capabilities, operations, 2, 999), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtDeviceGetP2PAtomicCapabilities(nullptr, operations, 2, 0, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtDeviceGetP2PAtomicCapabilities(capabilities, operations, 2, 0, 999), ACL_ERROR_RT_INVALID_DEVICEID);
  const auto unknown = aclrtAtomicOperation(20);
  EXPECT_EQ(aclrtDeviceGetHostAtomicCapabilities(capabilities, &unknown, 1, 0), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(MemoryFacts, NoCellWasReportedAsBroken) {
  aclrtMemUceInfo infos[4] = {};
  size_t count = 9;
  ASSERT_EQ(aclrtGetMemUceInfo(0, infos, 4, &count), 0);
  EXPECT_EQ(count, 0U);
  EXPECT_EQ(aclrtGetMemUceInfo(0, nullptr, 4, &count), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetMemUceInfo(0, infos, 4, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetMemUceInfo(0, infos, 0, &count), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtGetMemUceInfo(0, infos, 129, &count), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtGetMemUceInfo(999, infos, 4, &count), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtMemUceRepair(0, nullptr, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemUceRepair(0, infos, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemUceRepair(0, infos, 1), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(MemoryFacts, LinksCannotBeChosen) {
  EXPECT_EQ(aclrtMemP2PMap(nullptr, 8, 1, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemP2PMap(d, 0, 1, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemP2PMap(d, 8, 999, 0), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtMemP2PMap(d, 8, 0, 0), ACL_ERROR_INVALID_PARAM) << "the device itself";
  EXPECT_EQ(aclrtMemMapSelectedLink(nullptr, 8, d, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemMapSelectedLink(d, 8, d, 2), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemMapSelectedLink(d, 8, d, 0), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtMemMapSetLink(nullptr, ACL_RT_MEM_ACCESS_LINK_SIO), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemMapSetLink(d, aclrtMemLinkType(4)), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemMapSetLink(d, ACL_RT_MEM_ACCESS_LINK_SIO), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(MemoryFacts, CacheOperationsLeaveDataAlone) {
  ASSERT_EQ(aclrtMemsetAsync(d, kSize, 7, kSize, s), 0);
  for (const int type : {0, 1, 2, 3}) {
    EXPECT_EQ(aclrtCmoAsync(d, kSize, aclrtCmoType(type), s), 0) << type;
    EXPECT_EQ(aclrtCmoAsyncWithBarrier(d, kSize, aclrtCmoType(type), 1, s), 0) << type;
  }
  aclrtBarrierTaskInfo barriers{};
  barriers.barrierNum = 1;
  barriers.cmoInfo[0] = {ACL_RT_CMO_TYPE_INVALID, 1};
  EXPECT_EQ(aclrtCmoWaitBarrier(&barriers, s, 0), 0);
  size_t size = 0;
  ASSERT_EQ(aclrtCmoGetDescSize(&size), 0);
  const Block description(MemoryKind::kDevice, Bytes(size, 0));
  EXPECT_EQ(aclrtCmoSetDesc(description.begin(), d, kSize), 0);
  EXPECT_EQ(aclrtCmoAsyncWithDesc(description.begin(), ACL_RT_CMO_TYPE_PREFETCH, s, nullptr), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(content(d, kSize), Bytes(kSize, 7));
}

TEST_F(MemoryFacts, T198_CacheOperationsBadArguments) {
  EXPECT_EQ(aclrtCmoAsync(d, kSize, aclrtCmoType(4), s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtCmoAsync(&h, 8, ACL_RT_CMO_TYPE_PREFETCH, s), ACL_ERROR_RT_PARAM_INVALID) << "the program's memory";
  EXPECT_EQ(aclrtCmoAsyncWithBarrier(nullptr, 8, ACL_RT_CMO_TYPE_INVALID, 0, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCmoAsyncWithBarrier(d, 0, ACL_RT_CMO_TYPE_INVALID, 0, s), ACL_ERROR_INVALID_PARAM);
  aclrtBarrierTaskInfo barriers{};
  EXPECT_EQ(aclrtCmoWaitBarrier(nullptr, s, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCmoWaitBarrier(&barriers, s, 0), ACL_ERROR_RT_PARAM_INVALID) << "none";
  barriers.barrierNum = 7;
  EXPECT_EQ(aclrtCmoWaitBarrier(&barriers, s, 0), ACL_ERROR_RT_PARAM_INVALID) << "more than there is room for";
  barriers.barrierNum = 1;
  EXPECT_EQ(aclrtCmoWaitBarrier(&barriers, s, 1), ACL_ERROR_RT_PARAM_INVALID) << "flag";
  EXPECT_EQ(aclrtCmoGetDescSize(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCmoSetDesc(nullptr, d, 8), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCmoSetDesc(d, nullptr, 8), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCmoSetDesc(d, d, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCmoAsyncWithDesc(nullptr, ACL_RT_CMO_TYPE_PREFETCH, s, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCmoAsyncWithDesc(d, ACL_RT_CMO_TYPE_PREFETCH, s, d), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCmoAsyncWithDesc(d, ACL_RT_CMO_TYPE_PREFETCH, d, nullptr), ACL_ERROR_RT_INVALID_HANDLE);
}

using Tasks = OneBuffer;

TEST_F(Tasks, TheLastTaskOfAThreadHasANumber) {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  EXPECT_EQ(aclrtGetThreadLastTaskId(nullptr), ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(aclrtMemsetAsync(d, kSize, 1, kSize, s), 0);
  ASSERT_EQ(aclrtGetThreadLastTaskId(&first), 0);
  ASSERT_EQ(aclrtMemsetAsync(d, kSize, 1, kSize, s), 0);
  ASSERT_EQ(aclrtGetThreadLastTaskId(&second), 0);
  EXPECT_EQ(second, first + 1);
  on_device_thread([&] {
    std::uint32_t other = 99;
    EXPECT_EQ(aclrtGetThreadLastTaskId(&other), 0);
    EXPECT_EQ(other, 0U) << "it has issued none";
  });
}

TEST_F(Plain, TheLastTaskNeedsAContext) {
  std::uint32_t id = 0;
  EXPECT_EQ(aclrtGetThreadLastTaskId(&id), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(Tasks, MarksForAProfiler) {
  char mark[] = "epoch 1";
  EXPECT_EQ(aclrtProfTrace(mark, sizeof(mark), s), 0);
  EXPECT_EQ(aclrtProfTrace(nullptr, 8, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtProfTrace(mark, 0, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtProfTrace(mark, sizeof(mark), mark), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(Tasks, TasksAreNotChangedFromDeviceMemory) {
  aclrtTaskUpdateInfo info{};
  info.id = ACL_RT_UPDATE_RANDOM_TASK;
  EXPECT_EQ(aclrtTaskUpdateAsync(nullptr, 1, &info, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtTaskUpdateAsync(s, 1, nullptr, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtTaskUpdateAsync(s, 1, &info, &info), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtTaskUpdateAsync(s, 1, &info, s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  info.id = aclrtUpdateTaskAttrId(3);
  EXPECT_EQ(aclrtTaskUpdateAsync(s, 1, &info, s), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(Tasks, APersistentStreamDropsWhatItHasCollected) {
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_PERSISTENT), 0);
  ASSERT_EQ(aclrtMemsetAsync(d, kSize, 1, kSize, stream), 0);
  EXPECT_EQ(aclrtPersistentTaskClean(stream), 0);
  ASSERT_EQ(aclrtMemsetAsync(d, 8, 2, 8, stream), 0);
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRIBuildBegin(&model, 0), 0);
  ASSERT_EQ(aclmdlRIBindStream(model, stream, ACL_MODEL_STREAM_FLAG_HEAD), 0);
  EXPECT_EQ(aclrtPersistentTaskClean(stream), ACL_ERROR_RT_PARAM_INVALID) << "the tasks are the model's";
  ASSERT_EQ(aclmdlRIEndTask(model, stream), 0);
  ASSERT_EQ(aclmdlRIBuildEnd(model, nullptr), 0);
  ASSERT_EQ(aclmdlRIExecute(model, -1), 0);
  EXPECT_EQ(content(d, kSize), with_copied(Bytes(kSize, 0), 0, Bytes(8, 2), 0, 8)) << "the first fill was dropped";
  EXPECT_EQ(aclrtPersistentTaskClean(s), ACL_ERROR_RT_PARAM_INVALID) << "not persistent";
  EXPECT_EQ(aclrtPersistentTaskClean(d), ACL_ERROR_RT_INVALID_HANDLE);
}

}  // namespace
}  // namespace aclvk::test
