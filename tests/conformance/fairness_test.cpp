// Stories of programs with one stream that launches far more than the device can do, and others beside it that want
// little.
#include <array>
#include <atomic>
#include <memory>

#include "support/stress.hpp"

namespace aclvk::test {
namespace {

constexpr int kBatch = 8;
// 16 batches of a stream lie on the device at most (docs/adr/0014), and one that has been opened before goes out.
constexpr int kMostInFront = 16 * kBatch + kBatch;

/// A stream with tasks that take long, and a count of those that the device has come to, which any thread can read.
class Flood {
 public:
  explicit Flood(std::int64_t floats = 1 << 18) : data_(static_cast<std::size_t>(floats)) {
    const std::int64_t stride = 1;
    tensor_ = aclCreateTensor(&floats, 1, ACL_FLOAT, &stride, 0, ACL_FORMAT_ND, &floats, 1, data_.data());
  }
  ~Flood() {
    sync(stream_);
    aclDestroyTensor(tensor_);
  }
  Flood(const Flood&) = delete;
  Flood& operator=(const Flood&) = delete;

  void launch(int tasks) const {
    for (int i = 0; i < tasks; ++i) launch_on(stream_);
  }
  void launch_on(aclrtStream stream) const {
    const auto plan = [this](aclScalar* other, aclScalar* alpha, std::uint64_t* size, aclOpExecutor** executor) {
      return aclnnInplaceAddsGetWorkspaceSize(tensor_, other, alpha, size, executor);
    };
    EXPECT_EQ(detail::launch(1, stream, plan, aclnnInplaceAdds), 0) << aclGetRecentErrMsg();
  }
  int reached() const { return static_cast<int>(*static_cast<const volatile float*>(count())); }
  const float* count() const { return data_.data(); }
  aclrtStream stream() const { return stream_; }

 private:
  const OwnStream stream_;
  const Pinned<float> data_;
  aclTensor* tensor_ = nullptr;
};

/// A stream that only notes how far others have come when it has its turn.
class Passenger {
 public:
  /// Tasks of the flood that were done between the launch of a small task and its turn.
  int tasks_in_front(const Flood& flood) const {
    EXPECT_EQ(aclrtMemcpyAsync(seen_.address(), 4, flood.count(), 4, ACL_MEMCPY_HOST_TO_DEVICE, stream_), 0)
        << aclGetRecentErrMsg();
    // The task has been submitted, because nothing else was to do on its stream: what is reached by now was in front.
    const int reached = flood.reached();
    sync(stream_);
    return static_cast<int>(seen_.elements()[0]) - reached;
  }

 private:
  const OwnStream stream_;
  const Cell seen_;
};

class Fairness : Settings, public CaptureTest {
 protected:
  Fairness() : Settings({{"ACLVK_BATCH_SIZE", "8"}}) {}

  /// A flood that is there as a whole, but has not begun; then small tasks, each on a stream of its own, that overtake
  /// its end. Again when the flood was over too soon.
  static void expect_overtaken(const std::function<void(const Flood&, int tasks)>& launch) {
    constexpr int kTasks = 1500;
    bool overtaken = false;
    for (int round = 0; round < 10 && !overtaken; ++round) {
      const Flood flood;
      const std::array<Passenger, 5> passengers;
      BlockedStream gate(flood.stream());
      launch(flood, kTasks);
      gate.release();
      for (const Passenger& passenger : passengers) EXPECT_LE(passenger.tasks_in_front(flood), kMostInFront);
      overtaken = flood.reached() < kTasks;
    }
    EXPECT_TRUE(overtaken) << "ten floods were over before the last small task";
  }
};

TEST_F(Fairness, SmallTasksPassAFlood) {
  expect_overtaken([](const Flood& flood, int tasks) { flood.launch(tasks); });
}

TEST_F(Fairness, SmallTasksPassAFloodOfReplays) {
  constexpr int kTasksOfModel = 6;
  expect_overtaken([this](const Flood& flood, int tasks) {
    aclmdlRI model = capture([&] {
      for (int i = 0; i < kTasksOfModel; ++i) flood.launch_on(s);
    });
    for (int i = 0; i < tasks / kTasksOfModel; ++i) execute(model, flood.stream());
  });
}

// Each submits as soon as there is room.
TEST_F(Fairness, SmallTasksPassSeveralFloodsThatContinue) {
  constexpr int kFloods = 4;
  std::atomic<bool> over{false};
  std::vector<std::unique_ptr<Flood>> floods;
  for (int i = 0; i < kFloods; ++i) floods.push_back(std::make_unique<Flood>(1 << 16));
  DeviceThreads threads;
  for (const auto& flood : floods) {
    threads.start([&over, &flood] {
      while (!over) flood->launch(10);
    });
  }
  const Passenger passenger;
  for (int i = 0; i < times(100); ++i) {
    EXPECT_LE(passenger.tasks_in_front(*floods[static_cast<std::size_t>(i) % kFloods]), kMostInFront) << "round " << i;
  }
  over = true;
}

// The launches wait for the device at first, then the stream waits for the program.
TEST_F(Fairness, AProgramFarAheadOfTheDeviceIsNotHeldUpByItsOwnGate) {
  constexpr int kTasks = 20000;  // more than are kept for a stream that only waits for the device
  const Flood flood;
  Cell cell;
  flood.launch(300);
  BlockedStream gate(flood.stream());
  for (int i = 0; i < kTasks; ++i) ASSERT_EQ(aclrtMemsetAsync(cell.address(), 4, i % 2, 4, flood.stream()), 0);
  ASSERT_EQ(increment(cell, flood.stream()), 0);
  gate.release();
  sync(flood.stream());
  EXPECT_EQ(cell.elements()[1], 1);
  EXPECT_EQ(flood.reached(), 300);
}

}  // namespace
}  // namespace aclvk::test
