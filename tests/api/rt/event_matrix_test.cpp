// Which operation takes which kind of event: the whole table of runtime-semantics 5.2, cell by cell.

#include <functional>
#include <ostream>
#include <string>

#include "support/acl_fixture.hpp"

namespace {

constexpr int kOk = 0;
constexpr int kParameter = ACL_ERROR_RT_PARAM_INVALID;
constexpr int kUnsupported = ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
constexpr int kNoTime = ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID;
constexpr int kNotRecorded = ACL_ERROR_RT_INTERNAL_ERROR;
constexpr int kUndefined = -1;  // the table leaves the cell open

/// A column of the table, and its cells from top to bottom.
struct Kind {
  std::string name;
  std::function<int(aclrtEvent*)> create;
  int record;
  int wait_recorded;
  int wait_never_recorded;
  int reset;
  int query_event;
  int query_status;
  int query_wait_status;
  int synchronize;
  int time;
  int id;
  int id_before_record;
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

std::function<int(aclrtEvent*)> with_flag(uint32_t flags) {
  return [flags](aclrtEvent* event) { return aclrtCreateEventWithFlag(event, flags); };
}

std::function<int(aclrtEvent*)> ex_with_flag(uint32_t flags) {
  return [flags](aclrtEvent* event) { return aclrtCreateEventExWithFlag(event, flags); };
}

// clang-format off
const Kind kKinds[] = {
    // name         creator                      record      wait          wait, never   reset         query         status        wait status   synchronize   time          id            id before
    {"plain",       aclrtCreateEvent,            kOk,        kOk,          kParameter,   kOk,          kOk,          kOk,          kOk,          kOk,          kOk,          kOk,          kNotRecorded},
    {"with_sync",   with_flag(ACL_EVENT_SYNC),   kOk,        kOk,          kOk,          kOk,          kOk,          kOk,          kOk,          kOk,          kNoTime,      kOk,          kOk},
    {"with_time",   with_flag(2 | 8),            kOk,        kUnsupported, kUnsupported, kUnsupported, kOk,          kOk,          kOk,          kOk,          kOk,          kOk,          kOk},
    {"ex_sync",     ex_with_flag(ACL_EVENT_SYNC),kOk,        kOk,          kOk,          kUnsupported, kUnsupported, kOk,          kUnsupported, kOk,          kNoTime,      kOk,          kNotRecorded},
    {"ex_time",     ex_with_flag(2 | 8),         kOk,        kUnsupported, kUnsupported, kUnsupported, kUnsupported, kOk,          kUnsupported, kOk,          kOk,          kOk,          kNotRecorded},
    {"device_only", with_flag(0x10),             kParameter, kParameter,   kParameter,   kParameter,   kUndefined,   kOk,          kUndefined,   kOk,          kUndefined,   kOk,          kOk},
    {"external",    with_flag(0x20),             kOk,        kOk,          kUndefined,   kOk,          kUnsupported, kUnsupported, kUnsupported, kUnsupported, kUnsupported, kOk,          kOk},
    {"ipc",         ex_with_flag(0x40),          kOk,        kOk,          kOk,          kUnsupported, kUnsupported, kOk,          kUnsupported, kOk,          kUnsupported, kUnsupported, kUnsupported},
};
// clang-format on

class EventMatrix : public aclvk::test::OneStream, public testing::WithParamInterface<Kind> {
 protected:
  void SetUp() override {
    OneStream::SetUp();
    ASSERT_EQ(GetParam().create(&event), 0);
  }

  /// Records what can be recorded, and lets the stream come there.
  void record() {
    EXPECT_EQ(aclrtRecordEvent(event, s), GetParam().record);
    EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  }

  static void expect_cell(int answer, int cell, const char* operation) {
    if (cell != kUndefined) {
      EXPECT_EQ(answer, cell) << operation;
    }
  }

  aclrtEvent event = nullptr;
};

TEST_P(EventMatrix, BeforeTheFirstRecord) {
  uint32_t id = 0;
  expect_cell(aclrtGetEventId(event, &id), GetParam().id_before_record, "GetEventId");
  expect_cell(aclrtSynchronizeEvent(event), GetParam().synchronize, "SynchronizeEvent");
  if (GetParam().wait_never_recorded == kUndefined) return;
  EXPECT_EQ(aclrtStreamWaitEvent(s, event), GetParam().wait_never_recorded);
  if (GetParam().record == kOk) {  // a wait that was taken must not hold the stream after the record
    EXPECT_EQ(aclrtRecordEvent(event, new_stream()), 0);
  }
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

TEST_P(EventMatrix, StreamsRecordWaitAndReset) {
  record();
  expect_cell(aclrtStreamWaitEvent(s, event), GetParam().wait_recorded, "StreamWaitEvent");
  expect_cell(aclrtResetEvent(event, s), GetParam().reset, "ResetEvent");
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

TEST_P(EventMatrix, TheHostLooks) {
  record();
  aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
  aclrtEventRecordedStatus recorded = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  aclrtEventWaitStatus waited = ACL_EVENT_WAIT_STATUS_RESERVED;
  expect_cell(aclrtQueryEvent(event, &status), GetParam().query_event, "QueryEvent");
  expect_cell(aclrtQueryEventStatus(event, &recorded), GetParam().query_status, "QueryEventStatus");
  expect_cell(aclrtQueryEventWaitStatus(event, &waited), GetParam().query_wait_status, "QueryEventWaitStatus");
  expect_cell(aclrtSynchronizeEvent(event), GetParam().synchronize, "SynchronizeEvent");
  expect_cell(aclrtSynchronizeEventWithTimeout(event, 1000), GetParam().synchronize, "SynchronizeEventWithTimeout");
}

TEST_P(EventMatrix, TimesAndIds) {
  record();
  float ms = 0;
  uint64_t us = 0;
  uint32_t id = 0;
  expect_cell(aclrtEventElapsedTime(&ms, event, event), GetParam().time, "EventElapsedTime");
  expect_cell(aclrtEventGetTimestamp(event, &us), GetParam().time, "EventGetTimestamp");
  expect_cell(aclrtGetEventId(event, &id), GetParam().id, "GetEventId");
}

INSTANTIATE_TEST_SUITE_P(Kinds, EventMatrix, testing::ValuesIn(kKinds),
                         [](const testing::TestParamInfo<Kind>& kind) { return kind.param.name; });

}  // namespace
