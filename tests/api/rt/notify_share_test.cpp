#include <cstdint>
#include <string>

#include "support/acl_fixture.hpp"
#include "support/peer.hpp"

namespace {

using aclvk::test::BlockedStream;
using aclvk::test::on_another_thread;
using aclvk::test::Peer;

class NotifyShare : public aclvk::test::OneStream {
 protected:
  void SetUp() override {
    OneStream::SetUp();
    ASSERT_EQ(aclrtCreateNotify(&n, ACL_NOTIFY_DEFAULT), 0);
  }

  static std::string key_of(aclrtNotify notify, std::uint64_t flags = 2) {
    char key[65] = {};
    EXPECT_EQ(aclrtNotifyGetExportKey(notify, key, sizeof(key), flags), 0) << aclGetRecentErrMsg();
    return key;
  }

  int import(const std::string& key) { return aclrtNotifyImportByKey(&n, key.c_str(), 0); }

  static constexpr int kLong = 30000;
  aclrtNotify n = nullptr;
};

TEST_F(NotifyShare, T140_ExportAndImportCheckTheirArguments) {
  char key[100] = {};
  EXPECT_EQ(aclrtNotifyGetExportKey(nullptr, key, 65, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtNotifyGetExportKey(n, nullptr, 65, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtNotifyGetExportKey(n, key, 64, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtNotifyGetExportKey(n, key, 65, 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtNotifyGetExportKey(n, key, 65, 3), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtNotifyGetExportKey(s, key, 65, 0), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtNotifyGetExportKey(n, key, sizeof(key), 0), 0);
  aclrtNotify other = nullptr;
  EXPECT_EQ(aclrtNotifyImportByKey(nullptr, key, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtNotifyImportByKey(&other, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtNotifyImportByKey(&other, key, 3), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtNotifyImportByKey(&other, "unknown", 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtNotifyImportByKey(&other, key, 0), ACL_ERROR_RT_PARAM_INVALID) << "a key of this process";
  on_another_thread([&] { EXPECT_EQ(import(key), ACL_ERROR_RT_CONTEXT_NULL); });
}

TEST_F(NotifyShare, TheListOfProcessesChecksItsArguments) {
  std::int32_t process = 1;
  aclrtServerPid server{};
  EXPECT_EQ(aclrtNotifySetImportPid(nullptr, &process, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtNotifySetImportPid(n, nullptr, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtNotifySetImportPid(n, &process, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtNotifySetImportPid(n, &process, 1), ACL_ERROR_RT_PARAM_INVALID) << "it has no key yet";
  EXPECT_EQ(aclrtNotifySetImportPidInterServer(nullptr, &server, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtNotifySetImportPidInterServer(n, nullptr, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtNotifySetImportPidInterServer(n, &server, 1), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(NotifyShare, ARecordOfTheOtherProcessSetsAStreamFree) {
  Peer peer;
  EXPECT_EQ(aclrtWaitAndResetNotify(n, s, 0), 0);
  ASSERT_EQ(peer.code("import-notify " + key_of(n) + " 0"), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 100), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(peer.code("record-notify"), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, kLong), 0);
  EXPECT_EQ(aclrtWaitAndResetNotify(n, s, 0), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 100), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT) << "the wait clears it";
  EXPECT_EQ(aclrtRecordNotify(n, new_stream()), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, kLong), 0);
}

TEST_F(NotifyShare, AStreamOfTheOtherProcessWaits) {
  Peer peer;
  ASSERT_EQ(import(peer.ask("export-notify 2").result), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(peer.code("wait-notify"), 0);
  BlockedStream blocked;
  EXPECT_EQ(aclrtRecordNotify(n, blocked.get()), 0);
  EXPECT_EQ(peer.code("synchronize 100"), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  blocked.release();
  EXPECT_EQ(peer.code("synchronize 30000"), 0);
}

TEST_F(NotifyShare, WhatWasRecordedBeforeTheExportCounts) {
  Peer peer;
  EXPECT_EQ(aclrtRecordNotify(n, s), 0);
  ASSERT_EQ(peer.code("import-notify " + key_of(n) + " 2"), 0);
  EXPECT_EQ(peer.code("wait-notify"), 0);
  EXPECT_EQ(peer.code("synchronize 30000"), 0);
}

TEST_F(NotifyShare, TheHostResetsItForAll) {
  Peer peer;
  ASSERT_EQ(import(peer.ask("export-notify 2").result), 0);
  EXPECT_EQ(peer.code("record-notify"), 0);
  EXPECT_EQ(peer.code("synchronize 30000"), 0);
  EXPECT_EQ(aclrtWaitAndResetNotify(n, s, 0), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, kLong), 0);
  EXPECT_EQ(aclrtRecordNotify(n, s), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, kLong), 0);
  EXPECT_EQ(aclrtNotifyBatchReset(&n, 1), 0);
  EXPECT_EQ(peer.code("wait-notify"), 0);
  EXPECT_EQ(peer.code("synchronize 100"), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
}

TEST_F(NotifyShare, ByDefaultOnlyProcessesOnTheListGetIn) {
  Peer peer;
  const std::string key = key_of(n, ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT);
  EXPECT_EQ(peer.code("import-notify " + key + " 0"), ACL_ERROR_RT_PARAM_INVALID);
  std::int32_t process = peer.process();
  EXPECT_EQ(aclrtNotifySetImportPid(n, &process, 1), 0);
  EXPECT_EQ(peer.code("import-notify " + key + " 0"), 0);
}

TEST_F(NotifyShare, AKeyOfAnotherKindIsRefused) {
  Peer peer;
  EXPECT_EQ(peer.code("import-memory " + key_of(n) + " 0"), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(NotifyShare, AWaitOverItsLimitEnds) {
  Peer peer;
  ASSERT_EQ(import(peer.ask("export-notify 2").result), 0);
  EXPECT_EQ(aclrtWaitAndResetNotify(n, s, 1), 0);
  peer.end();
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, kLong), ACL_ERROR_RT_WAIT_TIMEOUT);
}

TEST_F(NotifyShare, ADestroyedNotifyCannotBeOpened) {
  Peer peer;
  const std::string key = key_of(n);
  ASSERT_EQ(aclrtDestroyNotify(n), 0);
  EXPECT_EQ(peer.code("import-notify " + key + " 0"), ACL_ERROR_RT_PARAM_INVALID);
}

}  // namespace
