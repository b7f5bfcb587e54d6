// Waiting for and writing words of device memory: T197.
#include "support/memory_fixture.hpp"

namespace aclvk::test {
namespace {

using Value = OneBuffer;

bool is_done(aclrtStream stream) {
  aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
  EXPECT_EQ(aclrtStreamQuery(stream, &status), 0);
  return status == ACL_STREAM_STATUS_COMPLETE;
}

TEST_F(Value, T197_BadArguments) {
  EXPECT_EQ(aclrtValueWait(d, 1, 4, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtValueWrite(d, 1, 1, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtValueWait(nullptr, 1, 0, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtValueWrite(nullptr, 1, 0, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtValueWait(h, 1, 0, s), ACL_ERROR_RT_PARAM_INVALID) << "pinned memory";
  EXPECT_EQ(aclrtValueWrite(h, 1, 0, s), ACL_ERROR_RT_PARAM_INVALID) << "pinned memory";
  std::uint64_t on_stack = 0;
  EXPECT_EQ(aclrtValueWrite(&on_stack, 1, 0, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtValueWrite(static_cast<char*>(d) + 4, 1, 0, s), ACL_ERROR_RT_PARAM_INVALID) << "not a multiple of 8";
  EXPECT_EQ(aclrtValueWrite(d, 1, 0, h), ACL_ERROR_RT_INVALID_HANDLE);
  ASSERT_EQ(aclrtFree(d), 0);
  EXPECT_EQ(aclrtValueWrite(d, 1, 0, s), ACL_ERROR_RT_PARAM_INVALID) << "freed";
  EXPECT_EQ(aclrtValueWait(d, 1, 0, s), ACL_ERROR_RT_PARAM_INVALID) << "freed";
}

TEST_F(Value, AWrittenWordIsThereForTheHost) {
  constexpr std::uint64_t kValue = 0x1122334455667788;
  ASSERT_EQ(aclrtValueWrite(static_cast<char*>(d) + 8, kValue, 0, s), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  std::uint64_t words[3] = {};
  ASSERT_EQ(aclrtMemcpy(words, sizeof(words), d, sizeof(words), ACL_MEMCPY_DEVICE_TO_HOST), 0);
  EXPECT_EQ(words[0], 0U);
  EXPECT_EQ(words[1], kValue);
  EXPECT_EQ(words[2], 0U);
}

TEST_F(Value, TheDefaultStreamWrites) {
  ASSERT_EQ(aclrtValueWrite(d, 3, 0, nullptr), 0);
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), 0);
  EXPECT_EQ(content(d, 1)[0], 3);
}

struct Condition {
  const char* name;
  std::uint32_t flag;
  std::uint64_t initial;  ///< does not satisfy the wait
  std::uint64_t wanted;
  std::uint64_t written;  ///< satisfies it
};

void PrintTo(const Condition& condition, std::ostream* out) { *out << condition.name; }

struct EachCondition : OneBuffer, testing::WithParamInterface<Condition> {};

TEST_P(EachCondition, T197_IsReleasedByTheMatchingWrite) {
  const Condition c = GetParam();
  ASSERT_EQ(aclrtMemcpy(d, 8, &c.initial, 8, ACL_MEMCPY_HOST_TO_DEVICE), 0);
  ASSERT_EQ(aclrtValueWait(d, c.wanted, c.flag, s), 0);
  EXPECT_FALSE(is_done(s));
  ASSERT_EQ(aclrtValueWrite(d, c.written, 0, new_stream()), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 10000), 0);
}

TEST_P(EachCondition, IsReleasedByACopyFromTheHost) {
  const Condition c = GetParam();
  ASSERT_EQ(aclrtMemcpy(d, 8, &c.initial, 8, ACL_MEMCPY_HOST_TO_DEVICE), 0);
  ASSERT_EQ(aclrtValueWait(d, c.wanted, c.flag, s), 0);
  EXPECT_FALSE(is_done(s));
  ASSERT_EQ(aclrtMemcpy(d, 8, &c.written, 8, ACL_MEMCPY_HOST_TO_DEVICE), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 10000), 0);
}

TEST_P(EachCondition, DoesNotBlockWhenItHoldsAlready) {
  const Condition c = GetParam();
  ASSERT_EQ(aclrtMemcpy(d, 8, &c.written, 8, ACL_MEMCPY_HOST_TO_DEVICE), 0);
  ASSERT_EQ(aclrtValueWait(d, c.wanted, c.flag, s), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 10000), 0);
}

// GEQ checks the sign of the difference, so that counters may wrap around.
INSTANTIATE_TEST_SUITE_P(All, EachCondition,
                         testing::Values(Condition{"GreaterEqual", ACL_STREAM_WAIT_VALUE_GEQ, 4, 5, 6},
                                         Condition{"GreaterEqualWraps", ACL_STREAM_WAIT_VALUE_GEQ, UINT64_MAX - 2,
                                                   UINT64_MAX, 1},
                                         Condition{"Equal", ACL_STREAM_WAIT_VALUE_EQ, 0, UINT64_MAX, UINT64_MAX},
                                         Condition{"And", ACL_STREAM_WAIT_VALUE_AND, 0xF0, 0x0F, 0x18},
                                         Condition{"Nor", ACL_STREAM_WAIT_VALUE_NOR, UINT64_MAX - 1, 1, 2}),
                         [](const auto& param) { return std::string(param.param.name); });

TEST_F(Value, OnlyTheStreamIsBlocked) {
  const BlockedStream blocked(s);
  const aclrtStream other = new_stream();
  ASSERT_EQ(aclrtMemsetAsync(d, kSize, 1, kSize, other), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(other, 10000), 0);
  EXPECT_FALSE(is_done(s));
}

TEST_F(Value, WorkAfterTheWaitRunsAfterIt) {
  BlockedStream blocked(s);
  ASSERT_EQ(aclrtMemsetAsync(d, kSize, 1, kSize, s), 0);
  EXPECT_EQ(content(d, kSize), Bytes(kSize, 0));
  blocked.release();
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(content(d, kSize), Bytes(kSize, 1));
}

TEST_F(Value, AFillInAnotherStreamReleases) {
  ASSERT_EQ(aclrtValueWait(d, 0x0101010101010101, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
  const aclrtStream other = new_stream();
  ASSERT_EQ(aclrtMemsetAsync(d, kSize, 1, kSize, other), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 10000), 0);
}

TEST_F(Value, TheLastChangeBeforeTheWaitCounts) {
  ASSERT_EQ(aclrtValueWrite(d, 1, 0, s), 0);
  ASSERT_EQ(aclrtMemsetAsync(d, 8, 0, 8, s), 0);
  ASSERT_EQ(aclrtValueWait(d, 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 50), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  ASSERT_EQ(aclrtValueWrite(d, 1, 0, new_stream()), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 10000), 0);
}

// The word holds what is waited for until another stream, whose event comes first, has cleared it.
TEST_F(Value, AChangeByAStreamThatWasWaitedForCounts) {
  constexpr std::size_t kLarge = std::size_t{64} << 20;
  const aclrtStream other = new_stream();
  const aclrtEvent cleared = new_event_ex(ACL_EVENT_SYNC);
  const std::uint64_t one = 1;
  void* large = nullptr;
  ASSERT_EQ(aclrtMalloc(&large, kLarge, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
  ASSERT_EQ(aclrtMemcpy(d, 8, &one, 8, ACL_MEMCPY_HOST_TO_DEVICE), 0);
  ASSERT_EQ(aclrtMemsetAsync(large, kLarge, 1, kLarge, other), 0);
  ASSERT_EQ(aclrtMemsetAsync(d, 8, 0, 8, other), 0);
  ASSERT_EQ(aclrtRecordEvent(cleared, other), 0);
  ASSERT_EQ(aclrtStreamWaitEvent(s, cleared), 0);
  ASSERT_EQ(aclrtValueWait(d, 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
  ASSERT_EQ(aclrtSynchronizeStream(other), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 50), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  ASSERT_EQ(aclrtValueWrite(d, 1, 0, other), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 10000), 0);
  EXPECT_EQ(aclrtFree(large), 0);
}

TEST_F(Value, WaitAndWriteBackInALoop) {
  const aclrtStream other = new_stream();
  for (std::uint64_t i = 1; i <= 100; ++i) {
    ASSERT_EQ(aclrtValueWait(d, 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
    ASSERT_EQ(aclrtValueWrite(d, 0, 0, s), 0);
    ASSERT_EQ(aclrtValueWrite(d, 1, 0, other), 0);
    ASSERT_EQ(aclrtSynchronizeStreamWithTimeout(s, 10000), 0) << i;
  }
}

}  // namespace
}  // namespace aclvk::test
