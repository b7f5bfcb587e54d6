#include "support/capture_fixture.hpp"

namespace {

using namespace aclvk::test;

class CountNotify : public OneStream {
 protected:
  void SetUp() override {
    OneStream::SetUp();
    ASSERT_EQ(aclrtCntNotifyCreate(&n, 0), 0);
    other = new_stream();
  }

  int record(aclrtCntNotifyRecordMode mode, std::uint32_t value, aclrtStream stream = nullptr) {
    aclrtCntNotifyRecordInfo info{mode, value};
    return aclrtCntNotifyRecord(n, stream ? stream : other, &info);
  }
  int wait(aclrtCntNotifyWaitMode mode, std::uint32_t value, bool clears = false, std::uint32_t timeout = 0) {
    aclrtCntNotifyWaitInfo info{mode, value, timeout, static_cast<std::uint8_t>(clears), {}};
    return aclrtCntNotifyWaitWithTimeout(n, s, &info);
  }
  int held() { return aclrtSynchronizeStreamWithTimeout(s, 50) == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT; }
  bool passes() { return aclrtSynchronizeStreamWithTimeout(s, 30000) == 0; }

  static constexpr auto kSet = ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE;
  static constexpr auto kAdd = ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE;
  static constexpr auto kOr = ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE;
  static constexpr auto kAnd = ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE;
  static constexpr auto kLess = ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE;
  static constexpr auto kEqual = ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE;
  static constexpr auto kBigger = ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE;
  static constexpr auto kBiggerOrEqual = ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE;
  static constexpr auto kBits = ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE;

  aclrtCntNotify n = nullptr;
  aclrtStream other = nullptr;
};

TEST_F(CountNotify, NullPointersAreRefused) {
  aclrtCntNotifyRecordInfo record_info{};
  aclrtCntNotifyWaitInfo wait_info{};
  std::uint32_t id = 0;
  EXPECT_EQ(aclrtCntNotifyCreate(nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCntNotifyDestroy(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCntNotifyRecord(nullptr, s, &record_info), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCntNotifyRecord(n, s, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCntNotifyWaitWithTimeout(nullptr, s, &wait_info), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCntNotifyWaitWithTimeout(n, s, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCntNotifyReset(nullptr, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCntNotifyGetId(nullptr, &id), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCntNotifyGetId(n, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(CountNotify, StaleAndForeignHandlesAreRefused) {
  aclrtNotify notify = nullptr;
  ASSERT_EQ(aclrtCreateNotify(&notify, 0), 0);
  EXPECT_EQ(aclrtRecordNotify(n, s), ACL_ERROR_RT_INVALID_HANDLE);
  const aclrtCntNotify live = n;
  ASSERT_EQ(aclrtCntNotifyDestroy(live), 0);
  for (const aclrtCntNotify handle : {live, static_cast<aclrtCntNotify>(notify), static_cast<aclrtCntNotify>(s)}) {
    std::uint32_t id = 0;
    n = handle;
    EXPECT_EQ(record(kSet, 1), ACL_ERROR_RT_INVALID_HANDLE);
    EXPECT_EQ(wait(kEqual, 1), ACL_ERROR_RT_INVALID_HANDLE);
    EXPECT_EQ(aclrtCntNotifyReset(n, s), ACL_ERROR_RT_INVALID_HANDLE);
    EXPECT_EQ(aclrtCntNotifyGetId(n, &id), ACL_ERROR_RT_INVALID_HANDLE);
    EXPECT_EQ(aclrtCntNotifyDestroy(n), ACL_ERROR_RT_INVALID_HANDLE);
  }
}

TEST_F(CountNotify, ModesFlagsContextsAndStreamsAreChecked) {
  aclrtCntNotify another = nullptr;
  EXPECT_EQ(aclrtCntNotifyCreate(&another, 2), ACL_ERROR_RT_PARAM_INVALID);
  on_another_thread([&] { EXPECT_EQ(aclrtCntNotifyCreate(&another, 0), ACL_ERROR_RT_CONTEXT_NULL); });
  EXPECT_EQ(record(static_cast<aclrtCntNotifyRecordMode>(3), 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(record(static_cast<aclrtCntNotifyRecordMode>(5), 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(wait(static_cast<aclrtCntNotifyWaitMode>(5), 1), ACL_ERROR_RT_PARAM_INVALID);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), 0);
  EXPECT_EQ(record(kSet, 1), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(wait(kEqual, 1), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtCntNotifyReset(n, s), ACL_ERROR_RT_STREAM_CONTEXT);
}

TEST_F(CountNotify, IdsDiffer) {
  aclrtCntNotify another = nullptr;
  std::uint32_t first = 0, second = 0;
  ASSERT_EQ(aclrtCntNotifyCreate(&another, 0), 0);
  EXPECT_EQ(aclrtCntNotifyGetId(n, &first), 0);
  EXPECT_EQ(aclrtCntNotifyGetId(another, &second), 0);
  EXPECT_NE(first, second);
}

TEST_F(CountNotify, ItStartsAtZero) {
  EXPECT_EQ(wait(kEqual, 0), 0);
  EXPECT_TRUE(passes());
}

TEST_F(CountNotify, RecordsAreCounted) {
  EXPECT_EQ(wait(kEqual, 3), 0);
  EXPECT_EQ(record(kAdd, 1), 0);
  EXPECT_EQ(record(kAdd, 1), 0);
  EXPECT_TRUE(held());
  EXPECT_EQ(record(kAdd, 1), 0);
  EXPECT_TRUE(passes());
}

TEST_F(CountNotify, RecordsSetAndMaskBits) {
  EXPECT_EQ(record(kSet, 0b1010), 0);
  EXPECT_EQ(record(kOr, 0b0110), 0);
  EXPECT_EQ(wait(kEqual, 0b1110), 0);
  EXPECT_TRUE(passes());
  EXPECT_EQ(record(kAnd, 0b0011), 0);
  EXPECT_EQ(wait(kEqual, 0b0010), 0);
  EXPECT_TRUE(passes());
}

struct Comparison {
  aclrtCntNotifyWaitMode mode;
  std::uint32_t value;
  std::uint32_t holds_at;
  std::uint32_t passes_at;
};

TEST_F(CountNotify, WaitsCompareUnsigned) {
  for (const Comparison& comparison :
       {Comparison{kLess, 5, 5, 4}, Comparison{kEqual, 5, 6, 5}, Comparison{kBigger, 5, 5, 6},
        Comparison{kBiggerOrEqual, 5, 4, 5}, Comparison{kBits, 0b101, 0b1100, 0b1101},
        Comparison{kBigger, 0x7FFFFFFF, 1, 0x80000000}, Comparison{kLess, 0x80000000, 0xFFFFFFFF, 1}}) {
    EXPECT_EQ(record(kSet, comparison.holds_at), 0);
    EXPECT_EQ(aclrtSynchronizeStream(other), 0);
    EXPECT_EQ(wait(comparison.mode, comparison.value), 0);
    EXPECT_TRUE(held()) << comparison.mode;
    EXPECT_EQ(record(kSet, comparison.passes_at), 0);
    EXPECT_TRUE(passes()) << comparison.mode;
  }
}

TEST_F(CountNotify, AWaitMayClear) {
  EXPECT_EQ(record(kSet, 7), 0);
  EXPECT_EQ(wait(kEqual, 7, true), 0);
  EXPECT_TRUE(passes());
  EXPECT_EQ(wait(kEqual, 0), 0);
  EXPECT_TRUE(passes());
  EXPECT_EQ(record(kSet, 7), 0);
  EXPECT_EQ(wait(kEqual, 7, false), 0);
  EXPECT_EQ(wait(kEqual, 7, false), 0);
  EXPECT_TRUE(passes());
}

TEST_F(CountNotify, ClearingSetsOthersFree) {
  EXPECT_EQ(record(kSet, 3), 0);
  EXPECT_EQ(aclrtSynchronizeStream(other), 0);
  const aclrtStream third = new_stream();
  aclrtCntNotifyWaitInfo info{kEqual, 0, 0, 0, {}};
  EXPECT_EQ(aclrtCntNotifyWaitWithTimeout(n, third, &info), 0);
  EXPECT_EQ(wait(kEqual, 3, true), 0);
  EXPECT_TRUE(passes());
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(third, 30000), 0);
}

TEST_F(CountNotify, AResetIsATaskOfItsStream) {
  EXPECT_EQ(record(kSet, 5), 0);
  EXPECT_EQ(aclrtSynchronizeStream(other), 0);
  BlockedStream blocked;
  EXPECT_EQ(aclrtCntNotifyReset(n, blocked.get()), 0);
  EXPECT_EQ(wait(kEqual, 0), 0);
  EXPECT_TRUE(held());
  blocked.release();
  EXPECT_TRUE(passes());
}

TEST_F(CountNotify, ARecordCountsWhenItsStreamComesToIt) {
  BlockedStream blocked;
  EXPECT_EQ(record(kSet, 1, blocked.get()), 0);
  EXPECT_EQ(wait(kEqual, 1), 0);
  EXPECT_TRUE(held());
  blocked.release();
  EXPECT_TRUE(passes());
}

TEST_F(CountNotify, AWaitThatTimesOutFailsTheSynchronisationAndLetsTheStreamContinue) {
  EXPECT_EQ(wait(kEqual, 1, false, 1), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_WAIT_TIMEOUT);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(wait(kEqual, 1, false, UINT32_MAX), 0);
  EXPECT_TRUE(held());
  EXPECT_EQ(record(kSet, 1), 0);
  EXPECT_TRUE(passes());
}

TEST_F(CountNotify, ADestroyedOneStillServesWhatWasIssued) {
  BlockedStream blocked;
  EXPECT_EQ(record(kSet, 1, blocked.get()), 0);
  EXPECT_EQ(wait(kEqual, 1), 0);
  EXPECT_EQ(aclrtCntNotifyDestroy(n), 0);
  blocked.release();
  EXPECT_TRUE(passes());
}

using CapturedCountNotify = CaptureTest;

TEST_F(CapturedCountNotify, TasksOfAModelAreDoneAtEachReplay) {
  aclrtCntNotify notify = nullptr;
  ASSERT_EQ(aclrtCntNotifyCreate(&notify, 0), 0);
  aclrtCntNotifyRecordInfo add{ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE, 1};
  aclrtCntNotifyWaitInfo two{ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE, 2, 0, 0, {}};
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureBegin(s, kGlobal), 0);
  EXPECT_EQ(aclrtCntNotifyRecord(notify, s, &add), 0);
  ASSERT_EQ(aclmdlRICaptureEnd(s, &model), 0);
  EXPECT_EQ(aclrtCntNotifyWaitWithTimeout(notify, side, &two), 0);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(side, 50), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, s), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(side, 30000), 0);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
  EXPECT_EQ(aclrtCntNotifyDestroy(notify), 0);
}

TEST_F(CapturedCountNotify, AModelWaitsForACount) {
  aclrtCntNotify notify = nullptr;
  ASSERT_EQ(aclrtCntNotifyCreate(&notify, 0), 0);
  aclrtCntNotifyRecordInfo set{ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, 4};
  aclrtCntNotifyWaitInfo four{ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 4, 0, 1, {}};
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureBegin(s, kGlobal), 0);
  EXPECT_EQ(aclrtCntNotifyWaitWithTimeout(notify, s, &four), 0);
  ASSERT_EQ(aclmdlRICaptureEnd(s, &model), 0);
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(aclmdlRIExecuteAsync(model, s), 0);
    EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 50), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    EXPECT_EQ(aclrtCntNotifyRecord(notify, side, &set), 0);
    EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 30000), 0);
  }
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
  EXPECT_EQ(aclrtCntNotifyDestroy(notify), 0);
}

}  // namespace
