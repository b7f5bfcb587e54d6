// The calls of a null device that a test lets fail.
#include <thread>

#include "unit/null_device/fixture.hpp"

namespace aclvk::test {
namespace {

constexpr std::uint64_t kLarge = std::uint64_t{2} << 20;  // has a buffer of its own

class NullFailures : public SteppedDeviceTest {
 protected:
  void expect_lost() {
    EXPECT_TRUE(device.lost());
    EXPECT_EQ(thrown_by([&] { device.check_not_lost(); }), Code::kDriverError);
    EXPECT_TRUE(timeline->wait(1000));
    EXPECT_EQ(timeline->completed(), UINT64_MAX);
    EXPECT_EQ(thrown_by([&] { submit(0, nothing(), {timeline, 1000}); }), Code::kDriverError);
    EXPECT_FALSE(device.advance());
  }
  std::shared_ptr<vk::CommandBuffer> nothing() {
    return record([](vk::CommandRecorder&) {});
  }
};

TEST_F(NullFailures, AnAllocationFailsOnce) {
  device.plan(NullCall::kAllocate, NullFault::kOutOfMemory);
  EXPECT_EQ(thrown_by([&] { allocate(kLarge); }), Code::kMemoryAllocation);
  EXPECT_EQ(device.memory().used_bytes(), 0u);
  EXPECT_EQ(thrown_by([&] { allocate(kLarge); }), Code::kSuccess);
  EXPECT_FALSE(device.lost());
}

TEST_F(NullFailures, LaterCallsCanFail) {
  device.plan(NullCall::kAllocate, NullFault::kOutOfMemory, 1);
  EXPECT_EQ(thrown_by([&] { allocate(kLarge); }), Code::kSuccess);
  EXPECT_EQ(thrown_by([&] { allocate(kLarge); }), Code::kMemoryAllocation);
}

TEST_F(NullFailures, TheBudgetIsLimited) {
  EXPECT_EQ(thrown_by([&] { allocate(device.memory().total_bytes() + 1); }), Code::kMemoryAllocation);
}

TEST_F(NullFailures, TimelinesAndRecordersCanFail) {
  device.plan(NullCall::kCreateTimeline, NullFault::kOutOfMemory);
  EXPECT_EQ(thrown_by([&] { device.create_timeline(); }), Code::kMemoryAllocation);
  device.plan(NullCall::kRecord, NullFault::kOutOfMemory);
  EXPECT_EQ(thrown_by([&] { device.record(vk::Level::kPrimary); }), Code::kMemoryAllocation);
  EXPECT_FALSE(device.lost());
}

TEST_F(NullFailures, ASubmissionThatFailsNeverRuns) {
  device.plan(NullCall::kSubmit, NullFault::kOutOfMemory);
  EXPECT_EQ(thrown_by([&] { submit(0, nothing(), {timeline, 1}); }), Code::kMemoryAllocation);
  EXPECT_EQ(device.queue(0).submissions(), 0u);
  EXPECT_FALSE(device.advance());
  submit(0, nothing(), {timeline, 1});
  EXPECT_TRUE(device.advance());
}

TEST_F(NullFailures, ASubmissionCanLoseTheDevice) {
  submit(0, nothing(), {timeline, 1});
  device.plan(NullCall::kSubmit, NullFault::kDeviceLost);
  EXPECT_EQ(thrown_by([&] { submit(0, nothing(), {timeline, 2}); }), Code::kDriverError);
  expect_lost();
}

TEST_F(NullFailures, ALostSubmissionDoesNothing) {
  const vk::BufferRange range = upload(Bytes(2));
  submit(0, fill_of(range, 1), {timeline, 1});
  device.plan(NullCall::kExecute, NullFault::kDeviceLost);
  EXPECT_FALSE(device.advance());
  expect_lost();
  EXPECT_EQ(download(range), Bytes(2));
}

TEST_F(NullFailures, WaitingEndsWhenTheDeviceIsLost) {
  submit(0, nothing(), {timeline, 1});
  std::thread losing([&] { device.lose(); });
  EXPECT_TRUE(timeline->wait(1));
  losing.join();
  expect_lost();
}

TEST_F(NullFailures, UnmappedMemoryIsLostWithTheDevice) {
  NullDeviceOptions options;
  options.host_visible = false;
  NullDevice discrete(options);
  void* pointer = discrete.memory().allocate(vk::Placement::kDevice, 8);
  const vk::BufferRange range = *discrete.memory().find(pointer, 8);
  EXPECT_EQ(range.mapped(), nullptr);
  std::uint64_t word = 42;
  discrete.write(range, &word);
  word = 0;
  discrete.read(&word, range);
  EXPECT_EQ(word, 42u);
  discrete.lose();
  EXPECT_EQ(thrown_by([&] { discrete.read(&word, range); }), Code::kDriverError);
}

}  // namespace
}  // namespace aclvk::test
