// Times of events: when they are known, and what they mean.

#include <chrono>
#include <cmath>
#include <thread>
#include <vector>

#include "support/acl_fixture.hpp"

namespace {

using aclvk::test::BlockedStream;
using EventTime = aclvk::test::OneStream;

TEST_F(EventTime, T127_ElapsedTimeChecks) {
  float ms = 0;
  const aclrtEvent timed = new_event_ex(ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE);
  const aclrtEvent untimed = new_event_ex(ACL_EVENT_SYNC);
  EXPECT_EQ(aclrtEventElapsedTime(nullptr, timed, timed), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtEventElapsedTime(&ms, nullptr, timed), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtEventElapsedTime(&ms, timed, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtEventElapsedTime(&ms, timed, timed), ACL_ERROR_RT_INTERNAL_ERROR);
  aclrtRecordEvent(untimed, s);
  EXPECT_EQ(aclrtEventElapsedTime(&ms, untimed, timed), ACL_ERROR_RT_INTERNAL_ERROR);
  aclrtRecordEvent(timed, s);
  aclrtSynchronizeStream(s);
  EXPECT_EQ(aclrtEventElapsedTime(&ms, untimed, timed), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
}

TEST_F(EventTime, AnIncompleteOneHasNoTime) {
  BlockedStream blocked;
  const aclrtEvent event = new_event();
  uint64_t time = 0;
  aclrtRecordEvent(event, blocked.get());
  EXPECT_EQ(aclrtEventGetTimestamp(event, &time), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
  blocked.release();
}

TEST_F(EventTime, ElapsedTimeIsThatBetweenTheRecords) {
  const aclrtEvent start = new_event();
  const aclrtEvent end = new_event_ex(ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE);
  const auto sleep = [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(40)); };
  ASSERT_EQ(aclrtRecordEvent(start, s), 0);
  ASSERT_EQ(aclrtLaunchHostFunc(s, sleep, nullptr), 0);
  ASSERT_EQ(aclrtRecordEvent(end, s), 0);
  ASSERT_EQ(aclrtSynchronizeEvent(end), 0);
  float ms = std::nanf("");
  EXPECT_EQ(aclrtEventElapsedTime(&ms, start, end), 0);
  EXPECT_GT(ms, 30.0F);
  EXPECT_LT(ms, 5000.0F);
  float reversed = 0;
  EXPECT_EQ(aclrtEventElapsedTime(&reversed, end, start), 0);
  EXPECT_FLOAT_EQ(reversed, -ms);
}

TEST_F(EventTime, T129_TimeStampsAreOrdered) {
  uint64_t first = 0;
  uint64_t second = 0;
  const aclrtEvent a = new_event_ex(ACL_EVENT_TIME_LINE);
  const aclrtEvent b = new_event_ex(ACL_EVENT_TIME_LINE);
  const aclrtEvent untimed = new_event_ex(ACL_EVENT_SYNC);
  EXPECT_EQ(aclrtEventGetTimestamp(a, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtEventGetTimestamp(a, &first), ACL_ERROR_RT_INTERNAL_ERROR);
  aclrtRecordEvent(untimed, s);
  aclrtRecordEvent(a, s);
  aclrtRecordEvent(b, s);
  aclrtSynchronizeStream(s);
  EXPECT_EQ(aclrtEventGetTimestamp(untimed, &first), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
  EXPECT_EQ(aclrtEventGetTimestamp(a, &first), 0);
  EXPECT_EQ(aclrtEventGetTimestamp(b, &second), 0);
  EXPECT_LE(first, second);
}

/// Waits for both and gives the milliseconds between them.
float elapsed(aclrtEvent start, aclrtEvent end) {
  float ms = std::nanf("");
  EXPECT_EQ(aclrtSynchronizeEvent(start), 0);
  EXPECT_EQ(aclrtSynchronizeEvent(end), 0);
  EXPECT_EQ(aclrtEventElapsedTime(&ms, start, end), 0);
  return ms;
}

void sleep_40_ms(void*) { std::this_thread::sleep_for(std::chrono::milliseconds(40)); }

uint64_t time_stamp(aclrtEvent event) {
  uint64_t us = 0;
  EXPECT_EQ(aclrtSynchronizeEvent(event), 0);
  EXPECT_EQ(aclrtEventGetTimestamp(event, &us), 0);
  return us;
}

TEST_F(EventTime, ElapsedTimeOfOneEventIsNone) {
  const aclrtEvent event = new_event();
  ASSERT_EQ(aclrtRecordEvent(event, s), 0);
  EXPECT_EQ(elapsed(event, event), 0.0F);
}

TEST_F(EventTime, ElapsedTimeOfRecordsOfAnEmptyStreamIsNotNegative) {
  const aclrtEvent start = new_event();
  const aclrtEvent end = new_event();
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(aclrtRecordEvent(start, s), 0);
    ASSERT_EQ(aclrtRecordEvent(end, s), 0);
    EXPECT_GE(elapsed(start, end), 0.0F);
  }
}

TEST_F(EventTime, ItsTimeIsThatOfTheStreamAndNotOfTheCall) {
  const aclrtEvent start = new_event();
  const aclrtEvent end = new_event();
  BlockedStream blocked(s);
  ASSERT_EQ(aclrtRecordEvent(start, new_stream()), 0);
  ASSERT_EQ(aclrtSynchronizeEvent(start), 0);
  ASSERT_EQ(aclrtRecordEvent(end, s), 0);  // throttled
  std::this_thread::sleep_for(std::chrono::milliseconds(40));
  blocked.release();
  EXPECT_GT(elapsed(start, end), 39.0F);
}

TEST_F(EventTime, TimesAreOrderedAsStreamsAre) {
  const aclrtStream other = new_stream();
  const aclrtEvent first = new_event();
  const aclrtEvent second = new_event();
  ASSERT_EQ(aclrtLaunchHostFunc(s, sleep_40_ms, nullptr), 0);
  ASSERT_EQ(aclrtRecordEvent(first, s), 0);
  ASSERT_EQ(aclrtStreamWaitEvent(other, first), 0);
  ASSERT_EQ(aclrtRecordEvent(second, other), 0);
  EXPECT_GE(elapsed(first, second), 0.0F);
  EXPECT_LE(time_stamp(first), time_stamp(second));
}

TEST_F(EventTime, ANewRecordHasANewTime) {
  const aclrtEvent event = new_event_ex(ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE);
  ASSERT_EQ(aclrtRecordEvent(event, s), 0);
  const uint64_t first = time_stamp(event);
  EXPECT_EQ(time_stamp(event), first) << "a look changes nothing";
  ASSERT_EQ(aclrtLaunchHostFunc(s, sleep_40_ms, nullptr), 0);
  ASSERT_EQ(aclrtRecordEvent(event, s), 0);
  EXPECT_GE(time_stamp(event), first + 39'000);
}

TEST_F(EventTime, ElapsedTimeIsTheDifferenceOfTimeStamps) {
  const aclrtEvent start = new_event();
  const aclrtEvent end = new_event();
  ASSERT_EQ(aclrtRecordEvent(start, s), 0);
  ASSERT_EQ(aclrtLaunchHostFunc(s, sleep_40_ms, nullptr), 0);
  ASSERT_EQ(aclrtRecordEvent(end, s), 0);
  const float ms = elapsed(start, end);
  EXPECT_NEAR(ms, static_cast<float>(time_stamp(end) - time_stamp(start)) / 1000, 0.002F);
}

TEST_F(EventTime, TheTimeOfAResetOneIsThatOfItsRecord) {
  const aclrtEvent event = new_event_with(ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE);
  ASSERT_EQ(aclrtRecordEvent(event, s), 0);
  const uint64_t before = time_stamp(event);
  ASSERT_EQ(aclrtResetEvent(event, s), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  uint64_t after = 0;
  EXPECT_EQ(aclrtEventGetTimestamp(event, &after), 0);
  EXPECT_EQ(after, before);
}

TEST_F(EventTime, ManyRecordsInFlightKeepTheirTimes) {
  std::vector<aclrtEvent> events;
  for (int i = 0; i < 1000; ++i) {
    events.push_back(new_event());
    ASSERT_EQ(aclrtRecordEvent(events.back(), s), 0);
  }
  uint64_t last = 0;
  for (const aclrtEvent event : events) {
    const uint64_t now = time_stamp(event);
    EXPECT_GE(now, last);
    last = now;
  }
}

TEST_F(EventTime, ARecordThatAnAbortDroppedHasATimeAllTheSame) {
  BlockedStream blocked(s);
  const aclrtEvent event = new_event();
  ASSERT_EQ(aclrtRecordEvent(event, s), 0);
  ASSERT_EQ(aclrtStreamAbort(s), 0);
  uint64_t first = 0;
  uint64_t second = 0;
  EXPECT_EQ(aclrtEventGetTimestamp(event, &first), 0);
  EXPECT_EQ(aclrtEventGetTimestamp(event, &second), 0);
  EXPECT_EQ(first, second);
}

}  // namespace
