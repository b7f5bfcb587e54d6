// On a null device. The parts of a queue have tests of their own in this folder.
#include "runtime/stream/stream_queue.hpp"

#include "unit/runtime/stream/fixture.hpp"

namespace aclvk::runtime {
namespace {

class StreamQueueTest : public NullStreamTest {
 protected:
  /// Pushes a record, and returns its point.
  static PointPtr record(StreamQueue& queue) {
    auto point = std::make_shared<Point>(Point{Point::Queued{}});
    queue.push(EventRecordTask{nullptr, point});
    return point;
  }
  static std::uint64_t submissions(StreamQueue& queue) { return queue.batch().submitted().value; }
};

TEST_F(StreamQueueTest, TaskOnAnIdleDeviceIsSubmittedWhenItIsPushed) {
  const SchedulerLock lock;
  EXPECT_TRUE(first->idle());
  fill(*first);
  EXPECT_EQ(submissions(*first), 1u);
  EXPECT_EQ(first->pending().processed(), 1u);
  EXPECT_FALSE(first->idle());
  EXPECT_TRUE(advance(0));
  EXPECT_TRUE(first->idle());
}

TEST_F(StreamQueueTest, TasksAfterOneThatMustWaitArePendingInOrder) {
  const SchedulerLock lock;
  const auto gate = block(*first);
  const auto next = block(*first);
  fill(*first);
  EXPECT_EQ(first->pending().size(), 3u);
  EXPECT_EQ(submissions(*first), 0u);
  EXPECT_EQ(next->attempts, 0);
  EXPECT_FALSE(first->idle());
  gate->open = true;
  first->pump();
  EXPECT_EQ(first->pending().size(), 2u);
  EXPECT_EQ(next->attempts, 1);
  EXPECT_EQ(submissions(*first), 0u);
  next->open = true;
  first->pump();
  EXPECT_TRUE(first->pending().empty());
  EXPECT_EQ(submissions(*first), 1u);
  EXPECT_EQ(first->pending().processed(), 3u);
}

TEST_F(StreamQueueTest, OpenBatchIsSubmittedWhenTheStreamBlocks) {
  const SchedulerLock lock;
  fill(*first, 2);
  ASSERT_TRUE(first->batch().is_open());
  block(*first);
  EXPECT_FALSE(first->batch().is_open());
  EXPECT_EQ(submissions(*first), 2u);
}

TEST_F(StreamQueueTest, ChangeRetriesBlockedQueuesOnly) {
  const SchedulerLock lock;
  Scheduler& scheduler = Scheduler::instance();
  const auto gate = block(*first);
  scheduler.changed();
  scheduler.settle();
  EXPECT_EQ(gate->attempts, 2);
  gate->open = true;
  scheduler.changed();
  scheduler.settle();
  EXPECT_TRUE(first->pending().empty());
  scheduler.changed();
  scheduler.settle();
  EXPECT_EQ(gate->attempts, 3);
}

TEST_F(StreamQueueTest, TaskThatFailsIsReportedAbandonedAndPassed) {
  const SchedulerLock lock;
  const auto gate = block(*first);
  fill(*first);
  gate->fails = true;
  first->pump();
  EXPECT_TRUE(gate->abandoned);
  EXPECT_EQ(submissions(*first), 1u) << "later tasks run";
  EXPECT_EQ(first->take_error()->code(), Code::kRuntimeInternal);
  EXPECT_FALSE(first->take_error());
}

TEST_F(StreamQueueTest, DroppedTasksReleaseTheirWaitersAndEndTheEpoch) {
  const SchedulerLock lock;
  const std::uint32_t epoch = first->pending().epoch();
  const auto gate = block(*first);
  const PointPtr point = record(*first);
  first->frees[epoch] = 1;
  ASSERT_FALSE(point->settled());
  first->drop_pending(Code::kStreamAbort);
  EXPECT_TRUE(gate->abandoned);
  EXPECT_TRUE(point->cancelled());
  EXPECT_TRUE(first->pending().empty());
  EXPECT_TRUE(first->frees.empty());
  EXPECT_NE(first->pending().epoch(), epoch);
  EXPECT_EQ(first->take_error()->code(), Code::kStreamAbort);
  const int attempts = gate->attempts;
  Scheduler::instance().changed();
  Scheduler::instance().settle();
  EXPECT_EQ(gate->attempts, attempts) << "the queue is not blocked any more";
}

TEST_F(StreamQueueTest, NewTaskClearsTheErrorOfDroppedOnes) {
  const SchedulerLock lock;
  block(*first);
  first->drop_pending(Code::kStreamAbort);
  fill(*first);
  EXPECT_FALSE(first->peek_error());
}

TEST_F(StreamQueueTest, RecordPointSubmitsAndEndPointDoesNot) {
  const SchedulerLock lock;
  fill(*first, 2);
  const PointPtr end = first->end_point();
  EXPECT_FALSE(end->settled());
  EXPECT_TRUE(first->batch().is_open());
  const PointPtr recorded = first->record_point();
  ASSERT_TRUE(recorded->submitted());
  EXPECT_EQ(recorded->submitted()->value, 2u);
  ASSERT_TRUE(end->submitted());
  EXPECT_EQ(end->submitted()->value, 2u);
}

TEST_F(StreamQueueTest, EndPointOfABlockedStreamComesAfterItsTasks) {
  const SchedulerLock lock;
  const auto gate = block(*first);
  fill(*first);
  const PointPtr end = first->end_point();
  EXPECT_FALSE(end->settled());
  gate->open = true;
  first->pump();
  ASSERT_TRUE(end->submitted());
  EXPECT_EQ(end->submitted()->value, 1u);
}

TEST_F(StreamQueueTest, WaitInOrderSubmitsTheOpenBatchAndWaitsForItOnTheDevice) {
  const SchedulerLock lock;
  fill(*first, 2);
  const PointPtr end = first->end_point();
  second->wait_in_order(end);
  EXPECT_FALSE(first->batch().is_open());
  EXPECT_TRUE(second->pending().empty());
  fill(*second);
  second->flush_all();
  EXPECT_FALSE(advance(1));
  EXPECT_TRUE(advance(0));
  EXPECT_FALSE(advance(1));
  EXPECT_TRUE(advance(0));
  EXPECT_TRUE(advance(1));
}

TEST_F(StreamQueueTest, FullBacklogThrottlesUntilAllIsFlushed) {
  constexpr int kMoreThanTheBacklog = 2000;
  const SchedulerLock lock;
  fill(*first, kMoreThanTheBacklog);
  EXPECT_FALSE(first->pending().empty());
  EXPECT_FALSE(first->pending().front_started());
  EXPECT_FALSE(first->launches_throttled()) << "the list is short";
  EXPECT_LT(first->pending().processed(), static_cast<std::uint32_t>(kMoreThanTheBacklog));
  first->flush_all();
  EXPECT_TRUE(first->pending().empty());
  EXPECT_FALSE(first->batch().is_open());
  EXPECT_EQ(first->pending().processed(), static_cast<std::uint32_t>(kMoreThanTheBacklog));
}

TEST_F(StreamQueueTest, LongListOfThrottledTasksThrottlesLaunches) {
  constexpr int kMostPending = 16384;
  const SchedulerLock lock;
  while (first->pending().empty()) fill(*first);
  fill(*first, kMostPending - 2);
  EXPECT_FALSE(first->launches_throttled());
  fill(*first);
  EXPECT_TRUE(first->launches_throttled());
}

TEST_F(StreamQueueTest, LongListAfterAWaitDoesNotThrottleLaunches) {
  const SchedulerLock lock;
  block(*first);
  for (int i = 0; i < 16384; ++i) record(*first);
  EXPECT_FALSE(first->launches_throttled());
}

TEST_F(StreamQueueTest, WaitWhoseLimitHasPassedFailsAndTheNextTaskRuns) {
  const SchedulerLock lock;
  const auto gate = block(*first);
  fill(*first);
  first->check_wait();
  EXPECT_EQ(first->pending().size(), 2u) << "without a limit the wait lasts";
  gate->expired = WaitLimit{3};
  first->check_wait();
  EXPECT_TRUE(gate->abandoned);
  EXPECT_TRUE(first->pending().empty());
  EXPECT_EQ(submissions(*first), 1u);
  EXPECT_EQ(first->take_error()->code(), Code::kWaitTimeout);
}

TEST_F(StreamQueueTest, LostDeviceIsAnErrorOfStreamsThatHadWork) {
  const SchedulerLock lock;
  const Error loss(Code::kDriverError, "The test loses the device.");
  fill(*first, 2);
  const PointPtr end = first->end_point();
  first->on_device_lost(loss);
  second->on_device_lost(loss);
  EXPECT_TRUE(end->cancelled());
  EXPECT_FALSE(first->batch().is_open());
  ASSERT_TRUE(first->errors().peek(std::nullopt));
  EXPECT_EQ(first->errors().peek(std::nullopt)->code(), Code::kDriverError);
  EXPECT_FALSE(second->errors().peek(std::nullopt));
}

TEST_F(StreamQueueTest, LostDeviceTakesNoTasks) {
  const SchedulerLock lock;
  null->lose();
  EXPECT_THROW(first->push(FillTask{}), Error);
  EXPECT_EQ(first->peek_error()->code(), Code::kDriverError);
}

TEST_F(StreamQueueTest, OverdueSubmissionKeepsPendingTasksStuckUntilItEnds) {
  const SchedulerLock lock;
  fill(*first);
  first->on_timeout(1, std::chrono::seconds(1));
  EXPECT_FALSE(first->stuck()) << "nothing is pending";
  block(*first);
  block(*second);
  EXPECT_TRUE(first->stuck());
  EXPECT_FALSE(second->stuck());
  EXPECT_TRUE(advance(0));
  EXPECT_FALSE(first->stuck());
  EXPECT_EQ(first->take_error()->code(), Code::kAicoreTimeout);
}

TEST_F(StreamQueueTest, MemoryOfPendingTasksIsKeptUntilTheyAreSubmitted) {
  const SchedulerLock lock;
  const auto gate = block(*first);
  fill(*first);
  EXPECT_TRUE(first->may_use(memory()));
  EXPECT_FALSE(first->may_use(allocate()));
  auto bytes = std::make_shared<int>();
  const std::weak_ptr<int> kept = bytes;
  first->retain_for_tasks(memory(), bytes);
  bytes.reset();
  EXPECT_FALSE(kept.expired());
  gate->open = true;
  first->pump();
  EXPECT_TRUE(kept.expired());
  EXPECT_FALSE(first->may_use(memory()));
}

}  // namespace
}  // namespace aclvk::runtime
