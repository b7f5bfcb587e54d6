// Tests the rules of runtime-semantics 5.2 without a device: the calls that each kind of event allows, and its status.
#include "runtime/event/event.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "base/error.hpp"

namespace aclvk::runtime {
namespace {

/// Returns the code that a check throws; none when it passes.
std::optional<Code> code_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.code();
  }
  return {};
}

constexpr std::optional<Code> kAllowed{};
constexpr std::optional<Code> kUnsupported = Code::kFeatureNotSupported;
constexpr std::optional<Code> kInvalid = Code::kParamInvalid;

/// A timeline that the test advances.
class FakeTimeline : public vk::Timeline {
 public:
  std::uint64_t completed() const override { return now; }
  bool wait(std::uint64_t value, std::optional<std::chrono::nanoseconds>) const override { return now >= value; }
  void signal(std::uint64_t value) override { now = value; }

  std::uint64_t now = 0;
};

// One column of the table in runtime-semantics 5.2.

struct Column {
  const char* name;
  EventMaker maker;
  std::uint32_t flags;
  std::optional<Code> record, wait, reset, legacy_query, observe;
};

const Column kColumns[] = {
    {"Plain", EventMaker::kPlain, 0xE, kAllowed, kAllowed, kAllowed, kAllowed, kAllowed},
    {"WithSync", EventMaker::kWithFlag, kEventSync, kAllowed, kAllowed, kAllowed, kAllowed, kAllowed},
    {"WithTimeLine", EventMaker::kWithFlag, kEventTimeLine, kAllowed, kUnsupported, kUnsupported, kAllowed, kAllowed},
    {"ExWithSync", EventMaker::kExWithFlag, kEventSync, kAllowed, kAllowed, kUnsupported, kUnsupported, kAllowed},
    {"ExWithTimeLine", EventMaker::kExWithFlag, kEventTimeLine, kAllowed, kUnsupported, kUnsupported, kUnsupported,
     kAllowed},
    {"DeviceUseOnly", EventMaker::kWithFlag, kEventDeviceUseOnly, kInvalid, kInvalid, kInvalid, kAllowed, kAllowed},
    {"External", EventMaker::kWithFlag, kEventExternal, kAllowed, kAllowed, kAllowed, kUnsupported, kUnsupported},
};

class EventTable : public testing::TestWithParam<Column> {
 protected:
  Event event{GetParam().maker, GetParam().flags};
};

TEST_P(EventTable, Record) {
  EXPECT_EQ(code_of([&] { event.check_record(); }), GetParam().record);
}
TEST_P(EventTable, Wait) {
  EXPECT_EQ(code_of([&] { event.check_wait(); }), GetParam().wait);
}
TEST_P(EventTable, Reset) {
  EXPECT_EQ(code_of([&] { event.check_reset(); }), GetParam().reset);
}
TEST_P(EventTable, LegacyQuery) {
  EXPECT_EQ(code_of([&] { event.check_query_legacy(); }), GetParam().legacy_query);
}
TEST_P(EventTable, Observe) {
  EXPECT_EQ(code_of([&] { event.check_observe(); }), GetParam().observe);
}

INSTANTIATE_TEST_SUITE_P(Kinds, EventTable, testing::ValuesIn(kColumns),
                         [](const auto& column) { return column.param.name; });

/// Events whose records get the values 1, 2, ... of one timeline.
class EventStates : public testing::Test {
 protected:
  void submit(const PointPtr& point) { point->state = Point::Submitted{{timeline, ++submitted}, nullptr}; }
  void complete() { timeline->now = submitted; }

  std::shared_ptr<FakeTimeline> timeline = std::make_shared<FakeTimeline>();
  std::uint64_t submitted = 0;
  Event plain{EventMaker::kPlain, 0xE};
  Event with_sync{EventMaker::kWithFlag, kEventSync};
  Event ex{EventMaker::kExWithFlag, kEventSync};
};

TEST_F(EventStates, NeverRecordedIsCompleteForExEventsOnly) {
  EXPECT_TRUE(ex.complete_status());
  EXPECT_FALSE(plain.complete_status());
  EXPECT_FALSE(with_sync.complete_status());
}

TEST_F(EventStates, RecordIsCompleteWhenTheStreamHasReachedIt) {
  const PointPtr record = ex.issue_record();
  EXPECT_FALSE(ex.complete_status());
  submit(record);
  EXPECT_FALSE(ex.complete_status());
  complete();
  EXPECT_TRUE(ex.complete_status());
}

TEST_F(EventStates, AbortedRecordIsComplete) {
  ex.issue_record()->state = Point::Cancelled{};
  EXPECT_TRUE(ex.complete_status());
}

TEST_F(EventStates, WaitBindsToTheNewestRecord) {
  const PointPtr first = ex.issue_record();
  EXPECT_EQ(ex.issue_wait(), first);
  const PointPtr second = ex.issue_record();
  EXPECT_NE(second, first);
  EXPECT_EQ(ex.issue_wait(), second);
}

TEST_F(EventStates, WaitWithoutARecordIsNothingForAnExEvent) { EXPECT_EQ(ex.issue_wait(), nullptr); }

TEST_F(EventStates, WaitWithoutARecordIs107000ForAPlainEvent) {
  EXPECT_EQ(code_of([&] { plain.issue_wait(); }), kInvalid);
}

TEST_F(EventStates, WaitWithoutARecordIsForTheNextRecordOtherwise) {
  const PointPtr early = with_sync.issue_wait();
  ASSERT_NE(early, nullptr);
  EXPECT_EQ(with_sync.issue_wait(), early);
  EXPECT_EQ(with_sync.issue_record(), early);
  EXPECT_NE(with_sync.issue_record(), early);
}

TEST_F(EventStates, ResetMakesItIncompleteWhenTheStreamHasReachedIt) {
  submit(plain.issue_record());
  complete();
  const PointPtr reset = plain.issue_reset();
  EXPECT_TRUE(plain.complete_status());
  submit(reset);
  complete();
  EXPECT_FALSE(plain.complete_status());
}

TEST_F(EventStates, WaitAfterAResetIsForTheNextRecord) {
  const PointPtr before = plain.issue_record();
  plain.issue_reset();
  const PointPtr waited = plain.issue_wait();
  EXPECT_NE(waited, before);
  EXPECT_EQ(plain.issue_record(), waited);
}

TEST_F(EventStates, RecordAfterAResetCounts) {
  submit(plain.issue_record());
  submit(plain.issue_reset());
  submit(plain.issue_record());
  complete();
  EXPECT_TRUE(plain.complete_status());
}

TEST_F(EventStates, WaitsAreCompleteWhenEachHasPassed) {
  EXPECT_TRUE(ex.waits_complete());
  const auto blocked = std::make_shared<Point>();
  const auto passed = std::make_shared<Point>();
  ex.reserve_wait();
  ex.add_wait(blocked);
  ex.reserve_wait();
  ex.add_wait(passed);
  submit(passed);
  complete();
  EXPECT_FALSE(ex.waits_complete());
  submit(blocked);
  complete();
  EXPECT_TRUE(ex.waits_complete());
}

TEST_F(EventStates, TimeNeedsARecordAndTheFlagAndCompletion) {
  EXPECT_EQ(code_of([&] { ex.check_timing(); }), Code::kRuntimeInternal);
  submit(ex.issue_record());
  complete();
  EXPECT_EQ(code_of([&] { ex.check_timing(); }), Code::kEventTimestampInvalid);

  Event timed{EventMaker::kExWithFlag, kEventSync | kEventTimeLine};
  submit(timed.issue_record());
  EXPECT_EQ(code_of([&] { timed.check_timing(); }), Code::kEventTimestampInvalid);
  complete();
  EXPECT_EQ(code_of([&] { timed.check_timing(); }), kAllowed);
}

TEST_F(EventStates, NumbersAreUnique) { EXPECT_NE(ex.id, plain.id); }

}  // namespace
}  // namespace aclvk::runtime
