// The story of a server: 64 threads with four streams each, and a thousand models alive, all of them on the queues of
// one device.
#include <array>
#include <atomic>
#include <memory>

#include "support/stress.hpp"
#include "support/watchdog.hpp"

namespace aclvk::test {
namespace {

using Load = CaptureTest;

constexpr int kThreads = 64;
constexpr std::size_t kStreams = 4;  // of a thread
constexpr int kModels = 16;          // of a thread
constexpr int kRounds = 4;

/// A thread of the server. Its streams form a chain: each adds to what the one before it has left.
class Worker {
 public:
  explicit Worker(int number) : number_(static_cast<float>(number)) {
    for (aclrtEvent& event : events_) EXPECT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC), 0);
    for (int i = 0; i < kModels; ++i) models_.push_back(capture(static_cast<float>(i)));
  }
  ~Worker() {
    for (aclmdlRI model : models_) EXPECT_EQ(aclmdlRIDestroy(model), 0) << aclGetRecentErrMsg();
    for (aclrtEvent event : events_) EXPECT_EQ(aclrtDestroyEvent(event), 0);
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// All models, and tasks of the same kind between them.
  void round() {
    for (std::size_t model = 0; model < models_.size(); ++model) {
      EXPECT_EQ(aclmdlRIExecuteAsync(models_[model], streams_[0]), 0) << aclGetRecentErrMsg();
      expected_ += number_ + static_cast<float>(model);
      chain(1);
      expected_ += 1;
      EXPECT_EQ(aclrtLaunchHostFunc(streams_[kStreams - 1], count, &calls_), 0) << aclGetRecentErrMsg();
    }
    sync(streams_[kStreams - 1]);
    calls_expected_ += kModels;
  }
  void expect_results() const {
    EXPECT_EQ(calls_, calls_expected_);
    for (std::size_t i = 0; i < kStreams; ++i) {
      EXPECT_EQ(cells_[i].value(), expected_ + static_cast<float>(i)) << "thread " << number_ << ", stream " << i;
    }
  }

 private:
  static void count(void* calls) { ++*static_cast<std::atomic<int>*>(calls); }

  /// The first cell grows by so much, each other becomes the one before it plus 1, on the stream of its own. The first
  /// stream continues after the last.
  void chain(float by) {
    EXPECT_EQ(increment(cells_[0], streams_[0], by), 0) << aclGetRecentErrMsg();
    for (std::size_t i = 0; i < kStreams; ++i) {
      aclrtStream next = streams_[(i + 1) % kStreams];
      EXPECT_EQ(aclrtRecordEvent(events_[i], streams_[i]), 0) << aclGetRecentErrMsg();
      EXPECT_EQ(aclrtStreamWaitEvent(next, events_[i]), 0) << aclGetRecentErrMsg();
      if (i + 1 < kStreams) {
        EXPECT_EQ(add(cells_[i], 1, cells_[i + 1], next), 0) << aclGetRecentErrMsg();
      }
    }
  }
  aclmdlRI capture(float model_number) {
    aclmdlRI model = nullptr;
    EXPECT_EQ(aclmdlRICaptureBegin(streams_[0], kThreadLocal), 0) << aclGetRecentErrMsg();
    chain(number_ + model_number);
    EXPECT_EQ(aclmdlRICaptureEnd(streams_[0], &model), 0) << aclGetRecentErrMsg();
    return model;
  }

  const float number_;
  const std::array<OwnStream, kStreams> streams_;
  const std::array<Cell, kStreams> cells_;
  std::array<aclrtEvent, kStreams> events_{};
  std::vector<aclmdlRI> models_;
  float expected_ = 0;
  std::atomic<int> calls_{0};
  int calls_expected_ = 0;
};

TEST_F(Load, AThousandModelsOfSixtyFourThreadsOnTwoHundredAndFiftySixStreams) {
  const Watchdog watchdog(std::chrono::seconds(110), "not all threads have come to their end.");
  std::atomic<int> ready{0};
  DeviceThreads threads;
  for (int number = 0; number < kThreads; ++number) {
    threads.start([&ready, number] {
      Worker worker(number);
      ++ready;
      while (ready < kThreads) std::this_thread::sleep_for(std::chrono::milliseconds(1));  // all models are alive now
      for (int round = 0; round < kRounds; ++round) worker.round();
      worker.expect_results();
      ++ready;
      while (ready < 2 * kThreads) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
  }
}

}  // namespace
}  // namespace aclvk::test
