// What crosses the boundary of a model while it runs: EXTERNAL events, words of memory, notifies (capture-tests E).
#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

// EXTERNAL events

class ExternalEvent : public CaptureTest {
 protected:
  static aclError record(aclrtEvent event, aclrtStream stream) { return aclrtRecordEvent(event, stream); }
  static aclError wait(aclrtStream stream, aclrtEvent event) { return aclrtStreamWaitEvent(stream, event); }

  /// wait(event) reset(event) K, the canonical model.
  aclmdlRI gated_model(aclrtEvent event) {
    return capture([&] {
      EXPECT_EQ(wait(s, event), 0);
      EXPECT_EQ(aclrtResetEvent(event, s), 0);
      EXPECT_EQ(increment(cell, s), 0);
    });
  }

  Cell cell;
};

TEST_F(ExternalEvent, T097_FlagStandsAlone) {
  aclrtEvent event = nullptr;
  EXPECT_EQ(aclrtCreateEventWithFlag(&event, ACL_EVENT_EXTERNAL | ACL_EVENT_SYNC), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_EXTERNAL), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(ExternalEvent, T098_NoFlagAndUnknownFlagsAre107000) {
  aclrtEvent event = nullptr;
  EXPECT_EQ(aclrtCreateEventWithFlag(&event, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtCreateEventWithFlag(&event, 0x100), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(ExternalEvent, T099_ModelGoesOnOnlyAfterTheRecord) {
  aclrtEvent event = new_external_event();
  execute(gated_model(event), s);
  EXPECT_TRUE(stays_blocked(s));
  EXPECT_EQ(cell.value(), 0);
  EXPECT_EQ(record(event, side), 0);
  sync(s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(ExternalEvent, RecordBeforeTheLaunchLetsTheModelThrough) {
  aclrtEvent event = new_external_event();
  aclmdlRI model = gated_model(event);
  EXPECT_EQ(record(event, side), 0);
  run(model, s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(ExternalEvent, T101_EachReplayWaitsForItsOwnRecord) {
  aclrtEvent event = new_external_event();
  aclmdlRI model = gated_model(event);
  execute(model, s);
  EXPECT_EQ(record(event, side), 0);
  execute(model, s);
  EXPECT_TRUE(becomes(cell, 1));
  EXPECT_TRUE(stays_blocked(s));
  EXPECT_EQ(cell.value(), 1);
  EXPECT_EQ(record(event, side), 0);
  sync(s);
  EXPECT_EQ(cell.value(), 2);
}

TEST_F(ExternalEvent, T103_RecordInAModelReleasesAnOutsideWait) {
  aclrtEvent event = new_external_event();
  Cell copy;
  aclmdlRI model = capture([&] {
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(record(event, s), 0);
  });
  EXPECT_EQ(wait(side, event), 0);
  EXPECT_EQ(add(cell, 10, copy, side), 0);
  EXPECT_TRUE(stays_blocked(side));
  execute(model, s);
  sync(side);
  EXPECT_EQ(copy.value(), 11);
}

TEST_F(ExternalEvent, DoesNotForkAStream) {
  aclrtEvent event = new_external_event();
  begin(s);
  EXPECT_EQ(record(event, s), 0);
  EXPECT_EQ(wait(side, event), 0);
  EXPECT_EQ(status_of(side), kNone);
  run(end(s), s);
  sync(side);
}

TEST_F(ExternalEvent, T105_IsNoJoin) {
  aclrtEvent event = new_external_event();
  begin(s);
  order(s, side);
  EXPECT_EQ(record(event, side), 0);
  EXPECT_EQ(wait(s, event), 0);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_UNJOINED);
}

TEST_F(ExternalEvent, WaitOnABranchDoesNotHoldTheOtherBranch) {
  aclrtEvent event = new_external_event();
  aclrtEvent passed = new_external_event();
  Cell other;
  aclmdlRI model = capture([&] {
    order(s, side);
    EXPECT_EQ(wait(side, event), 0);
    EXPECT_EQ(increment(cell, side), 0);
    EXPECT_EQ(increment(other, s), 0);
    EXPECT_EQ(record(passed, s), 0);
    order(side, s);
  });
  execute(model, s);
  aclrtStream observer = new_stream();
  EXPECT_EQ(wait(observer, passed), 0);
  sync(observer);
  EXPECT_EQ(other.value(), 1);
  EXPECT_TRUE(stays_blocked(s));
  EXPECT_EQ(cell.value(), 0);
  EXPECT_EQ(record(event, observer), 0);
  sync(s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(ExternalEvent, ResetOutsideTakesTheRecordBack) {
  aclrtEvent event = new_external_event();
  aclmdlRI model = gated_model(event);
  EXPECT_EQ(aclrtRecordEvent(event, side), 0);
  EXPECT_EQ(aclrtResetEvent(event, side), 0);
  sync(side);
  execute(model, s);
  EXPECT_TRUE(stays_blocked(s));
  EXPECT_EQ(aclrtRecordEvent(event, nullptr), 0) << "the default stream may set it, captured or not";
  sync(s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(ExternalEvent, EventCanBeUsedEagerlyWhileItIsCaptured) {
  aclrtEvent event = new_external_event();
  begin(s);
  EXPECT_EQ(aclrtStreamWaitEvent(s, event), 0);
  EXPECT_EQ(aclrtRecordEvent(event, side), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(side, event), 0);
  sync(side);
  EXPECT_EQ(status_of(side), kNone);
  run(end(s), s);
}

TEST_F(ExternalEvent, LegacyQueriesOfItAre207000) {
  aclrtEvent event = new_external_event();
  auto status = ACL_EVENT_STATUS_NOT_READY;
  auto waits = ACL_EVENT_WAIT_STATUS_NOT_READY;
  std::uint64_t time = 0;
  EXPECT_EQ(aclrtQueryEvent(event, &status), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtQueryEventWaitStatus(event, &waits), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtEventGetTimestamp(event, &time), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

// Words of device memory

/// A model of the kind that torch_npu's ExternalEvent makes: wait for 1, write 0, K.
class CapturedWord : public CaptureTest {
 protected:
  aclmdlRI gated_model(const Word& word) {
    return capture([&] {
      EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
      EXPECT_EQ(aclrtValueWrite(word.address(), 0, 0, s), 0);
      EXPECT_EQ(increment(cell, s), 0);
    });
  }
  void expect_wait(std::uint64_t wanted, std::uint32_t comparison, std::uint64_t blocking, std::uint64_t releasing) {
    Word word(blocking);
    EXPECT_EQ(aclrtValueWait(word.address(), wanted, comparison, s), 0);
    EXPECT_TRUE(stays_blocked(s)) << blocking;
    EXPECT_EQ(aclrtValueWrite(word.address(), releasing, 0, side), 0);
    sync(s);
    sync(side);
  }

  Cell cell;
};

TEST_F(CapturedWord, T106_NullIs100000) {
  EXPECT_EQ(aclrtValueWrite(nullptr, 1, 0, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtValueWait(nullptr, 1, 0, s), ACL_ERROR_INVALID_PARAM);
}

TEST_F(CapturedWord, T107_FlagsThatDoNotExistAre107000) {
  const Word word;
  EXPECT_EQ(aclrtValueWrite(word.address(), 1, 1, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtValueWait(word.address(), 1, 4, s), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(CapturedWord, T109_HostMemoryIs107000) {
  const Pinned<std::uint64_t> pinned(1);
  std::uint64_t pageable = 0;
  for (void* word : {static_cast<void*>(pinned.data()), static_cast<void*>(&pageable)}) {
    EXPECT_EQ(aclrtValueWrite(word, 1, 0, s), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclrtValueWait(word, 1, 0, s), ACL_ERROR_RT_PARAM_INVALID);
  }
}

TEST_F(CapturedWord, RefusedCallsDoNotSpoilACapture) {
  const Word word;
  begin(s);
  EXPECT_EQ(aclrtValueWrite(word.address(), 1, 1, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtValueWait(word.address(), 1, 4, s), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(CapturedWord, T110_ModelRunsOnceForEachWrite) {
  const Word word;
  aclmdlRI model = gated_model(word);
  execute(model, s);
  EXPECT_TRUE(stays_blocked(s));
  EXPECT_EQ(cell.value(), 0);
  EXPECT_EQ(aclrtValueWrite(word.address(), 1, 0, side), 0);
  sync(s);
  EXPECT_EQ(cell.value(), 1);
  EXPECT_EQ(word.value(), 0u);
}

TEST_F(CapturedWord, CopyFromTheHostReleasesAModel) {
  Word word;
  execute(gated_model(word), s);
  word.set(1);
  sync(s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(CapturedWord, CopyInAStreamReleasesAModel) {
  const Word word;
  const Pinned<std::uint64_t> one(1, 1);
  execute(gated_model(word), s);
  EXPECT_EQ(aclrtMemcpyAsync(word.address(), 8, one.data(), 8, ACL_MEMCPY_HOST_TO_DEVICE, side), 0);
  sync(s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(CapturedWord, WriteInAModelReleasesAnOutsideWait) {
  const Word word;
  aclmdlRI model = capture([&] {
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(aclrtValueWrite(word.address(), 7, 0, s), 0);
  });
  Cell copy;
  EXPECT_EQ(aclrtValueWait(word.address(), 7, ACL_STREAM_WAIT_VALUE_EQ, side), 0);
  EXPECT_EQ(add(cell, 10, copy, side), 0);
  EXPECT_TRUE(stays_blocked(side));
  execute(model, s);
  sync(side);
  EXPECT_EQ(copy.value(), 11);
}

TEST_F(CapturedWord, WriteAndWaitInOneModelPassEachTime) {
  const Word word;
  aclmdlRI model = capture([&] {
    EXPECT_EQ(aclrtValueWrite(word.address(), 3, 0, s), 0);
    EXPECT_EQ(aclrtValueWait(word.address(), 3, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(aclrtValueWrite(word.address(), 0, 0, s), 0);
  });
  run(model, s);
  run(model, s);
  EXPECT_EQ(cell.value(), 2);
  EXPECT_EQ(word.value(), 0u);
}

TEST_F(CapturedWord, WaitSeesWhatTheTasksBeforeItWrote) {
  Word word(1);
  execute(capture([&] {
            EXPECT_EQ(aclrtMemsetAsync(word.address(), 8, 0, 8, s), 0);
            EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
            EXPECT_EQ(increment(cell, s), 0);
          }),
          s);
  EXPECT_TRUE(stays_blocked(s));
  EXPECT_EQ(cell.value(), 0);
  EXPECT_EQ(aclrtValueWrite(word.address(), 1, 0, side), 0);
  sync(s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(CapturedWord, T111_GreaterEqualIsASignedDifference) {
  expect_wait(5, ACL_STREAM_WAIT_VALUE_GEQ, 4, 5);
  expect_wait(5, ACL_STREAM_WAIT_VALUE_GEQ, 4, 6);
  expect_wait(1, ACL_STREAM_WAIT_VALUE_GEQ, ~std::uint64_t{0}, 1);
  expect_wait(~std::uint64_t{0}, ACL_STREAM_WAIT_VALUE_GEQ, ~std::uint64_t{1}, 0);
}

TEST_F(CapturedWord, T111_EqualIsExact) { expect_wait(5, ACL_STREAM_WAIT_VALUE_EQ, 6, 5); }

TEST_F(CapturedWord, T111_AndWantsACommonBit) { expect_wait(6, ACL_STREAM_WAIT_VALUE_AND, 9, 2); }

TEST_F(CapturedWord, T111_NorWantsABitClearInBoth) {
  expect_wait(0xF, ACL_STREAM_WAIT_VALUE_NOR, ~std::uint64_t{0xF}, ~std::uint64_t{0xFF});
}

// Notifies

using CapturedNotify = CaptureTest;

TEST_F(CapturedNotify, T138_OrdersBranchesOfAModelAtEachReplay) {
  aclrtNotify notify = nullptr;
  ASSERT_EQ(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT), 0);
  Cell cell, copy;
  aclmdlRI model = capture([&] {
    order(s, side);
    EXPECT_EQ(aclrtWaitAndResetNotify(notify, side, 0), 0);
    EXPECT_EQ(add(cell, 10, copy, side), 0);
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(aclrtRecordNotify(notify, s), 0);
    order(side, s);
  });
  for (const float times : {1.0F, 2.0F, 3.0F}) {
    run(model, s);
    EXPECT_EQ(copy.value(), 10 + times);
  }
  EXPECT_EQ(aclrtDestroyNotify(notify), 0);
}

TEST_F(CapturedNotify, DoesNotForkAStream) {
  aclrtNotify notify = nullptr;
  ASSERT_EQ(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT), 0);
  begin(s);
  EXPECT_EQ(aclrtRecordNotify(notify, s), 0);
  EXPECT_EQ(aclrtWaitAndResetNotify(notify, side, 0), 0);
  EXPECT_EQ(status_of(side), kNone);
  run(end(s), s);
  sync(side);
  EXPECT_EQ(aclrtDestroyNotify(notify), 0);
}

TEST_F(CapturedNotify, RecordOutsideReleasesOneReplay) {
  aclrtNotify notify = nullptr;
  ASSERT_EQ(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT), 0);
  Cell cell;
  aclmdlRI model = capture([&] {
    EXPECT_EQ(aclrtWaitAndResetNotify(notify, s, 0), 0);
    EXPECT_EQ(increment(cell, s), 0);
  });
  execute(model, s);
  EXPECT_EQ(aclrtRecordNotify(notify, side), 0);
  sync(s);
  execute(model, s);
  EXPECT_TRUE(stays_blocked(s));
  EXPECT_EQ(cell.value(), 1);
  EXPECT_EQ(aclrtRecordNotify(notify, side), 0);
  sync(s);
  EXPECT_EQ(cell.value(), 2);
  EXPECT_EQ(aclrtDestroyNotify(notify), 0);
}

}  // namespace
}  // namespace aclvk::test
