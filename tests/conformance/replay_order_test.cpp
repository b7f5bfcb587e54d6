// Stories of programs that replay over and over: streams beside each other, runs of one model one after the other.
#include <atomic>

#include "support/stress.hpp"

namespace aclvk::test {
namespace {

constexpr int kRuns = times(10000);
constexpr int kRunsBetweenLooks = 100;

using ReplayStory = CaptureTest;

TEST_F(ReplayStory, TwoModelsOnTwoStreamsTenThousandTimes) {
  Cell first, second;
  aclmdlRI chain = capture([&] {
    EXPECT_EQ(increment(first, s, 1), 0);
    EXPECT_EQ(increment(first, s, 2), 0);
  });
  aclmdlRI single = capture([&] { EXPECT_EQ(increment(second, s, 5), 0); });
  for (int i = 1; i <= kRuns; ++i) {
    execute(chain, s);
    execute(single, side);
    if (i % kRunsBetweenLooks != 0) continue;
    sync(s);
    ASSERT_EQ(first.value(), static_cast<float>(3 * i));
    sync(side);
    ASSERT_EQ(second.value(), static_cast<float>(5 * i));
  }
}

TEST_F(ReplayStory, OneModelOnTwoStreamsAlternatelyTenThousandTimes) {
  Cell cell, copy;
  aclmdlRI model = capture([&] {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(add(cell, 0.5, copy, s), 0);
  });
  for (int i = 1; i <= kRuns; ++i) {
    aclrtStream stream = i % 2 ? side : s;
    execute(model, stream);
    if (i % kRunsBetweenLooks != 0) continue;
    sync(stream);  // the last run; it follows those of the other stream
    ASSERT_EQ(cell.value(), static_cast<float>(3 * i));
    ASSERT_EQ(copy.value(), static_cast<float>(3 * i) + 0.5F);
  }
}

/// How many runs are between the two host functions of a model.
struct Section {
  std::atomic<int> inside{0};
  std::atomic<int> passed{0};
  std::atomic<int> overlaps{0};

  static void enter(void* self) {
    auto* section = static_cast<Section*>(self);
    if (++section->inside > 1) ++section->overlaps;
  }
  static void leave(void* self) {
    auto* section = static_cast<Section*>(self);
    --section->inside;
    ++section->passed;
  }
};

// A run goes to the device in parts here, and nothing of another run may come between them.
TEST_F(ReplayStory, RunsThatStopOnTheHostDoNotOverlapEither) {
  constexpr int kStoppedRuns = times(2000);
  Cell cell;
  Section section;
  aclmdlRI model = capture([&] {
    EXPECT_EQ(aclrtLaunchHostFunc(s, Section::enter, &section), 0);
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(aclrtLaunchHostFunc(s, Section::leave, &section), 0);
  });
  for (int i = 0; i < kStoppedRuns; ++i) execute(model, i % 2 ? side : s);
  sync(s);
  sync(side);
  EXPECT_EQ(section.passed, kStoppedRuns);
  EXPECT_EQ(section.overlaps, 0);
  EXPECT_EQ(cell.value(), static_cast<float>(kStoppedRuns));
}

TEST_F(ReplayStory, ThreadsReplayTheirModelsAndACommonOne) {
  constexpr int kThreads = 4;
  constexpr int kRunsOfAThread = times(2000);
  Cell common;
  aclmdlRI shared = capture([&] { EXPECT_EQ(increment(common, s), 0); });
  {
    DeviceThreads threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.start([shared] {
        const OwnStream stream;
        const Cell cell;
        EXPECT_EQ(aclmdlRICaptureBegin(stream, kThreadLocal), 0);
        EXPECT_EQ(increment(cell, stream), 0);
        aclmdlRI own = nullptr;
        EXPECT_EQ(aclmdlRICaptureEnd(stream, &own), 0);
        for (int i = 1; i <= kRunsOfAThread; ++i) {
          execute(own, stream);
          execute(shared, stream);
          if (i % kRunsBetweenLooks != 0) continue;
          sync(stream);
          EXPECT_EQ(cell.value(), static_cast<float>(i));
        }
        sync(stream);
        EXPECT_EQ(aclmdlRIDestroy(own), 0);
      });
    }
  }
  EXPECT_EQ(common.value(), static_cast<float>(kThreads * kRunsOfAThread));
}

}  // namespace
}  // namespace aclvk::test
