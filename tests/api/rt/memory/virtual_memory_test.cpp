#include "support/virtual_memory.hpp"

#include <unistd.h>

#include <optional>

#include "support/memory_fixture.hpp"

namespace {

using namespace aclvk::test;

class VirtualMemory : public OneBuffer {
 protected:
  void SetUp() override {
    OneBuffer::SetUp();
    if (lacks_sparse_buffers()) GTEST_SKIP() << kNoSparseBuffers;
  }

  static int allocate(aclrtPhysicalMemProp prop, std::size_t bytes = kChunk, std::uint64_t flags = 0) {
    aclrtDrvMemHandle handle = nullptr;
    const int code = aclrtMallocPhysical(&handle, bytes, &prop, flags);
    if (code == 0) {
      EXPECT_EQ(aclrtFreePhysical(handle), 0);
    }
    return code;
  }
  static int set(void* pointer, std::size_t bytes, int value) { return aclrtMemset(pointer, bytes, value, bytes); }
  static aclrtMemLocationType location_of(const void* pointer) {
    aclrtPtrAttributes attributes{};
    EXPECT_EQ(aclrtPointerGetAttributes(pointer, &attributes), 0);
    return attributes.location.type;
  }
  static std::uint64_t access_of(void* pointer, aclrtMemLocation location) {
    std::uint64_t flags = 99;
    EXPECT_EQ(aclrtMemGetAccess(pointer, &location, &flags), 0) << aclGetRecentErrMsg();
    return flags;
  }

  static constexpr aclrtMemLocation kDevice0{0, ACL_MEM_LOCATION_TYPE_DEVICE};
  static constexpr aclrtMemLocation kHost{0, ACL_MEM_LOCATION_TYPE_HOST};
  int on_stack = 0;
};

TEST_F(VirtualMemory, T186_AReservationChecksItsArguments) {
  void* v = nullptr;
  EXPECT_EQ(aclrtReserveMemAddress(&v, 0, 0, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtReserveMemAddress(&v, kChunk, 0, nullptr, 2), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtReserveMemAddress(nullptr, kChunk, 0, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtReserveMemAddress(&v, kChunk, 4096, nullptr, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtReserveMemAddress(&v, SIZE_MAX, 0, nullptr, 0), ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(aclrtReserveMemAddress(&v, std::size_t{1} << 60, 0, nullptr, 0), ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(aclrtReserveMemAddressNoUCMemory(&v, 0, 0, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtReserveMemAddressNoUCMemory(nullptr, kChunk, 0, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  on_another_thread([&] { EXPECT_EQ(aclrtReserveMemAddress(&v, kChunk, 0, nullptr, 0), ACL_ERROR_RT_CONTEXT_NULL); });
}

TEST_F(VirtualMemory, AReservationIsAlignedAndCanBeFarLargerThanMemory) {
  constexpr std::size_t kAlignment = 64 * kChunk;
  // Lavapipe has 2 GiB of addresses for sparse buffers, a process under ThreadSanitizer little more than 256 in one
  // piece.
  const std::size_t large = std::size_t{1} << (host_sees_reserved_addresses() ? 38 : 30);
  for (const std::uint64_t flags : {0, 1}) {
    void* v = nullptr;
    ASSERT_EQ(aclrtReserveMemAddress(&v, large, kAlignment, nullptr, flags), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(v) % kAlignment, 0U);
    EXPECT_EQ(aclrtReleaseMemAddress(v), 0);
    EXPECT_EQ(aclrtReleaseMemAddress(v), ACL_ERROR_RT_PARAM_INVALID);
  }
  void* v = nullptr;
  ASSERT_EQ(aclrtReserveMemAddressNoUCMemory(&v, 1, 0, nullptr, 0), 0);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(v) % kChunk, 0U);
  EXPECT_EQ(aclrtReleaseMemAddress(v), 0);
}

TEST_F(VirtualMemory, OnlyTheStartOfAReservationCanBeReleased) {
  const Reservation addresses(2);
  EXPECT_EQ(aclrtReleaseMemAddress(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtReleaseMemAddress(addresses.at(1)), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtReleaseMemAddress(d), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtReleaseMemAddress(&on_stack), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(VirtualMemory, T187_PhysicalMemoryChecksItsArguments) {
  aclrtPhysicalMemProp prop = device_properties();
  aclrtDrvMemHandle handle = nullptr;
  EXPECT_EQ(aclrtMallocPhysical(nullptr, kChunk, &prop, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMallocPhysical(&handle, kChunk, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(allocate(prop, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(allocate(prop, kChunk, 1), ACL_ERROR_INVALID_PARAM);
  prop.handleType = static_cast<aclrtMemHandleType>(1);
  EXPECT_EQ(allocate(prop), ACL_ERROR_INVALID_PARAM);
  prop = device_properties();
  prop.allocationType = static_cast<aclrtMemAllocationType>(1);
  EXPECT_EQ(allocate(prop), ACL_ERROR_INVALID_PARAM);
  prop = device_properties();
  for (const auto type : {ACL_MEM_LOCATION_TYPE_UNREGISTERED, ACL_MEM_LOCATION_TYPE_MANAGED}) {
    prop.location.type = type;
    EXPECT_EQ(allocate(prop), ACL_ERROR_INVALID_PARAM);
  }
  for (const auto attribute : {ACL_DDR_MEM, ACL_DDR_MEM_HUGE, ACL_DDR_MEM_NORMAL, ACL_DDR_MEM_P2P_HUGE}) {
    EXPECT_EQ(allocate(device_properties(attribute)), ACL_ERROR_INVALID_PARAM);
  }
  EXPECT_EQ(allocate(device_properties(static_cast<aclrtMemAttr>(99))), ACL_ERROR_INVALID_PARAM);
  prop = device_properties();
  prop.location.id = 1000;
  EXPECT_EQ(allocate(prop), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(allocate(device_properties(), kChunk + 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(allocate(device_properties(ACL_HBM_MEM_NORMAL), kChunk + 1), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(VirtualMemory, PhysicalMemoryIsLimitedByTheDeviceAndCounted) {
  std::size_t before = 0, after = 0, total = 0;
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &before, &total), 0);
  EXPECT_EQ(allocate(device_properties(), (total / kChunk + 1) * kChunk), ACL_ERROR_RT_MEMORY_ALLOCATION);
  {
    const Physical memory(4 * kChunk);
    ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &after, &total), 0);
    EXPECT_EQ(before - after, 4 * kChunk);
  }
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &after, &total), 0);
  EXPECT_EQ(before, after);
}

/// A device with little memory, all of which a test can have.
class SmallDevice : public VirtualMemory {
 protected:
  void SetUp() override {
    setenv("ACLVK_DEVICES_PER_GPU", "64", 1);
    VirtualMemory::SetUp();
  }
};

TEST_F(SmallDevice, HasItsBytesOnceForPhysicalMemoryAndAllocations) {
  std::size_t before = 0, after = 0, total = 0;
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &before, &total), 0);
  const std::size_t most = before / kChunk * kChunk - kChunk;
  void* p = nullptr;
  {
    const Physical memory(most);
    EXPECT_EQ(aclrtMalloc(&p, 2 * kChunk, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_ERROR_RT_MEMORY_ALLOCATION);
  }
  ASSERT_EQ(aclrtMalloc(&p, 2 * kChunk, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
  EXPECT_EQ(allocate(device_properties(), most), ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(aclrtFree(p), 0);
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &after, &total), 0);
  EXPECT_EQ(before, after);
}

TEST_F(VirtualMemory, T188_TheGranularityDependsOnThePages) {
  aclrtPhysicalMemProp prop = device_properties();
  std::size_t unit = 0;
  EXPECT_EQ(aclrtMemGetAllocationGranularity(nullptr, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &unit),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, nullptr),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_UNDEF, &unit),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemGetAllocationGranularity(&prop, static_cast<aclrtMemGranularityOptions>(2), &unit),
            ACL_ERROR_RT_PARAM_INVALID);
  for (const auto option : {ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED}) {
    EXPECT_EQ(aclrtMemGetAllocationGranularity(&prop, option, &unit), 0);
    EXPECT_EQ(unit, kChunk);
    aclrtPhysicalMemProp small = device_properties(ACL_HBM_MEM_NORMAL);
    EXPECT_EQ(aclrtMemGetAllocationGranularity(&small, option, &unit), 0);
    EXPECT_EQ(unit % 4096, 0U);
    EXPECT_TRUE(unit == 4096 || !host_sees_reserved_addresses()) << "sparse buffers have pages of their own";
    EXPECT_EQ(kChunk % unit, 0U);
    small.location.type = ACL_MEM_LOCATION_TYPE_HOST;
    EXPECT_EQ(aclrtMemGetAllocationGranularity(&small, option, &unit), 0);
    EXPECT_EQ(unit % static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), 0U);
  }
}

TEST_F(VirtualMemory, T189_AMappingChecksItsArguments) {
  const Reservation addresses(2);
  const Physical memory;
  EXPECT_EQ(aclrtMapMem(addresses.at(0), kChunk, 0, memory.get(), 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMapMem(addresses.at(0), 0, 0, memory.get(), 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMapMem(addresses.at(0), kChunk, 0, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMapMem(nullptr, kChunk, 0, memory.get(), 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemMapNoAccess(addresses.at(0), kChunk, 0, memory.get(), 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemMapNoAccess(addresses.at(0), kChunk, 0, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMapMem(addresses.at(0), kChunk, 0, &on_stack, 0), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtMapMem(addresses.at(0), kChunk, kChunk, memory.get(), 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMapMem(addresses.at(0), 2 * kChunk, 0, memory.get(), 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMapMem(addresses.at(0) + 1, kChunk, 0, memory.get(), 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMapMem(addresses.at(1) + 4096, kChunk, 0, memory.get(), 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMapMem(d, kChunk, 0, memory.get(), 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtUnmapMem(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtUnmapMem(addresses.at(0)), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(VirtualMemory, APlaceTakesOneMappingAndIsFreeAgainAfterwards) {
  const Reservation addresses(3);
  const Physical memory, other, large(2 * kChunk);
  {
    const Mapped mapped(addresses.at(1), memory);
    EXPECT_EQ(aclrtMapMem(addresses.at(1), kChunk, 0, other.get(), 0), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclrtMapMem(addresses.at(0), 2 * kChunk, 0, large.get(), 0), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclrtReleaseMemAddress(addresses.at(0)), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclrtUnmapMem(addresses.at(1) + 4096), ACL_ERROR_RT_PARAM_INVALID);
  }
  EXPECT_EQ(aclrtUnmapMem(addresses.at(1)), ACL_ERROR_RT_PARAM_INVALID);
  const Mapped mapped(addresses.at(0), large, 2 * kChunk);
}

TEST_F(VirtualMemory, T190_FreedMemoryStaysUntilItIsUnmapped) {
  const Reservation addresses(1);
  std::optional<Physical> memory(std::in_place);
  const aclrtDrvMemHandle handle = memory->get();
  const Mapped mapped(addresses.at(0), *memory);
  EXPECT_EQ(set(addresses.at(0), kChunk, 7), 0);
  memory.reset();
  EXPECT_EQ(content(addresses.at(0), kChunk), Bytes(kChunk, 7));
  EXPECT_EQ(aclrtFreePhysical(handle), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtFreePhysical(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(VirtualMemory, MemoryKeepsItsBytesWhereverItIsMapped) {
  const Reservation addresses(3);
  const Physical memory;
  {
    const Mapped mapped(addresses.at(0), memory);
    EXPECT_EQ(set(addresses.at(0), kChunk, 5), 0);
  }
  const Mapped first(addresses.at(2), memory), second(addresses.at(0), memory);
  EXPECT_EQ(content(addresses.at(2), kChunk), Bytes(kChunk, 5));
  EXPECT_EQ(set(addresses.at(2) + 100, 10, 6), 0);
  EXPECT_EQ(content(addresses.at(0) + 100, 10), Bytes(10, 6));
}

TEST_F(VirtualMemory, AMappedPointerIsADevicePointer) {
  const Reservation addresses(2);
  const Physical memory;
  const Mapped mapped(addresses.at(0), memory);
  char* p = addresses.at(0) + 64;
  EXPECT_EQ(location_of(p), ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_EQ(aclrtFree(addresses.at(0)), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFree(p), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFreeHost(addresses.at(0)), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemPoolFreeAsync(addresses.at(0), s), ACL_ERROR_RT_PARAM_INVALID);
  void* base = nullptr;
  std::size_t size = 0;
  EXPECT_EQ(aclrtMemGetAddressRange(p, &base, &size), 0);
  EXPECT_EQ(base, addresses.at(0));
  EXPECT_EQ(size, kChunk);
  std::memset(h, 9, kSize);
  EXPECT_EQ(aclrtMemcpyAsync(p, kSize, h, kSize, ACL_MEMCPY_HOST_TO_DEVICE, s), 0);
  EXPECT_EQ(aclrtMemcpyAsync(d, kSize, p, kSize, ACL_MEMCPY_DEVICE_TO_DEVICE, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(content(d, kSize), Bytes(kSize, 9));
  EXPECT_EQ(aclrtValueWrite(p, 1, 0, s), 0);
  EXPECT_EQ(aclrtValueWait(p, 1, ACL_STREAM_WAIT_VALUE_EQ, new_stream()), 0);
  EXPECT_EQ(aclrtSynchronizeDevice(), 0);
}

TEST_F(VirtualMemory, WhatIsReservedAndNotMappedIsNoMemory) {
  const Reservation addresses(2);
  const Physical memory;
  EXPECT_EQ(set(addresses.at(0), 8, 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(location_of(addresses.at(0)), ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  {
    const Mapped mapped(addresses.at(0), memory);
    EXPECT_EQ(set(addresses.at(1) - 8, 16, 1), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclrtMemsetAsync(addresses.at(1) - 8, 16, 1, 16, s), ACL_ERROR_RT_PARAM_INVALID);
  }
  EXPECT_EQ(set(addresses.at(0), 8, 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemsetAsync(addresses.at(0), 8, 1, 8, s), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(VirtualMemory, MemoryOfTheHostIsPinnedMemory) {
  aclrtPhysicalMemProp prop = device_properties(ACL_DDR_MEM_NORMAL);
  prop.location = kHost;
  aclrtDrvMemHandle handle = nullptr;
  if (wants_sparse_addresses()) {
    EXPECT_EQ(aclrtMallocPhysical(&handle, 4096, &prop, 0), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    on_another_thread([&] { EXPECT_EQ(aclrtMallocPhysical(&handle, kChunk, &prop, 0), 0) << "no device is named"; });
    const Reservation addresses(1);
    EXPECT_EQ(aclrtMapMem(addresses.at(0), kChunk, 0, handle, 0), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    EXPECT_EQ(aclrtFreePhysical(handle), 0);
    return;
  }
  ASSERT_EQ(aclrtMallocPhysical(&handle, 4096, &prop, 0), 0) << aclGetRecentErrMsg();
  const Reservation addresses(1);
  ASSERT_EQ(aclrtMapMem(addresses.at(0), 4096, 0, handle, 0), 0);
  EXPECT_EQ(location_of(addresses.at(0)), ACL_MEM_LOCATION_TYPE_HOST);
  std::memset(addresses.at(0), 3, 4096);
  EXPECT_EQ(aclrtMemcpyAsync(d, kSize, addresses.at(0), kSize, ACL_MEMCPY_HOST_TO_DEVICE, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(content(d, kSize), Bytes(kSize, 3));
  EXPECT_EQ(access_of(addresses.at(0), kHost), ACL_RT_MEM_ACCESS_FLAGS_READWRITE);
  EXPECT_EQ(aclrtUnmapMem(addresses.at(0)), 0);
  EXPECT_EQ(aclrtFreePhysical(handle), 0);
}

TEST_F(VirtualMemory, AccessIsKeptForEachPlace) {
  const Reservation addresses(2);
  const Physical first, second;
  const Mapped mapped(addresses.at(0), first), next(addresses.at(1), second);
  EXPECT_EQ(access_of(addresses.at(0), kDevice0), ACL_RT_MEM_ACCESS_FLAGS_READWRITE);
  EXPECT_EQ(access_of(addresses.at(0), kHost), ACL_RT_MEM_ACCESS_FLAGS_NONE);
  aclrtMemAccessDesc desc[2] = {{ACL_RT_MEM_ACCESS_FLAGS_READ, kHost, {}},
                                {ACL_RT_MEM_ACCESS_FLAGS_READWRITE, kDevice0, {}}};
  EXPECT_EQ(aclrtMemSetAccess(addresses.at(0), 2 * kChunk, desc, 2), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(access_of(addresses.at(1) + 100, kHost), ACL_RT_MEM_ACCESS_FLAGS_READ);
}

TEST_F(VirtualMemory, MemoryWithoutAccessIsRefusedUntilItIsGiven) {
  const Reservation addresses(1);
  const Physical memory;
  ASSERT_EQ(aclrtMemMapNoAccess(addresses.at(0), kChunk, 0, memory.get(), 0), 0);
  EXPECT_EQ(access_of(addresses.at(0), kDevice0), ACL_RT_MEM_ACCESS_FLAGS_NONE);
  EXPECT_EQ(aclrtMemsetAsync(addresses.at(0), 8, 1, 8, s), ACL_ERROR_RT_PARAM_INVALID);
  aclrtMemAccessDesc desc{ACL_RT_MEM_ACCESS_FLAGS_READWRITE, kDevice0, {}};
  EXPECT_EQ(aclrtMemSetAccess(addresses.at(0), kChunk, &desc, 1), 0);
  EXPECT_EQ(set(addresses.at(0), kChunk, 1), 0);
  desc.flags = ACL_RT_MEM_ACCESS_FLAGS_NONE;
  EXPECT_EQ(aclrtMemSetAccess(addresses.at(0), kChunk, &desc, 1), 0);
  EXPECT_EQ(set(addresses.at(0), kChunk, 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtUnmapMem(addresses.at(0)), 0);
}

TEST_F(VirtualMemory, AccessChecksItsArguments) {
  const Reservation addresses(2);
  const Physical memory;
  const Mapped mapped(addresses.at(0), memory);
  void* p = addresses.at(0);
  aclrtMemAccessDesc desc{ACL_RT_MEM_ACCESS_FLAGS_READWRITE, kDevice0, {}};
  EXPECT_EQ(aclrtMemSetAccess(nullptr, kChunk, &desc, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemSetAccess(p, kChunk, nullptr, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemSetAccess(p, kChunk, &desc, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemSetAccess(p, kChunk / 2, &desc, 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemSetAccess(p, 2 * kChunk, &desc, 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemSetAccess(addresses.at(1), kChunk, &desc, 1), ACL_ERROR_RT_PARAM_INVALID);
  desc.flags = static_cast<aclrtMemAccessFlags>(2);
  EXPECT_EQ(aclrtMemSetAccess(p, kChunk, &desc, 1), ACL_ERROR_RT_PARAM_INVALID);
  aclrtMemLocation location = kDevice0;
  std::uint64_t flags = 0;
  EXPECT_EQ(aclrtMemGetAccess(nullptr, &location, &flags), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemGetAccess(p, nullptr, &flags), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemGetAccess(p, &location, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemGetAccess(addresses.at(1), &location, &flags), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemGetAccess(d, &location, &flags), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(VirtualMemory, AHandleCanBeHadAgainFromAnAddress) {
  const Reservation addresses(1);
  std::optional<Physical> memory(std::in_place);
  const Mapped mapped(addresses.at(0), *memory);
  aclrtDrvMemHandle again = nullptr;
  EXPECT_EQ(aclrtMemRetainAllocationHandle(nullptr, &again), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemRetainAllocationHandle(addresses.at(0), nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemRetainAllocationHandle(d, &again), ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_EQ(aclrtMemRetainAllocationHandle(addresses.at(0) + 5, &again), 0);
  EXPECT_EQ(again, memory->get());
  memory.reset();
  aclrtPhysicalMemProp prop{};
  EXPECT_EQ(aclrtMemGetAllocationPropertiesFromHandle(again, &prop), 0);
  EXPECT_EQ(aclrtFreePhysical(again), 0);
  EXPECT_EQ(aclrtMemGetAllocationPropertiesFromHandle(again, &prop), ACL_ERROR_RT_INVALID_HANDLE);
  ASSERT_EQ(aclrtMemRetainAllocationHandle(addresses.at(0), &again), 0) << "the mapping still keeps the memory";
  EXPECT_EQ(aclrtFreePhysical(again), 0);
}

TEST_F(VirtualMemory, PropertiesAreReturned) {
  const aclrtPhysicalMemProp given = device_properties(ACL_HBM_MEM_P2P_HUGE);
  aclrtDrvMemHandle handle = nullptr;
  ASSERT_EQ(aclrtMallocPhysical(&handle, kChunk, &given, 0), 0);
  aclrtPhysicalMemProp prop{};
  EXPECT_EQ(aclrtMemGetAllocationPropertiesFromHandle(nullptr, &prop), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemGetAllocationPropertiesFromHandle(handle, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemGetAllocationPropertiesFromHandle(handle, &prop), 0);
  EXPECT_EQ(prop.memAttr, ACL_HBM_MEM_P2P_HUGE);
  EXPECT_EQ(prop.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_EQ(prop.location.id, 0U);
  EXPECT_EQ(aclrtFreePhysical(handle), 0);
}

TEST_F(VirtualMemory, AWishIsGrantedWhenItIsFree) {
  if (!host_sees_reserved_addresses()) GTEST_SKIP() << "the driver chooses where a sparse buffer is";
  void* first = nullptr;
  void* second = nullptr;
  ASSERT_EQ(aclrtReserveMemAddress(&first, 8 * kChunk, 0, nullptr, 0), 0);
  ASSERT_EQ(aclrtReserveMemAddress(&second, 8 * kChunk, 0, first, 0), 0);
  EXPECT_NE(first, second);
  ASSERT_EQ(aclrtReleaseMemAddress(first), 0);
  ASSERT_EQ(aclrtReleaseMemAddress(second), 0);
  ASSERT_EQ(aclrtReserveMemAddress(&second, 4 * kChunk, 0, first, 0), 0);
  EXPECT_EQ(first, second);
  ASSERT_EQ(aclrtReleaseMemAddress(second), 0);
}

}  // namespace
