// Without a device. What the watcher submits later needs one (tests/api/rt/eager_batch_test.cpp).
#include "runtime/stream/open_batch.hpp"

#include <gtest/gtest.h>

#include "base/config.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/stream_observer.hpp"
#include "support/fake_gpu.hpp"

namespace aclvk::runtime {
namespace {

class OpenBatchTest : public testing::Test {
 protected:
  void record(int tasks = 1) {
    for (int i = 0; i < tasks; ++i) batch.record(FillTask{});
  }
  /// Lets the device complete all submissions.
  void complete() { batch.timeline()->signal(batch.submitted().value); }
  std::size_t submissions() const { return gpu.fake_queue.accepted.size(); }
  const vk::Submission& last() const { return gpu.fake_queue.accepted.back(); }
  /// Returns the number of commands in the last submission.
  std::size_t last_commands() const { return last().commands.empty() ? 0 : last().commands.back()->commands(); }

  const SchedulerLock lock;
  FakeGpu gpu;
  PendingTasks pending;
  StreamErrors errors{{}, pending, std::make_shared<Failures>()};
  OpenBatch batch{{}, gpu, gpu.fake_queue, errors};
  const vk::TimelinePoint other_stream{std::make_shared<FakeTimeline>(), 1};
};

TEST_F(OpenBatchTest, IsOpenFromTheFirstTaskToItsSubmission) {
  EXPECT_FALSE(batch.is_open());
  record(3);
  EXPECT_TRUE(batch.is_open());
  EXPECT_EQ(batch.submitted().value, 0u);
  EXPECT_EQ(batch.newest_submission(), 1u);
  EXPECT_EQ(batch.flush().value, 1u);
  EXPECT_FALSE(batch.is_open());
  EXPECT_EQ(batch.newest_submission(), 1u);
  EXPECT_EQ(last_commands(), 3u);
  EXPECT_EQ(last().signal.timeline, batch.timeline());
  EXPECT_EQ(last().signal.value, 1u);
}

TEST_F(OpenBatchTest, FlushOfNothingSubmitsNothing) {
  EXPECT_EQ(batch.flush().value, 0u);
  batch.flush_now();
  batch.after_push();
  EXPECT_EQ(submissions(), 0u);
}

/// Observes the tasks of device 0 while it lives. Records each as one copy.
class FakeObserver final : public StreamObserver {
 public:
  FakeObserver() { stream_observer = this; }
  ~FakeObserver() { stream_observer = nullptr; }

  bool observes_tasks_of(std::uint32_t device) const override { return observes && device == 0; }
  std::unique_ptr<ObservedBatch> begin_batch(vk::Device&, std::size_t) const override {
    ++batches;
    return std::make_unique<Batch>(*this);
  }
  void on_host_function(const char*, std::uint32_t, std::int64_t) const override {}

  bool observes = true;
  mutable std::size_t batches = 0;
  mutable std::size_t tasks = 0;
  mutable std::vector<std::uint64_t> submissions;

 private:
  struct Batch final : ObservedBatch {
    explicit Batch(const FakeObserver& owner) : observer(owner) {}
    void record(vk::CommandRecorder& recorder, const Task&) override {
      ++observer.tasks;
      recorder.copy({}, {});
    }
    void on_submitted(const StreamIdentity&, const vk::TimelinePoint& done) override {
      observer.submissions.push_back(done.value);
    }
    const FakeObserver& observer;
  };
};

TEST_F(OpenBatchTest, ObserverRecordsTheTasksAndGetsTheSubmission) {
  const FakeObserver observer;
  gpu.timestamps = true;
  record(2);
  batch.record(MarkTask{"mark"});
  batch.write_value({});
  EXPECT_EQ(observer.batches, 1u);
  EXPECT_EQ(observer.tasks, 4u);
  EXPECT_TRUE(observer.submissions.empty());
  batch.flush();
  EXPECT_EQ(last_commands(), 4u);
  EXPECT_EQ(observer.submissions, std::vector<std::uint64_t>{1});
  record();
  batch.flush();
  EXPECT_EQ(observer.batches, 2u);
  EXPECT_EQ(observer.submissions.back(), 2u);
}

TEST_F(OpenBatchTest, ObserverGetsNothingOfOtherDevicesNorWithoutTimestamps) {
  FakeObserver observer;
  record();
  observer.observes = false;
  gpu.timestamps = true;
  record();
  batch.flush();
  EXPECT_EQ(last_commands(), 2u);
  EXPECT_EQ(observer.batches, 0u);
  EXPECT_TRUE(observer.submissions.empty());
}

TEST_F(OpenBatchTest, ObserverIsNotNotifiedOfABatchThatIsRefused) {
  const FakeObserver observer;
  gpu.timestamps = true;
  record();
  gpu.fake_queue.refuses = true;
  EXPECT_THROW(batch.flush(), Error);
  EXPECT_TRUE(observer.submissions.empty());
}

TEST_F(OpenBatchTest, MarkIsNoWorkWhileNothingIsProfiled) {
  batch.record(MarkTask{"mark"});
  EXPECT_FALSE(batch.is_open());
}

TEST_F(OpenBatchTest, SingleTaskOnAnIdleDeviceIsSubmittedAtOnce) {
  record();
  batch.after_push();
  EXPECT_EQ(submissions(), 1u);
}

TEST_F(OpenBatchTest, FullOneIsSubmitted) {
  record(static_cast<int>(config().batch_size) - 1);
  batch.flush_if_full();
  EXPECT_EQ(submissions(), 0u);
  record();
  batch.flush_if_full();
  EXPECT_EQ(submissions(), 1u);
  EXPECT_EQ(last_commands(), static_cast<std::size_t>(config().batch_size));
}

TEST_F(OpenBatchTest, FullOneIsSubmittedWhileTheDeviceIsBusy) {
  record();
  batch.flush();
  record(static_cast<int>(config().batch_size));
  batch.after_push();
  EXPECT_EQ(submissions(), 2u);
}

TEST_F(OpenBatchTest, CommandBuffersFollowTheOpenBatch) {
  record(2);
  EXPECT_EQ(batch.submit({std::make_shared<FakeCommandBuffer>(5)}).value, 2u);
  EXPECT_EQ(submissions(), 2u);
  EXPECT_EQ(last_commands(), 5u);
}

TEST_F(OpenBatchTest, WaitDelaysOnlyLaterTasks) {
  record();
  batch.wait_for(other_stream);
  ASSERT_EQ(submissions(), 1u);
  EXPECT_TRUE(last().waits.empty());
  record();
  batch.flush();
  ASSERT_EQ(last().waits.size(), 1u);
  EXPECT_EQ(last().waits[0].timeline, other_stream.timeline);
  record();
  batch.flush();
  EXPECT_TRUE(last().waits.empty()) << "one submission is enough";
}

TEST_F(OpenBatchTest, WaitsForOneTimelineAreOne) {
  for (const std::uint64_t value : {2, 3, 1}) batch.wait_for({other_stream.timeline, value});
  batch.wait_for({std::make_shared<FakeTimeline>(), 1});
  batch.flush();
  ASSERT_EQ(last().waits.size(), 2u);
  EXPECT_EQ(last().waits[0].timeline, other_stream.timeline);
  EXPECT_EQ(last().waits[0].value, 3u);
}

TEST_F(OpenBatchTest, WaitWithoutATaskIsASubmission) {
  batch.wait_for(other_stream);
  EXPECT_EQ(batch.newest_submission(), 1u);
  batch.flush_now();
  EXPECT_EQ(submissions(), 0u) << "it may still share one with a task";
  EXPECT_EQ(batch.flush().value, 1u);
  EXPECT_TRUE(last().commands.empty());
}

TEST_F(OpenBatchTest, NeedsNoWaitForItselfNorForWhatIsReached) {
  record();
  batch.wait_for(batch.flush());
  other_stream.timeline->signal(1);
  batch.wait_for(other_stream);
  record();
  batch.flush();
  EXPECT_TRUE(last().waits.empty());
}

TEST_F(OpenBatchTest, RefusedSubmissionLeavesItsWaitsToTheNext) {
  batch.wait_for(other_stream);
  record();
  gpu.fake_queue.refuses = true;
  EXPECT_THROW(batch.flush(), Error);
  EXPECT_FALSE(batch.is_open());
  EXPECT_EQ(batch.submitted().value, 0u);
  gpu.fake_queue.refuses = false;
  record();
  EXPECT_EQ(batch.flush().value, 1u);
  EXPECT_EQ(last().waits.size(), 1u);
}

TEST_F(OpenBatchTest, RefusedSubmissionIsReportedWhereNothingMayThrow) {
  record();
  gpu.fake_queue.refuses = true;
  batch.flush_now();
  const auto error = errors.take(std::nullopt);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), Code::kDriverError);
}

TEST_F(OpenBatchTest, IsIdleWhenAllIsComplete) {
  EXPECT_TRUE(batch.idle());
  record();
  EXPECT_FALSE(batch.idle());
  batch.flush();
  EXPECT_FALSE(batch.idle());
  complete();
  EXPECT_TRUE(batch.idle());
  batch.wait_for(other_stream);
  EXPECT_FALSE(batch.idle());
  other_stream.timeline->signal(1);
  EXPECT_TRUE(batch.idle());
}

TEST_F(OpenBatchTest, BacklogIsFullAfterSixteenBatches) {
  const int size = static_cast<int>(config().batch_size);
  for (int i = 0; i < 16; ++i) {
    EXPECT_FALSE(batch.backlog_full());
    record(size);
    batch.flush();
  }
  EXPECT_TRUE(batch.backlog_full());
  EXPECT_EQ(batch.half_of_backlog().value, 8u);
  batch.timeline()->signal(8);
  EXPECT_FALSE(batch.backlog_full());
}

TEST_F(OpenBatchTest, EndGetsTheValueOfTheSubmission) {
  record();
  const PointPtr end = batch.end_point();
  EXPECT_TRUE(end->issued());
  EXPECT_FALSE(end->submitted());
  EXPECT_TRUE(batch.ends_with(end));
  record();
  EXPECT_EQ(batch.end_point(), end) << "one point for a batch";
  batch.flush();
  ASSERT_TRUE(end->submitted());
  EXPECT_EQ(end->submitted()->value, 1u);
  EXPECT_FALSE(batch.ends_with(end));
}

TEST_F(OpenBatchTest, EndOfSubmittedWorkIsKnown) {
  record();
  batch.flush();
  const PointPtr end = batch.end_point();
  ASSERT_TRUE(end->submitted());
  EXPECT_EQ(end->submitted()->value, 1u);
  EXPECT_NE(batch.end_point(), end);
}

TEST_F(OpenBatchTest, CancelledEndIsReachedWithTheWaits) {
  batch.wait_for(other_stream);
  record();
  const PointPtr end = batch.end_point();
  gpu.fake_queue.refuses = true;
  batch.flush_now();
  batch.cancel_end();
  EXPECT_TRUE(end->cancelled());
  EXPECT_FALSE(end->reached());
  other_stream.timeline->signal(1);
  EXPECT_TRUE(end->reached());
}

// A stream of another VkDevice must not wait for the semaphore.
TEST_F(OpenBatchTest, WaitsOfACancelledEndAreOfTheDevice) {
  alignas(std::max_align_t) const std::byte place{};
  const auto* device = reinterpret_cast<const Device*>(&place);  // compared only
  OpenBatch own{{0, 0, device}, gpu, gpu.fake_queue, errors};
  own.wait_for(other_stream);
  const PointPtr end = own.end_point();
  own.cancel_end();
  const auto* cancelled = end->as<Point::Cancelled>();
  ASSERT_TRUE(cancelled);
  EXPECT_EQ(cancelled->device, device);
  ASSERT_EQ(cancelled->superseded_by.size(), 1u);
  EXPECT_EQ(cancelled->superseded_by[0]->device(), device);
}

TEST_F(OpenBatchTest, RetainsMemoryUntilTheSubmission) {
  auto bytes = std::make_shared<int>();
  const std::weak_ptr<int> alive = bytes;
  record();
  batch.retain(std::move(bytes));
  EXPECT_FALSE(alive.expired());
  batch.flush();
  EXPECT_TRUE(alive.expired());
}

TEST_F(OpenBatchTest, RetainsNothingUnlessItIsOpen) {
  const auto bytes = std::make_shared<int>();
  std::list<std::shared_ptr<void>> memory{bytes};
  batch.retain(bytes);
  batch.retain_all(memory);
  EXPECT_EQ(bytes.use_count(), 2);
  record();
  batch.retain_all(memory);
  EXPECT_TRUE(memory.empty());
  EXPECT_EQ(bytes.use_count(), 2);
  batch.flush();
  EXPECT_EQ(bytes.use_count(), 1);
}

TEST_F(OpenBatchTest, DroppedOneIsNotSubmitted) {
  batch.wait_for(other_stream);
  record();
  batch.drop();
  EXPECT_FALSE(batch.is_open());
  batch.flush();
  EXPECT_EQ(submissions(), 0u);
}

}  // namespace
}  // namespace aclvk::runtime
