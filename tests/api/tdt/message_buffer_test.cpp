// Message buffers: data, private part, chains, references. The same buffers under both of their names.
#include <cstring>
#include <numeric>

#include "acl/acl_tdt_queue.h"
#include "support/acl_fixture.hpp"

namespace aclvk::test {
namespace {

using MessageBuffer = Plain;

constexpr aclError kRefused = ACL_ERROR_INVALID_PARAM;

acltdtBuf new_buffer(size_t size) {
  acltdtBuf buf = nullptr;
  EXPECT_EQ(acltdtAllocBuf(size, ACL_TDT_NORMAL_MEM, &buf), 0);
  return buf;
}

uint8_t* data_of(acltdtBuf buf) {
  void* data = nullptr;
  size_t size = 0;
  EXPECT_EQ(acltdtGetBufData(buf, &data, &size), 0);
  return static_cast<uint8_t*>(data);
}

uint32_t chain_length(acltdtBuf head) {
  uint32_t count = 0;
  EXPECT_EQ(acltdtGetBufChainNum(head, &count), 0);
  return count;
}

TEST_F(MessageBuffer, HoldsAsManyZeroedBytesAsWereAskedFor) {
  for (const uint32_t type : {ACL_TDT_NORMAL_MEM, ACL_TDT_DVPP_MEM}) {
    acltdtBuf buf = nullptr;
    ASSERT_EQ(acltdtAllocBuf(1000, type, &buf), 0);
    void* data = nullptr;
    size_t size = 0;
    ASSERT_EQ(acltdtGetBufData(buf, &data, &size), 0);
    EXPECT_EQ(size, 1000U);
    const auto* bytes = static_cast<uint8_t*>(data);
    EXPECT_EQ(std::accumulate(bytes, bytes + size, 0), 0);
    std::memset(data, 7, size);
    EXPECT_EQ(data_of(buf)[999], 7);
    EXPECT_EQ(acltdtFreeBuf(buf), 0);
  }
}

TEST_F(MessageBuffer, HasASizeATypeAndAPlaceForItsHandle) {
  acltdtBuf buf = nullptr;
  EXPECT_EQ(acltdtAllocBuf(0, ACL_TDT_NORMAL_MEM, &buf), kRefused);
  EXPECT_EQ(acltdtAllocBuf(16, 2, &buf), kRefused);
  EXPECT_EQ(acltdtAllocBuf(16, ACL_TDT_NORMAL_MEM, nullptr), kRefused);
  EXPECT_EQ(aclrtAllocBuf(&buf, 0), kRefused);
  EXPECT_EQ(aclrtAllocBuf(nullptr, 16), kRefused);
  EXPECT_EQ(buf, nullptr);
}

TEST_F(MessageBuffer, ThatNoMemoryCanHoldIsRefused) {
  acltdtBuf buf = nullptr;
  EXPECT_EQ(acltdtAllocBuf(SIZE_MAX / 2, ACL_TDT_NORMAL_MEM, &buf), ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(buf, nullptr);
}

TEST_F(MessageBuffer, HasAUsedLengthUpToItsSize) {
  acltdtBuf buf = new_buffer(100);
  size_t length = 9;
  EXPECT_EQ(acltdtGetBufDataLen(buf, &length), 0);
  EXPECT_EQ(length, 0U) << "nothing has been written yet";
  EXPECT_EQ(acltdtSetBufDataLen(buf, 100), 0);
  EXPECT_EQ(acltdtGetBufDataLen(buf, &length), 0);
  EXPECT_EQ(length, 100U);
  EXPECT_EQ(acltdtSetBufDataLen(buf, 101), kRefused);
  EXPECT_EQ(acltdtGetBufDataLen(buf, &length), 0);
  EXPECT_EQ(length, 100U);
  EXPECT_EQ(acltdtFreeBuf(buf), 0);
}

TEST_F(MessageBuffer, IsFreedOnce) {
  acltdtBuf buf = new_buffer(16);
  EXPECT_EQ(acltdtFreeBuf(buf), 0);
  EXPECT_EQ(acltdtFreeBuf(buf), kRefused);
  size_t length = 0;
  EXPECT_EQ(acltdtGetBufDataLen(buf, &length), kRefused);
}

TEST_F(MessageBuffer, NULL_and_garbage_are_no_buffers) {
  int garbage = 0;
  for (acltdtBuf buf : {acltdtBuf{nullptr}, acltdtBuf{&garbage}}) {
    void* data = nullptr;
    size_t size = 0;
    uint32_t count = 0;
    acltdtBuf other = nullptr;
    EXPECT_EQ(acltdtFreeBuf(buf), kRefused);
    EXPECT_EQ(acltdtGetBufData(buf, &data, &size), kRefused);
    EXPECT_EQ(acltdtSetBufDataLen(buf, 0), kRefused);
    EXPECT_EQ(acltdtGetBufDataLen(buf, &size), kRefused);
    EXPECT_EQ(acltdtGetBufUserData(buf, &count, 4, 0), kRefused);
    EXPECT_EQ(acltdtSetBufUserData(buf, &count, 4, 0), kRefused);
    EXPECT_EQ(acltdtGetBufChainNum(buf, &count), kRefused);
    EXPECT_EQ(acltdtGetBufFromChain(buf, 0, &other), kRefused);
    EXPECT_EQ(acltdtAppendBufChain(buf, buf), kRefused);
    EXPECT_EQ(acltdtCopyBufRef(buf, &other), kRefused);
  }
}

TEST_F(MessageBuffer, AnswersNeedAPlace) {
  acltdtBuf buf = new_buffer(16);
  void* data = nullptr;
  size_t size = 0;
  EXPECT_EQ(acltdtGetBufData(buf, nullptr, &size), kRefused);
  EXPECT_EQ(acltdtGetBufData(buf, &data, nullptr), kRefused);
  EXPECT_EQ(acltdtGetBufDataLen(buf, nullptr), kRefused);
  EXPECT_EQ(acltdtGetBufUserData(buf, nullptr, 4, 0), kRefused);
  EXPECT_EQ(acltdtSetBufUserData(buf, nullptr, 4, 0), kRefused);
  EXPECT_EQ(acltdtGetBufChainNum(buf, nullptr), kRefused);
  EXPECT_EQ(acltdtGetBufFromChain(buf, 0, nullptr), kRefused);
  EXPECT_EQ(acltdtAppendBufChain(buf, nullptr), kRefused);
  EXPECT_EQ(acltdtCopyBufRef(buf, nullptr), kRefused);
  EXPECT_EQ(acltdtFreeBuf(buf), 0);
}

TEST_F(MessageBuffer, Carries96PrivateBytes) {
  acltdtBuf buf = new_buffer(16);
  uint64_t word = 0x1122334455667788;
  EXPECT_EQ(acltdtSetBufUserData(buf, &word, 8, 88), 0);
  EXPECT_EQ(acltdtSetBufUserData(buf, &word, 8, 89), kRefused);
  EXPECT_EQ(acltdtSetBufUserData(buf, &word, 8, SIZE_MAX), kRefused);
  EXPECT_EQ(acltdtSetBufUserData(buf, &word, 0, 0), kRefused);
  uint64_t read = 1;
  EXPECT_EQ(acltdtGetBufUserData(buf, &read, 8, 88), 0);
  EXPECT_EQ(read, word);
  EXPECT_EQ(acltdtGetBufUserData(buf, &read, 8, 0), 0);
  EXPECT_EQ(read, 0U);
  EXPECT_EQ(acltdtGetBufUserData(buf, &read, 8, 89), kRefused);
  EXPECT_EQ(acltdtFreeBuf(buf), 0);
}

TEST_F(MessageBuffer, AloneIsAChainOfOne) {
  acltdtBuf buf = new_buffer(16);
  EXPECT_EQ(chain_length(buf), 1U);
  acltdtBuf first = nullptr;
  EXPECT_EQ(acltdtGetBufFromChain(buf, 0, &first), 0);
  EXPECT_EQ(first, buf);
  EXPECT_EQ(acltdtGetBufFromChain(buf, 1, &first), kRefused);
  EXPECT_EQ(acltdtFreeBuf(buf), 0);
}

TEST_F(MessageBuffer, ChainsKeepTheirOrder) {
  acltdtBuf a = new_buffer(16);
  acltdtBuf b = new_buffer(16);
  acltdtBuf c = new_buffer(16);
  acltdtBuf d = new_buffer(16);
  EXPECT_EQ(acltdtAppendBufChain(c, d), 0);
  EXPECT_EQ(acltdtAppendBufChain(a, b), 0);
  EXPECT_EQ(acltdtAppendBufChain(a, c), 0) << "with what follows it";
  EXPECT_EQ(chain_length(a), 4U);
  const acltdtBuf expected[] = {a, b, c, d};
  for (uint32_t i = 0; i < 4; ++i) {
    acltdtBuf member = nullptr;
    EXPECT_EQ(acltdtGetBufFromChain(a, i, &member), 0);
    EXPECT_EQ(member, expected[i]);
  }
  EXPECT_EQ(acltdtFreeBuf(a), 0);
}

TEST_F(MessageBuffer, InAChainBelongsToItsHead) {
  acltdtBuf head = new_buffer(16);
  acltdtBuf follower = new_buffer(16);
  acltdtBuf other = new_buffer(16);
  ASSERT_EQ(acltdtAppendBufChain(head, follower), 0);
  EXPECT_EQ(acltdtFreeBuf(follower), kRefused);
  EXPECT_EQ(acltdtAppendBufChain(other, follower), kRefused);
  EXPECT_EQ(acltdtAppendBufChain(follower, other), kRefused);
  EXPECT_EQ(acltdtAppendBufChain(head, head), kRefused);
  data_of(follower)[3] = 5;
  EXPECT_EQ(acltdtSetBufDataLen(follower, 4), 0) << "its data can still be filled";
  EXPECT_EQ(acltdtFreeBuf(head), 0);
  EXPECT_EQ(acltdtSetBufDataLen(follower, 4), kRefused) << "freed with its head";
  EXPECT_EQ(acltdtFreeBuf(other), 0);
}

TEST_F(MessageBuffer, ReferencesShareTheDataAndNothingElse) {
  acltdtBuf buf = new_buffer(16);
  uint32_t mark = 11;
  ASSERT_EQ(acltdtSetBufUserData(buf, &mark, 4, 0), 0);
  ASSERT_EQ(acltdtSetBufDataLen(buf, 8), 0);
  acltdtBuf reference = nullptr;
  ASSERT_EQ(acltdtCopyBufRef(buf, &reference), 0);
  EXPECT_NE(reference, buf);
  EXPECT_EQ(data_of(reference), data_of(buf));

  mark = 12;
  ASSERT_EQ(acltdtSetBufUserData(reference, &mark, 4, 0), 0);
  ASSERT_EQ(acltdtSetBufDataLen(reference, 5), 0);
  size_t length = 0;
  EXPECT_EQ(acltdtGetBufDataLen(buf, &length), 0);
  EXPECT_EQ(length, 8U);
  EXPECT_EQ(acltdtGetBufUserData(buf, &mark, 4, 0), 0);
  EXPECT_EQ(mark, 11U);

  data_of(buf)[2] = 77;
  EXPECT_EQ(acltdtFreeBuf(buf), 0);
  EXPECT_EQ(data_of(reference)[2], 77) << "the data lives as long as the last reference";
  EXPECT_EQ(acltdtFreeBuf(reference), 0);
}

TEST_F(MessageBuffer, ReferenceOfAChainIsAChain) {
  acltdtBuf head = new_buffer(16);
  acltdtBuf follower = new_buffer(16);
  ASSERT_EQ(acltdtAppendBufChain(head, follower), 0);
  acltdtBuf reference = nullptr;
  ASSERT_EQ(acltdtCopyBufRef(head, &reference), 0);
  EXPECT_EQ(chain_length(reference), 2U);
  acltdtBuf second = nullptr;
  ASSERT_EQ(acltdtGetBufFromChain(reference, 1, &second), 0);
  EXPECT_NE(second, follower);
  EXPECT_EQ(data_of(second), data_of(follower));
  EXPECT_EQ(acltdtFreeBuf(head), 0);
  EXPECT_EQ(acltdtFreeBuf(reference), 0);
}

TEST_F(MessageBuffer, HasTwoNamesForEverything) {
  aclrtMbuf buf = nullptr;
  ASSERT_EQ(aclrtAllocBuf(&buf, 32), 0);
  void* data = nullptr;
  size_t size = 0;
  EXPECT_EQ(acltdtGetBufData(buf, &data, &size), 0);
  EXPECT_EQ(aclrtGetBufData(buf, &data, &size), 0);
  EXPECT_EQ(data, data_of(buf));
  EXPECT_EQ(size, 32U);
  EXPECT_EQ(aclrtSetBufDataLen(buf, 30), 0);
  EXPECT_EQ(aclrtGetBufDataLen(buf, &size), 0);
  EXPECT_EQ(size, 30U);
  uint32_t mark = 5;
  EXPECT_EQ(aclrtSetBufUserData(buf, &mark, 4, 4), 0);
  mark = 0;
  EXPECT_EQ(aclrtGetBufUserData(buf, &mark, 4, 4), 0);
  EXPECT_EQ(mark, 5U);
  aclrtMbuf reference = nullptr;
  ASSERT_EQ(aclrtCopyBufRef(buf, &reference), 0);
  ASSERT_EQ(aclrtAppendBufChain(buf, reference), 0);
  uint32_t count = 0;
  EXPECT_EQ(aclrtGetBufChainNum(buf, &count), 0);
  EXPECT_EQ(count, 2U);
  aclrtMbuf member = nullptr;
  EXPECT_EQ(aclrtGetBufFromChain(buf, 1, &member), 0);
  EXPECT_EQ(member, reference);
  EXPECT_EQ(aclrtFreeBuf(buf), 0);
  EXPECT_EQ(aclrtFreeBuf(buf), kRefused);
}

}  // namespace
}  // namespace aclvk::test
