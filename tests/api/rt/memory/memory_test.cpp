// Allocating and freeing, and what is known about pointers: T142-T154, T182, T183, T198.
#include <set>

#include "support/memory_fixture.hpp"

namespace aclvk::test {
namespace {

using Memory = OneBuffer;

template <typename T>
T* moved(void* pointer, std::ptrdiff_t bytes) {
  return reinterpret_cast<T*>(static_cast<std::uint8_t*>(pointer) + bytes);
}

bool is_aligned(const void* pointer, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(pointer) % alignment == 0;
}

// A program may free without ever waiting: unused memory serves the next allocation.
TEST_F(Memory, FreedIsUsedAgainWithoutASynchronisation) {
  constexpr std::size_t kLarge = std::size_t{8} << 20;
  std::set<void*> places;
  for (int i = 0; i < 32; ++i) {
    void* pointer = nullptr;
    ASSERT_EQ(aclrtMalloc(&pointer, kLarge, ACL_MEM_MALLOC_NORMAL_ONLY), 0) << aclGetRecentErrMsg();
    places.insert(pointer);
    ASSERT_EQ(aclrtFree(pointer), 0) << aclGetRecentErrMsg();
  }
  EXPECT_LE(places.size(), 2U);
}

TEST_F(Memory, T142_MallocRefusesNoPointerNoSizeAndTooMuchSize) {
  void* p = nullptr;
  EXPECT_EQ(aclrtMalloc(nullptr, 8, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMalloc(&p, 0, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMalloc(&p, SIZE_MAX, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMalloc(&p, SIZE_MAX - 63, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(p, nullptr);
}

TEST_F(Plain, T142_MallocNeedsAContext) {
  void* p = nullptr;
  EXPECT_EQ(aclrtMalloc(&p, 8, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(aclrtMallocHost(&p, 8), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(aclrtMemAllocManaged(&p, 8, ACL_RT_MEM_ATTACH_GLOBAL), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(Memory, T143_MallocOfMoreThanTheDeviceHas) {
  size_t free = 0;
  size_t total = 0;
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), 0);
  void* p = nullptr;
  EXPECT_EQ(aclrtMalloc(&p, total + 1, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(aclrtMalloc(&p, size_t{1} << 60, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_RT_MEMORY_ALLOCATION);
}

TEST_F(Memory, T145_EveryPolicyGivesUsableMemory) {
  for (const int policy : {0, 1, 2, 3, 4, 5, 6, 7, 0x100, 0x1000, 42}) {
    void* p = nullptr;
    ASSERT_EQ(aclrtMalloc(&p, 100, static_cast<aclrtMemMallocPolicy>(policy)), 0) << policy;
    EXPECT_TRUE(is_aligned(p, 64)) << policy;
    EXPECT_EQ(aclrtMemset(p, 100, 7, 100), 0) << policy;
    EXPECT_EQ(content(p, 100), Bytes(100, 7)) << policy;
    EXPECT_EQ(aclrtFree(p), 0) << policy;
  }
}

TEST_F(Memory, T145_KernelsMayReadPastTheEnd) {
  void* p = nullptr;
  ASSERT_EQ(aclrtMalloc(&p, 33, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  Bytes padded(4097);  // whole pages
  EXPECT_EQ(aclrtMemcpy(padded.data(), 4096, p, 4096, ACL_MEMCPY_DEVICE_TO_HOST), 0);
  EXPECT_NE(aclrtMemcpy(padded.data(), 4097, p, 4097, ACL_MEMCPY_DEVICE_TO_HOST), 0);
  EXPECT_EQ(aclrtFree(p), 0);
  ASSERT_EQ(aclrtMalloc(&p, 4096, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  EXPECT_EQ(aclrtMemset(p, 4128, 1, 4128), 0) << "32 more than was asked for";
}

struct StrictMemory : Memory {
  StrictMemory() { setenv("ACLVK_COMPATIBILITY", "strict", 1); }
};

TEST_F(StrictMemory, T145_KernelsMayReadPastTheEnd) {
  void* p = nullptr;
  ASSERT_EQ(aclrtMalloc(&p, 33, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  Bytes padded(96);  // 33 rounded up to 64, and 32 more
  EXPECT_EQ(aclrtMemcpy(padded.data(), 96, p, 96, ACL_MEMCPY_DEVICE_TO_HOST), 0);
  EXPECT_NE(aclrtMemcpy(padded.data(), 97, p, 97, ACL_MEMCPY_DEVICE_TO_HOST), 0);
}

TEST_F(Memory, T146_MallocAlign32) {
  void* p = nullptr;
  ASSERT_EQ(aclrtMallocAlign32(&p, 1, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  EXPECT_EQ(aclrtMemset(p, 32, 1, 32), 0);
  EXPECT_NE(aclrtMemset(p, 33, 1, 33), 0);
  EXPECT_EQ(aclrtFree(p), 0);
  EXPECT_EQ(aclrtMallocAlign32(nullptr, 1, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMallocAlign32(&p, 0, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Memory, CachedMemoryIsFlushedAndInvalidated) {
  void* p = nullptr;
  ASSERT_EQ(aclrtMallocCached(&p, 64, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  EXPECT_EQ(aclrtMemFlush(p, 64), 0);
  EXPECT_EQ(aclrtMemInvalidate(p, 64), 0);
  EXPECT_EQ(aclrtMemFlush(nullptr, 64), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemFlush(p, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemInvalidate(nullptr, 64), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemInvalidate(p, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtFree(p), 0);
  EXPECT_EQ(aclrtMemFlush(p, 64), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(Memory, T147_FreeRefusesNull) {
  EXPECT_EQ(aclrtFree(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtFreeHost(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtFreeWithDevSync(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtFreeHostWithDevSync(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Memory, T149_FreeRefusesTheInsideOfAnAllocation) {
  EXPECT_EQ(aclrtFree(moved<void>(d, 32)), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFreeHost(moved<void>(h, 32)), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemset(d, kSize, 1, kSize), 0) << "the allocation is still there";
}

TEST_F(Memory, T149_FreeRefusesWhatWasNeverAllocated) {
  int on_stack = 0;
  void* on_heap = std::malloc(16);
  for (void* p : {static_cast<void*>(&on_stack), on_heap, reinterpret_cast<void*>(0x1234),
                  reinterpret_cast<void*>(UINTPTR_MAX), static_cast<void*>(s)}) {
    EXPECT_EQ(aclrtFree(p), ACL_ERROR_RT_PARAM_INVALID) << p;
    EXPECT_EQ(aclrtFreeHost(p), ACL_ERROR_RT_PARAM_INVALID) << p;
    EXPECT_EQ(aclrtFreeWithDevSync(p), ACL_ERROR_RT_PARAM_INVALID) << p;
    EXPECT_EQ(aclrtFreeHostWithDevSync(p), ACL_ERROR_RT_PARAM_INVALID) << p;
  }
  std::free(on_heap);
}

TEST_F(Memory, T149_TheSecondFreeIsRefused) {
  EXPECT_EQ(aclrtFree(d), 0);
  EXPECT_EQ(aclrtFree(d), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFreeHost(h), 0);
  EXPECT_EQ(aclrtFreeHost(h), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(Memory, T150_EachKindHasItsOwnFree) {
  EXPECT_EQ(aclrtFreeHost(d), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFree(h), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFree(d), 0);
  EXPECT_EQ(aclrtFreeHost(h), 0);
}

TEST_F(Memory, T151_FreeNeedsNoContext) {
  on_another_thread([&] {
    EXPECT_EQ(aclrtFree(d), 0);
    EXPECT_EQ(aclrtFreeHost(h), 0);
  });
}

TEST_F(Memory, FreeNeverWaits) {
  const BlockedStream blocked;
  ASSERT_EQ(aclrtMemsetAsync(d, kSize, 1, kSize, blocked.get()), 0);
  void* other = nullptr;
  ASSERT_EQ(aclrtMalloc(&other, kSize, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  EXPECT_EQ(aclrtFree(other), 0);
}

TEST_F(Memory, FreeWithDevSyncWaitsForTheWork) {
  void* result = nullptr;
  ASSERT_EQ(aclrtMallocHost(&result, kSize), 0);
  ASSERT_EQ(aclrtMemsetAsync(d, kSize, 9, kSize, s), 0);
  ASSERT_EQ(aclrtMemcpyAsync(result, kSize, d, kSize, ACL_MEMCPY_DEVICE_TO_HOST, s), 0);
  EXPECT_EQ(aclrtFreeWithDevSync(d), 0);
  EXPECT_EQ(static_cast<std::uint8_t*>(result)[63], 9);
  EXPECT_EQ(aclrtFreeHostWithDevSync(result), 0);
  EXPECT_EQ(aclrtFreeHostWithDevSync(result), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(Memory, FreedMemoryIsAvailableAgain) {
  size_t before = 0;
  size_t after = 0;
  size_t total = 0;
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &before, &total), 0);
  for (int i = 0; i < 1000; ++i) {
    void* p = nullptr;
    ASSERT_EQ(aclrtMalloc(&p, 1 << 20, ACL_MEM_MALLOC_HUGE_FIRST), 0);
    ASSERT_EQ(aclrtFree(p), 0);
  }
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &after, &total), 0);
  EXPECT_EQ(after, before);
}

TEST_F(Memory, ManyAllocationsDoNotOverlap) {
  constexpr std::size_t kCount = 300;
  std::vector<void*> pointers(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    ASSERT_EQ(aclrtMalloc(&pointers[i], 1 + i * 37, ACL_MEM_MALLOC_HUGE_FIRST), 0);
    ASSERT_EQ(aclrtMemset(pointers[i], 1 + i * 37, static_cast<int>(i), 1 + i * 37), 0);
  }
  for (std::size_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(content(pointers[i], 1 + i * 37), Bytes(1 + i * 37, static_cast<std::uint8_t>(i))) << i;
    EXPECT_EQ(aclrtFree(pointers[i]), 0);
  }
}

TEST_F(Memory, T153_MallocWithCfg) {
  void* p = nullptr;
  aclrtMallocConfig config{nullptr, 1};
  EXPECT_EQ(aclrtMallocWithCfg(&p, 64, ACL_MEM_MALLOC_HUGE_FIRST, &config), ACL_ERROR_INVALID_PARAM);

  aclrtMallocAttribute attribute{};
  attribute.attr = ACL_RT_MEM_ATTR_DEVICE_ID;
  attribute.value.deviceId = 5;
  config.attrs = &attribute;
  EXPECT_EQ(aclrtMallocWithCfg(&p, 64, ACL_MEM_MALLOC_HUGE_FIRST, &config), ACL_ERROR_RT_PARAM_INVALID);

  attribute.value.deviceId = 0;
  EXPECT_EQ(aclrtMallocWithCfg(&p, 64, ACL_MEM_MALLOC_HUGE_FIRST, &config), 0);
  EXPECT_EQ(aclrtFree(p), 0);

  attribute.attr = static_cast<aclrtMallocAttrType>(77);
  EXPECT_EQ(aclrtMallocWithCfg(&p, 64, ACL_MEM_MALLOC_HUGE_FIRST, &config), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMallocWithCfg(&p, 0, ACL_MEM_MALLOC_HUGE_FIRST, &config), ACL_ERROR_INVALID_PARAM) << "size first";
  EXPECT_EQ(aclrtMallocHostWithCfg(&p, 0, &config), ACL_ERROR_INVALID_PARAM) << "size first";
  EXPECT_EQ(aclrtMallocWithCfg(nullptr, 64, ACL_MEM_MALLOC_HUGE_FIRST, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMallocWithCfg(&p, 0, ACL_MEM_MALLOC_HUGE_FIRST, nullptr), ACL_ERROR_INVALID_PARAM);

  EXPECT_EQ(aclrtMallocWithCfg(&p, 64, ACL_MEM_MALLOC_HUGE_FIRST, nullptr), 0);
  EXPECT_EQ(aclrtFree(p), 0);
}

TEST_F(Memory, T154_MemAllocManaged) {
  void* p = nullptr;
  EXPECT_EQ(aclrtMemAllocManaged(&p, 10, 2), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemAllocManaged(nullptr, 10, ACL_RT_MEM_ATTACH_GLOBAL), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemAllocManaged(&p, 0, ACL_RT_MEM_ATTACH_GLOBAL), ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(aclrtMemAllocManaged(&p, 10, ACL_RT_MEM_ATTACH_GLOBAL), 0);
  static_cast<char*>(p)[(2 << 20) - 1] = 3;  // the host writes, rounded up to 2 MiB
  ASSERT_EQ(aclrtMemcpyAsync(d, kSize, moved<void>(p, (2 << 20) - 4), 4, ACL_MEMCPY_DEFAULT, s), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(content(d, 4)[3], 3);
  EXPECT_EQ(aclrtFreeHost(p), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFree(p), 0);
  EXPECT_EQ(aclrtFree(p), ACL_ERROR_RT_PARAM_INVALID);
}

aclrtMemLocationType location_of(const void* pointer) {
  aclrtPtrAttributes attributes{};
  EXPECT_EQ(aclrtPointerGetAttributes(pointer, &attributes), 0);
  EXPECT_NE(attributes.pageSize, 0U);
  EXPECT_EQ(attributes.location.id, 0U);
  return attributes.location.type;
}

TEST_F(Memory, T182_PointersHaveALocation) {
  const Block pageable(MemoryKind::kPageable, Bytes(16));
  const Block managed(MemoryKind::kManaged, Bytes(16));
  const int on_stack = 0;
  EXPECT_EQ(location_of(d), ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_EQ(location_of(moved<void>(d, 17)), ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_EQ(location_of(h), ACL_MEM_LOCATION_TYPE_HOST);
  EXPECT_EQ(location_of(moved<void>(h, 63)), ACL_MEM_LOCATION_TYPE_HOST);
  EXPECT_EQ(location_of(pageable.begin()), ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  EXPECT_EQ(location_of(&on_stack), ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  EXPECT_EQ(location_of(reinterpret_cast<void*>(0x1234)), ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  EXPECT_EQ(location_of(managed.begin()), ACL_MEM_LOCATION_TYPE_MANAGED);

  ASSERT_EQ(aclrtFree(d), 0);
  EXPECT_EQ(location_of(d), ACL_MEM_LOCATION_TYPE_UNREGISTERED);

  aclrtPtrAttributes attributes{};
  EXPECT_EQ(aclrtPointerGetAttributes(nullptr, &attributes), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtPointerGetAttributes(h, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Memory, T182_PointerAttributesNeedNoContext) {
  on_another_thread([&] { EXPECT_EQ(location_of(d), ACL_MEM_LOCATION_TYPE_DEVICE); });
}

TEST_F(Memory, T183_MemInfo) {
  size_t free = 1;
  size_t total = 1;
  for (const int attribute : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}) {
    EXPECT_EQ(aclrtGetMemInfo(static_cast<aclrtMemAttr>(attribute), &free, &total), 0) << attribute;
    EXPECT_LE(free, total) << attribute;
  }
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), 0);
  EXPECT_GT(total, 0U);
  EXPECT_EQ(aclrtGetMemInfo(static_cast<aclrtMemAttr>(99), &free, &total), ACL_ERROR_RT_INVALID_MEMORY_TYPE);
  EXPECT_EQ(aclrtGetMemInfo(static_cast<aclrtMemAttr>(-1), &free, &total), ACL_ERROR_RT_INVALID_MEMORY_TYPE);
  EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, nullptr, &total), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Plain, T183_MemInfoLooksAtTheAttributeBeforeTheContext) {
  size_t free = 0;
  size_t total = 0;
  EXPECT_EQ(aclrtGetMemInfo(static_cast<aclrtMemAttr>(99), &free, &total), ACL_ERROR_RT_INVALID_MEMORY_TYPE);
  EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(Memory, AnAddressTellsItsAllocation) {
  void* base = nullptr;
  size_t size = 0;
  EXPECT_EQ(aclrtMemGetAddressRange(moved<void>(d, 5), &base, &size), 0);
  EXPECT_EQ(base, d);
  EXPECT_GE(size, kSize);
  EXPECT_EQ(aclrtMemGetAddressRange(nullptr, &base, &size), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemGetAddressRange(&base, &base, &size), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(Memory, T198_CachePrefetch) {
  EXPECT_EQ(aclrtCmoAsync(d, 0, ACL_RT_CMO_TYPE_PREFETCH, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCmoAsync(nullptr, 8, ACL_RT_CMO_TYPE_PREFETCH, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCmoAsync(d, kSize, ACL_RT_CMO_TYPE_PREFETCH, s), 0);
  EXPECT_EQ(aclrtCmoAsync(d, kSize, ACL_RT_CMO_TYPE_PREFETCH, &h), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(Memory, AllocationFromManyThreads) {
  std::vector<std::thread> threads;
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&context), 0);
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([context, t] {
      EXPECT_EQ(aclrtSetCurrentContext(context), 0);
      for (int i = 0; i < 100; ++i) {
        const Bytes bytes(static_cast<std::size_t>(1 + t * 100 + i), static_cast<std::uint8_t>(t));
        const Block block(i % 2 ? MemoryKind::kDevice : MemoryKind::kPinned, bytes);
        EXPECT_EQ(block.read(), bytes);
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace aclvk::test
