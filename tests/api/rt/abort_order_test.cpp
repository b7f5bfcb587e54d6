// What is left of the order of streams after tasks were given up (docs/adr/0011): a record that was dropped counts as
// reached when all is done that came before it and was not dropped.
#include <malloc.h>

#include <atomic>
#include <thread>
#include <vector>

#include "support/capture_fixture.hpp"
#include "support/pool.hpp"

namespace aclvk::test {
namespace {

constexpr std::size_t kBytes = 32;
constexpr std::int32_t kShort = 50;
constexpr std::int32_t kLong = 30000;

/// A host function that is at work until it is let go.
class Gate {
 public:
  Gate() = default;
  explicit Gate(aclrtStream stream) {
    launch(stream);
    await(stream);
  }
  ~Gate() {
    open();
    while (left_ != entered_) std::this_thread::yield();
  }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  void launch(aclrtStream stream) {
    const auto wait = [](void* user) {
      auto& gate = *static_cast<Gate*>(user);
      ++gate.entered_;
      while (!gate.open_) std::this_thread::yield();
      ++gate.left_;
    };
    EXPECT_EQ(aclrtLaunchHostFunc(stream, wait, this), 0);
  }
  /// Until the function is at work.
  void await(aclrtStream stream) {
    EXPECT_EQ(aclrtStreamQuery(stream, &status_), 0);  // submits what is in front of it
    while (entered_ == 0) std::this_thread::yield();
  }
  void open() { open_ = true; }
  int entered() const { return entered_; }
  int left() const { return left_; }

 private:
  aclrtStreamStatus status_ = ACL_STREAM_STATUS_RESERVED;
  std::atomic<int> entered_{0}, left_{0};
  std::atomic<bool> open_{false};
};

class AbortOrder : public CaptureTest {
 protected:
  /// One whose waits hold their streams back until it is recorded.
  class PatientEvent {
   public:
    PatientEvent() { EXPECT_EQ(aclrtCreateEventWithFlag(&event_, ACL_EVENT_SYNC), 0); }
    ~PatientEvent() { EXPECT_EQ(aclrtDestroyEvent(event_), 0); }
    PatientEvent(const PatientEvent&) = delete;
    PatientEvent& operator=(const PatientEvent&) = delete;

    operator aclrtEvent() const { return event_; }

   private:
    aclrtEvent event_ = nullptr;
  };

  static aclrtEventRecordedStatus status(aclrtEvent event) {
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    EXPECT_EQ(aclrtQueryEventStatus(event, &status), 0) << aclGetRecentErrMsg();
    return status;
  }
  aclrtEvent recorded_on(aclrtStream stream) {
    aclrtEvent event = new_event(ACL_EVENT_SYNC);
    EXPECT_EQ(aclrtRecordEvent(event, stream), 0);
    return event;
  }
  /// Drops what the stream has not submitted, and takes the news of it.
  static void abort(aclrtStream stream) {
    EXPECT_EQ(aclrtStreamAbort(stream), 0);
    EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, kLong), ACL_ERROR_RT_STREAM_ABORT);
  }
  static aclError wait_shortly(aclrtStream stream) { return aclrtSynchronizeStreamWithTimeout(stream, kShort); }
  static void finish(aclrtStream stream) { EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, kLong), 0); }

  static void fill(void* memory, int value, aclrtStream stream) {
    EXPECT_EQ(aclrtMemsetAsync(memory, kBytes, value, kBytes, stream), 0);
  }
  static void copy(void* to, const void* from, aclrtStream stream) {
    EXPECT_EQ(aclrtMemcpyAsync(to, kBytes, from, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream), 0);
  }
  static std::vector<std::uint8_t> bytes_of(const void* memory) {
    std::vector<std::uint8_t> bytes(kBytes);
    EXPECT_EQ(aclrtMemcpy(bytes.data(), kBytes, memory, kBytes, ACL_MEMCPY_DEVICE_TO_HOST), 0);
    return bytes;
  }
  static std::vector<std::uint8_t> all(std::uint8_t value) { return std::vector<std::uint8_t>(kBytes, value); }
};

TEST_F(AbortOrder, ThoseWhoWaitComeAfterAFunctionThatRuns) {
  Gate gate(s);
  const aclrtEvent event = recorded_on(s);
  EXPECT_EQ(aclrtStreamWaitEvent(side, event), 0);
  abort(s);
  EXPECT_EQ(status(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, kShort), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
  EXPECT_EQ(wait_shortly(side), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  gate.open();
  finish(side);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, kLong), 0);
  EXPECT_EQ(status(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
}

TEST_F(AbortOrder, ThoseWhoWaitComeAfterWhatTheStreamHasWaitedFor) {
  const aclrtStream first = new_stream();
  BlockedStream blocked(first);
  EXPECT_EQ(aclrtStreamWaitEvent(s, recorded_on(first)), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(side, recorded_on(s)), 0);
  abort(s);
  EXPECT_EQ(wait_shortly(side), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  blocked.release();
  finish(side);
}

TEST_F(AbortOrder, TheStreamItselfCanBeUsedAtOnce) {
  const aclrtStream first = new_stream();
  const BlockedStream blocked(first);
  EXPECT_EQ(aclrtStreamWaitEvent(s, recorded_on(first)), 0);
  abort(s);
  const Cell cell;
  EXPECT_EQ(increment(cell, s), 0);
  finish(s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(AbortOrder, ARecordInFrontOfWhichNothingIsLeftIsReached) {
  const BlockedStream blocked(s);
  const aclrtEvent event = recorded_on(s);
  EXPECT_EQ(aclrtStreamWaitEvent(side, event), 0);
  abort(s);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, kLong), 0);
  finish(side);
}

TEST_F(AbortOrder, AWaitForARecordThatHasNotBeenIssuedBlocksNoStream) {
  const PatientEvent never;
  EXPECT_EQ(aclrtStreamWaitEvent(s, never), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(side, recorded_on(s)), 0);
  abort(s);
  finish(side);
}

TEST_F(AbortOrder, AWholeChainOfStreamsCanBeGivenUp) {
  const aclrtStream first = new_stream();
  const BlockedStream blocked(first);
  EXPECT_EQ(aclrtStreamWaitEvent(s, recorded_on(first)), 0);
  const aclrtEvent last = recorded_on(s);
  EXPECT_EQ(aclrtStreamWaitEvent(side, last), 0);
  abort(s);
  abort(first);
  finish(side);
  EXPECT_EQ(status(last), ACL_EVENT_RECORDED_STATUS_COMPLETE);
}

TEST_F(AbortOrder, StreamsThatWaitForEachOtherCanBeGivenUp) {
  const PatientEvent mine;
  const PatientEvent yours;
  EXPECT_EQ(aclrtStreamWaitEvent(s, yours), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(side, mine), 0);
  EXPECT_EQ(aclrtRecordEvent(mine, s), 0);
  EXPECT_EQ(aclrtRecordEvent(yours, side), 0);
  const aclrtStream third = new_stream();
  EXPECT_EQ(aclrtStreamWaitEvent(third, mine), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(third, yours), 0);
  abort(s);
  abort(side);
  finish(third);
}

TEST_F(AbortOrder, AStreamThatWaitsForItsOwnLaterRecordsCanBeGivenUp) {
  const PatientEvent first;
  const PatientEvent second;
  const std::vector<aclrtEvent> both{first, second};
  for (aclrtEvent event : both) EXPECT_EQ(aclrtStreamWaitEvent(s, event), 0);
  for (aclrtEvent event : both) EXPECT_EQ(aclrtRecordEvent(event, s), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(side, second), 0);
  abort(s);
  finish(side);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(first, kLong), 0);
}

TEST_F(AbortOrder, TwoRecordsOfAStreamAreFollowedAsTheLaterOne) {
  const aclrtStream first = new_stream();
  Gate gate(first);
  const aclrtEvent before = recorded_on(first);
  const aclrtEvent following = recorded_on(first);
  EXPECT_EQ(aclrtStreamWaitEvent(s, following), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(s, before), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(side, recorded_on(s)), 0);
  abort(s);
  EXPECT_EQ(wait_shortly(side), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  abort(first);
  EXPECT_EQ(wait_shortly(side), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT) << "the function in front of both runs on";
  gate.open();
  finish(side);
}

// Each of them comes after all waits in front of it.
TEST_F(AbortOrder, ManyDroppedRecordsNeedLittleMemory) {
  constexpr int kPairs = 4000;
  constexpr std::int64_t kLittle = std::int64_t{32} << 20;
  const aclrtStream first = new_stream();
  const BlockedStream blocked(first);
  const BlockedStream held(s);
  for (int i = 0; i < kPairs; ++i) {
    ASSERT_EQ(aclrtStreamWaitEvent(s, recorded_on(first)), 0);
    recorded_on(s);
  }
  const auto in_use = [] { return static_cast<std::int64_t>(mallinfo2().uordblks); };
  const std::int64_t before = in_use();
  EXPECT_EQ(aclrtStreamAbort(s), 0);
  EXPECT_LT(in_use() - before, kLittle);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, kLong), ACL_ERROR_RT_STREAM_ABORT);
}

TEST_F(AbortOrder, ADroppedRunOfAModelComesAfterWhatItHasSubmitted) {
  const aclrtEvent outside = new_event(ACL_EVENT_SYNC);
  std::atomic<bool> open{false};
  const auto wait_until = [](void* flag) {
    while (!*static_cast<std::atomic<bool>*>(flag)) std::this_thread::yield();
  };
  Cell cell;
  aclmdlRI model = capture([&] {
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(aclrtLaunchHostFunc(s, wait_until, &open), 0);
    EXPECT_EQ(aclrtRecordEventWithFlag(outside, s, ACL_EVENT_RECORD_EXTERNAL), 0);
  });
  execute(model, s);
  EXPECT_EQ(aclrtStreamWaitEvent(side, outside), 0);
  EXPECT_EQ(aclrtStreamAbort(s), 0);
  open = true;
  finish(side);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(AbortOrder, ThoseWhoWaitComeAfterAFunctionOfADroppedRunOfAModel) {
  Gate gate;
  const aclmdlRI model = capture([&] { gate.launch(s); });
  execute(model, s);
  gate.await(s);
  const aclrtEvent following = recorded_on(s);
  abort(s);
  execute(model, side);
  EXPECT_EQ(wait_shortly(side), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(gate.entered(), 1) << "runs of a model follow each other";
  EXPECT_EQ(status(following), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  gate.open();
  finish(side);
  EXPECT_EQ(gate.entered(), 2);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(following, kLong), 0);
}

TEST_F(AbortOrder, ARecordInsideADroppedRunComesAfterWhatWasInFrontOfIt) {
  Gate before(side);
  Gate inside_model;
  const aclrtEvent inside = new_event(ACL_EVENT_SYNC);
  const aclmdlRI model = capture([&] {
    inside_model.launch(s);
    EXPECT_EQ(aclrtRecordEventWithFlag(inside, s, ACL_EVENT_RECORD_EXTERNAL), 0);
  });
  execute(model, side);
  abort(side);
  EXPECT_EQ(status(inside), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  before.open();
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(inside, kLong), 0);
  execute(model, s);
  inside_model.await(s);
  abort(s);
  EXPECT_EQ(status(inside), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  inside_model.open();
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(inside, kLong), 0);
}

TEST_F(AbortOrder, AFunctionOfABuiltModelRunsOnToo) {
  Gate gate;
  aclmdlRI model = nullptr;
  aclrtStream bound = nullptr;
  ASSERT_EQ(aclmdlRIBuildBegin(&model, 0), 0);
  ASSERT_EQ(aclrtCreateStreamWithConfig(&bound, 0, ACL_STREAM_PERSISTENT), 0);
  ASSERT_EQ(aclmdlRIBindStream(model, bound, ACL_MODEL_STREAM_FLAG_HEAD), 0);
  gate.launch(bound);
  ASSERT_EQ(aclmdlRIEndTask(model, bound), 0);
  ASSERT_EQ(aclmdlRIBuildEnd(model, nullptr), 0);
  execute(model, s);
  gate.await(s);
  const aclrtEvent following = recorded_on(s);
  abort(s);
  EXPECT_EQ(status(following), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  gate.open();
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
  EXPECT_EQ(gate.left(), 1);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(following, kLong), 0);
  EXPECT_EQ(aclrtDestroyStream(bound), 0);
}

// Memory of a pool, which passes from stream to stream along the same order.

TEST_F(AbortOrder, PoolMemoryIsNotUsedAgainBeforeItsLastUser) {
  aclrtMemPool pool = new_pool();
  const aclrtStream first = new_stream();
  const Cell out;
  void* p = malloc_async(pool, kBytes, first);
  fill(p, 7, first);
  BlockedStream blocked(first);
  copy(out.address(), p, first);
  EXPECT_EQ(aclrtMemPoolFreeAsync(p, first), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(s, recorded_on(first)), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(side, recorded_on(s)), 0);
  void* q = malloc_async(pool, kBytes, side);
  EXPECT_EQ(q, p) << "in the order of the streams it comes later";
  fill(q, 9, side);
  abort(s);
  EXPECT_EQ(wait_shortly(side), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  blocked.release();
  finish(side);
  finish(first);
  EXPECT_EQ(bytes_of(out.address()), all(7));
  EXPECT_EQ(bytes_of(q), all(9));
  EXPECT_EQ(aclrtFree(q), 0);
  EXPECT_EQ(aclrtMemPoolDestroy(pool), 0);
}

TEST_F(AbortOrder, AStreamThatWasAbortedKnowsNothingOfFreesThatItWouldHaveWaitedFor) {
  aclrtMemPool pool = new_pool();
  const aclrtStream first = new_stream();
  const Cell out;
  void* p = malloc_async(pool, kBytes, first);
  fill(p, 7, first);
  BlockedStream blocked(first);
  copy(out.address(), p, first);
  EXPECT_EQ(aclrtMemPoolFreeAsync(p, first), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(s, recorded_on(first)), 0);
  abort(s);
  void* q = malloc_async(pool, kBytes, s);
  EXPECT_NE(q, p);
  fill(q, 9, s);
  finish(s);
  blocked.release();
  finish(first);
  EXPECT_EQ(bytes_of(out.address()), all(7));
  EXPECT_EQ(aclrtFree(q), 0);
  EXPECT_EQ(aclrtMemPoolDestroy(pool), 0);
}

TEST_F(AbortOrder, MemoryThatAnAbortedStreamHasFreedWaitsForWhatTheStreamWouldHaveWaitedFor) {
  aclrtMemPool pool = new_pool();
  const aclrtStream first = new_stream();
  const Cell out;
  void* p = malloc_async(pool, kBytes, first);
  fill(p, 7, first);
  BlockedStream blocked(first);
  copy(out.address(), p, first);
  EXPECT_EQ(aclrtStreamWaitEvent(s, recorded_on(first)), 0);
  EXPECT_EQ(aclrtMemPoolFreeAsync(p, s), 0);
  abort(s);
  for (const aclrtStream stream : {s, side}) {
    void* q = malloc_async(pool, kBytes, stream);
    EXPECT_NE(q, p);
    fill(q, 9, stream);
    finish(stream);
    EXPECT_EQ(aclrtFree(q), 0);
  }
  blocked.release();
  finish(first);
  EXPECT_EQ(bytes_of(out.address()), all(7));
  EXPECT_EQ(aclrtMemPoolDestroy(pool), 0);
}

TEST_F(AbortOrder, MemoryWhoseFreeWasDroppedIsFreedAllTheSame) {
  for (const bool whole_device : {false, true}) {
    void* p = nullptr;
    ASSERT_EQ(aclrtMalloc(&p, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    const BlockedStream blocked(s);
    EXPECT_EQ(aclrtMemPoolFreeAsync(p, s), 0);
    EXPECT_EQ(whole_device ? aclrtDeviceTaskAbort(0, kLong) : aclrtStreamAbort(s), 0);
    EXPECT_NE(aclrtSynchronizeStreamWithTimeout(s, kLong), 0);
    EXPECT_EQ(aclrtFree(p), ACL_ERROR_RT_PARAM_INVALID);
  }
}

TEST_F(AbortOrder, MemoryWhoseFreeWasDroppedBelongsToTasksOfOtherStreamsUntilTheyAreDone) {
  const aclrtStream first = new_stream();
  for (const bool destroyed : {false, true}) {
    void* p = nullptr;
    ASSERT_EQ(aclrtMalloc(&p, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    aclrtStream freeing = nullptr;
    ASSERT_EQ(aclrtCreateStream(&freeing), 0);
    BlockedStream blocked(first);
    fill(p, 7, first);
    EXPECT_EQ(aclrtStreamWaitEvent(freeing, recorded_on(first)), 0);
    EXPECT_EQ(aclrtMemPoolFreeAsync(p, freeing), 0);
    EXPECT_EQ(destroyed ? aclrtDestroyStreamForce(freeing) : aclrtStreamAbort(freeing), 0);
    EXPECT_EQ(aclrtFree(p), ACL_ERROR_RT_PARAM_INVALID);
    void* q = nullptr;
    ASSERT_EQ(aclrtMalloc(&q, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    fill(q, 9, side);
    finish(side);
    blocked.release();
    finish(first);
    EXPECT_EQ(bytes_of(q), all(9));
    EXPECT_EQ(aclrtFree(q), 0);
  }
}

TEST_F(AbortOrder, MemoryWhoseFreeWasDroppedAfterTheProgramFreedItIsLeftAlone) {
  void* p = nullptr;
  ASSERT_EQ(aclrtMalloc(&p, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
  const BlockedStream blocked(s);
  EXPECT_EQ(aclrtMemPoolFreeAsync(p, s), 0);
  EXPECT_EQ(aclrtFree(p), 0);
  void* q = nullptr;
  ASSERT_EQ(aclrtMalloc(&q, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
  abort(s);
  EXPECT_EQ(aclrtFree(q), 0) << "it may have the address of the other";
}

}  // namespace
}  // namespace aclvk::test
