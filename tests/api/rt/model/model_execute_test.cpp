// acl/rt/model_ri.h: running, naming and destroying captured models (capture-tests H).
#include <atomic>
#include <chrono>
#include <future>
#include <string>

#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

/// `model` is one kernel: cell += 1.
class ModelExecute : public CaptureTest {
 protected:
  void SetUp() override {
    CaptureTest::SetUp();
    model = capture([&] { EXPECT_EQ(increment(cell, s), 0); });
  }

  Cell cell;
  aclmdlRI model = nullptr;
};

// A launch waits where 16,384 are throttled: a program that never synchronises would fill the host's memory. Some
// thousands may be on the device.
TEST_F(ModelExecute, RunsAheadOfTheDeviceByABoundedNumberOfLaunches) {
  constexpr int kLaunches = 25000;
  const Cell many(0, 100000);
  aclmdlRI slow = capture([&] { EXPECT_EQ(increment(many, s), 0); });
  for (int i = 0; i < kLaunches; ++i) execute(slow, s);
  float done = 0;
  EXPECT_EQ(aclrtMemcpy(&done, sizeof(done), many.address(), sizeof(done), ACL_MEMCPY_DEVICE_TO_HOST), 0);
  EXPECT_GE(done, kLaunches - 16384 - 4096);
  EXPECT_EQ(aclrtStreamAbort(s), 0);
}

using ModelDestroy = ModelExecute;
using ModelName = ModelExecute;
using DestroyCallback = ModelExecute;

TEST_F(ModelExecute, NullModelIs100000) { EXPECT_EQ(aclmdlRIExecuteAsync(nullptr, s), ACL_ERROR_INVALID_PARAM); }

TEST_F(ModelExecute, GarbageModelIs107017) {
  int garbage = 0;
  EXPECT_EQ(aclmdlRIExecuteAsync(&garbage, s), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclmdlRIExecuteAsync(s, s), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(ModelExecute, GarbageStreamIs107017) {
  int garbage = 0;
  EXPECT_EQ(aclmdlRIExecuteAsync(model, &garbage), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(ModelExecute, T173_ModelTakesItsPlaceBetweenTheTasksOfTheStream) {
  Pinned<float> in(8, 41), out(8);
  const std::size_t bytes = cell.bytes();
  EXPECT_EQ(aclrtMemcpyAsync(cell.address(), bytes, in.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE, side), 0);
  execute(model, side);
  EXPECT_EQ(aclrtMemcpyAsync(out.data(), bytes, cell.address(), bytes, ACL_MEMCPY_DEVICE_TO_HOST, side), 0);
  sync(side);
  EXPECT_EQ(out[0], 42);
}

TEST_F(ModelExecute, LaterWorkWaitsForAllBranches) {
  Cell copy, other;
  aclmdlRI forked = capture([&] {
    order(s, side);
    for (int i = 0; i < 50; ++i) EXPECT_EQ(increment(other, side), 0);
    order(side, s);
  });
  execute(forked, s);
  EXPECT_EQ(add(other, 0, copy, s), 0);
  sync(s);
  EXPECT_EQ(copy.value(), 50);
}

TEST_F(ModelExecute, T174_NullStreamIsTheDefaultStream) {
  run(model, nullptr);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(ModelExecute, T175_OnACapturingStreamIs107027) {
  begin(side);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, side), ACL_ERROR_RT_STREAM_CAPTURED);
  run(end(side), side);
  EXPECT_EQ(cell.value(), 0);
}

TEST_F(ModelExecute, T177_ModelThatIsStillCapturingIs107026) {
  begin(s);
  aclmdlRI unfinished = model_of(s);
  EXPECT_EQ(aclmdlRIExecuteAsync(unfinished, side), ACL_ERROR_RT_MODEL_CAPTURED);
  EXPECT_EQ(aclmdlRIExecuteAsync(unfinished, nullptr), ACL_ERROR_RT_MODEL_CAPTURED);
  EXPECT_EQ(aclmdlRIExecute(unfinished, -1), ACL_ERROR_RT_MODEL_CAPTURED);
  EXPECT_EQ(aclmdlRIAbort(unfinished), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclmdlRIDestroy(unfinished), ACL_ERROR_RT_MODEL_CAPTURED);
}

TEST_F(ModelExecute, T178_RunsFollowEachOtherWithoutSynchronisation) {
  for (int i = 0; i < 10; ++i) execute(model, s);
  sync(s);
  EXPECT_EQ(cell.value(), 10);
}

TEST_F(ModelExecute, T179_RunsOnTwoStreamsDoNotOverlap) {
  for (int i = 0; i < 20; ++i) execute(model, i % 2 ? s : side);
  sync(s);
  sync(side);
  EXPECT_EQ(cell.value(), 20);
}

TEST_F(ModelExecute, RunWaitsForTheRunBeforeItOnAnotherStream) {
  const Word word;
  aclmdlRI gated = capture([&] {
    EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
    EXPECT_EQ(increment(cell, s), 0);
  });
  execute(gated, s);
  execute(gated, side);
  EXPECT_TRUE(stays_blocked(side));
  EXPECT_EQ(aclrtValueWrite(word.address(), 1, 0, new_stream()), 0);
  sync(side);
  EXPECT_EQ(cell.value(), 2);
}

TEST_F(ModelExecute, RunsStayInOrderWhenOneBetweenThemIsAborted) {
  aclrtStream victim = nullptr;
  ASSERT_EQ(aclrtCreateStream(&victim), 0);
  Word word;
  aclmdlRI gated = capture([&] {
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
    EXPECT_EQ(increment(cell, s), 0);
  });
  execute(gated, s);
  execute(gated, victim);
  execute(gated, side);
  EXPECT_EQ(aclrtDestroyStreamForce(victim), 0);
  EXPECT_TRUE(becomes(cell, 1));
  EXPECT_TRUE(stays_blocked(side));
  EXPECT_EQ(cell.value(), 1);
  word.set(1);
  sync(s);
  sync(side);
  EXPECT_EQ(cell.value(), 4);
}

TEST_F(ModelExecute, OfAnotherThreadWorks) {
  on_device_thread([&] { run(model, s); });
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(ModelExecute, T187_FromAnotherContextIsRefused) {
  on_device_thread([&] {
    aclrtContext other = nullptr;
    ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
    aclrtStream stream = nullptr;
    ASSERT_EQ(aclrtCreateStream(&stream), 0);
    EXPECT_EQ(aclmdlRIExecuteAsync(model, stream), ACL_ERROR_RT_MODEL_CONTEXT);
    EXPECT_EQ(aclmdlRIExecuteAsync(model, s), ACL_ERROR_RT_STREAM_CONTEXT);
    EXPECT_EQ(aclmdlRIDestroy(model), ACL_ERROR_RT_MODEL_CONTEXT);
    ASSERT_EQ(aclrtDestroyContext(other), 0);
  });
}

TEST_F(ModelExecute, T185_DestroyedModelIs107017) {
  ASSERT_EQ(aclmdlRIDestroy(model), 0);
  destroyed(model);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, s), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(ModelExecute, RunsAfterItsStreamsAreGone) {
  aclrtStream origin = nullptr;
  ASSERT_EQ(aclrtCreateStream(&origin), 0);
  ASSERT_EQ(aclmdlRICaptureBegin(origin, kGlobal), 0);
  EXPECT_EQ(increment(cell, origin), 0);
  aclmdlRI orphan = end(origin);
  ASSERT_EQ(aclrtDestroyStream(origin), 0);
  run(orphan, s);
  EXPECT_EQ(cell.value(), 1);
}

// Destroy

TEST_F(ModelDestroy, NullIs100000) { EXPECT_EQ(aclmdlRIDestroy(nullptr), ACL_ERROR_INVALID_PARAM); }

TEST_F(ModelDestroy, SecondTimeIs107017) {
  ASSERT_EQ(aclmdlRIDestroy(model), 0);
  EXPECT_EQ(aclmdlRIDestroy(model), ACL_ERROR_RT_INVALID_HANDLE);
  destroyed(model);
}

TEST_F(ModelDestroy, WaitsForRunsThatAreOnTheWay) {
  for (int i = 0; i < 100; ++i) execute(model, s);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
  destroyed(model);
  EXPECT_EQ(cell.value(), 100);
}

/// A host function that does not return before it is let go.
struct Latch {
  std::promise<void> go;
  std::atomic<bool> entered{false};
  std::atomic<bool> returned{false};

  static void wait(void* self) {
    auto* latch = static_cast<Latch*>(self);
    latch->entered = true;
    latch->go.get_future().wait();
    latch->returned = true;
  }
};

/// Destroys a model on another thread, which is to wait for the function.
std::future<aclError> destroy_after(const Latch& latch, aclmdlRI model) {
  return std::async(std::launch::async, [&latch, model] {
    EXPECT_EQ(aclrtSetDevice(0), 0);
    const aclError code = aclmdlRIDestroy(model);
    EXPECT_TRUE(latch.returned);
    EXPECT_EQ(aclrtResetDevice(0), 0);
    return code;
  });
}

TEST_F(ModelDestroy, T183_WaitsForARunThatIsHeldUp) {
  Latch latch;
  aclmdlRI slow = capture([&] { EXPECT_EQ(aclrtLaunchHostFunc(s, Latch::wait, &latch), 0); });
  execute(slow, s);
  auto destruction = destroy_after(latch, slow);
  EXPECT_EQ(destruction.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
  latch.go.set_value();
  EXPECT_EQ(destruction.get(), 0);
  destroyed(slow);
}

TEST_F(ModelDestroy, WaitsForTheRunBeforeOneThatIsAborted) {
  Latch latch;
  aclrtStream victim = nullptr;
  ASSERT_EQ(aclrtCreateStream(&victim), 0);
  aclmdlRI slow = capture([&] { EXPECT_EQ(aclrtLaunchHostFunc(s, Latch::wait, &latch), 0); });
  execute(slow, s);
  execute(slow, victim);
  auto destruction = destroy_after(latch, slow);
  EXPECT_EQ(destruction.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
  EXPECT_EQ(aclrtDestroyStreamForce(victim), 0);
  EXPECT_EQ(destruction.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
  latch.go.set_value();
  EXPECT_EQ(destruction.get(), 0);
  destroyed(slow);
}

TEST_F(ModelDestroy, WaitsForAFunctionOfARunThatWasAborted) {
  Latch latch;
  aclrtStream victim = nullptr;
  ASSERT_EQ(aclrtCreateStream(&victim), 0);
  aclmdlRI slow = capture([&] { EXPECT_EQ(aclrtLaunchHostFunc(s, Latch::wait, &latch), 0); });
  execute(slow, victim);
  while (!latch.entered) std::this_thread::yield();
  EXPECT_EQ(aclrtDestroyStreamForce(victim), 0);
  auto destruction = destroy_after(latch, slow);
  EXPECT_EQ(destruction.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
  latch.go.set_value();
  EXPECT_EQ(destruction.get(), 0);
  destroyed(slow);
}

TEST_F(ModelDestroy, OfAModelThatNeverGoesOnIs107037AndItStaysValid) {
  const Word word;
  aclmdlRI stuck = capture([&] {
    EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
    EXPECT_EQ(increment(cell, s), 0);
  });
  execute(stuck, s);
  EXPECT_EQ(aclmdlRIDestroy(stuck), ACL_ERROR_RT_MODEL_RUNNING);
  EXPECT_EQ(aclrtValueWrite(word.address(), 1, 0, side), 0);
  sync(s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(ModelDestroy, T193_AfterFinalizeDoesNotCrash) {
  on_another_thread([] {
    ASSERT_EQ(aclrtSetDevice(0), 0);
    aclrtStream stream = nullptr;
    ASSERT_EQ(aclrtCreateStream(&stream), 0);
    ASSERT_EQ(aclmdlRICaptureBegin(stream, kRelaxed), 0);
    aclmdlRI late = nullptr;
    ASSERT_EQ(aclmdlRICaptureEnd(stream, &late), 0);
    ASSERT_EQ(aclFinalize(), 0);
    aclmdlRIDestroy(late);
    aclrtResetDevice(0);
    aclmdlRIDestroy(late);
    ASSERT_EQ(aclInit(nullptr), 0);
  });
}

TEST_F(ModelDestroy, AfterItsContextIsGoneDoesNotCrash) {
  on_device_thread([&] {
    aclrtContext other = nullptr;
    ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
    aclrtStream stream = nullptr;
    ASSERT_EQ(aclrtCreateStream(&stream), 0);
    ASSERT_EQ(aclmdlRICaptureBegin(stream, kRelaxed), 0);
    EXPECT_EQ(increment(cell, stream), 0);
    aclmdlRI orphan = nullptr;
    ASSERT_EQ(aclmdlRICaptureEnd(stream, &orphan), 0);
    ASSERT_EQ(aclrtDestroyContext(other), 0);
    ASSERT_EQ(aclrtSetDevice(0), 0);
    EXPECT_NE(aclmdlRIExecuteAsync(orphan, s), 0);
    aclmdlRIDestroy(orphan);
    EXPECT_EQ(aclrtResetDevice(0), 0);
  });
}

TEST_F(ModelDestroy, OfAModelWhoseRunWasAbortedSucceeds) {
  aclrtStream victim = nullptr;
  ASSERT_EQ(aclrtCreateStream(&victim), 0);
  Word word;
  aclmdlRI stuck = capture([&] {
    EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
    EXPECT_EQ(increment(cell, s), 0);
  });
  execute(stuck, victim);
  EXPECT_EQ(aclrtDestroyStreamForce(victim), 0);
  word.set(1);
  run(stuck, s);
  EXPECT_EQ(cell.value(), 1);
}

// Names and numbers

TEST_F(ModelName, NullIs100000) {
  char name[8];
  EXPECT_EQ(aclmdlRISetName(nullptr, "x"), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlRISetName(model, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlRIGetName(nullptr, sizeof(name), name), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlRIGetName(model, sizeof(name), nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(ModelName, T190_IsReadBack) {
  char name[8] = "";
  EXPECT_EQ(aclmdlRISetName(model, "x"), 0);
  EXPECT_EQ(aclmdlRIGetName(model, sizeof(name), name), 0);
  EXPECT_STREQ(name, "x");
}

TEST_F(ModelName, T190_NoRoomIs107000) {
  char name[8] = "";
  EXPECT_EQ(aclmdlRIGetName(model, 0, name), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(ModelName, T191_IsEmptyAtFirst) {
  char name[8] = "garbage";
  EXPECT_EQ(aclmdlRIGetName(model, sizeof(name), name), 0);
  EXPECT_STREQ(name, "");
}

TEST_F(ModelName, IsCutToTheRoomThatThereIs) {
  char name[4] = "";
  EXPECT_EQ(aclmdlRISetName(model, "decode layer"), 0);
  EXPECT_EQ(aclmdlRIGetName(model, sizeof(name), name), 0);
  EXPECT_STREQ(name, "dec");
}

TEST_F(ModelName, LongNamesAreCutTo512Bytes) {
  char name[1024] = "";
  EXPECT_EQ(aclmdlRISetName(model, std::string(600, 'n').c_str()), 0);
  EXPECT_EQ(aclmdlRIGetName(model, sizeof(name), name), 0);
  EXPECT_EQ(std::string(name), std::string(512, 'n'));
}

TEST_F(ModelName, CanBeGivenWhileCapturing) {
  begin(s);
  EXPECT_EQ(aclmdlRISetName(model_of(s), "early"), 0);
  aclmdlRI named = end(s);
  char name[8] = "";
  EXPECT_EQ(aclmdlRIGetName(named, sizeof(name), name), 0);
  EXPECT_STREQ(name, "early");
}

// Waits with a limit

TEST_F(ModelExecute, WaitThatLastsTooLongEndsTheRunWith107019) {
  aclrtEvent gate = new_external_event();
  aclmdlRI gated = capture([&] {
    EXPECT_EQ(aclrtStreamWaitEventWithTimeout(s, gate, 1), 0);
    EXPECT_EQ(increment(cell, s), 0);
  });
  execute(gated, s);
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_WAIT_TIMEOUT);
  EXPECT_EQ(cell.value(), 0);

  EXPECT_EQ(aclrtRecordEvent(gate, side), 0);
  run(gated, s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(ModelExecute, TimeBeforeARunComesToAWaitDoesNotCount) {
  Word word;
  aclrtEvent gate = new_external_event();
  aclmdlRI gated = capture([&] {
    EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
    EXPECT_EQ(aclrtStreamWaitEventWithTimeout(s, gate, 2), 0);
    EXPECT_EQ(increment(cell, s), 0);
  });
  execute(gated, s);
  std::this_thread::sleep_for(std::chrono::seconds(3));  // longer than the limit
  EXPECT_EQ(aclrtRecordEvent(gate, side), 0);
  word.set(1);
  sync(s);
  EXPECT_EQ(cell.value(), 1);
}

// Callbacks at the end

void count_call(void* calls) { ++*static_cast<int*>(calls); }
void count_ten(void* calls) { *static_cast<int*>(calls) += 10; }

TEST_F(DestroyCallback, T189_NullsAndStrangersAre107000) {
  EXPECT_EQ(aclmdlRIDestroyRegisterCallback(model, nullptr, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRIDestroyRegisterCallback(nullptr, count_call, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRIDestroyUnregisterCallback(model, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRIDestroyUnregisterCallback(nullptr, count_call), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRIDestroyUnregisterCallback(model, count_call), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(DestroyCallback, T189_TheSameFunctionTwiceIs107000) {
  int calls = 0;
  EXPECT_EQ(aclmdlRIDestroyRegisterCallback(model, count_call, &calls), 0);
  EXPECT_EQ(aclmdlRIDestroyRegisterCallback(model, count_call, &calls), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRIDestroyUnregisterCallback(model, count_call), 0);
  EXPECT_EQ(aclmdlRIDestroyRegisterCallback(model, count_call, &calls), 0);
  EXPECT_EQ(calls, 0);
  destroyed(model);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
  EXPECT_EQ(calls, 1);
}

TEST_F(DestroyCallback, AllAreCalledOnceAfterTheLastRun) {
  int calls = 0;
  EXPECT_EQ(aclmdlRIDestroyRegisterCallback(model, count_call, &calls), 0);
  EXPECT_EQ(aclmdlRIDestroyRegisterCallback(model, count_ten, &calls), 0);
  EXPECT_EQ(aclmdlRIDestroyUnregisterCallback(model, count_call), 0);
  execute(model, s);
  destroyed(model);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
  EXPECT_EQ(calls, 10);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(DestroyCallback, MayBeRegisteredDuringTheCapture) {
  int calls = 0;
  begin(side);
  EXPECT_EQ(aclmdlRIDestroyRegisterCallback(model_of(side), count_call, &calls), 0);
  aclmdlRI other = nullptr;
  ASSERT_EQ(aclmdlRICaptureEnd(side, &other), 0);
  EXPECT_EQ(aclmdlRIDestroy(other), 0);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace aclvk::test
