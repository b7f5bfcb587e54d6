// Memory that streams allocate and free in their own order: T191, T193.
#include <atomic>

#include "support/capture_fixture.hpp"
#include "support/memory_fixture.hpp"
#include "support/pool.hpp"

namespace aclvk::test {
namespace {

constexpr std::size_t kMebi = 1 << 20;

void set_size(aclrtMemPool pool, aclrtMemPoolAttr attribute, std::uint64_t value) {
  EXPECT_EQ(aclrtMemPoolSetAttr(pool, attribute, &value), 0);
}

void set_switch(aclrtMemPool pool, aclrtMemPoolAttr attribute, int value) {
  EXPECT_EQ(aclrtMemPoolSetAttr(pool, attribute, &value), 0);
}

class MemPool : public OneBuffer {
 protected:
  void* other_stream_gets(aclrtMemPool pool, std::size_t size, aclrtStream stream) {
    void* pointer = nullptr;
    const aclError code = aclrtMemPoolMallocAsync(&pointer, size, pool, stream);
    EXPECT_TRUE(code == 0 || code == ACL_ERROR_RT_MEMORY_ALLOCATION) << code;
    return pointer;
  }
};

TEST_F(MemPool, T191_CreateRefusesBadProperties) {
  aclrtMemPool pool = nullptr;
  aclrtMemPoolProps props = properties();
  EXPECT_EQ(aclrtMemPoolCreate(nullptr, &props), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemPoolCreate(&pool, nullptr), ACL_ERROR_INVALID_PARAM);
  props.location.type = ACL_MEM_LOCATION_TYPE_HOST;
  EXPECT_EQ(aclrtMemPoolCreate(&pool, &props), ACL_ERROR_INVALID_PARAM);
  props = properties();
  props.allocType = static_cast<aclrtMemAllocationType>(1);
  EXPECT_EQ(aclrtMemPoolCreate(&pool, &props), ACL_ERROR_INVALID_PARAM);
  props = properties();
  props.handleType = ACL_MEM_HANDLE_TYPE_POSIX;
  EXPECT_EQ(aclrtMemPoolCreate(&pool, &props), ACL_ERROR_INVALID_PARAM);
  props = properties();
  props.reserved[31] = 1;
  EXPECT_EQ(aclrtMemPoolCreate(&pool, &props), ACL_ERROR_INVALID_PARAM);
  props = properties();
  props.location.id = 1000;
  EXPECT_EQ(aclrtMemPoolCreate(&pool, &props), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(pool, nullptr);
}

TEST_F(Plain, MemPoolNeedsAContext) {
  const aclrtMemPoolProps props = properties();
  aclrtMemPool pool = nullptr;
  EXPECT_EQ(aclrtMemPoolCreate(&pool, &props), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(MemPool, MallocAsyncRefusesBadArguments) {
  aclrtMemPool pool = new_pool();
  void* p = &pool;
  EXPECT_EQ(aclrtMemPoolMallocAsync(&p, 0, pool, s), 0);
  EXPECT_EQ(p, &pool) << "untouched";
  EXPECT_EQ(aclrtMemPoolMallocAsync(nullptr, 0, nullptr, nullptr), 0) << "no size comes first";
  EXPECT_EQ(aclrtMemPoolMallocAsync(nullptr, 8, pool, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemPoolMallocAsync(&p, 8, nullptr, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemPoolMallocAsync(&p, 8, pool, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemPoolMallocAsync(&p, 8, s, s), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtMemPoolMallocAsync(&p, 8, pool, pool), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtMemPoolMallocAsync(&p, SIZE_MAX, pool, s), ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(p, &pool);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), 0);
  EXPECT_EQ(aclrtMemPoolMallocAsync(&p, 8, pool, s), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtMemPoolFreeAsync(d, s), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtDestroyContext(context), 0);
}

TEST_F(MemPool, FreeAsyncRefusesBadArguments) {
  aclrtMemPool pool = new_pool();
  auto* p = static_cast<std::uint8_t*>(malloc_async(pool, 1000, s));
  EXPECT_EQ(aclrtMemPoolFreeAsync(nullptr, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemPoolFreeAsync(p, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemPoolFreeAsync(p + 32, s), ACL_ERROR_RT_PARAM_INVALID) << "not the start";
  EXPECT_EQ(aclrtMemPoolFreeAsync(h, s), ACL_ERROR_RT_PARAM_INVALID) << "pinned memory";
  EXPECT_EQ(aclrtMemPoolFreeAsync(&pool, s), ACL_ERROR_RT_PARAM_INVALID) << "no memory of a device";
  EXPECT_EQ(aclrtMemPoolFreeAsync(p, s), 0);
  EXPECT_EQ(aclrtMemPoolFreeAsync(p, s), ACL_ERROR_RT_PARAM_INVALID) << "twice";
}

TEST_F(MemPool, MemoryIsUsableInStreamOrder) {
  aclrtMemPool pool = new_pool();
  void* p = malloc_async(pool, 1000, s);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % 64, 0U);
  ASSERT_EQ(aclrtMemsetAsync(p, 1000, 7, 1000, s), 0);
  ASSERT_EQ(aclrtMemcpyAsync(h, kSize, static_cast<char*>(p) + 900, kSize, ACL_MEMCPY_DEVICE_TO_HOST, s), 0);
  ASSERT_EQ(aclrtMemPoolFreeAsync(p, s), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(Bytes(static_cast<std::uint8_t*>(h), static_cast<std::uint8_t*>(h) + kSize), Bytes(kSize, 7));
  EXPECT_NE(aclrtMemset(p, 8, 0, 8), 0) << "freed";
}

TEST_F(MemPool, T193_TheSameStreamUsesFreedMemoryAtOnce) {
  aclrtMemPool pool = new_pool(kMebi);
  BlockedStream blocked(s);  // nothing of what follows can have run
  void* a = malloc_async(pool, kMebi, s);
  ASSERT_EQ(aclrtMemsetAsync(a, kMebi, 1, kMebi, s), 0);
  ASSERT_EQ(aclrtMemcpyAsync(h, 8, a, 8, ACL_MEMCPY_DEVICE_TO_HOST, s), 0);
  ASSERT_EQ(aclrtMemPoolFreeAsync(a, s), 0);
  void* b = malloc_async(pool, kMebi, s);
  EXPECT_EQ(b, a) << "the pool has no other memory";
  ASSERT_EQ(aclrtMemsetAsync(b, kMebi, 2, kMebi, s), 0);
  blocked.release();
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(static_cast<std::uint8_t*>(h)[0], 1) << "read before b was written";
  EXPECT_EQ(content(b, 1)[0], 2);
}

TEST_F(MemPool, AnotherStreamUsesFreedMemoryAfterAnEvent) {
  aclrtMemPool pool = new_pool(kMebi);
  set_switch(pool, ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES, 0);
  aclrtStream other = new_stream();
  aclrtStream third = new_stream();
  aclrtEvent freed = new_event_ex(ACL_EVENT_SYNC);
  aclrtEvent passed_on = new_event_ex(ACL_EVENT_SYNC);
  BlockedStream blocked(s);
  void* a = malloc_async(pool, kMebi, s);
  ASSERT_EQ(aclrtMemPoolFreeAsync(a, s), 0);
  EXPECT_EQ(other_stream_gets(pool, kMebi, other), nullptr) << "s has not come to the free";
  ASSERT_EQ(aclrtRecordEvent(freed, s), 0);
  ASSERT_EQ(aclrtStreamWaitEvent(third, freed), 0);
  ASSERT_EQ(aclrtRecordEvent(passed_on, third), 0);
  ASSERT_EQ(aclrtStreamWaitEvent(other, passed_on), 0);
  EXPECT_EQ(other_stream_gets(pool, kMebi, other), a) << "by way of a third stream";
  blocked.release();
}

TEST_F(MemPool, AnEventFromBeforeTheFreeDoesNotCount) {
  aclrtMemPool pool = new_pool(kMebi);
  set_switch(pool, ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES, 0);
  aclrtStream other = new_stream();
  aclrtEvent early = new_event_ex(ACL_EVENT_SYNC);
  BlockedStream blocked(s);
  void* a = malloc_async(pool, kMebi, s);
  ASSERT_EQ(aclrtRecordEvent(early, s), 0);
  ASSERT_EQ(aclrtMemPoolFreeAsync(a, s), 0);
  ASSERT_EQ(aclrtStreamWaitEvent(other, early), 0);
  EXPECT_EQ(other_stream_gets(pool, kMebi, other), nullptr);
  blocked.release();
}

TEST_F(MemPool, EventsDoNotCountWhenTheSwitchIsOff) {
  aclrtMemPool pool = new_pool(kMebi);
  set_switch(pool, ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES, 0);
  set_switch(pool, ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES, 0);
  aclrtStream other = new_stream();
  aclrtEvent freed = new_event_ex(ACL_EVENT_SYNC);
  BlockedStream blocked(s);
  ASSERT_EQ(aclrtMemPoolFreeAsync(malloc_async(pool, kMebi, s), s), 0);
  ASSERT_EQ(aclrtRecordEvent(freed, s), 0);
  ASSERT_EQ(aclrtStreamWaitEvent(other, freed), 0);
  EXPECT_EQ(other_stream_gets(pool, kMebi, other), nullptr);
  blocked.release();
}

TEST_F(MemPool, AnotherStreamUsesFreedMemoryAfterASynchronisation) {
  aclrtMemPool pool = new_pool(kMebi);
  set_size(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, kMebi);
  set_switch(pool, ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES, 0);
  set_switch(pool, ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC, 0);
  void* a = malloc_async(pool, kMebi, s);
  ASSERT_EQ(aclrtMemPoolFreeAsync(a, s), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(other_stream_gets(pool, kMebi, new_stream()), a);
}

TEST_F(MemPool, AnotherStreamWaitsForFreedMemoryRatherThanFail) {
  aclrtMemPool pool = new_pool(kMebi);
  aclrtStream other = new_stream();
  BlockedStream blocked(s);
  void* a = malloc_async(pool, kMebi, s);
  ASSERT_EQ(aclrtMemsetAsync(a, kMebi, 1, kMebi, s), 0);
  ASSERT_EQ(aclrtMemPoolFreeAsync(a, s), 0);
  void* b = malloc_async(pool, kMebi, other);
  EXPECT_EQ(b, a);
  ASSERT_EQ(aclrtMemsetAsync(b, kMebi, 2, kMebi, other), 0);
  EXPECT_TRUE(stays_blocked(other));
  blocked.release();
  ASSERT_EQ(aclrtSynchronizeStream(other), 0);
  EXPECT_EQ(content(b, 1)[0], 2);
}

TEST_F(MemPool, AnAbortKeepsTheWaitForMemoryThatIsFreedAgain) {
  aclrtMemPool pool = new_pool(kMebi);
  aclrtStream other = new_stream();
  BlockedStream blocked(s);
  void* a = malloc_async(pool, kMebi, s);
  ASSERT_EQ(aclrtMemsetAsync(a, kMebi, 1, kMebi, s), 0);
  ASSERT_EQ(aclrtMemPoolFreeAsync(a, s), 0);
  EXPECT_EQ(malloc_async(pool, kMebi, other), a);
  ASSERT_EQ(aclrtMemPoolFreeAsync(a, other), 0);
  ASSERT_EQ(aclrtStreamAbort(other), 0);
  set_switch(pool, ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES, 0);
  EXPECT_EQ(other_stream_gets(pool, kMebi, new_stream()), nullptr) << "s has yet to write it";
  blocked.release();
}

TEST_F(MemPool, AnExhaustedPoolAnswers) {
  aclrtMemPool pool = new_pool(kMebi);
  void* a = malloc_async(pool, kMebi / 2, s);
  void* b = malloc_async(pool, kMebi / 2, s);
  EXPECT_NE(a, b);
  void* p = nullptr;
  EXPECT_EQ(aclrtMemPoolMallocAsync(&p, 1, pool, s), ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(aclrtMemPoolMallocAsync(&p, kMebi + 1, pool, s), ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(p, nullptr);
  ASSERT_EQ(aclrtMemPoolFreeAsync(a, s), 0);
  EXPECT_EQ(malloc_async(pool, kMebi / 2, s), a);
}

TEST_F(MemPool, SmallPiecesBecomeALargeOneAgain) {
  aclrtMemPool pool = new_pool(kMebi);
  std::vector<void*> pieces;
  for (int i = 0; i < 8; ++i) pieces.push_back(malloc_async(pool, kMebi / 8, s));
  for (const int i : {1, 3, 5, 7, 0, 2, 6, 4}) {
    ASSERT_EQ(aclrtMemPoolFreeAsync(pieces[static_cast<std::size_t>(i)], s), 0);
  }
  EXPECT_EQ(malloc_async(pool, kMebi, s), *std::min_element(pieces.begin(), pieces.end()));
}

TEST_F(MemPool, LivePiecesDoNotOverlap) {
  aclrtMemPool pool = new_pool();
  std::vector<std::pair<std::uint8_t*, std::size_t>> live;
  for (std::size_t i = 0; i < 200; ++i) {
    const std::size_t size = 1 + i * 7919 % 5000;
    auto* p = static_cast<std::uint8_t*>(malloc_async(pool, size, s));
    for (const auto& [start, bytes] : live) EXPECT_TRUE(p + size <= start || start + bytes <= p);
    live.emplace_back(p, size);
    if (i % 3 != 2) continue;
    ASSERT_EQ(aclrtMemPoolFreeAsync(live[i / 3].first, s), 0);
    live.erase(live.begin() + static_cast<std::ptrdiff_t>(i / 3));
  }
}

TEST_F(MemPool, AttributesReturnWhatThePoolHas) {
  aclrtMemPool pool = new_pool();
  EXPECT_EQ(reserved(pool), 0U);
  EXPECT_EQ(used(pool), 0U);
  void* a = malloc_async(pool, kMebi, s);
  void* b = malloc_async(pool, 3 * kMebi, s);
  EXPECT_EQ(used(pool), 4 * kMebi);
  EXPECT_GE(reserved(pool), used(pool));
  ASSERT_EQ(aclrtMemPoolFreeAsync(b, s), 0);
  EXPECT_EQ(used(pool), kMebi);
  EXPECT_EQ(size_attribute(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH), 4 * kMebi);
  EXPECT_GE(size_attribute(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH), 4 * kMebi);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_LT(reserved(pool), 4 * kMebi) << "what b had has gone back to the device";
  set_size(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH, 0);
  set_size(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH, 0);
  EXPECT_EQ(size_attribute(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH), kMebi) << "the highest from now on";
  EXPECT_EQ(size_attribute(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH), reserved(pool));
  ASSERT_EQ(aclrtMemPoolFreeAsync(a, s), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(reserved(pool), 0U);
}

TEST_F(MemPool, AttributesRefuseBadArguments) {
  aclrtMemPool pool = new_pool();
  std::uint64_t value = 1;
  const auto attribute = [](int number) { return static_cast<aclrtMemPoolAttr>(number); };
  for (const int number : {0, 9, -1}) {
    EXPECT_EQ(aclrtMemPoolGetAttr(pool, attribute(number), &value), ACL_ERROR_RT_PARAM_INVALID) << number;
    EXPECT_EQ(aclrtMemPoolSetAttr(pool, attribute(number), &value), ACL_ERROR_RT_PARAM_INVALID) << number;
  }
  for (const int number : {5, 7}) {
    value = 0;
    EXPECT_EQ(aclrtMemPoolSetAttr(pool, attribute(number), &value), ACL_ERROR_RT_PARAM_INVALID) << "can only be read";
  }
  for (const int number : {6, 8}) {
    value = 1;
    EXPECT_EQ(aclrtMemPoolSetAttr(pool, attribute(number), &value), ACL_ERROR_RT_PARAM_INVALID) << "only to 0";
  }
  EXPECT_EQ(aclrtMemPoolGetAttr(pool, attribute(1), nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemPoolSetAttr(pool, attribute(1), nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemPoolGetAttr(nullptr, attribute(1), &value), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemPoolSetAttr(nullptr, attribute(1), &value), ACL_ERROR_INVALID_PARAM);
}

TEST_F(MemPool, SwitchesAndTheThresholdKeepTheirValues) {
  aclrtMemPool pool = new_pool();
  EXPECT_EQ(size_attribute(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD), 0U);
  set_size(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, std::uint64_t{1} << 40);
  EXPECT_EQ(size_attribute(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD), std::uint64_t{1} << 40);
  for (const int number : {1, 2, 3}) {
    int value = -1;
    const auto attribute = static_cast<aclrtMemPoolAttr>(number);
    ASSERT_EQ(aclrtMemPoolGetAttr(pool, attribute, &value), 0);
    EXPECT_EQ(value, 1);
    set_switch(pool, attribute, 0);
    ASSERT_EQ(aclrtMemPoolGetAttr(pool, attribute, &value), 0);
    EXPECT_EQ(value, 0);
  }
}

TEST_F(MemPool, IdleMemoryBelowTheThresholdStays) {
  aclrtMemPool pool = new_pool();
  set_size(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, 4 * kMebi);
  void* a = malloc_async(pool, 4 * kMebi, s);
  void* b = malloc_async(pool, 4 * kMebi, s);
  ASSERT_EQ(aclrtMemPoolFreeAsync(a, s), 0);
  ASSERT_EQ(aclrtMemPoolFreeAsync(b, s), 0);
  EXPECT_EQ(reserved(pool), 8 * kMebi) << "until somebody synchronises";
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(reserved(pool), 4 * kMebi);
  ASSERT_EQ(aclrtMemPoolTrimTo(pool, 4 * kMebi), 0);
  EXPECT_EQ(reserved(pool), 4 * kMebi);
  ASSERT_EQ(aclrtMemPoolTrimTo(pool, 0), 0);
  EXPECT_EQ(reserved(pool), 0U);
  EXPECT_EQ(aclrtMemPoolTrimTo(nullptr, 0), ACL_ERROR_INVALID_PARAM);
}

TEST_F(MemPool, TrimKeepsWhatIsUsedOrStillInOrder) {
  aclrtMemPool pool = new_pool();
  void* a = malloc_async(pool, 4 * kMebi, s);
  ASSERT_EQ(aclrtMemPoolTrimTo(pool, 0), 0);
  EXPECT_EQ(reserved(pool), 4 * kMebi) << "used";
  BlockedStream blocked(s);
  ASSERT_EQ(aclrtMemsetAsync(a, 4 * kMebi, 1, 4 * kMebi, s), 0);
  ASSERT_EQ(aclrtMemPoolFreeAsync(a, s), 0);
  ASSERT_EQ(aclrtMemPoolTrimTo(pool, 0), 0);
  EXPECT_EQ(reserved(pool), 4 * kMebi) << "the stream has yet to write it";
  blocked.release();
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(reserved(pool), 0U);
}

TEST_F(MemPool, SynchronisingAnEventGivesIdleMemoryBack) {
  aclrtMemPool pool = new_pool();
  aclrtEvent event = new_event_ex(ACL_EVENT_SYNC);
  ASSERT_EQ(aclrtMemPoolFreeAsync(malloc_async(pool, 4 * kMebi, s), s), 0);
  ASSERT_EQ(aclrtRecordEvent(event, s), 0);
  ASSERT_EQ(aclrtSynchronizeEvent(event), 0);
  EXPECT_EQ(reserved(pool), 0U);
}

TEST_F(MemPool, MallocTakesIdleMemoryOfPoolsBeforeItFails) {
  size_t free = 0;
  size_t total = 0;
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), 0);
  aclrtMemPool pool = new_pool();
  set_size(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, total);
  ASSERT_EQ(aclrtMemPoolFreeAsync(malloc_async(pool, 64 * kMebi, s), s), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  ASSERT_EQ(reserved(pool), 64 * kMebi);
  // More than there is, even with the pool's part: refused, but not before the pool has been asked.
  void* p = nullptr;
  EXPECT_EQ(aclrtMalloc(&p, total + 1, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(reserved(pool), 0U);
}

TEST_F(MemPool, MemoryOfAPoolIsDeviceMemory) {
  aclrtMemPool pool = new_pool();
  auto* p = static_cast<std::uint8_t*>(malloc_async(pool, 1000, s));
  aclrtPtrAttributes attributes{};
  ASSERT_EQ(aclrtPointerGetAttributes(p + 100, &attributes), 0);
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_EQ(aclrtMemset(p, 1000, 3, 1000), 0);
  EXPECT_EQ(content(p, 1000), Bytes(1000, 3));
  EXPECT_NE(aclrtMemset(p, 4096, 3, 4096), 0) << "behind its end";
  EXPECT_EQ(aclrtFreeHost(p), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFree(p), 0) << "it goes back to the pool";
  EXPECT_EQ(used(pool), 0U);
  EXPECT_EQ(aclrtFree(p), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(MemPool, MemoryThatIsFreedBelongsToTasksThatWereLaunchedBefore) {
  aclrtMemPool pool = new_pool(kMebi);
  BlockedStream blocked(s);
  void* a = malloc_async(pool, kMebi / 2, s);
  void* b = malloc_async(pool, kMebi / 2, s);
  ASSERT_EQ(aclrtMemsetAsync(a, kMebi / 2, 1, kMebi / 2, s), 0);
  ASSERT_EQ(aclrtFree(a), 0);
  ASSERT_EQ(aclrtFree(b), 0);
  aclrtStream other = new_stream();
  EXPECT_EQ(other_stream_gets(pool, kMebi / 2, other), b) << "no task uses this one";
  EXPECT_EQ(other_stream_gets(pool, kMebi / 2, other), nullptr) << "s has yet to write this one";
  ASSERT_EQ(aclrtMemPoolTrimTo(pool, 0), 0);
  EXPECT_EQ(reserved(pool), kMebi);
  blocked.release();
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(other_stream_gets(pool, kMebi / 2, other), a);
}

TEST_F(MemPool, MemoryOfMallocIsFreedInStreamOrder) {
  BlockedStream blocked(s);
  ASSERT_EQ(aclrtMemcpyAsync(d, 8, h, 8, ACL_MEMCPY_HOST_TO_DEVICE, s), 0);
  ASSERT_EQ(aclrtMemPoolFreeAsync(d, s), 0);
  EXPECT_EQ(aclrtMemset(d, 8, 0, 8), 0) << "the stream has not come there";
  blocked.release();
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_NE(aclrtMemset(d, 8, 0, 8), 0) << "freed";
}

TEST_F(MemPool, AStreamFreesNothingThatAnotherStreamHasByThen) {
  BlockedStream blocked(s);
  ASSERT_EQ(aclrtMemPoolFreeAsync(d, s), 0);
  ASSERT_EQ(aclrtFree(d), 0);
  void* other = nullptr;
  ASSERT_EQ(aclrtMalloc(&other, kSize, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  EXPECT_EQ(other, d) << "an allocation with the same address";
  blocked.release();
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_PARAM_INVALID) << "freed twice";
  EXPECT_EQ(aclrtMemset(other, kSize, 0, kSize), 0);
  EXPECT_EQ(aclrtFree(other), 0);
}

TEST_F(MemPool, ADestroyedPoolGoesWithItsLastAllocation) {
  aclrtMemPool pool = new_pool();
  void* p = malloc_async(pool, kMebi, s);
  ASSERT_EQ(aclrtMemPoolDestroy(pool), 0);
  EXPECT_EQ(aclrtMemPoolDestroy(pool), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtMemPoolDestroy(nullptr), ACL_ERROR_INVALID_PARAM);
  void* q = nullptr;
  EXPECT_EQ(aclrtMemPoolMallocAsync(&q, 8, pool, s), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtMemset(p, kMebi, 1, kMebi), 0) << "the allocation lives on";
  size_t before = 0;
  size_t after = 0;
  size_t total = 0;
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &before, &total), 0);
  EXPECT_EQ(aclrtMemPoolFreeAsync(p, s), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &after, &total), 0);
  EXPECT_GE(after, before + kMebi);
}

TEST_F(MemPool, APoolThatIsDestroyedWhileItGrowsOwnsWhatItHasGivenOut) {
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&context), 0);
  size_t before = 0;
  size_t after = 0;
  size_t total = 0;
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &before, &total), 0);
  for (int round = 0; round < 400; ++round) {
    aclrtMemPool pool = new_pool();
    void* p = nullptr;
    aclError code = 0;
    std::atomic<bool> go{false};
    std::thread grower([&] {
      EXPECT_EQ(aclrtSetCurrentContext(context), 0);
      go = true;
      code = aclrtMemPoolMallocAsync(&p, 1000, pool, s);
    });
    while (!go) std::this_thread::yield();
    for (std::atomic<int> moment{0}; moment < round % 200 * 40; ++moment) {
    }
    EXPECT_EQ(aclrtMemPoolDestroy(pool), 0);
    grower.join();
    EXPECT_EQ(code == 0 ? aclrtFree(p) : code, code == 0 ? 0 : ACL_ERROR_RT_INVALID_HANDLE) << "round " << round;
    EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  }
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &after, &total), 0);
  EXPECT_EQ(after, before);
}

TEST_F(MemPool, ManyThreadsShareAPool) {
  aclrtMemPool pool = new_pool();
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&context), 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([=] {
      EXPECT_EQ(aclrtSetCurrentContext(context), 0);
      aclrtStream stream = nullptr;
      EXPECT_EQ(aclrtCreateStream(&stream), 0);
      for (std::size_t i = 0; i < 50; ++i) {
        const std::size_t size = 100 + i * 997 % 3000;
        void* p = malloc_async(pool, size, stream);
        EXPECT_EQ(aclrtMemsetAsync(p, size, t, size, stream), 0);
        Bytes bytes(size);
        EXPECT_EQ(aclrtMemcpyAsync(bytes.data(), size, p, size, ACL_MEMCPY_DEVICE_TO_HOST, stream), 0);
        EXPECT_EQ(bytes, Bytes(size, static_cast<std::uint8_t>(t)));
        EXPECT_EQ(aclrtMemPoolFreeAsync(p, stream), 0);
      }
      EXPECT_EQ(aclrtSynchronizeStream(stream), 0);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(used(pool), 0U);
}

}  // namespace
}  // namespace aclvk::test
