#include "vk_device/commands/timestamps.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "unit/vk_device/device_fixture.hpp"

namespace aclvk::vk::test {
namespace {

std::int64_t host_now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

class TimestampsTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (!device_->has_timestamps()) GTEST_SKIP() << "the device has no timestamps";
  }

  std::int64_t moment() {
    const auto times = device_->create_timestamps(1);
    run([&](CommandRecorder& recorder) { recorder.write_timestamp(times); });
    return times->read().front();
  }
};

TEST_F(TimestampsTest, AreWrittenWhenCommandsRunAndNotWhenTheyAreRecorded) {
  const auto times = device_->create_timestamps(1);
  const auto recorder = device_->record(Level::kPrimary);
  recorder->write_timestamp(times);
  const auto commands = recorder->finish();
  const std::int64_t before = moment();
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  timeline_->wait(submit(commands).value);
  EXPECT_GE(times->read().front() - before, 2'000'000);
}

TEST_F(TimestampsTest, EncloseTheWorkBetweenThem) {
  const BufferRange range = allocate(8 << 20);
  const auto times = device_->create_timestamps(2);
  run([&](CommandRecorder& recorder) {
    recorder.write_timestamp(times);
    recorder.fill(range, 1);
    recorder.write_timestamp(times);
  });
  const auto moments = times->read();
  ASSERT_EQ(moments.size(), 2u);
  EXPECT_GT(moments[1] - moments[0], 1000) << "no device fills 8 MiB in a microsecond";
}

TEST_F(TimestampsTest, AreNearTheHostsClock) {
  const std::int64_t before = host_now();
  const std::int64_t time = moment() + device_->host_clock_offset();
  constexpr std::int64_t kError = 1'000'000;  // the error of a clock that a submission anchors
  EXPECT_GT(time, before - kError);
  EXPECT_LT(time, host_now() + kError);
}

TEST_F(TimestampsTest, AreAsManyAsAreRecorded) {
  const auto times = device_->create_timestamps(10);
  EXPECT_TRUE(times->read().empty());
  run([&](CommandRecorder& recorder) {
    for (int i = 0; i < 1000; ++i) recorder.write_timestamp(times);
  });
  EXPECT_EQ(times->size(), 1000u);
  const auto moments = times->read();
  ASSERT_EQ(moments.size(), 1000u);
  EXPECT_TRUE(std::is_sorted(moments.begin(), moments.end()));
}

TEST_F(TimestampsTest, AreWrittenAgainAfterAReset) {
  const auto times = device_->create_timestamps(2);
  const auto commands = run([&](CommandRecorder& recorder) { recorder.write_timestamp(times); });
  const std::int64_t first = times->read().front();
  times->reset();
  timeline_->wait(submit(commands).value);
  EXPECT_EQ(times->read().size(), 1u);
  EXPECT_GT(times->read().front(), first);
}

TEST_F(TimestampsTest, CreateNothingInTheLongRun) {
  for (int i = 0; i < 3; ++i) moment();
  const std::uint64_t created = device_->created_objects();
  for (int i = 0; i < 2000; ++i) moment();
  EXPECT_EQ(device_->created_objects(), created);
}

TEST_F(TimestampsTest, OutliveTheirCommandBufferAndTheOtherWayRound) {
  auto times = device_->create_timestamps(1);
  auto commands = run([&](CommandRecorder& recorder) { recorder.write_timestamp(times); });
  commands.reset();
  EXPECT_NE(times->read().front(), 0);
  times = device_->create_timestamps(1);
  const auto recorder = device_->record(Level::kPrimary);
  recorder->write_timestamp(times);
  times.reset();
  timeline_->wait(submit(recorder->finish()).value);
}

TEST_F(TimestampsTest, AFullBarrierOrdersAccessesOfOtherBytes) {
  const BufferRange range = allocate(128);
  const auto commands = run([&](CommandRecorder& recorder) {
    recorder.fill(range.slice(0, 64), 1);
    recorder.full_barrier();
    recorder.fill(range.slice(64, 64), 2);
  });
  EXPECT_EQ(commands->barriers(), 1u);
}

}  // namespace
}  // namespace aclvk::vk::test
