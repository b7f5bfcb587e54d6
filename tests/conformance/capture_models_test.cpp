// Stories of programs with many models, short-lived ones, and ones of several threads.
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

using ModelStory = CaptureTest;

// ggml keeps a few graphs by shape: capture, execute at once, capture anew when the shape changes, drop the oldest.
TEST_F(ModelStory, ShapesThatChangeAreCapturedAnewAndOldModelsAreDropped) {
  constexpr std::size_t kKept = 4;
  std::map<std::int64_t, aclmdlRI> models;
  std::vector<std::int64_t> order_of_use;
  std::map<std::int64_t, std::unique_ptr<Cell>> cells;
  std::map<std::int64_t, float> expected;

  for (int token = 0; token < 60; ++token) {
    const std::int64_t size = 64 + 8 * (token * 5 % 7);
    if (!cells.count(size)) cells[size] = std::make_unique<Cell>(0, size);
    if (!models.count(size)) {
      if (models.size() == kKept) {
        aclmdlRI oldest = models.at(order_of_use.front());
        ASSERT_EQ(aclmdlRIDestroy(oldest), 0);  // possibly still running
        destroyed(oldest);
        models.erase(order_of_use.front());
        order_of_use.erase(order_of_use.begin());
      }
      models[size] = capture([&] {
        for (int i = 0; i < 3; ++i) EXPECT_EQ(increment(*cells[size], s), 0);
      });
      order_of_use.push_back(size);
    }
    execute(models[size], s);
    expected[size] += 3;
  }
  sync(s);
  for (const auto& [size, cell] : cells) EXPECT_EQ(cell->value(), expected[size]) << "size " << size;
}

// vLLM captures a model for each piece of the network and batch size. Here 300 with two streams each stay alive.
TEST_F(ModelStory, T194_HundredsOfModelsLiveTogether) {
  constexpr int kModels = 300;
  Cell first, second;
  std::vector<aclmdlRI> models;
  for (int i = 0; i < kModels; ++i) {
    models.push_back(capture([&] {
      aclrtEvent fork = new_event();
      EXPECT_EQ(aclrtRecordEvent(fork, s), 0);
      EXPECT_EQ(aclrtStreamWaitEvent(side, fork), 0);
      EXPECT_EQ(increment(first, s, static_cast<float>(i)), 0);
      EXPECT_EQ(increment(second, side), 0);
      EXPECT_EQ(aclrtRecordEvent(fork, side), 0);
      EXPECT_EQ(aclrtStreamWaitEvent(s, fork), 0);
    }));
  }
  for (int round = 1; round <= 2; ++round) {
    for (aclmdlRI model : models) execute(model, s);
    sync(s);
    EXPECT_EQ(first.value(), static_cast<float>(round * kModels * (kModels - 1) / 2));
    EXPECT_EQ(second.value(), static_cast<float>(round * kModels));
  }
}

TEST_F(ModelStory, ThreadsCaptureAndReplayOnStreamsOfTheirOwn) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 25;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([thread] {
      EXPECT_EQ(aclrtSetDevice(0), 0);
      auto exchanged = kRelaxed;  // other threads' captures must not forbid this one's copies
      EXPECT_EQ(aclmdlRICaptureThreadExchangeMode(&exchanged), 0);
      aclrtStream stream = nullptr;
      EXPECT_EQ(aclrtCreateStream(&stream), 0);
      {
        Cell cell;
        float expected = 0;
        for (int round = 0; round < kRounds; ++round) {
          const auto by = static_cast<float>(thread + round);
          EXPECT_EQ(aclmdlRICaptureBegin(stream, kThreadLocal), 0);
          EXPECT_EQ(increment(cell, stream, by), 0);
          EXPECT_EQ(increment(cell, stream, by), 0);
          aclmdlRI model = nullptr;
          EXPECT_EQ(aclmdlRICaptureEnd(stream, &model), 0);
          for (int replay = 0; replay < 3; ++replay) execute(model, stream);
          EXPECT_EQ(aclmdlRIDestroy(model), 0);
          expected += 6 * by;
          EXPECT_EQ(cell.value(), expected) << "thread " << thread << ", round " << round;
        }
      }
      EXPECT_EQ(aclrtDestroyStream(stream), 0);
      EXPECT_EQ(aclrtResetDevice(0), 0);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(ModelStory, ThreadsReplayOneModelTogether) {
  constexpr int kThreads = 4;
  constexpr int kRuns = 25;
  Cell cell;
  aclmdlRI model = capture([&] { EXPECT_EQ(increment(cell, s), 0); });
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([model] {
      EXPECT_EQ(aclrtSetDevice(0), 0);
      aclrtStream stream = nullptr;
      EXPECT_EQ(aclrtCreateStream(&stream), 0);
      for (int i = 0; i < kRuns; ++i) execute(model, stream);
      sync(stream);
      EXPECT_EQ(aclrtDestroyStream(stream), 0);
      EXPECT_EQ(aclrtResetDevice(0), 0);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(cell.value(), kThreads * kRuns);
}

TEST_F(ModelStory, ThreadsLaunchIntoOneCapture) {
  constexpr int kThreads = 4;
  constexpr int kLaunches = 25;
  Cell cell;
  begin(s);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&] {
      EXPECT_EQ(aclrtSetDevice(0), 0);
      for (int i = 0; i < kLaunches; ++i) EXPECT_EQ(increment(cell, s), 0);
      EXPECT_EQ(aclrtResetDevice(0), 0);
    });
  }
  for (std::thread& thread : threads) thread.join();
  run(end(s), s);
  EXPECT_EQ(cell.value(), kThreads * kLaunches);
}

// torch_npu's tests put thousands of host functions into a capture.
TEST_F(ModelStory, ThousandHostFunctionsRunAtEachReplay) {
  int calls = 0;
  const auto count = [](void* counter) { ++*static_cast<int*>(counter); };
  aclmdlRI model = capture([&] {
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(aclrtLaunchHostFunc(s, count, &calls), 0);
  });
  for (int replay = 1; replay <= 3; ++replay) {
    run(model, s);
    EXPECT_EQ(calls, 1000 * replay);
  }
}

}  // namespace
}  // namespace aclvk::test
