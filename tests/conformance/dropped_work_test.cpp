// Stories of programs that give up: runs are dropped in any number, models go while other threads still use them.
#include <atomic>

#include "support/stress.hpp"

namespace aclvk::test {
namespace {

using DroppedWork = CaptureTest;

// A model is gone long before another thread has used it this often.
constexpr int kEnough = 10000;

TEST_F(DroppedWork, ModelOutlivesAHundredThousandRunsThatNeverBegan) {
  constexpr int kRuns = times(100000);
  Cell cell;
  aclrtEvent gate = new_external_event();
  aclmdlRI model = capture([&] { EXPECT_EQ(increment(cell, s), 0); });
  aclrtStream victim = nullptr;
  ASSERT_EQ(aclrtCreateStream(&victim), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(victim, gate), 0);
  for (int i = 0; i < kRuns; ++i) execute(model, victim);
  EXPECT_EQ(aclrtDestroyStreamForce(victim), 0);
  run(model, s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(DroppedWork, ManyRunsWaitForAGateAndThenAllRun) {
  constexpr int kRuns = times(20000);
  Cell cell;
  aclrtEvent gate = new_external_event();
  aclmdlRI model = capture([&] { EXPECT_EQ(increment(cell, s), 0); });
  EXPECT_EQ(aclrtStreamWaitEvent(s, gate), 0);
  for (int i = 0; i < kRuns; ++i) execute(model, i % 2 ? s : side);
  EXPECT_EQ(aclrtRecordEvent(gate, new_stream()), 0);
  sync(s);
  sync(side);
  EXPECT_EQ(cell.value(), static_cast<float>(kRuns));
}

TEST_F(DroppedWork, ModelGoesWhileAnotherThreadLaunchesIt) {
  Cell cell;
  for (int round = 0; round < times(500) && !HasFailure(); ++round) {
    ASSERT_EQ(aclmdlRICaptureBegin(s, kGlobal), 0);
    EXPECT_EQ(increment(cell, s), 0);
    aclmdlRI model = nullptr;
    ASSERT_EQ(aclmdlRICaptureEnd(s, &model), 0);
    std::atomic<int> launched{0};
    DeviceThreads launcher;
    launcher.start([this, model, &launched] {
      aclError code = 0;
      while (code == 0 && launched < kEnough) {
        code = aclmdlRIExecuteAsync(model, side);
        ++launched;
      }
      EXPECT_TRUE(code == ACL_ERROR_RT_INVALID_HANDLE || launched == kEnough) << code;
    });
    while (launched < round % 10) std::this_thread::yield();
    EXPECT_EQ(aclmdlRIDestroy(model), 0);
    launcher.join();
    sync(side);  // else the next model waits for all runs of this one, and a slow device has thousands of them to do
  }
}

TEST_F(DroppedWork, ModelGoesWhileAnotherThreadUpdatesIt) {
  Cell in, out;
  for (int round = 0; round < times(500) && !HasFailure(); ++round) {
    aclrtTaskGrp group = nullptr;
    ASSERT_EQ(aclmdlRICaptureBegin(s, kRelaxed), 0);
    EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
    EXPECT_EQ(add(in, 1, out, s), 0);
    EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), 0);
    aclmdlRI model = nullptr;
    ASSERT_EQ(aclmdlRICaptureEnd(s, &model), 0);
    std::atomic<int> updates{0};
    DeviceThreads updater;
    updater.start([&, group] {
      aclError code = 0;
      while (updates < kEnough && (code = aclmdlRICaptureTaskUpdateBegin(side, group)) == 0) {
        const aclnnStatus launched = add(in, 2, out, side);
        code = aclmdlRICaptureTaskUpdateEnd(side);
        ++updates;
        if (code != 0) break;  // the model went in between: the launch may have noticed, too
        EXPECT_EQ(launched, 0);
      }
      EXPECT_TRUE(code == ACL_ERROR_RT_INVALID_HANDLE || updates == kEnough) << code;
    });
    while (updates < round % 10) std::this_thread::yield();
    execute(model, s);
    EXPECT_EQ(aclmdlRIDestroy(model), 0);
  }
}

}  // namespace
}  // namespace aclvk::test
