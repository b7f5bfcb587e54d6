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
  void expect_result(int step) {
    sync(s);
    EXPECT_EQ(out.value(), static_cast<float>(step));
  }

  Cell in, out;
  aclrtTaskGrp group = nullptr;
  aclmdlRI model = nullptr;
};

class EventGate : public UpdateStory {
 protected:
  void SetUp() override {
    UpdateStory::SetUp();
    gate = new_external_event();
    model = capture([&] {
      EXPECT_EQ(aclrtStreamWaitEvent(s, gate), 0);
      EXPECT_EQ(aclrtResetEvent(gate, s), 0);
      capture_group();
    });
  }
  void open() { EXPECT_EQ(aclrtRecordEvent(gate, side), 0); }

  aclrtEvent gate = nullptr;
};

/// torch_npu's gate: wait for 1, then write 0.
class WordGate : public UpdateStory {
 protected:
  void SetUp() override {
    UpdateStory::SetUp();
    model = capture([&] {
      EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
      EXPECT_EQ(aclrtValueWrite(word.address(), 0, 0, s), 0);
      capture_group();
    });
  }
  void open() { EXPECT_EQ(aclrtValueWrite(word.address(), 1, 0, side), 0); }

  const Word word;
};

TEST_F(EventGate, EachOfTenThousandRunsUsesTheKernelOfItsStep) {
  for (int step = 1; step <= kSteps && !HasFailure(); ++step) {
    execute(model, s);
    update(step);
    open();
    expect_result(step);
  }
}

TEST_F(WordGate, EachRunUsesTheKernelOfItsStep) {
  for (int step = 1; step <= kSteps && !HasFailure(); ++step) {
    execute(model, s);
    update(step);
    open();
    expect_result(step);
  }
  EXPECT_EQ(word.value(), 0u);
}

/// Steps of two threads: one launches, the other updates and opens the gate. Only the end of the step before is waited
/// for, so launch and update race.
template <typename Launch, typename Update>
void race(const Launch& launch, const Update& update) {
  std::atomic<int> finished{0};
  DeviceThreads updater;
  updater.start([&] {
    for (int step = 1; step <= kSteps; ++step) {
      while (finished < step - 1) std::this_thread::yield();
      update(step);
    }
  });
  for (int step = 1; step <= kSteps; ++step) {
    if (!testing::Test::HasFailure()) launch(step);
    finished = step;
  }
}

TEST_F(EventGate, LaunchAndUpdateMayRaceTenThousandTimes) {
  race(
      [&](int step) {
        execute(model, s);
        expect_result(step);
      },
      [&](int step) {
        update(step);
        open();
      });
}

TEST_F(WordGate, LaunchAndUpdateMayRace) {
  race(
      [&](int step) {
        execute(model, s);
        expect_result(step);
      },
      [&](int step) {
        update(step);
        open();
      });
}

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
