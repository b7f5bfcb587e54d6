// When the submissions of a null device run.
#include <chrono>
#include <thread>

#include "unit/null_device/fixture.hpp"

namespace aclvk::test {
namespace {

using namespace std::chrono_literals;

class NullQueues : public SteppedDeviceTest {
 protected:
  const std::shared_ptr<vk::Timeline> other = device.create_timeline();
};

class NullWorker : public NullDeviceTest {};

TEST_F(NullQueues, NothingRunsBeforeAStep) {
  const vk::BufferRange range = upload(Bytes(2));
  submit(0, fill_of(range, 1), {timeline, 1});
  EXPECT_FALSE(timeline->wait(1, 5ms));
  EXPECT_EQ(download(range), Bytes(2));
  EXPECT_TRUE(device.advance());
  EXPECT_EQ(timeline->completed(), 1u);
  EXPECT_EQ(download(range), Bytes(2, 1));
  EXPECT_FALSE(device.advance());
}

TEST_F(NullQueues, OneRunsInItsOrder) {
  const vk::BufferRange range = upload(Bytes(2));
  submit(0, fill_of(range, 1), {timeline, 1});
  submit(0, fill_of(range.slice(1, 1), 2), {timeline, 2});
  EXPECT_EQ(device.queue(0).submissions(), 2u);
  EXPECT_TRUE(device.advance());
  EXPECT_EQ(download(range), (Bytes{1, 1}));
  EXPECT_TRUE(device.advance());
  EXPECT_EQ(download(range), (Bytes{1, 2}));
}

TEST_F(NullQueues, RunInAnyOrder) {
  const vk::BufferRange range = upload(Bytes(2));
  submit(0, fill_of(range, 1), {timeline, 1});
  submit(1, fill_of(range, 2), {other, 1});
  EXPECT_TRUE(device.advance(1));
  EXPECT_EQ(download(range), Bytes(2, 2));
  EXPECT_FALSE(device.advance(1));
  EXPECT_TRUE(device.advance(0));
  EXPECT_EQ(download(range), Bytes(2, 1));
}

TEST_F(NullQueues, WaitForEachOther) {
  const vk::BufferRange range = upload(Bytes(1));
  submit(1, fill_of(range, 2), {other, 1}, {{timeline, 7}});
  EXPECT_FALSE(device.advance());  // the point that it waits for is not even submitted
  submit(0, fill_of(range, 1), {timeline, 7});
  EXPECT_FALSE(device.advance(1));
  EXPECT_TRUE(device.advance());
  EXPECT_EQ(download(range), Bytes(1, 1));
  EXPECT_TRUE(device.advance());
  EXPECT_EQ(download(range), Bytes(1, 2));
  EXPECT_TRUE((vk::TimelinePoint{other, 1}.reached()));
}

TEST_F(NullQueues, WaitForAllPoints) {
  const vk::BufferRange range = upload(Bytes(1));
  submit(0, fill_of(range, 1), {timeline, 1}, {{other, 1}, {}, {other, 3}});
  other->signal(2);
  EXPECT_FALSE(device.advance());
  other->signal(3);
  EXPECT_TRUE(device.advance());
}

TEST_F(NullQueues, BlockedSubmissionsBlockLaterOnes) {
  const vk::BufferRange range = upload(Bytes(1));
  submit(0, fill_of(range, 1), {timeline, 1}, {{other, 1}});
  submit(0, fill_of(range, 2), {timeline, 2});
  EXPECT_FALSE(device.advance());
  const auto pending = device.oldest_pending();
  ASSERT_EQ(pending.size(), 1u);
  EXPECT_EQ(pending[0].end.value, 1u);
  EXPECT_TRUE(pending[0].blocked);
  EXPECT_TRUE(device.writes_in_flight(timeline, range));
  other->signal(1);
  EXPECT_TRUE(device.advance());
  EXPECT_TRUE(device.advance());
  EXPECT_FALSE(device.writes_in_flight(timeline, range));
  EXPECT_TRUE(device.oldest_pending().empty());
}

TEST_F(NullQueues, RefuseASecondary) {
  const auto secondary = record([](vk::CommandRecorder&) {}, vk::Level::kSecondary);
  EXPECT_EQ(thrown_by([&] { submit(0, secondary, {timeline, 1}); }), Code::kRuntimeInternal);
  EXPECT_EQ(device.queue(0).submissions(), 0u);
}

TEST_F(NullQueues, RefuseValuesThatDoNotIncrease) {
  const auto nothing = record([](vk::CommandRecorder&) {});
  submit(0, nothing, {timeline, 2});
  EXPECT_EQ(thrown_by([&] { submit(1, nothing, {timeline, 2}); }), Code::kRuntimeInternal);
  other->signal(5);
  EXPECT_EQ(thrown_by([&] { submit(1, nothing, {other, 4}); }), Code::kRuntimeInternal);
  EXPECT_EQ(thrown_by([&] { other->signal(5); }), Code::kRuntimeInternal);
  EXPECT_EQ(other->completed(), 5u);
}

TEST_F(NullQueues, CanRunByThemselvesLater) {
  submit(0, record([](vk::CommandRecorder&) {}), {timeline, 1});
  device.set_stepwise(false);
  EXPECT_TRUE(timeline->wait(1));
}

TEST_F(NullQueues, KeepWhatTheirCommandsUse) {
  auto token = std::make_shared<int>(1);
  const std::weak_ptr<int> watch = token;
  submit(0, record([&](vk::CommandRecorder& recorder) { recorder.keep_alive(std::move(token)); }), {timeline, 1});
  device.collect();
  EXPECT_FALSE(watch.expired());
  EXPECT_TRUE(device.advance());
  device.collect();
  EXPECT_TRUE(watch.expired());
}

TEST_F(NullQueues, FreedMemoryIsReusedAfterItsLastUse) {
  const vk::BufferRange used = allocate(512);
  const auto pointer = reinterpret_cast<void*>(static_cast<std::uintptr_t>(used.pointer()));
  submit(0, fill_of(used, 1), {timeline, 1});
  EXPECT_TRUE(device.memory().release(pointer, vk::Placement::kDevice));
  EXPECT_NE(allocate(512).address(), used.address());
  EXPECT_TRUE(device.advance());
  EXPECT_EQ(allocate(512).address(), used.address());
}

TEST_F(NullQueues, DeviceEndsWithSubmissionsThatWaitForEver) {
  std::weak_ptr<int> watch;
  std::shared_ptr<vk::Timeline> done;
  {
    NullDevice ending;
    auto token = std::make_shared<int>(1);
    watch = token;
    done = ending.create_timeline();
    const auto recorder = ending.record(vk::Level::kPrimary);
    recorder->keep_alive(std::move(token));
    ending.queue(0).submit({{recorder->finish()}, {{ending.create_timeline(), 1}}, {done, 1}});
  }
  EXPECT_TRUE(watch.expired());
  EXPECT_TRUE(done->wait(1));
}

TEST_F(NullWorker, CompletesSubmissions) {
  const vk::BufferRange range = upload(Bytes(2));
  run([&](vk::CommandRecorder& recorder) { recorder.fill(range, 3); });
  EXPECT_EQ(download(range), Bytes(2, 3));
  device.wait_idle();
  EXPECT_TRUE(device.oldest_pending().empty());
}

TEST_F(NullWorker, ContinuesAtASignalOfTheHost) {
  const auto gate = device.create_timeline();
  submit(1, record([](vk::CommandRecorder&) {}), {timeline, 1}, {{gate, 1}});
  EXPECT_FALSE(timeline->wait(1, 5ms));
  std::thread signalling([&] { gate->signal(1); });
  EXPECT_TRUE(timeline->wait(1));
  signalling.join();
}

TEST_F(NullWorker, WaitsForTheFirstOfSomePoints) {
  const auto never = device.create_timeline();
  device.wait_any({{never, 1}}, 1ms);
  submit(0, record([](vk::CommandRecorder&) {}), {timeline, 1});
  device.wait_any({{never, 1}, {timeline, 1}}, 1h);
  EXPECT_EQ(timeline->completed(), 1u);
}

}  // namespace
}  // namespace aclvk::test
