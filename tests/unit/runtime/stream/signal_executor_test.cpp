// Without a device. What is retried by the watcher, shared with other processes, timed, or addressed by words needs one
// (tests/unit/runtime/stream/scheduler_test.cpp, tests/api).
#include "runtime/stream/signal_executor.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "runtime/event/count_notify.hpp"
#include "runtime/event/event.hpp"
#include "runtime/stream/scheduler.hpp"
#include "support/fake_gpu.hpp"

namespace aclvk::runtime {
namespace {

/// Work of another process.
class OtherWork final : public RemoteWork {
 public:
  bool reached() const override { return is_reached; }
  bool lost() const override { return is_lost; }

  bool is_reached = false;
  bool is_lost = false;
};

class SignalExecutorTest : public testing::Test {
 protected:
  /// A stream whose submissions complete when the test signals its timeline.
  struct Stream {
    explicit Stream(FakeGpu& gpu) : batch({}, gpu, queue, errors), signals({}, gpu, pending, errors, batch) {}
    void record_work() { batch.record(FillTask{}); }
    /// Submits a task and returns the waits of the submission.
    std::vector<vk::TimelinePoint> waits() {
      record_work();
      batch.flush();
      return queue.accepted.back().waits;
    }

    FakeQueue queue;
    PendingTasks pending;
    StreamErrors errors{{}, pending, std::make_shared<Failures>()};
    OpenBatch batch;
    SignalExecutor signals;
  };

  static PointPtr new_point() { return std::make_shared<Point>(); }

  const SchedulerLock lock;
  FakeGpu gpu;
  Stream one{gpu}, other{gpu};
};

TEST_F(SignalExecutorTest, RecordSubmitsWhatPrecedesIt) {
  const PointPtr point = new_point();
  one.record_work();
  EXPECT_TRUE(one.signals.run(EventRecordTask{nullptr, point}));
  ASSERT_TRUE(point->submitted());
  EXPECT_EQ(point->submitted()->value, 1u);
  EXPECT_EQ(point->submitted()->timeline, one.batch.timeline());
  EXPECT_EQ(one.queue.accepted.size(), 1u);
}

TEST_F(SignalExecutorTest, WaitIsForTheDeviceOnceTheRecordIsSubmitted) {
  const PointPtr point = new_point(), passed = new_point();
  const EventWaitTask wait{nullptr, point, passed};
  EXPECT_FALSE(other.signals.run(wait));
  EXPECT_FALSE(passed->submitted());
  one.record_work();
  one.signals.set_point(point);
  EXPECT_TRUE(other.signals.run(wait));
  EXPECT_EQ(passed->submitted()->value, 1u);
  const auto waits = other.waits();
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_EQ(waits[0].timeline, one.batch.timeline());
}

TEST_F(SignalExecutorTest, CancelledRecordIsReplacedByWhatSupersedesIt) {
  const PointPtr before = new_point(), point = new_point();
  one.record_work();
  one.signals.cancel(point, {before, point});
  EXPECT_TRUE(point->cancelled());
  const auto& superseded_by = std::get<Point::Cancelled>(point->state).superseded_by;
  EXPECT_EQ(superseded_by, std::vector<PointPtr>{before}) << "no point supersedes itself";
  EXPECT_EQ(point->submitted()->value, 1u);
  EXPECT_FALSE(other.signals.wait_point(point));
  before->state = Point::Submitted{{}, nullptr};
  EXPECT_TRUE(other.signals.wait_point(point));
  EXPECT_EQ(other.waits().size(), 1u);
}

TEST_F(SignalExecutorTest, CancelReportsARefusedSubmission) {
  const PointPtr point = new_point();
  one.record_work();
  one.queue.refuses = true;
  one.signals.cancel(point);
  EXPECT_TRUE(point->cancelled());
  EXPECT_EQ(point->submitted()->value, 0u);
  EXPECT_EQ(one.errors.take(std::nullopt)->code(), Code::kDriverError);
}

TEST_F(SignalExecutorTest, WorkOfALostProcessFailsTheWait) {
  const auto work = std::make_shared<OtherWork>();
  const PointPtr point = new_point();
  point->state = Point::Remote{work};
  work->is_lost = true;
  EXPECT_THROW(one.signals.wait_point(point), Error);
  work->is_reached = true;
  EXPECT_TRUE(one.signals.wait_point(point));
}

TEST_F(SignalExecutorTest, WaitForAFlagIsForTheWorkBeforeTheRecord) {
  const auto event = std::make_shared<Event>(EventMaker::kWithFlag, kEventExternal);
  const EventWaitTask wait{event, nullptr, nullptr};
  EXPECT_FALSE(other.signals.run(wait));
  one.record_work();
  EXPECT_TRUE(one.signals.run(EventRecordTask{event, nullptr}));
  EXPECT_TRUE(other.signals.run(wait));
  EXPECT_EQ(other.waits().size(), 1u);
}

TEST_F(SignalExecutorTest, FlagOfAnEventStaysSetUntilAReset) {
  const auto event = std::make_shared<Event>(EventMaker::kWithFlag, kEventExternal);
  const EventWaitTask wait{event, nullptr, nullptr};
  one.signals.run(EventRecordTask{event, nullptr});
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(other.signals.run(wait));
  EXPECT_TRUE(other.signals.run(EventResetTask{event, nullptr}));
  EXPECT_FALSE(other.signals.run(wait));
}

TEST_F(SignalExecutorTest, WaitForANotifyClearsIt) {
  const auto notify = std::make_shared<Notify>();
  EXPECT_FALSE(other.signals.run(NotifyWaitTask{notify}));
  EXPECT_TRUE(one.signals.run(NotifyRecordTask{notify}));
  EXPECT_TRUE(other.signals.run(NotifyWaitTask{notify}));
  EXPECT_FALSE(other.signals.run(NotifyWaitTask{notify}));
}

TEST_F(SignalExecutorTest, WaitForACountIsForTheWorkBeforeItsChanges) {
  const auto notify = std::make_shared<CountNotify>();
  const CountWaitTask wait{notify, CountCondition::kEqual, 2, true};
  one.record_work();
  EXPECT_TRUE(one.signals.run(CountRecordTask{notify, CountChange::kAdd, 1}));
  EXPECT_FALSE(other.signals.run(wait));
  EXPECT_TRUE(one.signals.run(CountRecordTask{notify, CountChange::kAdd, 1}));
  EXPECT_TRUE(other.signals.run(wait));
  EXPECT_FALSE(other.waits().empty());
  EXPECT_FALSE(other.signals.run(wait)) << "the first wait has cleared the count";
}

TEST_F(SignalExecutorTest, RepeatedWaitAddsNothing) {
  const PointPtr point = new_point(), before = new_point();
  one.record_work();
  one.signals.set_point(before);
  one.signals.cancel(point, {before, new_point()});
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(other.signals.wait_point(point)) << "one of its points is not submitted";
  EXPECT_EQ(other.waits().size(), 1u);
}

TEST_F(SignalExecutorTest, StepIsPrecededByItsStart) {
  one.record_work();
  const std::uint64_t first = one.batch.flush().value;
  one.record_work();
  {
    const SignalExecutor::StepScope outer(one.signals, first);
    EXPECT_EQ(one.signals.flush_preceding().value, first);
    EXPECT_TRUE(one.batch.is_open()) << "a later task belongs to another branch";
    {
      const SignalExecutor::StepScope inner(one.signals, first + 1);
      EXPECT_EQ(one.signals.flush_preceding().value, first + 1) << "which is submitted for it";
    }
    EXPECT_EQ(one.signals.flush_preceding().value, first);
  }
  one.record_work();
  EXPECT_EQ(one.signals.flush_preceding().value, first + 2);
}

TEST_F(SignalExecutorTest, ReadsAWordOnceItIsWritten) {
  std::uint64_t word = 0;
  gpu.word = 42;
  EXPECT_TRUE(one.signals.try_read({nullptr, 0, 8}, one.batch.submitted(), &word));
  EXPECT_EQ(word, 42u);
}

TEST_F(SignalExecutorTest, HostFunctionIsDoneWhenItHasReturned) {
  HostTask host;
  host.state = std::make_shared<std::atomic<HostTask::State>>(HostTask::State::kStarted);
  host.failure = std::make_shared<std::optional<Error>>();
  EXPECT_FALSE(one.signals.run(host));
  *host.state = HostTask::State::kDone;
  EXPECT_TRUE(one.signals.run(host));
  host.failure->emplace(Code::kParamInvalid, "The function fails.");
  EXPECT_THROW(one.signals.run(host), Error);
}

}  // namespace
}  // namespace aclvk::runtime
