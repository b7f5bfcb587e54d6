#include <cstddef>
#include <string>

#include "support/acl_fixture.hpp"

namespace {

using aclvk::test::on_another_thread;

class Notify : public aclvk::test::OneStream {
 protected:
  void SetUp() override {
    OneStream::SetUp();
    ASSERT_EQ(aclrtCreateNotify(&n, ACL_NOTIFY_DEFAULT), 0);
  }

  static aclrtStreamStatus status_of(aclrtStream stream) {
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    EXPECT_EQ(aclrtStreamQuery(stream, &status), 0);
    return status;
  }

  aclrtNotify n = nullptr;
};

TEST_F(Notify, T137_CreateChecksItsArguments) {
  aclrtNotify notify = nullptr;
  EXPECT_EQ(aclrtCreateNotify(nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCreateNotify(&notify, 2), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtCreateNotify(&notify, ACL_NOTIFY_DEVICE_USE_ONLY), 0);
  on_another_thread([] {
    aclrtNotify other = nullptr;
    EXPECT_EQ(aclrtCreateNotify(&other, 0), ACL_ERROR_RT_CONTEXT_NULL);
  });
}

TEST_F(Notify, T138_HoldsAStreamUntilItIsRecorded) {
  EXPECT_EQ(aclrtWaitAndResetNotify(n, s, 0), 0);
  EXPECT_EQ(status_of(s), ACL_STREAM_STATUS_NOT_READY);
  EXPECT_EQ(aclrtRecordNotify(n, new_stream()), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

TEST_F(Notify, AWaitThatTimesOutFailsTheSynchronisationAndLetsTheStreamContinue) {
  EXPECT_EQ(aclrtWaitAndResetNotify(n, s, 1), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_WAIT_TIMEOUT);
  std::int32_t id = -1;
  EXPECT_EQ(aclrtStreamGetId(s, &id), 0);
  const std::string sentence = aclGetRecentErrMsg();
  EXPECT_NE(sentence.find("Stream " + std::to_string(id) + " has waited for a record of notify"), std::string::npos)
      << sentence;
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

TEST_F(Notify, ARecordBeforeTheWaitCounts) {
  EXPECT_EQ(aclrtRecordNotify(n, new_stream()), 0);
  EXPECT_EQ(aclrtWaitAndResetNotify(n, s, 0), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

TEST_F(Notify, T139_TwoRecordsAreOne) {
  const aclrtStream a = new_stream();
  EXPECT_EQ(aclrtRecordNotify(n, a), 0);
  EXPECT_EQ(aclrtRecordNotify(n, a), 0);
  EXPECT_EQ(aclrtWaitAndResetNotify(n, s, 0), 0);
  EXPECT_EQ(aclrtWaitAndResetNotify(n, s, 0), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 100), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(aclrtRecordNotify(n, a), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

/// Every function that takes a notify gives the code.
void expect_refused(aclrtNotify notify, int code, aclrtStream stream) {
  uint32_t id = 0;
  EXPECT_EQ(aclrtRecordNotify(notify, stream), code);
  EXPECT_EQ(aclrtWaitAndResetNotify(notify, stream, 0), code);
  EXPECT_EQ(aclrtGetNotifyId(notify, &id), code);
  EXPECT_EQ(aclrtNotifyBatchReset(&notify, 1), code);
  EXPECT_EQ(aclrtDestroyNotify(notify), code);
}

TEST_F(Notify, T141_NullAndStaleHandlesAreRefused) {
  expect_refused(nullptr, ACL_ERROR_INVALID_PARAM, s);
  EXPECT_EQ(aclrtDestroyNotify(n), 0);
  expect_refused(n, ACL_ERROR_RT_INVALID_HANDLE, s);
}

TEST_F(Notify, ForeignHandlesAndGarbageAreRefused) {
  int on_stack = 0;
  for (void* handle : {static_cast<void*>(s), static_cast<void*>(new_event()), static_cast<void*>(&on_stack),
                       reinterpret_cast<void*>(3), reinterpret_cast<void*>(0xAC04FFFFFFFFFFFF)}) {
    expect_refused(handle, ACL_ERROR_RT_INVALID_HANDLE, s);
  }
}

TEST_F(Notify, StreamsAreChecked) {
  EXPECT_EQ(aclrtRecordNotify(n, n), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtWaitAndResetNotify(n, n, 0), ACL_ERROR_RT_INVALID_HANDLE);
  aclrtContext other = nullptr;
  ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
  EXPECT_EQ(aclrtRecordNotify(n, s), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtWaitAndResetNotify(n, s, 0), ACL_ERROR_RT_STREAM_CONTEXT);
}

TEST_F(Notify, IdsDiffer) {
  aclrtNotify other = nullptr;
  ASSERT_EQ(aclrtCreateNotify(&other, 0), 0);
  uint32_t first = 0;
  uint32_t second = 0;
  EXPECT_EQ(aclrtGetNotifyId(n, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetNotifyId(n, &first), 0);
  EXPECT_EQ(aclrtGetNotifyId(other, &second), 0);
  EXPECT_NE(first, second);
}

TEST_F(Notify, CanBeResetByTheHost) {
  EXPECT_EQ(aclrtRecordNotify(n, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(aclrtNotifyBatchReset(&n, 1), 0);
  EXPECT_EQ(aclrtWaitAndResetNotify(n, s, 0), 0);
  EXPECT_EQ(status_of(s), ACL_STREAM_STATUS_NOT_READY);
  EXPECT_EQ(aclrtRecordNotify(n, new_stream()), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

TEST_F(Notify, BatchResetChecksItsArguments) {
  EXPECT_EQ(aclrtNotifyBatchReset(&n, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtNotifyBatchReset(nullptr, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtNotifyBatchReset(nullptr, 1), ACL_ERROR_INVALID_PARAM);
  constexpr std::size_t kMoreThanMemory = std::size_t{1} << 40;
  EXPECT_EQ(aclrtNotifyBatchReset(&n, kMoreThanMemory), ACL_ERROR_RT_PARAM_INVALID);
}

}  // namespace
