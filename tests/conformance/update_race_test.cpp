// Stories of programs that launch a model first and update it while it runs, step after step.
#include <atomic>

#include "support/stress.hpp"

namespace aclvk::test {
namespace {

constexpr int kSteps = times(10000);

/// out = in + step, where the kernel of each step is given to the group while the model runs.
class UpdateStory : public CaptureTest {
 protected:
  void capture_group() {
    EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
    EXPECT_EQ(add(in, 0, out, s), 0);
    EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), 0);
  }
  void update(int step) {
    EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(side, group), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(add(in, static_cast<float>(step), out, side), 0);
    EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), 0) << aclGetRecentErrMsg();
  }

  Cell in, out;
  aclrtTaskGrp group = nullptr;
  aclmdlRI model = nullptr;
};

/// The group waits for a gate, which every run closes afterwards.
class GatedUpdateStory : public UpdateStory {
 protected:
  virtual void open() = 0;

  void expect_result(int step) {
    sync(s);
    EXPECT_EQ(out.value(), static_cast<float>(step));
  }
  void launch_then_update() {
    for (int step = 1; step <= kSteps && !HasFailure(); ++step) {
      execute(model, s);
      update(step);
      open();
      expect_result(step);
    }
  }
  /// One thread launches, another updates and opens the gate. Only the end of the step before is waited for, so launch
  /// and update race.
  void launch_while_another_thread_updates() {
    std::atomic<int> finished{0};
    DeviceThreads updater;
    updater.start([&] {
      for (int step = 1; step <= kSteps; ++step) {
        while (finished < step - 1) std::this_thread::yield();
        update(step);
        open();
      }
    });
    for (int step = 1; step <= kSteps; ++step) {
      if (!HasFailure()) {
        execute(model, s);
        expect_result(step);
      }
      finished = step;
    }
  }
};

class EventGate : public GatedUpdateStory {
 protected:
  void SetUp() override {
    GatedUpdateStory::SetUp();
    gate = new_external_event();
    model = capture([&] {
      EXPECT_EQ(aclrtStreamWaitEvent(s, gate), 0);
      EXPECT_EQ(aclrtResetEvent(gate, s), 0);
      capture_group();
    });
  }
  void open() override { EXPECT_EQ(aclrtRecordEvent(gate, side), 0); }

  aclrtEvent gate = nullptr;
};

/// torch_npu's gate: wait for 1, then write 0.
class WordGate : public GatedUpdateStory {
 protected:
  void SetUp() override {
    GatedUpdateStory::SetUp();
    model = capture([&] {
      EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
      EXPECT_EQ(aclrtValueWrite(word.address(), 0, 0, s), 0);
      capture_group();
    });
  }
  void open() override { EXPECT_EQ(aclrtValueWrite(word.address(), 1, 0, side), 0); }

  const Word word;
};

TEST_F(EventGate, EachOfTenThousandRunsUsesTheKernelOfItsStep) { launch_then_update(); }

TEST_F(EventGate, LaunchAndUpdateMayRaceTenThousandTimes) { launch_while_another_thread_updates(); }

TEST_F(WordGate, EachOfTenThousandRunsUsesTheKernelOfItsStep) {
  launch_then_update();
  EXPECT_EQ(word.value(), 0u);
}

TEST_F(WordGate, LaunchAndUpdateMayRaceTenThousandTimes) { launch_while_another_thread_updates(); }

// Nothing holds these runs: each uses the kernel of some step, and never one of an older step than the run before.
TEST_F(UpdateStory, RunsWithoutAGateNeverGoBackToAnOlderKernel) {
  model = capture([&] { capture_group(); });
  std::atomic<bool> running{true};
  std::atomic<int> begun{0};
  DeviceThreads updater;
  updater.start([&] {
    for (int step = 1; running; ++step) {
      begun = step;
      update(step);
    }
  });
  float last = 0;
  for (int run = 0; run < kSteps; ++run) {
    execute(model, s);
    sync(s);
    const float now = out.value();
    EXPECT_GE(now, last);
    EXPECT_LE(now, static_cast<float>(begun));
    last = now;
  }
  running = false;
}

}  // namespace
}  // namespace aclvk::test
