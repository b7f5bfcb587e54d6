// Stories of programs whose threads capture, replay and launch at the same time.
#include <atomic>

#include "support/stress.hpp"

namespace aclvk::test {
namespace {

using ThreadStory = CaptureTest;

/// One thread of such a program: two streams of its own, fork and join, a new model each round.
class Capturer {
 public:
  explicit Capturer(aclmdlRICaptureMode mode) : mode_(mode) {
    EXPECT_EQ(aclrtCreateEventExWithFlag(&fork_, ACL_EVENT_SYNC), 0);
    EXPECT_EQ(aclrtCreateEventExWithFlag(&join_, ACL_EVENT_SYNC), 0);
  }
  ~Capturer() {
    EXPECT_EQ(aclrtDestroyEvent(fork_), 0);
    EXPECT_EQ(aclrtDestroyEvent(join_), 0);
  }
  Capturer(const Capturer&) = delete;
  Capturer& operator=(const Capturer&) = delete;

  void round(float by) {
    aclmdlRI model = capture(by);
    for (int replay = 0; replay < 3; ++replay) EXPECT_EQ(aclmdlRIExecuteAsync(model, main_), 0);
    sync(main_);
    expected_ += 3 * by;
    EXPECT_EQ(left_.value(), expected_);
    EXPECT_EQ(right_.value(), 2 * expected_);
    EXPECT_EQ(joined_.value(), 2 * expected_ + 1);
    EXPECT_EQ(aclmdlRIDestroy(model), 0);
  }

 private:
  aclmdlRI capture(float by) {
    EXPECT_EQ(aclmdlRICaptureBegin(main_, mode_), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclrtRecordEvent(fork_, main_), 0);
    EXPECT_EQ(aclrtStreamWaitEvent(beside_, fork_), 0);
    EXPECT_EQ(increment(left_, main_, by), 0);
    EXPECT_EQ(increment(right_, beside_, 2 * by), 0);
    EXPECT_EQ(aclrtRecordEvent(join_, beside_), 0);
    EXPECT_EQ(aclrtStreamWaitEvent(main_, join_), 0);
    EXPECT_EQ(add(right_, 1, joined_, main_), 0);
    aclmdlRI model = nullptr;
    EXPECT_EQ(aclmdlRICaptureEnd(main_, &model), 0) << aclGetRecentErrMsg();
    return model;
  }

  const aclmdlRICaptureMode mode_;
  const OwnStream main_, beside_;
  const Cell left_, right_, joined_;
  aclrtEvent fork_ = nullptr;
  aclrtEvent join_ = nullptr;
  float expected_ = 0;
};

void launch_eagerly_while(const std::atomic<int>& capturers) {
  const OwnStream stream;
  const Cell cell;
  const Pinned<float> seen(8);
  for (float expected = 4; capturers > 0; expected += 4) {
    for (int i = 0; i < 4; ++i) EXPECT_EQ(increment(cell, stream), 0);
    EXPECT_EQ(
        aclrtMemcpyAsync(seen.data(), seen.bytes(), cell.address(), cell.bytes(), ACL_MEMCPY_DEVICE_TO_HOST, stream),
        0);
    sync(stream);
    EXPECT_EQ(seen[0], expected);
  }
}

TEST_F(ThreadStory, EightThreadsCaptureWhileOthersLaunch) {
  constexpr int kCapturers = 8;
  constexpr int kRounds = times(300);
  std::atomic<int> capturers{kCapturers};
  DeviceThreads threads;
  for (int thread = 0; thread < kCapturers; ++thread) {
    threads.start([&capturers, thread] {
      {
        Capturer capturer(thread % 2 ? kThreadLocal : kRelaxed);
        for (int round = 0; round < kRounds; ++round) capturer.round(static_cast<float>(thread + round % 7));
      }
      --capturers;
    });
  }
  for (int thread = 0; thread < 3; ++thread) {
    threads.start([&capturers] { launch_eagerly_while(capturers); });
  }
}

// A capture that is begun here and ended there, as a pool of workers does it: RELAXED allows it.
TEST_F(ThreadStory, ThreadsPassCapturesOn) {
  constexpr int kThreads = 4;
  constexpr int kRounds = times(400);
  struct Baton {
    const OwnStream stream;
    const Cell cell;
    std::atomic<int> next_round{0};
  };
  std::vector<std::unique_ptr<Baton>> batons;
  for (int i = 0; i < kThreads; ++i) batons.push_back(std::make_unique<Baton>());
  {
    DeviceThreads threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.start([&batons, thread] {
        for (int round = 0; round < kRounds; ++round) {
          Baton& baton = *batons[static_cast<std::size_t>((thread + round) % kThreads)];
          while (baton.next_round != round) std::this_thread::yield();
          if (round > 0) {
            aclmdlRI model = nullptr;
            EXPECT_EQ(aclmdlRICaptureEnd(baton.stream, &model), 0) << aclGetRecentErrMsg();
            EXPECT_EQ(aclmdlRIExecuteAsync(model, baton.stream), 0);
            EXPECT_EQ(aclmdlRIDestroy(model), 0);
          }
          EXPECT_EQ(aclmdlRICaptureBegin(baton.stream, kRelaxed), 0) << aclGetRecentErrMsg();
          EXPECT_EQ(increment(baton.cell, baton.stream), 0);
          ++baton.next_round;
        }
      });
    }
  }
  for (const auto& baton : batons) {
    aclmdlRI model = nullptr;
    EXPECT_EQ(aclmdlRICaptureEnd(baton->stream, &model), 0);
    EXPECT_EQ(aclmdlRIDestroy(model), 0);
    EXPECT_EQ(baton->cell.value(), static_cast<float>(kRounds - 1));
  }
}

}  // namespace
}  // namespace aclvk::test
