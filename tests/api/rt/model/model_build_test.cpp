// Models that are built from streams (capture-semantics 13, capture-tests I).
#include <atomic>
#include <cstdint>
#include <future>
#include <thread>
#include <vector>

#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

/// A model under construction with two streams that can be bound to it.
class BuiltModel : public CaptureTest {
 protected:
  void SetUp() override {
    CaptureTest::SetUp();
    ASSERT_EQ(aclmdlRIBuildBegin(&model, 0), 0) << aclGetRecentErrMsg();
    head = persistent_stream();
    tail = persistent_stream();
  }
  void TearDown() override {
    if (model) destroy_now();
    for (aclrtStream stream : bound_) EXPECT_EQ(aclrtDestroyStream(stream), 0) << aclGetRecentErrMsg();
    for (aclrtEvent event : signals_) EXPECT_EQ(aclrtDestroyEvent(event), 0);
    CaptureTest::TearDown();
  }

  aclrtStream persistent_stream() {
    aclrtStream stream = nullptr;
    EXPECT_EQ(aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_PERSISTENT), 0);
    return bound_.emplace_back(stream);
  }
  aclrtEvent new_signal(std::uint32_t flags = ACL_EVENT_SYNC) {
    aclrtEvent event = nullptr;
    EXPECT_EQ(aclrtCreateEventWithFlag(&event, flags), 0);
    return signals_.emplace_back(event);
  }
  void bind(aclrtStream stream, std::uint32_t flag = ACL_MODEL_STREAM_FLAG_HEAD) {
    EXPECT_EQ(aclmdlRIBindStream(model, stream, flag), 0) << aclGetRecentErrMsg();
  }
  void finish(aclrtStream last) {
    EXPECT_EQ(aclmdlRIEndTask(model, last), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclmdlRIBuildEnd(model, nullptr), 0) << aclGetRecentErrMsg();
  }
  void execute_and_wait() { EXPECT_EQ(aclmdlRIExecute(model, 30000), 0) << aclGetRecentErrMsg(); }
  void destroy_now() {
    EXPECT_EQ(aclmdlRIDestroy(model), 0) << aclGetRecentErrMsg();
    model = nullptr;
  }

  aclmdlRI model = nullptr;
  aclrtStream head = nullptr;
  aclrtStream tail = nullptr;
  Cell cell;

 private:
  std::vector<aclrtStream> bound_;
  std::vector<aclrtEvent> signals_;
};

using BindStream = BuiltModel;
using BuildEnd = BuiltModel;
using BuiltModelExecute = BuiltModel;
using BuiltModelAbort = BuiltModel;
using BuiltModelEvents = BuiltModel;

TEST_F(BuiltModel, T195_NullIs100000) {
  EXPECT_EQ(aclmdlRIBuildBegin(nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlRIBindStream(nullptr, head, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlRIEndTask(nullptr, head), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlRIBuildEnd(nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlRIUnbindStream(nullptr, head), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlRIExecute(nullptr, -1), ACL_ERROR_INVALID_PARAM);
}

TEST_F(BuiltModel, NeedsAContext) {
  on_another_thread([] {
    aclmdlRI built = nullptr;
    EXPECT_EQ(aclmdlRIBuildBegin(&built, 0), ACL_ERROR_RT_CONTEXT_NULL);
  });
}

TEST_F(BindStream, StoresTheTasksOfTheStream) {
  bind(head);
  EXPECT_EQ(increment(cell, head), 0);
  finish(head);
  sync(s);
  EXPECT_EQ(cell.value(), 0);
  execute_and_wait();
  execute_and_wait();
  EXPECT_EQ(cell.value(), 2);
}

TEST_F(BindStream, TasksThatThePersistentStreamHasCollectedComeFirst) {
  EXPECT_EQ(increment(cell, head, 5), 0);
  bind(head);
  Cell copy;
  EXPECT_EQ(add(cell, 0, copy, head), 0);
  finish(head);
  execute_and_wait();
  EXPECT_EQ(copy.value(), 5);
}

TEST_F(BindStream, TakesOrdinaryStreamsToo) {
  bind(s);
  EXPECT_EQ(increment(cell, s), 0);
  finish(s);
  execute_and_wait();
  EXPECT_EQ(cell.value(), 1);
  EXPECT_EQ(aclmdlRIUnbindStream(model, s), 0);
}

TEST_F(BindStream, UnknownFlagIs107000) { EXPECT_EQ(aclmdlRIBindStream(model, head, 1), ACL_ERROR_RT_PARAM_INVALID); }

TEST_F(BindStream, SecondTimeIs107005) {
  bind(head);
  EXPECT_EQ(aclmdlRIBindStream(model, head, 0), ACL_ERROR_RT_STREAM_MODEL);
  aclmdlRI other = nullptr;
  ASSERT_EQ(aclmdlRIBuildBegin(&other, 0), 0);
  EXPECT_EQ(aclmdlRIBindStream(other, head, 0), ACL_ERROR_RT_STREAM_MODEL);
  EXPECT_EQ(aclmdlRIDestroy(other), 0);
}

TEST_F(BindStream, StreamForTheDeviceOnlyIs507000) {
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_DEVICE_USE_ONLY), 0);
  EXPECT_EQ(aclmdlRIBindStream(model, stream, 0), ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_EQ(aclrtDestroyStream(stream), 0);
}

TEST_F(BindStream, FastLaunchStreamIs207000) {
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_FAST_LAUNCH), 0);
  EXPECT_EQ(aclmdlRIBindStream(model, stream, 0), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtDestroyStream(stream), 0);
}

TEST_F(BindStream, DefaultStreamIs107000) {
  EXPECT_EQ(aclmdlRIBindStream(model, nullptr, 0), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(BindStream, T203_CapturingStreamIs107027) {
  begin(s);
  EXPECT_EQ(aclmdlRIBindStream(model, s, 0), ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(aclmdlRIUnbindStream(model, s), ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(aclmdlRIEndTask(model, s), ACL_ERROR_RT_STREAM_CAPTURED);
}

TEST_F(BindStream, BoundStreamHasNoOtherUse) {
  bind(head);
  aclmdlRI captured = capture([&] { EXPECT_EQ(increment(cell, s), 0); });
  aclmdlRI nothing = nullptr;
  EXPECT_EQ(aclmdlRICaptureBegin(head, kGlobal), ACL_ERROR_RT_STREAM_MODEL);
  EXPECT_EQ(aclmdlRICaptureEnd(head, &nothing), ACL_ERROR_RT_STREAM_MODEL);
  EXPECT_EQ(aclmdlRIExecuteAsync(captured, head), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtStreamAbort(head), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtDestroyStream(head), ACL_ERROR_RT_STREAM_MODEL);
  EXPECT_EQ(aclrtSetStreamFailureMode(head, ACL_STOP_ON_FAILURE), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(BindStream, T155_UpdateOnABoundStreamIs107005) {
  aclrtTaskGrp group = nullptr;
  capture([&] {
    EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), 0);
  });
  bind(head);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(head, group), ACL_ERROR_RT_STREAM_MODEL);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(head), ACL_ERROR_RT_STREAM_MODEL);
}

TEST_F(BindStream, HostDoesNotWaitForABoundStream) {
  bind(head);
  EXPECT_EQ(increment(cell, head), 0);
  EXPECT_EQ(aclrtSynchronizeStream(head), 0);
  EXPECT_EQ(aclrtSynchronizeDevice(), 0);
  EXPECT_EQ(cell.value(), 0);
}

TEST_F(BindStream, PageableCopyIsDoneAtOnce) {
  bind(head);
  const std::vector<float> values(8, 3);
  EXPECT_EQ(
      aclrtMemcpyAsync(cell.address(), cell.bytes(), values.data(), cell.bytes(), ACL_MEMCPY_HOST_TO_DEVICE, head), 0);
  EXPECT_EQ(cell.value(), 3);
  cell.set(4);
  finish(head);
  execute_and_wait();
  EXPECT_EQ(cell.value(), 4);
}

TEST_F(BuildEnd, T197_ReserveIs100000) { EXPECT_EQ(aclmdlRIBuildEnd(model, &model), ACL_ERROR_INVALID_PARAM); }

TEST_F(BuildEnd, T198_ModelWithoutStreamsIs107005) {
  EXPECT_EQ(aclmdlRIBuildEnd(model, nullptr), ACL_ERROR_RT_STREAM_MODEL);
}

TEST_F(BuildEnd, T199_ModelWithoutAnEndIs507011) {
  bind(head);
  EXPECT_EQ(aclmdlRIBuildEnd(model, nullptr), ACL_ERROR_RT_MODEL_EXECUTE);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, s), ACL_ERROR_RT_MODEL_EXECUTE);
  EXPECT_EQ(aclmdlRIExecute(model, -1), ACL_ERROR_RT_MODEL_EXECUTE);
  EXPECT_EQ(aclmdlRIEndTask(model, head), 0);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, s), ACL_ERROR_RT_MODEL_EXECUTE);
}

TEST_F(BuildEnd, SecondEndOnAStreamIs507000) {
  bind(head);
  EXPECT_EQ(aclmdlRIEndTask(model, head), 0);
  EXPECT_EQ(aclmdlRIEndTask(model, head), ACL_ERROR_RT_INTERNAL_ERROR);
}

TEST_F(BuildEnd, EndOnAStreamThatIsNotBoundIs507000) {
  EXPECT_EQ(aclmdlRIEndTask(model, head), ACL_ERROR_RT_INTERNAL_ERROR);
}

TEST_F(BuildEnd, CompleteModelTakesNothingMore) {
  bind(head);
  finish(head);
  EXPECT_EQ(increment(cell, head), kLaunchRefused);
  EXPECT_EQ(aclmdlRIBindStream(model, tail, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRIBuildEnd(model, nullptr), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(BuildEnd, T201_UnbindOfAStreamThatIsNotBoundIs107005) {
  EXPECT_EQ(aclmdlRIUnbindStream(model, head), ACL_ERROR_RT_STREAM_MODEL);
}

TEST_F(BuildEnd, UnboundStreamIsFree) {
  bind(s);
  bind(head);
  EXPECT_EQ(increment(cell, s, 10), 0);
  finish(head);
  EXPECT_EQ(aclmdlRIUnbindStream(model, s), 0);
  execute_and_wait();
  EXPECT_EQ(cell.value(), 0);
  expect_usable(s);
}

TEST_F(BuildEnd, DestroyUnbindsTheStreams) {
  bind(s);
  finish(s);
  destroy_now();
  expect_usable(s);
}

TEST_F(BuiltModelExecute, T182_ImpossibleTimeIs107000) {
  bind(head);
  finish(head);
  EXPECT_EQ(aclmdlRIExecute(model, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRIExecute(model, -2), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(BuiltModelExecute, LenientModeRunsCapturedModelsToo) {
  aclmdlRI captured = capture([&] { EXPECT_EQ(increment(cell, s), 0); });
  EXPECT_EQ(aclmdlRIExecute(captured, -1), 0);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(BuiltModelExecute, TakesItsPlaceBetweenTheTasksOfTheStream) {
  Cell copy;
  bind(head);
  EXPECT_EQ(increment(cell, head), 0);
  finish(head);
  EXPECT_EQ(increment(cell, s, 10), 0);
  execute(model, s);
  execute(model, s);
  EXPECT_EQ(add(cell, 0, copy, s), 0);
  sync(s);
  EXPECT_EQ(copy.value(), 12);
}

TEST_F(BuiltModelExecute, RunsAllThatASteamCanDo) {
  Pinned<float> in(8, 2), out(8);
  Word word;
  int calls = 0;
  bind(head);
  EXPECT_EQ(aclrtMemcpyAsync(cell.address(), cell.bytes(), in.data(), in.bytes(), ACL_MEMCPY_HOST_TO_DEVICE, head), 0);
  EXPECT_EQ(increment(cell, head), 0);
  EXPECT_EQ(aclrtLaunchHostFunc(
                head, [](void* count) { ++*static_cast<int*>(count); }, &calls),
            0);
  EXPECT_EQ(aclrtValueWrite(word.address(), 7, 0, head), 0);
  EXPECT_EQ(aclrtValueWait(word.address(), 7, ACL_STREAM_WAIT_VALUE_EQ, head), 0);
  EXPECT_EQ(aclrtMemcpyAsync(out.data(), out.bytes(), cell.address(), cell.bytes(), ACL_MEMCPY_DEVICE_TO_HOST, head),
            0);
  finish(head);
  execute_and_wait();
  EXPECT_EQ(out[0], 3);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(word.value(), 7u);
}

TEST_F(BuiltModelExecute, TakesAStreamOfTheDeviceForAsManyCallsAsWaitAtOnce) {
  std::uint32_t before = 0, during = 0, after = 0;
  bind(head);
  EXPECT_EQ(increment(cell, head), 0);
  finish(head);
  EXPECT_EQ(aclrtGetStreamAvailableNum(&before), 0);
  for (int run = 0; run < 3; ++run) execute_and_wait();
  EXPECT_EQ(aclrtGetStreamAvailableNum(&during), 0);
  EXPECT_EQ(during, before - 1);
  destroy_now();
  EXPECT_EQ(aclrtGetStreamAvailableNum(&after), 0);
  EXPECT_EQ(after, before);
}

TEST_F(BuiltModelExecute, TimeIsOverWhileItWaits) {
  Word word;
  bind(head);
  EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, head), 0);
  EXPECT_EQ(increment(cell, head), 0);
  finish(head);
  EXPECT_EQ(aclmdlRIExecute(model, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  word.set(1);
  EXPECT_TRUE(becomes(cell, 1));
}

/// A host function that lasts until the second stream of a context is about to end: the default one is the last.
struct LongFunction {
  std::atomic<bool> started{false};
  std::atomic<int> streams{0};

  static void run(void* user) {
    auto& self = *static_cast<LongFunction*>(user);
    self.started = true;
    while (self.streams < 2) std::this_thread::yield();
  }
  static void hear(aclrtStream, aclrtStreamState state, void* user) {
    if (state == ACL_RT_STREAM_STATE_DESTROY_PRE) ++static_cast<LongFunction*>(user)->streams;
  }
};

TEST_F(BuiltModelExecute, GoesOnWhenItsContextEndsTheStreamsOfTheModelFirst) {
  Word word;
  LongFunction function;
  aclrtContext own = nullptr;
  aclrtContext other = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&own), 0);
  ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
  aclrtStream there = nullptr;
  aclmdlRI of_other = nullptr;
  ASSERT_EQ(aclrtCreateStreamWithConfig(&there, 0, ACL_STREAM_PERSISTENT), 0);
  ASSERT_EQ(aclmdlRIBuildBegin(&of_other, 0), 0);
  ASSERT_EQ(aclmdlRIBindStream(of_other, there, ACL_MODEL_STREAM_FLAG_HEAD), 0);
  EXPECT_EQ(aclrtMemsetAsync(word.address(), 8, 1, 8, there), 0);
  EXPECT_EQ(aclrtLaunchHostFunc(there, LongFunction::run, &function), 0);
  EXPECT_EQ(aclrtMemsetAsync(word.address(), 8, 5, 8, there), 0);
  EXPECT_EQ(aclmdlRIEndTask(of_other, there), 0);
  ASSERT_EQ(aclmdlRIBuildEnd(of_other, nullptr), 0);
  ASSERT_EQ(aclrtRegStreamStateCallback("x", LongFunction::hear, &function), 0);
  ASSERT_EQ(aclmdlRIExecuteAsync(of_other, nullptr), 0);
  while (!function.started) std::this_thread::yield();
  EXPECT_EQ(aclrtDestroyContext(other), 0);
  EXPECT_EQ(aclrtRegStreamStateCallback("x", nullptr, nullptr), 0);
  ASSERT_EQ(aclrtSetCurrentContext(own), 0);
  EXPECT_EQ(word.value(), 0x0505050505050505U);
  EXPECT_EQ(aclmdlRIDestroy(of_other), 0);
}

TEST_F(BuiltModelAbort, NullIs107000) { EXPECT_EQ(aclmdlRIAbort(nullptr), ACL_ERROR_RT_PARAM_INVALID); }

TEST_F(BuiltModelAbort, CapturedModelIs207000) {
  EXPECT_EQ(aclmdlRIAbort(capture([] {})), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(BuiltModelAbort, InterruptedRunReports507023) {
  Word word;
  bind(head);
  EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, head), 0);
  EXPECT_EQ(increment(cell, head), 0);
  finish(head);
  execute(model, s);
  EXPECT_TRUE(stays_blocked(s));
  EXPECT_EQ(aclmdlRIAbort(model), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_MODEL_ABORT_NORMAL);
  EXPECT_EQ(cell.value(), 0);

  word.set(1);
  execute_and_wait();
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(BuiltModelAbort, EachCallHearsThatItsRunWasInterrupted) {
  const Word word;
  bind(head);
  EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, head), 0);
  EXPECT_EQ(increment(cell, head), 0);
  finish(head);
  const auto run = [&] {
    EXPECT_EQ(aclrtSetDevice(0), 0);
    const aclError code = aclmdlRIExecute(model, 30000);
    EXPECT_EQ(aclrtResetDevice(0), 0);
    return code;
  };
  std::vector<std::future<aclError>> calls;
  for (int i = 0; i < 2; ++i) calls.push_back(std::async(std::launch::async, run));
  for (auto& call : calls) {
    while (call.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
      EXPECT_EQ(aclmdlRIAbort(model), 0);
    }
  }
  for (auto& call : calls) EXPECT_EQ(call.get(), ACL_ERROR_RT_MODEL_ABORT_NORMAL);
  EXPECT_EQ(cell.value(), 0);
}

TEST_F(BuiltModelAbort, OfARunThatLastsTooLongIsNotHeardByTheNextCall) {
  Word word;
  bind(head);
  EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, head), 0);
  EXPECT_EQ(increment(cell, head), 0);
  finish(head);
  EXPECT_EQ(aclmdlRIExecute(model, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(aclmdlRIAbort(model), 0);
  word.set(1);
  execute_and_wait();
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(BuiltModelAbort, IdleModelHasNothingToStop) {
  bind(head);
  EXPECT_EQ(increment(cell, head), 0);
  finish(head);
  EXPECT_EQ(aclmdlRIAbort(model), 0);
  execute_and_wait();
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(BuiltModelEvents, OrderTheStreamsOfTheModel) {
  Cell copy;
  aclrtEvent done = new_signal();
  bind(head);
  bind(tail);
  EXPECT_EQ(aclrtStreamWaitEvent(tail, done), 0);
  EXPECT_EQ(add(cell, 0, copy, tail), 0);
  EXPECT_EQ(increment(cell, head), 0);
  EXPECT_EQ(aclrtRecordEvent(done, head), 0);
  finish(tail);
  for (int run = 1; run <= 3; ++run) {
    execute_and_wait();
    EXPECT_EQ(copy.value(), run);
  }
}

TEST_F(BuiltModelEvents, OthersAre207000) {
  bind(head);
  for (aclrtEvent event : {new_event(), new_plain_event()}) {
    EXPECT_EQ(aclrtRecordEvent(event, head), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    EXPECT_EQ(aclrtStreamWaitEvent(head, event), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  }
}

TEST_F(BuiltModelEvents, ExternalEventsCrossItsBorder) {
  aclrtEvent gate = new_signal(ACL_EVENT_EXTERNAL);
  bind(head);
  EXPECT_EQ(aclrtStreamWaitEvent(head, gate), 0);
  EXPECT_EQ(aclrtResetEvent(gate, head), 0);
  EXPECT_EQ(increment(cell, head), 0);
  finish(head);
  execute(model, s);
  EXPECT_TRUE(stays_blocked(s));
  EXPECT_EQ(aclrtRecordEvent(gate, side), 0);
  sync(s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(BuiltModelEvents, EventOfACaptureIs207000) {
  aclrtEvent event = new_event();
  bind(head);
  begin(s);
  EXPECT_EQ(aclrtRecordEvent(event, s), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(head, event), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

/// What the newest runtime answers.
class StrictBuiltModel : public StrictCaptureTest {};

TEST_F(StrictBuiltModel, OnlyPersistentStreamsAreBound) {
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRIBuildBegin(&model, 0), 0);
  EXPECT_EQ(aclmdlRIBindStream(model, s, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

TEST_F(StrictBuiltModel, T181_ExecuteOfACapturedModelIs107000) {
  EXPECT_EQ(aclmdlRIExecute(capture([] {}), -1), ACL_ERROR_RT_PARAM_INVALID);
}

}  // namespace
}  // namespace aclvk::test
