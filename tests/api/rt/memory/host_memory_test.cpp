// Pinned and registered host memory: T185 and section 7.3.2.
#include "support/memory_fixture.hpp"

namespace aclvk::test {
namespace {

using HostMemory = OneBuffer;

/// Whole pages of the program's own memory.
struct OwnPages {
  OwnPages() : pointer(std::aligned_alloc(4096, kSize)) { std::memset(pointer, 0, kSize); }
  ~OwnPages() { std::free(pointer); }
  OwnPages(const OwnPages&) = delete;
  OwnPages& operator=(const OwnPages&) = delete;

  static constexpr std::size_t kSize = 8192;
  void* pointer;
};

aclrtMemLocationType location_of(const void* pointer) {
  aclrtPtrAttributes attributes{};
  EXPECT_EQ(aclrtPointerGetAttributes(pointer, &attributes), 0);
  return attributes.location.type;
}

TEST_F(HostMemory, MallocHostRefusesNoPointerAndNoSize) {
  void* p = nullptr;
  EXPECT_EQ(aclrtMallocHost(nullptr, 8), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMallocHost(&p, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMallocHostWithCfg(nullptr, 8, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMallocHostWithCfg(&p, 0, nullptr), ACL_ERROR_INVALID_PARAM);
  aclrtMallocConfig config{nullptr, 1};
  EXPECT_EQ(aclrtMallocHostWithCfg(&p, 8, &config), ACL_ERROR_INVALID_PARAM);
}

TEST_F(HostMemory, PinnedMemoryIsAlignedAndUsableByEveryThread) {
  void* p = nullptr;
  ASSERT_EQ(aclrtMallocHost(&p, 100), 0);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % 64, 0U);
  on_another_thread([p] { std::memset(p, 3, 100); });
  EXPECT_EQ(static_cast<char*>(p)[99], 3);
  EXPECT_EQ(aclrtFreeHost(p), 0);
}

TEST_F(HostMemory, MallocHostWithCfgTakesTheAddressFlag) {
  void* p = nullptr;
  aclrtMallocAttribute attribute{};
  attribute.attr = ACL_RT_MEM_ATTR_VA_FLAG;
  attribute.value.vaFlag = 1;
  aclrtMallocConfig config{&attribute, 1};
  ASSERT_EQ(aclrtMallocHostWithCfg(&p, 8, &config), 0);
  EXPECT_EQ(aclrtFreeHost(p), 0);
}

TEST_F(HostMemory, RegisterRefusesBadArguments) {
  const OwnPages own;
  void* device = nullptr;
  EXPECT_EQ(aclrtHostRegister(nullptr, 8, ACL_HOST_REGISTER_MAPPED, &device), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtHostRegister(own.pointer, 0, ACL_HOST_REGISTER_MAPPED, &device), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtHostRegister(own.pointer, 8, ACL_HOST_REGISTER_MAPPED, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtHostRegister(own.pointer, 8, ACL_HOST_REGISTER_IOMEMORY, &device), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtHostRegister(own.pointer, 8, static_cast<aclrtHostRegisterType>(3), &device),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtHostRegisterV2(nullptr, 8, ACL_HOST_REG_MAPPED), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtHostRegisterV2(own.pointer, 0, ACL_HOST_REG_MAPPED), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtHostRegisterV2(own.pointer, 8, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtHostRegisterV2(own.pointer, 8, ACL_HOST_REG_MAPPED | 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtHostRegisterV2(d, kSize, ACL_HOST_REG_MAPPED), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtHostRegisterV2(reinterpret_cast<void*>(0x1000), 64, ACL_HOST_REG_MAPPED), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(HostMemory, RegisteredMemoryIsCopiedInStreamOrder) {
  const OwnPages own;
  void* device = nullptr;
  ASSERT_EQ(aclrtHostRegister(own.pointer, OwnPages::kSize, ACL_HOST_REGISTER_MAPPED, &device), 0);
  EXPECT_EQ(location_of(own.pointer), ACL_MEM_LOCATION_TYPE_HOST);
  BlockedStream blocked(s);
  ASSERT_EQ(aclrtMemcpyAsync(d, kSize, own.pointer, kSize, ACL_MEMCPY_HOST_TO_DEVICE, s), 0);
  std::memset(own.pointer, 5, kSize);
  blocked.release();
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(content(d, kSize), Bytes(kSize, 5));
  EXPECT_EQ(aclrtHostUnregister(own.pointer), 0);
  EXPECT_EQ(location_of(own.pointer), ACL_MEM_LOCATION_TYPE_UNREGISTERED);
}

TEST_F(HostMemory, OddRangesCanBeRegistered) {
  Bytes own(10000);
  void* const odd = own.data() + 7;
  ASSERT_EQ(aclrtHostRegisterV2(odd, 5001, ACL_HOST_REG_MAPPED | ACL_HOST_REG_PINNED), 0);
  const Bytes filled = pattern(own.size(), 3);
  std::copy(filled.begin(), filled.end(), own.begin());  // in place: the registered memory must stay where it is
  ASSERT_EQ(aclrtMemcpyAsync(d, kSize, own.data() + 101, kSize, ACL_MEMCPY_HOST_TO_DEVICE, s), 0);
  ASSERT_EQ(aclrtMemcpyAsync(own.data() + 4001, kSize, d, kSize, ACL_MEMCPY_DEVICE_TO_HOST, s), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(own, with_copied(pattern(own.size(), 3), 4001, own, 101, kSize));
  EXPECT_EQ(aclrtHostUnregister(odd), 0);
}

TEST_F(HostMemory, ACopyMayContinueAfterTheRegisteredPart) {
  const Bytes source = pattern(9000, 4);
  Bytes own = source;
  const Block block(MemoryKind::kDevice, Bytes(9000));
  ASSERT_EQ(aclrtHostRegisterV2(own.data(), 100, ACL_HOST_REG_MAPPED), 0);
  ASSERT_EQ(aclrtMemcpy(block.begin(), 9000, own.data(), 9000, ACL_MEMCPY_HOST_TO_DEVICE), 0);
  EXPECT_EQ(block.read(), source);
  block.at(0);
  ASSERT_EQ(aclrtMemcpyAsync(block.begin(), 9000, own.data(), 9000, ACL_MEMCPY_HOST_TO_DEVICE, s), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(block.read(), source);
  EXPECT_EQ(aclrtHostUnregister(own.data()), 0);
}

TEST_F(HostMemory, OverlappingRangesAreRefused) {
  const OwnPages own;
  ASSERT_EQ(aclrtHostRegisterV2(own.pointer, OwnPages::kSize, ACL_HOST_REG_MAPPED), 0);
  EXPECT_EQ(aclrtHostRegisterV2(own.pointer, OwnPages::kSize, ACL_HOST_REG_MAPPED),
            ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  EXPECT_EQ(aclrtHostRegisterV2(static_cast<char*>(own.pointer) + 100, 8, ACL_HOST_REG_MAPPED),
            ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  EXPECT_EQ(aclrtHostUnregister(static_cast<char*>(own.pointer) + 100), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED);
  EXPECT_EQ(aclrtHostUnregister(own.pointer), 0);
  EXPECT_EQ(aclrtHostUnregister(own.pointer), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED);
  EXPECT_EQ(aclrtHostUnregister(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(HostMemory, T185_DevicePointer) {
  void* device = nullptr;
  EXPECT_EQ(aclrtHostGetDevicePointer(h, &device, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtHostGetDevicePointer(nullptr, &device, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtHostGetDevicePointer(h, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtHostGetDevicePointer(h, &device, 0), ACL_ERROR_RT_PARAM_INVALID);
  const OwnPages own;
  ASSERT_EQ(aclrtHostRegisterV2(own.pointer, OwnPages::kSize, ACL_HOST_REG_PINNED), 0);
  EXPECT_EQ(aclrtHostGetDevicePointer(own.pointer, &device, 0), ACL_ERROR_RT_PARAM_INVALID) << "not MAPPED";
  EXPECT_EQ(aclrtHostUnregister(own.pointer), 0);
}

TEST_F(HostMemory, ZeroCopyOfPinnedMemory) {
  void* device = nullptr;
  ASSERT_EQ(aclrtHostRegisterV2(h, kSize, ACL_HOST_REG_MAPPED), 0);
  ASSERT_EQ(aclrtHostGetDevicePointer(h, &device, 0), 0);
  std::memset(h, 6, kSize);
  ASSERT_EQ(aclrtMemcpyAsync(d, kSize, device, kSize, ACL_MEMCPY_DEFAULT, s), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(content(d, kSize), Bytes(kSize, 6));
  EXPECT_EQ(aclrtHostUnregister(h), 0);
  EXPECT_EQ(aclrtFreeHost(h), 0);
}

TEST_F(HostMemory, FreeingPinnedMemoryEndsItsRegistration) {
  ASSERT_EQ(aclrtHostRegisterV2(h, kSize, ACL_HOST_REG_MAPPED), 0);
  EXPECT_EQ(aclrtFreeHost(h), 0);
  EXPECT_EQ(aclrtHostUnregister(h), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

TEST_F(HostMemory, FreeingPinnedMemoryEndsRegistrationsOfItsParts) {
  constexpr std::size_t kPage = 4096;
  void* p = nullptr;
  void* device = nullptr;
  ASSERT_EQ(aclrtMallocHost(&p, 3 * kPage), 0);
  auto* const part = static_cast<char*>(p) + kPage;
  ASSERT_EQ(aclrtHostRegisterV2(part, kPage, ACL_HOST_REG_MAPPED), 0);
  ASSERT_EQ(aclrtHostRegisterV2(part + kPage, kPage, ACL_HOST_REG_MAPPED), 0);
  EXPECT_EQ(aclrtFreeHost(p), 0);
  EXPECT_EQ(aclrtHostGetDevicePointer(part, &device, 0), ACL_ERROR_RT_PARAM_INVALID);
  void* q = nullptr;
  ASSERT_EQ(aclrtMallocHost(&q, 3 * kPage), 0);
  EXPECT_EQ(q, p) << "the same address";
  EXPECT_EQ(aclrtHostUnregister(part), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED);
  EXPECT_EQ(aclrtHostRegisterV2(q, 3 * kPage, ACL_HOST_REG_MAPPED), 0) << "nothing of this memory is registered yet";
  EXPECT_EQ(aclrtHostGetDevicePointer(part, &device, 0), 0);
  EXPECT_EQ(aclrtHostUnregister(q), 0);
  EXPECT_EQ(aclrtFreeHost(q), 0);
}

TEST_F(HostMemory, FreeingPinnedMemoryLeavesRegistrationsOfOtherThreadsAlone) {
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&context), 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([context] {
      EXPECT_EQ(aclrtSetCurrentContext(context), 0);
      for (int round = 0; round < 1000 && !HasFailure(); ++round) {
        void* p = nullptr;
        ASSERT_EQ(aclrtMallocHost(&p, 4096), 0);
        EXPECT_EQ(aclrtHostRegisterV2(p, 4096, ACL_HOST_REG_MAPPED), 0);
        EXPECT_EQ(aclrtHostUnregister(p), 0);
        EXPECT_EQ(aclrtHostRegisterV2(p, 4096, ACL_HOST_REG_MAPPED), 0);
        EXPECT_EQ(aclrtFreeHost(p), 0);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace aclvk::test
