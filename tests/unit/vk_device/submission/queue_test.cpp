#include "vk_device/submission/queue.hpp"

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "unit/vk_device/device_fixture.hpp"

namespace aclvk::vk::test {
namespace {

using namespace std::chrono_literals;

class DeviceQueueTest : public DeviceTest {};

TEST_F(DeviceQueueTest, CountsSubmissions) {
  const std::uint64_t before = device_->queue(0).submissions();
  run([](CommandRecorder&) {});
  EXPECT_EQ(device_->queue(0).submissions(), before + 1);
}

TEST_F(DeviceQueueTest, SubmitsWithoutCommands) {
  device_->queue(0).submit({{}, {}, {timeline_, 5}});
  EXPECT_TRUE(timeline_->wait(5));
  EXPECT_GE(timeline_->completed(), 5U);
}

TEST_F(DeviceQueueTest, RefusesASecondary) {
  const auto secondary = std::shared_ptr<CommandBuffer>(device_->record(Level::kSecondary)->finish());
  EXPECT_EQ(code_of([&] { submit(secondary); }), Code::kRuntimeInternal);
}

TEST_F(DeviceQueueTest, WaitingHasATimeLimit) {
  EXPECT_FALSE(timeline_->wait(1, 5ms));
  timeline_->signal(1);
  EXPECT_TRUE(timeline_->wait(1, 0ms));
  EXPECT_FALSE((TimelinePoint{timeline_, 2}.reached()));
  EXPECT_TRUE((TimelinePoint{}.reached()));
}

TEST_F(DeviceQueueTest, WaitAnyReturnsAtTheFirstPoint) {
  const auto other = device_->create_timeline();
  const auto start = std::chrono::steady_clock::now();
  device_->wait_any({{timeline_, 1}, {other, 1}}, 5ms);
  EXPECT_GE(std::chrono::steady_clock::now() - start, 4ms);
  std::thread signaller([&] { other->signal(1); });
  device_->wait_any({{timeline_, 1}, {other, 1}}, 10s);
  signaller.join();
  EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
}

TEST_F(DeviceQueueTest, ReportsWhatASubmissionBlocks) {
  const auto gate = device_->create_timeline();
  const auto stalled = device_->create_timeline();
  const auto waits = device_->create_timeline();
  const auto later = device_->create_timeline();
  run([](CommandRecorder&) {});
  device_->queue(0).submit({{}, {{gate, 1}}, {stalled, 1}});
  device_->queue(0).submit({{}, {}, {stalled, 2}});
  device_->queue(device_->queue_count() - 1).submit({{}, {{stalled, 2}}, {waits, 3}});
  device_->queue(0).submit({{}, {}, {later, 1}});
  std::vector<std::pair<Timeline*, std::uint64_t>> blocked;
  for (const TimelinePoint& point : device_->blocked_by({stalled, 1})) {
    blocked.emplace_back(point.timeline.get(), point.value);
  }
  const decltype(blocked) expected{{stalled.get(), 1}, {waits.get(), 3}, {later.get(), 1}};
  EXPECT_EQ(blocked, expected);
  gate->signal(1);
  EXPECT_TRUE(waits->wait(3));
  EXPECT_TRUE(later->wait(1));
}

TEST_F(DeviceQueueTest, KeepsCommandsAliveUntilTheyAreDone) {
  const auto gate = device_->create_timeline();
  auto token = std::make_shared<int>(1);
  const std::weak_ptr<int> watch = token;
  auto recorder = device_->record(Level::kPrimary);
  recorder->keep_alive(std::move(token));
  submit(recorder->finish(), {{gate, 1}});
  device_->collect();
  EXPECT_FALSE(watch.expired());
  gate->signal(1);
  timeline_->wait(value_);
  device_->collect();
  EXPECT_TRUE(watch.expired());
}

TEST_F(DeviceQueueTest, ObjectsOutliveTheDevice) {
  const BufferRange range = allocate(100);
  const auto commands = run([&](CommandRecorder& recorder) { recorder.fill(range, 1); });
  device_.reset();
  EXPECT_EQ(timeline_->completed(), value_);
}

TEST_F(DeviceQueueTest, ThreadsRecordAndSubmitSideBySide) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 50;
  std::vector<BufferRange> ranges;
  for (int i = 0; i < kThreads; ++i) ranges.push_back(upload(std::vector<std::uint8_t>(1000, 0)));
  const auto work = [&](int index) {
    const auto timeline = device_->create_timeline();
    for (int round = 1; round <= kRounds; ++round) {
      auto recorder = device_->record(Level::kPrimary);
      recorder->fill(ranges[index].slice(round, 100), static_cast<std::uint8_t>(round));
      device_->queue(0).submit({{recorder->finish()}, {}, {timeline, static_cast<std::uint64_t>(round)}});
      device_->memory().release(device_->memory().allocate(Placement::kDevice, 300), Placement::kDevice);
    }
    timeline->wait(kRounds);
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  for (auto& thread : threads) thread.join();
  for (const BufferRange& range : ranges) EXPECT_EQ(download(range)[kRounds + 99], kRounds);
}

}  // namespace
}  // namespace aclvk::vk::test
