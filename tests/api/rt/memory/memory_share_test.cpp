#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "support/memory_fixture.hpp"
#include "support/peer.hpp"

namespace {

using aclvk::test::Bytes;
using aclvk::test::on_another_thread;
using aclvk::test::Peer;

constexpr std::size_t kLarge = std::size_t{8} << 20;

class MemoryShare : public aclvk::test::OneBuffer {
 protected:
  /// Memory with a byte everywhere.
  void* allocate(std::size_t size, int value) {
    void* pointer = nullptr;
    EXPECT_EQ(aclrtMalloc(&pointer, size, ACL_MEM_MALLOC_HUGE_FIRST), 0);
    EXPECT_EQ(aclrtMemset(pointer, size, value, size), 0);
    return pointer;
  }

  static std::string key_of(void* pointer, std::size_t size, std::uint64_t flags = 1) {
    char key[65] = {};
    EXPECT_EQ(aclrtIpcMemGetExportKey(pointer, size, key, sizeof(key), flags), 0) << aclGetRecentErrMsg();
    return key;
  }

  int import(const std::string& key) { return aclrtIpcMemImportByKey(&imported, key.c_str(), 0); }

  void* imported = nullptr;
  char k[65] = {};
};

TEST_F(MemoryShare, T194_AnExportChecksItsArguments) {
  EXPECT_EQ(aclrtIpcMemGetExportKey(d, 0, k, 65, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtIpcMemGetExportKey(d, kSize, k, 0, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtIpcMemGetExportKey(d, kSize, k, 64, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtIpcMemGetExportKey(d, kSize, k, 66, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtIpcMemGetExportKey(d, kSize, k, 65, 2), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtIpcMemGetExportKey(d, kSize, nullptr, 65, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtIpcMemGetExportKey(nullptr, kSize, k, 65, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtIpcMemGetExportKey(nullptr, 0, nullptr, 0, 2), ACL_ERROR_INVALID_PARAM);
  on_another_thread([&] { EXPECT_EQ(aclrtIpcMemGetExportKey(d, kSize, k, 65, 0), ACL_ERROR_RT_CONTEXT_NULL); });
}

TEST_F(MemoryShare, OnlyLiveDeviceMemoryCanBeExported) {
  int on_stack = 0;
  EXPECT_EQ(aclrtIpcMemGetExportKey(h, kSize, k, 65, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtIpcMemGetExportKey(&on_stack, 4, k, 65, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtIpcMemGetExportKey(d, 1 << 20, k, 65, 0), ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_EQ(aclrtFree(d), 0);
  EXPECT_EQ(aclrtIpcMemGetExportKey(d, kSize, k, 65, 0), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(MemoryShare, TheOtherFunctionsCheckTheirArguments) {
  std::int32_t process = 1;
  const std::string key = key_of(d, kSize);
  const char* text = key.c_str();
  EXPECT_EQ(aclrtIpcMemImportByKey(nullptr, text, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtIpcMemImportByKey(&imported, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtIpcMemImportByKey(&imported, text, 2), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtIpcMemSetImportPid(nullptr, &process, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtIpcMemSetImportPid(text, nullptr, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtIpcMemSetImportPid(text, &process, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtIpcMemSetImportPid("unknown", &process, 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtIpcMemClose(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtIpcMemClose("unknown"), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtIpcMemSetAttr(nullptr, ACL_RT_IPC_MEM_ATTR_ACCESS_LINK, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtIpcMemSetAttr(text, static_cast<aclrtIpcMemAttrType>(1), 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtIpcMemSetAttr(text, ACL_RT_IPC_MEM_ATTR_ACCESS_LINK, 4), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtIpcMemSetAttr("unknown", ACL_RT_IPC_MEM_ATTR_ACCESS_LINK, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtIpcMemSetAttr(text, ACL_RT_IPC_MEM_ATTR_ACCESS_LINK, ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_HCCS), 0);
  on_another_thread([&] { EXPECT_EQ(import(key), ACL_ERROR_RT_CONTEXT_NULL); });
}

TEST_F(MemoryShare, ProcessesOfOtherServersAreOutOfReach) {
  aclrtServerPid server{};
  const std::string key = key_of(d, kSize);
  EXPECT_EQ(aclrtIpcMemImportPidInterServer(nullptr, &server, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtIpcMemImportPidInterServer(key.c_str(), nullptr, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtIpcMemImportPidInterServer(key.c_str(), &server, 1), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(MemoryShare, AKeyIsOfNoUseInItsOwnProcess) { EXPECT_EQ(import(key_of(d, kSize)), ACL_ERROR_RT_PARAM_INVALID); }

TEST_F(MemoryShare, KeysThatWereNotExportedAreRefused) {
  for (const std::string& key : {std::string(), std::string("key"), std::string(64, '0'), std::string(64, 'f'),
                                 std::string(64, '~'), std::string(100, '1')}) {
    EXPECT_EQ(import(key), ACL_ERROR_RT_PARAM_INVALID) << key;
  }
}

TEST_F(MemoryShare, BothProcessesSeeWhatTheOtherWrites) {
  Peer peer;
  void* large = allocate(kLarge, 1);
  ASSERT_EQ(peer.code("import-memory " + key_of(large, kLarge) + " 0"), 0);
  EXPECT_EQ(peer.ask("read 0").result, "1");
  EXPECT_EQ(peer.ask("read 8388607").result, "1");
  EXPECT_EQ(peer.code("fill 2 8388608"), 0);
  EXPECT_EQ(content(large, kLarge), Bytes(kLarge, 2));
  EXPECT_EQ(aclrtMemsetAsync(large, kLarge, 3, kLarge, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(peer.ask("read 4000000").result, "3");
}

TEST_F(MemoryShare, MemoryOfTheOtherProcessIsDeviceMemory) {
  Peer peer;
  ASSERT_EQ(peer.code("allocate 8388608"), 0);
  ASSERT_EQ(peer.code("fill 7 8388608"), 0);
  const auto key = peer.ask("export-memory 8388608 1").result;
  ASSERT_EQ(import(key), 0) << aclGetRecentErrMsg();
  aclrtPtrAttributes attributes{};
  EXPECT_EQ(aclrtPointerGetAttributes(imported, &attributes), 0);
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_EQ(aclrtMemcpyAsync(h, kSize, static_cast<char*>(imported) + 1000, kSize, ACL_MEMCPY_DEVICE_TO_HOST, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(*static_cast<char*>(h), 7);
  EXPECT_EQ(aclrtMemcpyAsync(d, kSize, imported, kSize, ACL_MEMCPY_DEVICE_TO_DEVICE, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(content(d, kSize), Bytes(kSize, 7));
  EXPECT_EQ(aclrtMemset(imported, kLarge + 1, 0, kLarge + 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFree(imported), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemPoolFreeAsync(imported, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtIpcMemGetExportKey(imported, kSize, k, 65, 0), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(MemoryShare, APartOfAnAllocationIsAllThatIsSeen) {
  Peer peer;
  ASSERT_EQ(peer.code("import-memory " + key_of(static_cast<char*>(d) + 16, 32) + " 1"), 0);
  EXPECT_EQ(peer.code("fill 5 32"), 0);
  Bytes expected(kSize, 0);
  std::fill(expected.begin() + 16, expected.begin() + 48, std::uint8_t{5});
  EXPECT_EQ(content(d, kSize), expected);
  EXPECT_EQ(peer.code("read 32"), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(MemoryShare, ByDefaultOnlyProcessesOnTheListGetIn) {
  Peer peer;
  const std::string key = key_of(d, kSize, ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT);
  EXPECT_EQ(peer.code("import-memory " + key + " 0"), ACL_ERROR_RT_PARAM_INVALID);
  std::int32_t process = peer.process();
  EXPECT_EQ(aclrtIpcMemSetImportPid(key.c_str(), &process, 1), 0);
  EXPECT_EQ(peer.code("import-memory " + key + " 0"), 0);
}

TEST_F(MemoryShare, TheListBelongsToTheExporter) {
  Peer peer;
  const std::string key = key_of(d, kSize, ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT);
  EXPECT_EQ(peer.code("allow-memory " + key + ' ' + std::to_string(peer.process())), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(peer.code("import-memory " + key + " 0"), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(MemoryShare, AKeyWithAnotherSecretIsRefused) {
  Peer peer;
  std::string key = key_of(d, kSize);
  key.back() = key.back() == '0' ? '1' : '0';
  EXPECT_EQ(peer.code("import-memory " + key + " 0"), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(MemoryShare, AClosedKeyOpensNothingAndWhatIsOpenStays) {
  Peer early, late;
  const std::string key = key_of(d, kSize);
  ASSERT_EQ(early.code("import-memory " + key + " 0"), 0);
  EXPECT_EQ(aclrtIpcMemClose(key.c_str()), 0);
  EXPECT_EQ(aclrtIpcMemClose(key.c_str()), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(late.code("import-memory " + key + " 0"), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(early.code("fill 4 64"), 0);
  EXPECT_EQ(content(d, kSize), Bytes(kSize, 4));
  EXPECT_EQ(early.code("close-memory " + key), 0);
  EXPECT_EQ(early.code("read 0"), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(early.code("close-memory " + key), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(MemoryShare, AKeyOpenedTwiceIsClosedTwice) {
  Peer peer;
  ASSERT_EQ(peer.code("allocate 64"), 0);
  const auto key = peer.ask("export-memory 64 1").result;
  ASSERT_EQ(import(key), 0);
  void* first = imported;
  ASSERT_EQ(import(key), 0);
  EXPECT_EQ(imported, first);
  EXPECT_EQ(aclrtIpcMemClose(key.c_str()), 0);
  EXPECT_EQ(aclrtMemset(first, 64, 0, 64), 0);
  EXPECT_EQ(aclrtIpcMemClose(key.c_str()), 0);
  EXPECT_EQ(aclrtIpcMemClose(key.c_str()), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(MemoryShare, FreedMemoryCannotBeOpened) {
  Peer peer;
  const std::string key = key_of(d, kSize);
  ASSERT_EQ(aclrtFree(d), 0);
  EXPECT_EQ(peer.code("import-memory " + key + " 0"), ACL_ERROR_RT_PARAM_INVALID);
}

// A CPU driver keeps a file open for each large allocation that may be exported. Others work on without.
TEST_F(MemoryShare, MemoryIsAllocatedEvenWhenThereAreNoFilesLeftToShareIt) {
  constexpr rlim_t kFiles = 128;
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  limit.rlim_cur = std::min(limit.rlim_max, kFiles);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  std::vector<void*> all;
  for (rlim_t i = 0; i < 2 * kFiles; ++i) all.push_back(allocate(2 << 20, 1));
  EXPECT_EQ(aclrtIpcMemGetExportKey(all.front(), kSize, k, 65, 0), 0);
  const int code = aclrtIpcMemGetExportKey(all.back(), kSize, k, 65, 0);
  EXPECT_TRUE(code == 0 || code == ACL_ERROR_RT_MEMORY_ALLOCATION) << code;
  for (void* pointer : all) EXPECT_EQ(aclrtFree(pointer), 0);
  void* again = allocate(2 << 20, 1);
  EXPECT_EQ(aclrtIpcMemGetExportKey(again, kSize, k, 65, 0), 0) << aclGetRecentErrMsg();
}

class MemoryThatStays : public MemoryShare {
 protected:
  MemoryThatStays() { setenv("ACLVK_SHARED_MEMORY", "0", 1); }
};

TEST_F(MemoryThatStays, InItsProcessIsNoLessMemory) {
  EXPECT_EQ(aclrtIpcMemGetExportKey(d, kSize, k, 65, 0), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(content(d, kSize), Bytes(kSize, 0));
}

TEST_F(MemoryShare, MemoryOutlivesTheProcessThatAllocatedIt) {
  Peer peer;
  ASSERT_EQ(peer.code("allocate 8388608"), 0);
  ASSERT_EQ(peer.code("fill 9 8388608"), 0);
  const auto key = peer.ask("export-memory 8388608 1").result;
  const auto later = peer.ask("export-memory 64 1").result;
  ASSERT_EQ(import(key), 0);
  peer.end();
  EXPECT_EQ(content(imported, kLarge), Bytes(kLarge, 9));
  EXPECT_EQ(import(later), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtIpcMemClose(key.c_str()), 0);
}

}  // namespace
