#include "runtime/stream/stream_errors.hpp"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "runtime/stream/scheduler.hpp"
#include "support/fake_gpu.hpp"

namespace aclvk::runtime {
namespace {

using std::chrono_literals::operator""s;

constexpr std::uint32_t kDeviceId = 1234;

const Error kFirst(Code::kAicoreException, "The first task fails.");
const Error kSecond(Code::kParamInvalid, "The second task fails.");
const std::optional<Error> kNoLoss;

/// Two streams of one context.
class StreamErrorsTest : public testing::Test {
 protected:
  ~StreamErrorsTest() override { clear_last_failure(kDeviceId); }

  /// Returns the code that a synchronisation would return.
  static Code take(StreamErrors& from, const std::optional<Error>& loss = kNoLoss) {
    const auto error = from.take(loss);
    return error ? error->code() : Code::kSuccess;
  }

  const SchedulerLock lock;
  std::shared_ptr<Failures> failures = std::make_shared<Failures>();
  PendingTasks pending, others_pending;
  StreamErrors errors{{3, kDeviceId}, pending, failures};
  StreamErrors others{{4, kDeviceId}, others_pending, failures};
};

TEST_F(StreamErrorsTest, FirstOneIsTakenOnce) {
  errors.report(kFirst);
  errors.report(kSecond);
  EXPECT_EQ(take(errors), kFirst.code());
  EXPECT_EQ(take(errors), Code::kSuccess);
  EXPECT_EQ(take(others), Code::kSuccess);
}

TEST_F(StreamErrorsTest, PeekLeavesIt) {
  errors.report(kFirst);
  EXPECT_EQ(errors.peek(kNoLoss)->sentence(), kFirst.sentence());
  EXPECT_EQ(take(errors), kFirst.code());
}

TEST_F(StreamErrorsTest, LossOfTheDeviceComesAfterAnErrorAndBeforeDroppedTasks) {
  const Error loss(Code::kDriverError, "The device is lost.");
  pending.add(MarkTask{"a"});
  errors.on_drop(Code::kStreamAbort);
  errors.report(kFirst);
  EXPECT_EQ(take(errors, loss), kFirst.code());
  EXPECT_EQ(take(errors, loss), loss.code());
  EXPECT_EQ(take(errors), Code::kSuccess) << "the second call has told of the dropped tasks, too";
}

TEST_F(StreamErrorsTest, CurrentExceptionIsReported) {
  try {
    throw std::bad_alloc();
  } catch (const std::exception&) {
    errors.report_current();
  }
  EXPECT_EQ(take(errors), Code::kMemoryAllocation);
  try {
    throw std::runtime_error("no reason");
  } catch (const std::exception&) {
    errors.report_current();
  }
  EXPECT_EQ(take(errors), Code::kRuntimeInternal);
}

TEST_F(StreamErrorsTest, DroppedTasksAreCounted) {
  pending.add(MarkTask{"a"});
  pending.add(MarkTask{"b"});
  errors.on_drop(Code::kDeviceTaskAbort);
  EXPECT_EQ(errors.drop_reason(), Code::kDeviceTaskAbort);
  const auto error = errors.take(kNoLoss);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), Code::kDeviceTaskAbort);
  EXPECT_EQ(error->sentence(), "2 tasks of stream 3 were dropped when the tasks of its device were aborted.");
  EXPECT_EQ(take(errors), Code::kSuccess);
}

TEST_F(StreamErrorsTest, NewTaskForgetsDroppedOnes) {
  pending.add(MarkTask{"a"});
  errors.on_drop(Code::kStreamAbort);
  errors.clear_dropped();
  EXPECT_EQ(take(errors), Code::kSuccess);
}

TEST_F(StreamErrorsTest, AbortForgetsAnErrorAndTellsOfNothingDropped) {
  errors.report(kFirst);
  errors.on_drop(Code::kDeviceTaskAbort);
  EXPECT_EQ(take(errors), Code::kSuccess);
  EXPECT_EQ(errors.drop_reason(), Code::kStreamAbort) << "nothing was dropped";
}

TEST_F(StreamErrorsTest, FailureDoesNotStopTheContextByDefault) {
  errors.report(kFirst);
  EXPECT_FALSE(errors.halted());
  EXPECT_NO_THROW(errors.check_not_stopped());
}

TEST_F(StreamErrorsTest, FailureStopsTheContext) {
  failures->set_stop();
  EXPECT_TRUE(errors.stops_at_failures());
  errors.report(kFirst);
  EXPECT_TRUE(errors.halted());
  EXPECT_FALSE(others.halted()) << "it finishes what it has";
  EXPECT_THROW(others.check_not_stopped(), Error);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(take(others), kFirst.code());
}

TEST_F(StreamErrorsTest, AbortResumesTheContext) {
  failures->set_stop();
  errors.report(kFirst);
  others.on_drop(Code::kStreamAbort);
  EXPECT_THROW(errors.check_not_stopped(), Error) << "the other stream has not failed";
  errors.on_drop(Code::kStreamAbort);
  EXPECT_FALSE(errors.halted());
  EXPECT_NO_THROW(others.check_not_stopped());
}

TEST_F(StreamErrorsTest, StreamIsHaltedUntilAnotherResumesTheContext) {
  failures->set_stop();
  errors.report(kFirst);
  others.report(kSecond);
  errors.update_halted();
  EXPECT_TRUE(errors.halted());
  others.on_drop(Code::kStreamAbort);
  errors.update_halted();
  EXPECT_FALSE(errors.halted());
}

TEST_F(StreamErrorsTest, AbortedModelIsNoFailure) {
  failures->set_stop();
  errors.report(Error(Code::kModelAbortNormal, "The model was stopped."));
  EXPECT_FALSE(errors.halted());
  EXPECT_FALSE(last_failure(kDeviceId));
  EXPECT_EQ(take(errors), Code::kModelAbortNormal);
}

TEST_F(StreamErrorsTest, LastFailureOfTheDeviceIsStored) {
  errors.report(kFirst);
  others.report(kSecond);
  EXPECT_EQ(last_failure(kDeviceId), static_cast<std::uint32_t>(kSecond.code()));
  EXPECT_TRUE(errors.listeners_notified()) << "there are none";
}

TEST_F(StreamErrorsTest, TimeoutIsReportedOnceForASubmission) {
  errors.report_timeout(5, 4s);
  EXPECT_EQ(take(errors), Code::kAicoreTimeout);
  errors.report_timeout(5, 4s);
  EXPECT_EQ(take(errors), Code::kSuccess);
  errors.report_timeout(6, 4s);
  EXPECT_EQ(take(errors), Code::kAicoreTimeout);
}

TEST_F(StreamErrorsTest, SubmissionsAreStuckUntilTheOverdueOneEnds) {
  const auto timeline = std::make_shared<FakeTimeline>();
  EXPECT_FALSE(errors.stuck_before(3));
  errors.set_stuck(3, {timeline, 7});
  EXPECT_FALSE(errors.stuck_before(2));
  EXPECT_TRUE(errors.stuck_before(3));
  EXPECT_TRUE(errors.stuck_before(4));
  timeline->value = 7;
  EXPECT_FALSE(errors.stuck_before(3));
}

TEST_F(StreamErrorsTest, AnotherOverdueSubmissionDoesNotReplaceTheOneThatBlocks) {
  const auto first = std::make_shared<FakeTimeline>();
  const auto second = std::make_shared<FakeTimeline>();
  errors.set_stuck(3, {first, 7});
  errors.set_stuck(4, {second, 1});
  second->value = 1;
  EXPECT_TRUE(errors.stuck_before(4));
  first->value = 7;
  EXPECT_FALSE(errors.stuck_before(4));
}

}  // namespace
}  // namespace aclvk::runtime
