#include <atomic>
#include <chrono>
#include <cstring>
#include <future>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "support/acl_fixture.hpp"

namespace {

using aclvk::test::BlockedStream;
using aclvk::test::on_another_thread;
using Stream = aclvk::test::OneStream;
using StreamOfPlainProcess = aclvk::test::Plain;

aclrtStreamStatus status_of(aclrtStream stream) {
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_EQ(aclrtStreamQuery(stream, &status), 0);
  return status;
}

void wait_until_complete(aclrtStream stream) {
  while (status_of(stream) != ACL_STREAM_STATUS_COMPLETE) std::this_thread::yield();
}

TEST_F(Stream, T073_CreateChecksItsArguments) {
  EXPECT_EQ(aclrtCreateStream(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCreateStreamWithConfig(nullptr, 0, 0), ACL_ERROR_INVALID_PARAM);
  on_another_thread([] {
    aclrtStream stream = nullptr;
    EXPECT_EQ(aclrtCreateStream(&stream), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(aclrtCreateStreamWithConfig(&stream, 0, 0), ACL_ERROR_RT_CONTEXT_NULL);
  });
}

TEST_F(Stream, T074_PriorityIsClamped) {
  aclrtStream stream = nullptr;
  uint32_t priority = 0;
  EXPECT_EQ(aclrtCreateStreamWithConfig(&stream, 99, 0), 0);
  EXPECT_EQ(aclrtStreamGetPriority(stream, &priority), 0);
  EXPECT_EQ(priority, 7U);
  EXPECT_EQ(aclrtStreamGetPriority(stream, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Stream, T075_UnknownFlagsAreDropped) {
  aclrtStream stream = nullptr;
  uint32_t flags = 7;
  EXPECT_EQ(aclrtCreateStreamWithConfig(&stream, 0, 0x8000 | ACL_STREAM_FAST_SYNC), 0);
  EXPECT_EQ(aclrtStreamGetFlags(stream, &flags), 0);
  EXPECT_EQ(flags, ACL_STREAM_FAST_SYNC);
  EXPECT_EQ(aclrtStreamGetFlags(stream, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Stream, T077_DeviceUseOnlyStandsAlone) {
  aclrtStream stream = nullptr;
  EXPECT_EQ(aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_DEVICE_USE_ONLY | ACL_STREAM_FAST_SYNC),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_DEVICE_USE_ONLY), 0);
}

TEST_F(Stream, T078_NullCannotBeDestroyed) {
  EXPECT_EQ(aclrtDestroyStream(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtDestroyStreamForce(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Stream, T079_CanBeDestroyedOnce) {
  EXPECT_EQ(aclrtDestroyStream(s), 0);
  EXPECT_EQ(aclrtDestroyStream(s), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtDestroyStreamForce(s), ACL_ERROR_RT_INVALID_HANDLE);
}

/// Every function that takes a stream.
void expect_refused(aclrtStream stream) {
  const int handle = ACL_ERROR_RT_INVALID_HANDLE;
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  aclrtStreamAttrValue value{};
  int32_t id = 0;
  uint32_t number = 0;
  EXPECT_EQ(aclrtDestroyStream(stream), handle);
  EXPECT_EQ(aclrtDestroyStreamForce(stream), handle);
  EXPECT_EQ(aclrtSynchronizeStream(stream), handle);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 10), handle);
  EXPECT_EQ(aclrtStreamQuery(stream, &status), handle);
  EXPECT_EQ(aclrtStreamGetId(stream, &id), handle);
  EXPECT_EQ(aclrtStreamGetPriority(stream, &number), handle);
  EXPECT_EQ(aclrtStreamGetFlags(stream, &number), handle);
  EXPECT_EQ(aclrtStreamAbort(stream), handle);
  EXPECT_EQ(aclrtSetStreamFailureMode(stream, 0), handle);
  EXPECT_EQ(aclrtSetStreamOverflowSwitch(stream, 0), handle);
  EXPECT_EQ(aclrtGetStreamOverflowSwitch(stream, &number), handle);
  EXPECT_EQ(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_PRIORITY, &value), handle);
  EXPECT_EQ(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_FAILURE_MODE, &value), handle);
  EXPECT_EQ(aclrtLaunchHostFunc(
                stream, [](void*) {}, nullptr),
            handle);
  EXPECT_EQ(aclrtSubscribeReport(1, stream), handle);
}

TEST_F(Stream, StaleHandlesAreRefused) {
  ASSERT_EQ(aclrtDestroyStream(s), 0);
  expect_refused(s);
}

TEST_F(Stream, StaleHandlesStayStaleWhenTheirPlaceIsTaken) {
  ASSERT_EQ(aclrtDestroyStream(s), 0);
  for (int i = 0; i < 10; ++i) new_stream();
  expect_refused(s);
}

TEST_F(Stream, T081_HandlesOfOtherObjectsAreRefused) {
  aclrtContext context = nullptr;
  aclrtNotify notify = nullptr;
  aclrtGetCurrentContext(&context);
  aclrtCreateNotify(&notify, 0);
  expect_refused(new_event());
  expect_refused(context);
  expect_refused(notify);
}

TEST_F(Stream, GarbageIsRefused) {
  int on_stack = 0;
  for (const uintptr_t garbage : {uintptr_t{1}, uintptr_t{8}, uintptr_t{0x12345678}, ~uintptr_t{0},
                                  reinterpret_cast<uintptr_t>(&on_stack), uintptr_t{0xAC02000001FFFFFF},
                                  reinterpret_cast<uintptr_t>(s) + 1, reinterpret_cast<uintptr_t>(s) ^ (1U << 24)}) {
    if (reinterpret_cast<aclrtStream>(garbage) == s) continue;
    expect_refused(reinterpret_cast<aclrtStream>(garbage));
  }
}

TEST_F(Stream, T082_NullIsTheDefaultStream) {
  int32_t id = -1;
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 0);
  EXPECT_EQ(status_of(nullptr), ACL_STREAM_STATUS_COMPLETE);
  EXPECT_EQ(aclrtStreamGetId(nullptr, &id), 0);
}

TEST_F(StreamOfPlainProcess, TheDefaultOneNeedsAContext) {
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(aclrtStreamQuery(nullptr, &status), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(Stream, WaitingNeedsAContext) {
  on_another_thread([this] { EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_CONTEXT_NULL); });
}

TEST_F(Stream, T083_TimeoutsAreChecked) {
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, -2), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, -1), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 100), 0);
}

TEST_F(StreamOfPlainProcess, TimeoutsAreCheckedBeforeTheContext) {
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(nullptr, -2), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(nullptr, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(nullptr, 5), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(Stream, IsUsableAfterATimeout) {
  BlockedStream blocked(s);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 50), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  blocked.release();
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

TEST_F(Stream, T085_AnIdleOneIsComplete) {
  EXPECT_EQ(aclrtStreamQuery(s, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(status_of(s), ACL_STREAM_STATUS_COMPLETE);
}

TEST_F(Stream, T086_ABlockedOneIsNotReady) {
  BlockedStream blocked(s);
  EXPECT_EQ(status_of(s), ACL_STREAM_STATUS_NOT_READY);
  blocked.release();
  wait_until_complete(s);
}

TEST_F(Stream, T087_IdsDiffer) {
  EXPECT_EQ(aclrtStreamGetId(s, nullptr), ACL_ERROR_INVALID_PARAM);
  std::set<int32_t> ids;
  for (const aclrtStream stream : {s, new_stream(), new_stream()}) {
    int32_t id = -1;
    EXPECT_EQ(aclrtStreamGetId(stream, &id), 0);
    ids.insert(id);
  }
  EXPECT_EQ(ids.size(), 3U);
}

TEST_F(Stream, T089_GoesOnAfterFailures) {
  EXPECT_EQ(aclrtSetStreamFailureMode(s, ACL_CONTINUE_ON_FAILURE), 0);
  EXPECT_EQ(aclrtSetStreamFailureMode(s, 2), 0);
  EXPECT_EQ(aclrtSetStreamFailureMode(nullptr, 0), 0);
}

TEST_F(Stream, T090_OverflowSwitchIs0Or1) {
  uint32_t flag = 7;
  EXPECT_EQ(aclrtSetStreamOverflowSwitch(s, 2), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSetStreamOverflowSwitch(s, 0), 0);
  EXPECT_EQ(aclrtGetStreamOverflowSwitch(s, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetStreamOverflowSwitch(s, &flag), 0);
  EXPECT_EQ(flag, 0U);
}

TEST_F(Stream, T091_AttributesAreChecked) {
  aclrtStreamAttrValue value{};
  const auto unknown = static_cast<aclrtStreamAttr>(99);
  EXPECT_EQ(aclrtGetStreamAttribute(s, ACL_STREAM_ATTR_FAILURE_MODE, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetStreamAttribute(s, unknown, &value), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtGetStreamAttribute(nullptr, ACL_STREAM_ATTR_PRIORITY, &value), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSetStreamAttribute(s, ACL_STREAM_ATTR_FAILURE_MODE, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSetStreamAttribute(s, unknown, &value), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSetStreamAttribute(nullptr, ACL_STREAM_ATTR_PRIORITY, &value), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(Stream, AttributesReturnModeAndPriority) {
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStreamWithConfig(&stream, 3, 0), 0);
  aclrtStreamAttrValue value{};
  EXPECT_EQ(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_PRIORITY, &value), 0);
  EXPECT_EQ(value.streamPriority, 3U);
  EXPECT_EQ(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_FAILURE_MODE, &value), 0);
  EXPECT_EQ(value.failureMode, static_cast<uint64_t>(ACL_CONTINUE_ON_FAILURE));
  EXPECT_EQ(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_FAILURE_MODE, &value), 0);
}

TEST_F(Stream, AttributesCanBeChanged) {
  aclrtStreamAttrValue value{};
  value.userCustomTag = 77;
  EXPECT_EQ(aclrtSetStreamAttribute(s, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value), 0);
  value.streamPriority = 5;
  EXPECT_EQ(aclrtSetStreamAttribute(s, ACL_STREAM_ATTR_PRIORITY, &value), 0);
  value.cacheOpInfoSwitch = 1;
  EXPECT_EQ(aclrtSetStreamAttribute(s, ACL_STREAM_ATTR_CACHE_OP_INFO, &value), 0);
  value = {};
  EXPECT_EQ(aclrtGetStreamAttribute(s, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value), 0);
  EXPECT_EQ(value.userCustomTag, 77U);
  EXPECT_EQ(aclrtGetStreamAttribute(s, ACL_STREAM_ATTR_PRIORITY, &value), 0);
  EXPECT_EQ(value.streamPriority, 5U);
  uint32_t priority = 0;
  EXPECT_EQ(aclrtStreamGetPriority(s, &priority), 0);
  EXPECT_EQ(priority, 5U);
  EXPECT_EQ(aclrtGetStreamAttribute(s, ACL_STREAM_ATTR_CACHE_OP_INFO, &value), 0);
  EXPECT_EQ(value.cacheOpInfoSwitch, 1U);
}

TEST_F(Stream, AttributesBelongToOne) {
  aclrtStreamAttrValue value{};
  value.userCustomTag = 77;
  EXPECT_EQ(aclrtSetStreamAttribute(s, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value), 0);
  EXPECT_EQ(aclrtGetStreamAttribute(nullptr, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value), 0);
  EXPECT_EQ(value.userCustomTag, 0U);
}

TEST_F(Stream, BadAttributesChangeNothing) {
  aclrtStreamAttrValue value{};
  value.streamPriority = 8;
  EXPECT_EQ(aclrtSetStreamAttribute(s, ACL_STREAM_ATTR_PRIORITY, &value), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtGetStreamAttribute(s, ACL_STREAM_ATTR_PRIORITY, &value), 0);
  EXPECT_EQ(value.streamPriority, 0U);
  value.overflowSwitch = 1;
  EXPECT_EQ(aclrtSetStreamAttribute(s, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtGetStreamAttribute(s, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value), 0);
  EXPECT_EQ(value.overflowSwitch, 0U);
}

TEST_F(Stream, T093_APersistentOneDoesNotRunByItself) {
  aclrtStream persistent = nullptr;
  ASSERT_EQ(aclrtCreateStreamWithConfig(&persistent, 0, ACL_STREAM_PERSISTENT), 0);
  void* memory = nullptr;
  ASSERT_EQ(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  ASSERT_EQ(aclrtMemset(memory, 64, 0, 64), 0);
  ASSERT_EQ(aclrtMemsetAsync(memory, 64, 1, 64, persistent), 0);
  EXPECT_EQ(aclrtSynchronizeStream(persistent), 0);
  EXPECT_EQ(status_of(persistent), ACL_STREAM_STATUS_COMPLETE);
  unsigned char first = 7;
  ASSERT_EQ(aclrtMemcpy(&first, 1, memory, 1, ACL_MEMCPY_DEVICE_TO_HOST), 0);
  EXPECT_EQ(first, 0);
  EXPECT_EQ(aclrtDestroyStream(persistent), 0);
}

TEST_F(Stream, T094_AbortWakesThoseWhoWait) {
  const BlockedStream blocked(s);
  auto waiting = std::async(std::launch::async, [this] {
    aclrtSetDevice(0);
    return aclrtSynchronizeStream(s);
  });
  EXPECT_EQ(waiting.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
  EXPECT_EQ(aclrtStreamAbort(s), 0);
  EXPECT_EQ(waiting.get(), ACL_ERROR_RT_STREAM_ABORT);
}

TEST_F(Stream, IsUsableAfterAnAbort) {
  const BlockedStream blocked(s);
  EXPECT_EQ(aclrtStreamAbort(s), 0);
  bool ran = false;
  const auto run = [](void* flag) { *static_cast<bool*>(flag) = true; };
  aclrtSynchronizeStream(s);  // may still tell of the abort
  EXPECT_EQ(aclrtLaunchHostFunc(s, run, &ran), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_TRUE(ran);
}

TEST_F(Stream, T095_ForceDestroysABlockedOneAtOnce) {
  const BlockedStream blocked(s);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(aclrtDestroyStreamForce(s), 0);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
}

TEST_F(Stream, DestroyingItWaitsForItsTasks) {
  int value = 0;
  const auto slow = [](void* target) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    *static_cast<int*>(target) = 5;
  };
  ASSERT_EQ(aclrtLaunchHostFunc(s, slow, &value), 0);
  EXPECT_EQ(aclrtDestroyStream(s), 0);
  EXPECT_EQ(value, 5);
}

TEST_F(Stream, T097_SomeAreLeft) {
  uint32_t before = 0;
  uint32_t after = 0;
  EXPECT_EQ(aclrtGetStreamAvailableNum(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetStreamAvailableNum(&before), 0);
  new_stream();
  EXPECT_EQ(aclrtGetStreamAvailableNum(&after), 0);
  EXPECT_EQ(after, before - 1);
}

TEST_F(Stream, NoneAreLeftOnceAllAreTaken) {
  uint32_t left = 0;
  ASSERT_EQ(aclrtGetStreamAvailableNum(&left), 0);
  for (uint32_t i = 0; i < left; ++i) new_stream();
  aclrtStream stream = nullptr;
  aclrtContext context = nullptr;
  EXPECT_EQ(aclrtCreateStream(&stream), ACL_ERROR_RT_NO_STREAM_RESOURCE);
  EXPECT_EQ(aclrtCreateContext(&context, 0), ACL_ERROR_RT_NO_STREAM_RESOURCE);  // it has a default stream
  EXPECT_EQ(aclrtDestroyStream(s), 0);
  EXPECT_EQ(aclrtCreateStream(&stream), 0);
}

TEST_F(Stream, ThreadsTakeNoMoreThanAreLeft) {
  constexpr std::size_t kLeft = 5;
  uint32_t left = 0;
  ASSERT_EQ(aclrtGetStreamAvailableNum(&left), 0);
  for (uint32_t i = kLeft; i < left; ++i) new_stream();
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&context), 0);
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> ready{0};
    std::mutex mutex;
    std::vector<aclrtStream> created;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        EXPECT_EQ(aclrtSetCurrentContext(context), 0);
        ++ready;
        while (ready < 4) std::this_thread::yield();
        aclrtStream stream = nullptr;
        while (aclrtCreateStream(&stream) == 0) {
          const std::lock_guard<std::mutex> lock(mutex);
          created.push_back(stream);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(created.size(), kLeft) << "round " << round;
    for (const aclrtStream stream : created) EXPECT_EQ(aclrtDestroyStream(stream), 0);
    ASSERT_EQ(aclrtGetStreamAvailableNum(&left), 0);
    ASSERT_EQ(left, kLeft);
  }
}

struct Heard {
  aclrtStream created = nullptr;
  aclrtStream destroyed = nullptr;
};

void hear(aclrtStream stream, aclrtStreamState state, void* user) {
  auto& heard = *static_cast<Heard*>(user);
  (state == ACL_RT_STREAM_STATE_CREATE_POST ? heard.created : heard.destroyed) = stream;
}

TEST_F(Stream, T098_ListenersHearOfCreationAndDestruction) {
  Heard heard;
  EXPECT_EQ(aclrtRegStreamStateCallback(nullptr, hear, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtRegStreamStateCallback("x", hear, &heard), 0);
  const aclrtStream stream = new_stream();
  EXPECT_EQ(heard.created, stream);
  EXPECT_EQ(heard.destroyed, nullptr);
  aclrtDestroyStream(stream);
  EXPECT_EQ(heard.destroyed, stream);
  EXPECT_EQ(aclrtRegStreamStateCallback("x", nullptr, nullptr), 0);
  heard = {};
  new_stream();
  EXPECT_EQ(heard.created, nullptr);
}

TEST_F(Stream, ListenersHearOfDefaultStreams) {
  Heard heard;
  ASSERT_EQ(aclrtRegStreamStateCallback("x", hear, &heard), 0);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), 0);
  aclrtStream stream = nullptr;
  EXPECT_EQ(aclrtCtxGetCurrentDefaultStream(&stream), 0);
  EXPECT_EQ(heard.created, stream);
  EXPECT_EQ(aclrtDestroyContext(context), 0);
  EXPECT_EQ(heard.destroyed, stream);
  EXPECT_EQ(aclrtResetDeviceForce(0), 0);
  heard = {};
  ASSERT_EQ(aclrtSetDevice(0), 0);
  EXPECT_EQ(aclrtCtxGetCurrentDefaultStream(&stream), 0);
  EXPECT_EQ(heard.created, stream);
  EXPECT_EQ(aclrtRegStreamStateCallback("x", nullptr, nullptr), 0);
}

TEST_F(Stream, CanBeCreatedFromAConfiguration) {
  aclrtStreamConfigHandle* config = aclrtCreateStreamConfigHandle();
  ASSERT_NE(config, nullptr);
  const uint32_t priority = 2;
  const uint32_t short_flag = ACL_STREAM_FAST_LAUNCH;
  const size_t flag = ACL_STREAM_FAST_SYNC;
  EXPECT_EQ(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, &priority, sizeof(priority)), 0);
  EXPECT_EQ(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_FLAG, &short_flag, sizeof(short_flag)), 0);
  EXPECT_EQ(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_FLAG, &flag, sizeof(flag)), 0);
  aclrtStream stream = nullptr;
  EXPECT_EQ(aclrtCreateStreamV2(&stream, config), 0);
  uint32_t found = 0;
  aclrtStreamGetPriority(stream, &found);
  EXPECT_EQ(found, 2U);
  aclrtStreamGetFlags(stream, &found);
  EXPECT_EQ(found, ACL_STREAM_FAST_SYNC);
  EXPECT_EQ(aclrtDestroyStreamConfigHandle(config), 0);
  EXPECT_EQ(aclrtCreateStreamV2(&stream, nullptr), 0);
}

TEST_F(Stream, ConfigurationsAreChecked) {
  aclrtStreamConfigHandle* config = aclrtCreateStreamConfigHandle();
  const uint32_t eight = 8;
  const size_t size = 0;
  EXPECT_EQ(aclrtSetStreamConfigOpt(nullptr, ACL_RT_STREAM_PRIORITY, &eight, 4), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, nullptr, 4), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, &eight, 4), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_WORK_SIZE, &size, 4), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSetStreamConfigOpt(config, static_cast<aclrtStreamConfigAttr>(9), &size, 8), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCreateStreamV2(nullptr, config), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtDestroyStreamConfigHandle(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtDestroyStreamConfigHandle(config), 0);
}

TEST_F(Stream, TakesTasksFromManyThreads) {
  std::atomic<int> ran{0};
  const auto count = [](void* target) { ++*static_cast<std::atomic<int>*>(target); };
  aclrtContext context = nullptr;
  aclrtGetCurrentContext(&context);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      aclrtSetCurrentContext(context);
      for (int i = 0; i < 25; ++i) EXPECT_EQ(aclrtLaunchHostFunc(s, count, &ran), 0);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(ran, 100);
}

}  // namespace
