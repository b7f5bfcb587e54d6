#include <atomic>
#include <cstring>
#include <string>
#include <thread>

#include "support/acl_fixture.hpp"
#include "support/peer.hpp"

namespace {

using aclvk::test::BlockedStream;
using aclvk::test::on_another_thread;
using aclvk::test::Peer;

class EventShare : public aclvk::test::OneStream {
 protected:
  void SetUp() override {
    OneStream::SetUp();
    event = new_event_ex(ACL_EVENT_IPC);
  }

  static std::string key_of(aclrtEvent of) {
    aclrtIpcEventHandle handle{};
    EXPECT_EQ(aclrtIpcGetEventHandle(of, &handle), 0) << aclGetRecentErrMsg();
    return {handle.reserved, sizeof(handle.reserved)};
  }

  int open(const std::string& key) {
    aclrtIpcEventHandle handle{};
    std::memcpy(handle.reserved, key.data(), key.size());
    return aclrtIpcOpenEventHandle(handle, &event);
  }

  aclrtEventRecordedStatus status() const {
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    EXPECT_EQ(aclrtQueryEventStatus(event, &status), 0);
    return status;
  }

  static constexpr int kTimeout = 100;
  aclrtEvent event = nullptr;
};

TEST_F(EventShare, TheFlagStandsAlone) {
  aclrtEvent other = nullptr;
  EXPECT_EQ(aclrtCreateEventExWithFlag(&other, ACL_EVENT_IPC | ACL_EVENT_SYNC), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtCreateEventWithFlag(&other, ACL_EVENT_IPC), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(EventShare, AnExportChecksItsArguments) {
  aclrtIpcEventHandle handle{};
  EXPECT_EQ(aclrtIpcGetEventHandle(nullptr, &handle), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtIpcGetEventHandle(event, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtIpcGetEventHandle(new_event(), &handle), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtIpcGetEventHandle(new_event_ex(ACL_EVENT_SYNC), &handle), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtIpcGetEventHandle(s, &handle), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(key_of(event), key_of(event));
}

TEST_F(EventShare, AnImportChecksItsArguments) {
  aclrtIpcEventHandle handle{};
  EXPECT_EQ(aclrtIpcOpenEventHandle(handle, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtIpcOpenEventHandle(handle, &event), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(open(std::string(64, 'f')), ACL_ERROR_RT_PARAM_INVALID);
  on_another_thread([&] { EXPECT_EQ(open(std::string(64, 'f')), ACL_ERROR_RT_CONTEXT_NULL); });
}

TEST_F(EventShare, TheExportingProcessCannotOpenIt) { EXPECT_EQ(open(key_of(event)), ACL_ERROR_RT_PARAM_INVALID); }

TEST_F(EventShare, InOneProcessItIsAnEvent) {
  EXPECT_EQ(status(), ACL_EVENT_RECORDED_STATUS_COMPLETE);
  EXPECT_EQ(aclrtSynchronizeEvent(event), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(s, event), 0);
  BlockedStream blocked;
  EXPECT_EQ(aclrtRecordEvent(event, blocked.get()), 0);
  EXPECT_EQ(status(), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  EXPECT_EQ(aclrtStreamWaitEvent(s, event), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, kTimeout), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, kTimeout), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
  blocked.release();
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(aclrtSynchronizeEvent(event), 0);
  EXPECT_EQ(status(), ACL_EVENT_RECORDED_STATUS_COMPLETE);
}

TEST_F(EventShare, ItCannotBeResetOrTimedAndHasNoId) {
  float ms = 0;
  std::uint64_t time = 0;
  std::uint32_t id = 0;
  aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
  aclrtEventWaitStatus wait_status = ACL_EVENT_WAIT_STATUS_RESERVED;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(aclrtResetEvent(event, s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    EXPECT_EQ(aclrtQueryEvent(event, &status), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    EXPECT_EQ(aclrtQueryEventWaitStatus(event, &wait_status), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    EXPECT_EQ(aclrtEventElapsedTime(&ms, event, event), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    EXPECT_EQ(aclrtEventGetTimestamp(event, &time), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    EXPECT_EQ(aclrtGetEventId(event, &id), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    EXPECT_EQ(aclrtRecordEvent(event, s), 0);
    EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  }
}

TEST_F(EventShare, AStreamWaitsForARecordOfTheOtherProcess) {
  Peer peer;
  ASSERT_EQ(open(peer.ask("export-event").result), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(status(), ACL_EVENT_RECORDED_STATUS_COMPLETE);
  ASSERT_EQ(peer.code("hold"), 0);
  ASSERT_EQ(peer.code("record-event"), 0);
  EXPECT_EQ(status(), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  EXPECT_EQ(aclrtStreamWaitEvent(s, event), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, kTimeout), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, kTimeout), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
  ASSERT_EQ(peer.code("release"), 0);
  EXPECT_EQ(aclrtSynchronizeEvent(event), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(status(), ACL_EVENT_RECORDED_STATUS_COMPLETE);
  EXPECT_EQ(aclrtDestroyEvent(event), 0);
}

TEST_F(EventShare, TheProcessThatOpenedItCanRecordIt) {
  Peer peer;
  ASSERT_EQ(peer.code("import-event " + key_of(event)), 0);
  BlockedStream blocked;
  ASSERT_EQ(aclrtRecordEvent(event, blocked.get()), 0);
  ASSERT_EQ(peer.code("wait-event"), 0);
  EXPECT_EQ(peer.code("synchronize 100"), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(peer.ask("query-event").result, "not-ready");
  blocked.release();
  EXPECT_EQ(peer.code("synchronize 30000"), 0);
  ASSERT_EQ(peer.code("hold"), 0);
  ASSERT_EQ(peer.code("record-event"), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(s, event), 0);
  EXPECT_EQ(status(), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  ASSERT_EQ(peer.code("release"), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 30000), 0);
}

// The program may tell the other process by ways of its own that it has synchronised.
TEST_F(EventShare, SynchronisationNotifiesTheOtherProcess) {
  Peer peer;
  ASSERT_EQ(peer.code("import-event " + key_of(event)), 0);
  for (int i = 0; i < 30; ++i) {
    ASSERT_EQ(aclrtRecordEvent(event, s), 0);
    if (i % 3 == 0) {
      ASSERT_EQ(aclrtSynchronizeStream(s), 0);
    } else if (i % 3 == 1) {
      ASSERT_EQ(aclrtSynchronizeEvent(event), 0);
    } else {
      while (status() != ACL_EVENT_RECORDED_STATUS_COMPLETE) continue;
    }
    ASSERT_EQ(peer.ask("query-event").result, "complete");
  }
}

TEST_F(EventShare, AWaitKeepsToTheRecordThatItFound) {
  Peer peer;
  ASSERT_EQ(open(peer.ask("export-event").result), 0);
  ASSERT_EQ(peer.code("record-event"), 0);
  ASSERT_EQ(peer.code("synchronize-event 30000"), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(s, event), 0);
  ASSERT_EQ(peer.code("hold"), 0);
  ASSERT_EQ(peer.code("record-event"), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 30000), 0);
  EXPECT_EQ(status(), ACL_EVENT_RECORDED_STATUS_NOT_READY);
}

TEST_F(EventShare, ManyRecordsComeThrough) {
  Peer peer;
  ASSERT_EQ(open(peer.ask("export-event").result), 0);
  for (int i = 0; i < 600; ++i) {
    ASSERT_EQ(peer.code("record-event"), 0);
    ASSERT_EQ(aclrtStreamWaitEvent(s, event), 0);
  }
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 30000), 0);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 30000), 0);
}

TEST_F(EventShare, NoStreamWaitsForAProcessThatHasEnded) {
  Peer peer;
  ASSERT_EQ(open(peer.ask("export-event").result), 0);
  ASSERT_EQ(peer.code("hold"), 0);
  ASSERT_EQ(peer.code("record-event"), 0);
  ASSERT_EQ(aclrtStreamWaitEvent(s, event), 0);
  peer.end();
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 30000), ACL_ERROR_RT_WAIT_TIMEOUT);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 30000), ACL_ERROR_RT_WAIT_TIMEOUT);
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  EXPECT_EQ(aclrtQueryEventStatus(event, &status), ACL_ERROR_RT_WAIT_TIMEOUT);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

TEST_F(EventShare, ARecordThatWasCompleteWhenItsProcessEndedCounts) {
  for (int i = 0; i < 10; ++i) {
    Peer peer;
    ASSERT_EQ(open(peer.ask("export-event").result), 0);
    ASSERT_EQ(peer.code("record-event"), 0);
    peer.leave();
    EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 30000), 0);
    EXPECT_EQ(aclrtStreamWaitEvent(s, event), 0);
    EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 30000), 0);
  }
}

TEST_F(EventShare, ADestroyedEventCannotBeOpenedAndAnOpenedOneLivesOn) {
  Peer early, late;
  const std::string key = key_of(event);
  ASSERT_EQ(early.code("import-event " + key), 0);
  ASSERT_EQ(aclrtRecordEvent(event, s), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  ASSERT_EQ(aclrtDestroyEvent(event), 0);
  EXPECT_EQ(late.code("import-event " + key), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(early.code("synchronize-event 30000"), 0);
  EXPECT_EQ(early.code("record-event"), 0);
  EXPECT_EQ(early.code("synchronize-event 30000"), 0);
  EXPECT_EQ(early.code("destroy-event"), 0);
}

TEST_F(EventShare, RecordsThatAStreamDropsBlockNoStream) {
  Peer peer;
  ASSERT_EQ(peer.code("import-event " + key_of(event)), 0);
  const aclrtStream dropped = new_stream();
  BlockedStream blocked(dropped);
  ASSERT_EQ(aclrtRecordEvent(event, dropped), 0);
  ASSERT_EQ(peer.code("wait-event"), 0);
  ASSERT_EQ(aclrtDestroyStreamForce(dropped), 0);
  EXPECT_EQ(peer.code("synchronize 30000"), 0);
}

TEST_F(EventShare, WhatAStreamDropsComesAfterWhatItHasBegun) {
  Peer peer;
  ASSERT_EQ(peer.code("import-event " + key_of(event)), 0);
  struct Gate {
    std::atomic<bool> entered{false}, open{false};
  } gate;
  const auto wait = [](void* user) {
    auto& entered_gate = *static_cast<Gate*>(user);
    entered_gate.entered = true;
    while (!entered_gate.open) std::this_thread::yield();
  };
  ASSERT_EQ(aclrtLaunchHostFunc(s, wait, &gate), 0);
  ASSERT_EQ(aclrtRecordEvent(event, s), 0);
  while (!gate.entered) std::this_thread::yield();  // else the abort drops it
  ASSERT_EQ(peer.code("wait-event"), 0);
  ASSERT_EQ(aclrtStreamAbort(s), 0);
  EXPECT_EQ(peer.code("synchronize 100"), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  gate.open = true;
  EXPECT_EQ(peer.code("synchronize 30000"), 0);
}

}  // namespace
