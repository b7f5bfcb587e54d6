#include <string>

#include "support/memory_fixture.hpp"
#include "support/peer.hpp"
#include "support/virtual_memory.hpp"

namespace {

using namespace aclvk::test;

class VirtualMemoryShare : public OneBuffer {
 protected:
  void SetUp() override {
    OneBuffer::SetUp();
    if (lacks_sparse_buffers()) GTEST_SKIP() << kNoSparseBuffers;
    if (!shares_memory()) GTEST_SKIP() << "the driver cannot export the memory of sparse buffers";
  }

  static bool shares_memory() {
    if (!wants_sparse_addresses()) return true;
    const Physical memory;
    std::uint64_t number = 0;
    const int code = aclrtMemExportToShareableHandle(memory.get(), ACL_MEM_HANDLE_TYPE_NONE, 0, &number);
    return code != ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
  }
  static std::uint64_t number_of(const Physical& memory, std::uint64_t flags = 1) {
    std::uint64_t number = 0;
    EXPECT_EQ(aclrtMemExportToShareableHandle(memory.get(), ACL_MEM_HANDLE_TYPE_NONE, flags, &number), 0)
        << aclGetRecentErrMsg();
    return number;
  }
  static std::string import(std::uint64_t number) { return "import-physical " + std::to_string(number); }

  aclrtDrvMemHandle handle = nullptr;
  std::uint64_t n = 0;
};

TEST_F(VirtualMemoryShare, AnExportChecksItsArguments) {
  const Physical memory;
  const auto none = ACL_MEM_HANDLE_TYPE_NONE;
  EXPECT_EQ(aclrtMemExportToShareableHandle(nullptr, none, 0, &n), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemExportToShareableHandle(memory.get(), none, 0, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemExportToShareableHandle(memory.get(), none, 2, &n), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemExportToShareableHandle(memory.get(), ACL_MEM_HANDLE_TYPE_POSIX, 0, &n), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemExportToShareableHandle(d, none, 0, &n), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtMemExportToShareableHandle(memory.get(), none, 0, &n), 0);
  EXPECT_EQ(aclrtMemExportToShareableHandle(memory.get(), none, 0, &n), ACL_ERROR_RT_PARAM_INVALID) << "once";
}

TEST_F(VirtualMemoryShare, AnImportChecksItsArguments) {
  const Physical memory;
  n = number_of(memory);
  EXPECT_EQ(aclrtMemImportFromShareableHandle(n, 0, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemImportFromShareableHandle(n, 1000, &handle), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtMemImportFromShareableHandle(n, -1, &handle), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtMemImportFromShareableHandle(n, 0, &handle), ACL_ERROR_RT_PARAM_INVALID) << "its own process";
  EXPECT_EQ(aclrtMemImportFromShareableHandle(0, 0, &handle), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemImportFromShareableHandle(UINT64_MAX, 0, &handle), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(VirtualMemoryShare, TheListOfProcessesChecksItsArguments) {
  const Physical memory;
  std::int32_t process = 1;
  n = number_of(memory);
  EXPECT_EQ(aclrtMemSetPidToShareableHandle(n, nullptr, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemSetPidToShareableHandle(n, &process, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemSetPidToShareableHandle(n + 1, &process, 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemSetPidToShareableHandle(n, &process, 1), 0);
}

TEST_F(VirtualMemoryShare, TheNewerFunctionsTakeNumbersAndRefuseFabric) {
  const Physical memory;
  std::int32_t process = 1;
  aclrtMemFabricHandle fabric{};
  constexpr auto kDefault = ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT;
  constexpr auto kFabric = ACL_MEM_SHARE_HANDLE_TYPE_FABRIC;
  const auto kNoType = static_cast<aclrtMemSharedHandleType>(7);
  EXPECT_EQ(aclrtMemExportToShareableHandleV2(nullptr, 0, kDefault, &n), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemExportToShareableHandleV2(memory.get(), 0, kDefault, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemExportToShareableHandleV2(memory.get(), 2, kDefault, &n), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemExportToShareableHandleV2(memory.get(), 0, kNoType, &n), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemExportToShareableHandleV2(memory.get(), 0, kFabric, &fabric), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtMemImportFromShareableHandleV2(&fabric, kFabric, 0, &handle), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtMemSetPidToShareableHandleV2(&fabric, kFabric, &process, 1), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtMemImportFromShareableHandleV2(nullptr, kDefault, 0, &handle), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemImportFromShareableHandleV2(&n, kDefault, 0, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemSetPidToShareableHandleV2(nullptr, kDefault, &process, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemSetPidToShareableHandleV2(&n, kDefault, nullptr, 1), ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(aclrtMemExportToShareableHandleV2(memory.get(), 0, kDefault, &n), 0);
  Peer peer;
  EXPECT_EQ(peer.code(import(n)), ACL_ERROR_RT_PARAM_INVALID);
  process = peer.process();
  EXPECT_EQ(aclrtMemSetPidToShareableHandleV2(&n, kDefault, &process, 1), 0);
  EXPECT_EQ(peer.code(import(n)), 0);
}

TEST_F(VirtualMemoryShare, BothProcessesSeeWhatTheOtherWrites) {
  Peer peer;
  const Reservation addresses(1);
  const Physical memory;
  const Mapped mapped(addresses.at(0), memory);
  ASSERT_EQ(aclrtMemset(addresses.at(0), kChunk, 6, kChunk), 0);
  ASSERT_EQ(peer.code(import(number_of(memory))), 0);
  EXPECT_EQ(peer.ask("read 2097151").result, "6");
  EXPECT_EQ(peer.code("fill 8 2097152"), 0);
  EXPECT_EQ(content(addresses.at(0), kChunk), Bytes(kChunk, 8));
}

TEST_F(VirtualMemoryShare, MemoryOfTheOtherProcessOutlivesIt) {
  Peer peer;
  const auto number = std::stoull(peer.ask("export-physical 1").result);
  ASSERT_EQ(peer.code("fill 4 2097152"), 0);
  ASSERT_EQ(aclrtMemImportFromShareableHandle(number, 0, &handle), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_NONE, 0, &n), ACL_ERROR_RT_PARAM_INVALID);
  peer.end();
  const Reservation addresses(1);
  ASSERT_EQ(aclrtMapMem(addresses.at(0), kChunk, 0, handle, 0), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(content(addresses.at(0), kChunk), Bytes(kChunk, 4));
  EXPECT_EQ(aclrtUnmapMem(addresses.at(0)), 0);
  EXPECT_EQ(aclrtFreePhysical(handle), 0);
  EXPECT_EQ(aclrtMemImportFromShareableHandle(number, 0, &handle), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(VirtualMemoryShare, ByDefaultOnlyProcessesOnTheListGetIn) {
  Peer peer;
  const Physical memory;
  n = number_of(memory, ACL_RT_VMM_EXPORT_FLAG_DEFAULT);
  EXPECT_EQ(peer.code(import(n)), ACL_ERROR_RT_PARAM_INVALID);
  std::int32_t process = peer.process();
  EXPECT_EQ(aclrtMemSetPidToShareableHandle(n, &process, 1), 0);
  EXPECT_EQ(peer.code(import(n)), 0);
}

TEST_F(VirtualMemoryShare, FreedMemoryCannotBeOpened) {
  Peer peer;
  {
    const Physical memory;
    n = number_of(memory);
  }
  EXPECT_EQ(peer.code(import(n)), ACL_ERROR_RT_PARAM_INVALID);
}

}  // namespace
