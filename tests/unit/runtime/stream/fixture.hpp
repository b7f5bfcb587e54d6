#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "runtime/device/device.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/stream_queue.hpp"
#include "runtime/stream/watcher.hpp"
#include "support/null_device/null_devices.hpp"

namespace aclvk::runtime {

/// A task that blocks its stream until the test opens it, or fails. The scheduler lock guards its members.
class Gate final : public Procedure {
 public:
  bool advance(StreamQueue&) override {
    ++attempts;
    if (fails) throw Error(Code::kRuntimeInternal, "The test fails the task.");
    return open;
  }
  void abandon(StreamQueue&, const std::vector<PointPtr>&) override { abandoned = true; }
  std::string waits_for() const override { return "the test"; }
  WaitLimit expired_limit(std::chrono::steady_clock::time_point) const override { return expired; }

  bool open = false;
  bool fails = false;
  bool abandoned = false;
  int attempts = 0;
  WaitLimit expired{0};
};

/// Two streams on a null device, whose submissions complete in advance(). Stream 1 uses queue 0, stream 2 queue 1.
class NullStreamTest : public testing::Test {
 protected:
  NullStreamTest() {
    vk::set_device_source(&source_);
    device.emplace(0, std::make_shared<const PartitionedGpu>(0, 1), 0);
    null = source_.find(0);
    const SchedulerLock lock;
    first.emplace(*device, 0, 1, std::make_shared<Failures>());
    second.emplace(*device, 1, 2, std::make_shared<Failures>());
  }
  ~NullStreamTest() override {
    {
      const SchedulerLock lock;
      first.reset();
      second.reset();
    }
    device->watcher().stop();
    EXPECT_TRUE(device->watcher().wait_for_callback_threads(std::chrono::seconds(10)));
    while (null->advance()) {
    }
    memory_.reset();
    device.reset();
    null.reset();
    vk::set_device_source(nullptr);
  }
  NullStreamTest(const NullStreamTest&) = delete;
  NullStreamTest& operator=(const NullStreamTest&) = delete;

  vk::BufferRange allocate() {
    constexpr std::uint64_t kBytes = 64;
    return *device->memory().find(device->memory().allocate(vk::Placement::kDevice, kBytes), kBytes);
  }
  /// Pushes device work.
  void fill(StreamQueue& queue, int tasks = 1) {
    for (int i = 0; i < tasks; ++i) queue.push(FillTask{memory(), 1});
  }
  /// Pushes a task that blocks the stream.
  static std::shared_ptr<Gate> block(StreamQueue& queue) {
    auto gate = std::make_shared<Gate>();
    queue.push(ProcedureTask{gate, {}});
    return gate;
  }
  const vk::BufferRange& memory() {
    if (!memory_) memory_ = allocate();
    return *memory_;
  }
  /// Lets the device complete a submission of the queue. Returns false when none can run.
  bool advance(std::size_t queue) { return null->advance(queue); }
  /// Waits until the condition holds, which is called with the scheduler lock. Returns false after ten seconds.
  template <typename Condition>
  static bool comes_true(const Condition& condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (std::chrono::steady_clock::now() < deadline) {
      {
        const SchedulerLock lock;
        if (condition()) return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }

 private:
  static NullDeviceOptions stepwise() {
    NullDeviceOptions options;
    options.stepwise = true;
    return options;
  }

  NullDevices source_{stepwise()};
  std::optional<vk::BufferRange> memory_;

 protected:
  std::optional<Device> device;
  std::shared_ptr<NullDevice> null;
  std::optional<StreamQueue> first, second;
};

}  // namespace aclvk::runtime
