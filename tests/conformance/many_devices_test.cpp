// Stories of programs for several devices, on one.
#include <memory>
#include <thread>
#include <vector>

#include "support/devices_fixture.hpp"
#include "support/stress.hpp"

namespace aclvk::test {
namespace {

using ManyDevices = ThreeDevices;

// Data parallel training: each thread has a device; in each step it adds what its neighbour had to its own value, which
// takes events in both directions.
class Worker {
 public:
  Worker(std::int32_t device, std::int32_t neighbour) : device_(device), neighbour_(neighbour) {
    const OnDevice on(device_);
    EXPECT_EQ(aclrtCreateStream(&stream_), 0);
    EXPECT_EQ(aclrtCreateEventExWithFlag(&ready_, ACL_EVENT_SYNC), 0);
    EXPECT_EQ(aclrtDeviceEnablePeerAccess(neighbour_, 0), 0) << aclGetRecentErrMsg();
    own_ = std::make_unique<Cell>(static_cast<float>(device));
    received_ = std::make_unique<Cell>();
  }
  ~Worker() {
    const OnDevice on(device_);
    EXPECT_EQ(aclrtDestroyEvent(ready_), 0);
    EXPECT_EQ(aclrtDestroyStream(stream_), 0);
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void announce() {
    EXPECT_EQ(increment(*own_, stream_), 0);
    EXPECT_EQ(aclrtRecordEvent(ready_, stream_), 0);
  }
  void receive(const Worker& from) {
    EXPECT_EQ(aclrtStreamWaitEvent(stream_, from.ready_), 0);
    EXPECT_EQ(add(*from.own_, 0, *received_, stream_), 0) << aclGetRecentErrMsg();
    sync(stream_);
  }
  float received() const { return received_->value(); }
  std::int32_t device() const { return device_; }

 private:
  const std::int32_t device_;
  const std::int32_t neighbour_;
  aclrtStream stream_ = nullptr;
  aclrtEvent ready_ = nullptr;
  std::unique_ptr<Cell> own_, received_;
};

TEST_F(ManyDevices, ThreadsPassValuesRoundInARing) {
  constexpr int kRounds = times(100);
  std::vector<std::unique_ptr<Worker>> workers;
  for (std::int32_t device = 0; device < kDevices; ++device) {
    workers.push_back(std::make_unique<Worker>(device, (device + 1) % kDevices));
  }
  for (int round = 1; round <= kRounds; ++round) {
    const auto on_all = [&](const std::function<void(std::size_t)>& body) {
      std::vector<std::thread> threads;
      for (std::size_t i = 0; i < workers.size(); ++i) {
        threads.emplace_back([&, i] {
          const OnDevice on(workers[i]->device());
          body(i);
        });
      }
      for (std::thread& thread : threads) thread.join();
    };
    on_all([&](std::size_t i) { workers[i]->announce(); });
    on_all([&](std::size_t i) { workers[i]->receive(*workers[(i + 1) % workers.size()]); });
    for (std::size_t i = 0; i < workers.size(); ++i) {
      ASSERT_EQ(workers[i]->received(), static_cast<float>((i + 1) % workers.size()) + static_cast<float>(round));
    }
  }
}

// Each thread works on all devices in turn, with copies between them.
TEST_F(ManyDevices, ThreadsGoFromDeviceToDevice) {
  constexpr int kThreads = 8;
  constexpr int kRounds = times(30);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([thread] {
      float expected = static_cast<float>(thread);
      auto cell = cell_on(0, expected);
      for (std::int32_t round = 0; round < kRounds; ++round) {
        const OnDevice on((round + thread) % kDevices);
        const OwnStream stream;
        auto next = std::make_unique<Cell>();
        EXPECT_EQ(
            aclrtMemcpy(next->address(), next->bytes(), cell->address(), cell->bytes(), ACL_MEMCPY_DEVICE_TO_DEVICE),
            0);
        EXPECT_EQ(increment(*next, stream), 0) << aclGetRecentErrMsg();
        sync(stream);
        EXPECT_EQ(next->value(), ++expected);
        cell = std::move(next);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace aclvk::test
