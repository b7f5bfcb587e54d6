// The work of the vendor's sample programs, in our own words: their sources are under a licence that keeps them out of
// this project, so rows T266 to T279 are written again here, each as a story with the results that the sample promises.

#include <dlfcn.h>

#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "acl/acl_rt_allocator.h"
#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

using OfficialStory = CaptureTest;
using OfficialStoryAlone = Plain;

TEST_F(OfficialStory, T266_HelloAddsTwoVectors) {
  const Cell a(3), b(4), sum;
  float one = 1;
  aclScalar* alpha = aclCreateScalar(&one, ACL_FLOAT);
  std::uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(aclnnAddGetWorkspaceSize(a.tensor(), b.tensor(), alpha, sum.tensor(), &bytes, &executor), 0);
  ASSERT_EQ(aclnnAdd(nullptr, bytes, executor, s), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(sum.value(), 7);
  EXPECT_EQ(aclDestroyScalar(alpha), 0);
}

TEST_F(OfficialStory, T267_AnArgumentErrorLeavesAMessageAndNoLastError) {
  EXPECT_EQ(aclrtGetRunMode(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), 0);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), 0);
  const char* message = aclGetRecentErrMsg();
  ASSERT_NE(message, nullptr);
  EXPECT_NE(std::strlen(message), 0U);
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
}

TEST_F(OfficialStoryAlone, T269_AProgramLooksUpWhatTheRuntimeHas) {
  std::int32_t major = 0, minor = 0, patch = 0;
  ASSERT_EQ(aclrtGetVersion(&major, &minor, &patch), 0);
  ASSERT_GE(major, 1);
  auto set_device = reinterpret_cast<decltype(&aclrtSetDevice)>(dlsym(RTLD_DEFAULT, "aclrtSetDevice"));
  auto reset_device = reinterpret_cast<decltype(&aclrtResetDevice)>(dlsym(RTLD_DEFAULT, "aclrtResetDevice"));
  ASSERT_NE(set_device, nullptr);
  ASSERT_NE(reset_device, nullptr);
  EXPECT_EQ(set_device(0), 0);
  EXPECT_EQ(reset_device(0), 0);
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "aclrtFunctionOfALaterGeneration"), nullptr);
}

TEST_F(OfficialStoryAlone, T270_ContextsAreAskedForAndSwitched) {
  ASSERT_EQ(aclInit(nullptr), 0);
  ASSERT_EQ(aclrtSetDevice(0), 0);
  aclrtContext primary = nullptr, own = nullptr, current = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&primary), 0);
  ASSERT_EQ(aclrtCreateContext(&own, 0), 0);
  ASSERT_EQ(aclrtGetCurrentContext(&current), 0);
  EXPECT_EQ(current, own);
  ASSERT_EQ(aclrtSetCurrentContext(primary), 0);
  ASSERT_EQ(aclrtGetCurrentContext(&current), 0);
  EXPECT_EQ(current, primary);
  std::uint32_t flags_must_be_null = 0;
  std::int32_t active = 0;
  EXPECT_EQ(aclrtGetPrimaryCtxState(0, nullptr, &active), 0);
  EXPECT_EQ(active, 1);
  EXPECT_EQ(aclrtGetPrimaryCtxState(0, &flags_must_be_null, &active), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtDestroyContext(own), 0);
  EXPECT_EQ(aclrtResetDevice(0), 0);
  EXPECT_EQ(aclFinalize(), 0);
}

TEST_F(OfficialStoryAlone, T271_ADeviceIsSetAskedAboutAndReset) {
  ASSERT_EQ(aclInit(nullptr), 0);
  std::uint32_t count = 0;
  ASSERT_EQ(aclrtGetDeviceCount(&count), 0);
  ASSERT_GE(count, 1U);
  ASSERT_EQ(aclrtSetDevice(0), 0);
  std::int32_t device = -1;
  EXPECT_EQ(aclrtGetDevice(&device), 0);
  EXPECT_EQ(device, 0);
  aclrtRunMode mode{};
  EXPECT_EQ(aclrtGetRunMode(&mode), 0);
  EXPECT_EQ(mode, ACL_HOST);
  EXPECT_STRNE(aclrtGetSocName(), "");
  std::size_t free = 0, total = 0;
  EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), 0);
  EXPECT_LE(free, total);
  EXPECT_GT(total, 0U);
  std::int32_t least = -1, greatest = -1;
  EXPECT_EQ(aclrtDeviceGetStreamPriorityRange(&least, &greatest), 0);
  EXPECT_GE(least, greatest);
  EXPECT_EQ(aclrtSynchronizeDevice(), 0);
  EXPECT_EQ(aclrtResetDevice(0), 0);
  EXPECT_EQ(aclFinalize(), 0);
}

TEST_F(OfficialStory, T273_AThreadSeesWhatAnotherWroteOnItsOwnStream) {
  void* flag = nullptr;
  ASSERT_EQ(aclrtMalloc(&flag, 64, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
  const aclrtEvent written = new_event();
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&context), 0);
  std::thread writer([&] {
    ASSERT_EQ(aclrtSetCurrentContext(context), 0);
    const aclrtStream own = new_stream();
    Pinned<std::int32_t> value(1, 123);
    ASSERT_EQ(aclrtMemcpyAsync(flag, 4, value.data(), 4, ACL_MEMCPY_HOST_TO_DEVICE, own), 0);
    ASSERT_EQ(aclrtRecordEvent(written, own), 0);
    ASSERT_EQ(aclrtSynchronizeStream(own), 0);
  });
  writer.join();
  Pinned<std::int32_t> read(1);
  ASSERT_EQ(aclrtStreamWaitEvent(s, written), 0);
  ASSERT_EQ(aclrtMemcpyAsync(read.data(), 4, flag, 4, ACL_MEMCPY_DEVICE_TO_HOST, s), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(read[0], 123);
  EXPECT_EQ(aclrtFree(flag), 0);
}

TEST_F(OfficialStory, T274_AStreamIsConfiguredThroughFunctionsFoundAtRunTime) {
  auto create_config =
      reinterpret_cast<decltype(&aclrtCreateStreamConfigHandle)>(dlsym(RTLD_DEFAULT, "aclrtCreateStreamConfigHandle"));
  ASSERT_NE(create_config, nullptr);
  aclrtStreamConfigHandle* config = create_config();
  ASSERT_NE(config, nullptr);
  const std::uint32_t flag = ACL_STREAM_FAST_LAUNCH;  // of 4 bytes, where the documents ask for 8
  const std::uint32_t priority = 3;
  EXPECT_EQ(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_FLAG, &flag, sizeof(flag)), 0);
  EXPECT_EQ(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, &priority, sizeof(priority)), 0);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStreamV2(&stream, config), 0);
  std::uint32_t answer = 0;
  EXPECT_EQ(aclrtStreamGetPriority(stream, &answer), 0);
  EXPECT_EQ(answer, priority);
  EXPECT_EQ(aclrtStreamGetFlags(stream, &answer), 0);
  EXPECT_EQ(answer, flag);
  EXPECT_EQ(aclrtDestroyStream(stream), 0);
  EXPECT_EQ(aclrtDestroyStreamConfigHandle(config), 0);
}

TEST_F(OfficialStory, T275_AReductionDoublesItsOperand) {
  const Cell source(2.5F), sum(2.5F);
  ASSERT_EQ(aclrtReduceAsync(sum.address(), source.address(), sum.bytes(), ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT,
                             s, nullptr),
            0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(sum.value(), 2 * source.value());
}

TEST_F(OfficialStory, T277_LabelsChooseWhichTaskRuns) {
  const Cell first, second;
  Word index;
  aclmdlRI model = nullptr;
  const aclrtStream bound = new_stream();
  aclrtLabel labels[2] = {};
  aclrtLabelList list = nullptr;
  ASSERT_EQ(aclrtCreateLabel(&labels[0]), 0);
  ASSERT_EQ(aclrtCreateLabel(&labels[1]), 0);
  ASSERT_EQ(aclrtCreateLabelList(labels, 2, &list), 0);

  ASSERT_EQ(aclmdlRIBuildBegin(&model, 0), 0);
  ASSERT_EQ(aclmdlRIBindStream(model, bound, ACL_MODEL_STREAM_FLAG_HEAD), 0);
  ASSERT_EQ(aclrtSwitchLabelByIndex(index.address(), 2, list, bound), 0);
  ASSERT_EQ(aclrtSetLabel(labels[0], bound), 0);
  ASSERT_EQ(increment(first, bound), 0);
  ASSERT_EQ(aclrtSetLabel(labels[1], bound), 0);
  ASSERT_EQ(increment(second, bound), 0);
  ASSERT_EQ(aclmdlRIEndTask(model, bound), 0);
  ASSERT_EQ(aclmdlRIBuildEnd(model, nullptr), 0);

  index.set(0);
  ASSERT_EQ(aclmdlRIExecute(model, -1), 0);
  index.set(1);
  ASSERT_EQ(aclmdlRIExecute(model, -1), 0);
  EXPECT_EQ(first.value(), 1);
  EXPECT_EQ(second.value(), 2);
  EXPECT_EQ(aclmdlRIUnbindStream(model, bound), 0);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

TEST_F(OfficialStory, T278_AModelTellsAnotherStreamThroughAnExternalEvent) {
  Cell counter;
  const aclrtEvent done = new_external_event();
  const aclrtStream reader = new_stream();
  aclmdlRI model = capture([&] {
    EXPECT_EQ(increment(counter, s), 0);
    EXPECT_EQ(aclrtRecordEvent(done, s), 0);
  });
  Pinned<float> seen(1);
  for (int round = 1; round <= 3; ++round) {
    ASSERT_EQ(aclmdlRIExecuteAsync(model, s), 0);
    ASSERT_EQ(aclrtStreamWaitEvent(reader, done), 0);
    ASSERT_EQ(aclrtResetEvent(done, reader), 0);
    ASSERT_EQ(aclrtMemcpyAsync(seen.data(), 4, counter.address(), 4, ACL_MEMCPY_DEVICE_TO_HOST, reader), 0);
    ASSERT_EQ(aclrtSynchronizeStream(reader), 0);
    EXPECT_EQ(seen[0], static_cast<float>(round));
  }
}

/// An allocator of a program: it counts what it hands out.
struct Arena {
  std::set<void*> live;
};

void* take(aclrtAllocator arena, size_t bytes) {
  void* block = nullptr;
  if (aclrtMalloc(&block, bytes, ACL_MEM_MALLOC_NORMAL_ONLY) == 0) static_cast<Arena*>(arena)->live.insert(block);
  return block;
}
void give_back(aclrtAllocator arena, aclrtAllocatorBlock block) {
  static_cast<Arena*>(arena)->live.erase(block);
  aclrtFree(block);
}
void* address_of(aclrtAllocatorBlock block) { return block; }

TEST_F(OfficialStory, T279_AStreamFindsTheAllocatorThatWasRegisteredForIt) {
  Arena arena;
  aclrtAllocatorDesc description = aclrtAllocatorCreateDesc();
  ASSERT_NE(description, nullptr);
  ASSERT_EQ(aclrtAllocatorSetObjToDesc(description, &arena), 0);
  ASSERT_EQ(aclrtAllocatorSetAllocFuncToDesc(description, take), 0);
  ASSERT_EQ(aclrtAllocatorSetFreeFuncToDesc(description, give_back), 0);
  ASSERT_EQ(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(description, address_of), 0);
  ASSERT_EQ(aclrtAllocatorRegister(s, description), 0);

  aclrtAllocatorDesc found = nullptr;
  aclrtAllocator object = nullptr;
  aclrtAllocatorAllocFunc allocate = nullptr;
  aclrtAllocatorFreeFunc release = nullptr;
  aclrtAllocatorAllocAdviseFunc advise = nullptr;
  aclrtAllocatorGetAddrFromBlockFunc address = nullptr;
  ASSERT_EQ(aclrtAllocatorGetByStream(s, &found, &object, &allocate, &release, &advise, &address), 0);
  EXPECT_EQ(object, &arena);
  void* block = allocate(object, 1024);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(aclrtMemsetAsync(address(block), 1024, 7, 1024, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  release(object, block);
  EXPECT_TRUE(arena.live.empty());

  EXPECT_EQ(aclrtAllocatorUnregister(s), 0);
  EXPECT_EQ(aclrtAllocatorGetByStream(s, &found, &object, &allocate, &release, &advise, &address),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtAllocatorDestroyDesc(description), 0);
}

}  // namespace
}  // namespace aclvk::test
