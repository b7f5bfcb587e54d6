// Stories of programs whose threads share everything: one context, the same streams, the same events.
#include <atomic>
#include <memory>
#include <vector>

#include "support/stress.hpp"

namespace aclvk::test {
namespace {

using SharedContext = CaptureTest;

constexpr int kThreads = 16;

// Tasks of a thread run in the order of their launches, whichever other threads use the stream; and nothing gets
// lost.
TEST_F(SharedContext, SixteenThreadsLaunchOnFourStreams) {
  constexpr int kStreams = 4;
  constexpr int kRounds = times(100);
  std::vector<aclrtStream> streams;
  std::vector<std::unique_ptr<Cell>> sums;
  std::vector<std::unique_ptr<Cell>> own;
  for (int i = 0; i < kStreams; ++i) {
    streams.push_back(new_stream());
    sums.push_back(std::make_unique<Cell>());
  }
  for (int i = 0; i < kThreads; ++i) own.push_back(std::make_unique<Cell>());
  {
    const Crowd crowd(kThreads, [&](int thread) {
      const auto at = static_cast<std::size_t>(thread);
      aclrtStream stream = streams[at % kStreams];
      for (int round = 0; round < kRounds; ++round) {
        EXPECT_EQ(increment(*sums[at % kStreams], stream), 0);
        EXPECT_EQ(increment(*own[at], stream), 0);
        if (round % 16 == thread) sync(stream);
      }
    });
  }
  for (aclrtStream stream : streams) sync(stream);
  for (const auto& sum : sums) EXPECT_EQ(sum->value(), kRounds * (kThreads / kStreams));
  for (const auto& cell : own) EXPECT_EQ(cell->value(), kRounds);
}

// Streams and events come and go while others of the context are at work.
TEST_F(SharedContext, SixteenThreadsCreateAndDestroy) {
  constexpr int kRounds = times(40);
  const Cell cell;
  std::atomic<int> ran{0};
  {
    const Crowd crowd(kThreads, [&](int thread) {
      const Cell mine;
      for (int round = 0; round < kRounds; ++round) {
        aclrtStream stream = nullptr;
        aclrtEvent event = nullptr;
        EXPECT_EQ(aclrtCreateStream(&stream), 0);
        EXPECT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC), 0);
        EXPECT_EQ(increment(mine, stream), 0);
        EXPECT_EQ(aclrtRecordEvent(event, stream), 0);
        EXPECT_EQ(aclrtStreamWaitEvent(s, event), 0);
        const auto count = [](void* target) { ++*static_cast<std::atomic<int>*>(target); };
        EXPECT_EQ(aclrtLaunchHostFunc(stream, count, &ran), 0);
        EXPECT_EQ(aclrtDestroyEvent(event), 0);
        if (round % 8 == thread % 8) {
          EXPECT_EQ(increment(cell, s), 0);
        }
        EXPECT_EQ(aclrtDestroyStream(stream), 0);
        EXPECT_EQ(mine.value(), static_cast<float>(round + 1));
      }
    });
  }
  sync(s);
  EXPECT_EQ(ran, kThreads * kRounds);
}

// A chain through all threads: each waits for the event of the one before.
TEST_F(SharedContext, SixteenThreadsPassEventsOn) {
  constexpr int kRounds = times(50);
  const Cell cell;
  std::vector<aclrtStream> streams;
  std::vector<aclrtEvent> events;
  for (int i = 0; i < kThreads; ++i) {
    streams.push_back(new_stream());
    events.push_back(new_event());
  }
  std::atomic<int> next_step{0};
  {
    const Crowd crowd(kThreads, [&](int thread) {
      const auto at = static_cast<std::size_t>(thread);
      for (int round = 0; round < kRounds; ++round) {
        while (next_step != round * kThreads + thread) std::this_thread::yield();
        const auto before = (at + kThreads - 1) % kThreads;
        EXPECT_EQ(aclrtStreamWaitEvent(streams[at], events[before]), 0);
        EXPECT_EQ(increment(cell, streams[at]), 0);
        EXPECT_EQ(aclrtRecordEvent(events[at], streams[at]), 0);
        ++next_step;
      }
    });
  }
  sync(streams.back());
  EXPECT_EQ(cell.value(), kThreads * kRounds);
}

// Contexts of their own, made and ended by many threads at once, and the primary one set and reset by all.
TEST_F(SharedContext, SixteenThreadsHaveContextsOfTheirOwn) {
  constexpr int kRounds = times(20);
  const Crowd crowd(kThreads, [](int thread) {
    for (int round = 0; round < kRounds; ++round) {
      aclrtContext context = nullptr;
      EXPECT_EQ(aclrtCreateContext(&context, 0), 0);
      {
        const Cell cell;
        const OwnStream stream;
        EXPECT_EQ(increment(cell, stream, static_cast<float>(thread)), 0);
        sync(stream);
        EXPECT_EQ(cell.value(), static_cast<float>(thread));
      }
      EXPECT_EQ(aclrtDestroyContext(context), 0);
      EXPECT_EQ(aclrtSetDevice(0), 0);
      EXPECT_EQ(aclrtSynchronizeStream(nullptr), 0);
      EXPECT_EQ(aclrtResetDevice(0), 0);
    }
  });
}

// Streams are given up while others are used.
TEST_F(SharedContext, SixteenThreadsAbortTheirStreams) {
  constexpr int kRounds = times(30);
  const Crowd crowd(kThreads, [](int thread) {
    const OwnStream stream;
    const Cell cell;
    float expected = 0;
    for (int round = 0; round < kRounds; ++round) {
      if ((round + thread) % 3 == 0) {
        const BlockedStream blocked(stream);
        EXPECT_EQ(increment(cell, stream), 0);
        EXPECT_EQ(aclrtStreamAbort(stream), 0);
        EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_STREAM_ABORT);
      } else {
        EXPECT_EQ(increment(cell, stream), 0);
        sync(stream);
        ++expected;
      }
      EXPECT_EQ(cell.value(), expected);
    }
  });
}

}  // namespace
}  // namespace aclvk::test
