// On a null device. What the watcher does for programs is in tests/api.
#include "runtime/stream/watcher.hpp"

#include <future>
#include <stdexcept>

#include "unit/runtime/stream/fixture.hpp"

namespace aclvk::runtime {
namespace {

class WatcherTest : public NullStreamTest {
 protected:
  Watcher& watcher() { return device->watcher(); }
  /// Returns an action that logs a number.
  std::function<void()> logs(int number) {
    return [this, number] { calls.push_back(number); };
  }
  vk::TimelinePoint point(std::uint64_t value) { return {timeline, value}; }

  std::shared_ptr<vk::Timeline> timeline = null->create_timeline();
  std::vector<int> calls;  // guarded by the scheduler lock
};

TEST_F(WatcherTest, ThreadCallsTheActionOnceThePointIsReached) {
  {
    const SchedulerLock lock;
    watcher().when_reached(point(1), logs(1));
    watcher().when_reached(point(2), logs(2));
  }
  timeline->signal(1);
  EXPECT_TRUE(comes_true([&] { return !calls.empty(); }));
  const SchedulerLock lock;
  EXPECT_EQ(calls, std::vector<int>{1});
}

TEST_F(WatcherTest, ThreadPollsPointsWithoutATimelineValue) {
  const auto pending = std::make_shared<Point>(Point{Point::Queued{}});
  {
    const SchedulerLock lock;
    watcher().when_reached(pending, logs(1));
    watcher().catch_up();
    EXPECT_TRUE(calls.empty());
  }
  {
    const SchedulerLock lock;
    pending->state = Point::Submitted{point(1), nullptr};
  }
  timeline->signal(1);
  EXPECT_TRUE(comes_true([&] { return !calls.empty(); }));
}

TEST_F(WatcherTest, CatchUpCallsEachReachedActionOnce) {
  const SchedulerLock lock;
  watcher().when_reached(point(2), logs(2));
  watcher().when_reached(point(1), logs(1));
  watcher().catch_up();
  EXPECT_TRUE(calls.empty());
  timeline->signal(1);
  watcher().catch_up();
  watcher().catch_up();
  EXPECT_EQ(calls, std::vector<int>{1});
  timeline->signal(2);
  watcher().catch_up();
  EXPECT_EQ(calls, (std::vector<int>{1, 2}));
}

TEST_F(WatcherTest, ActionMayAddAnotherOne) {
  const SchedulerLock lock;
  timeline->signal(1);
  watcher().when_reached(point(1), [&] {
    calls.push_back(1);
    watcher().when_reached(point(1), logs(2));
  });
  watcher().catch_up();
  EXPECT_EQ(calls, std::vector<int>{1});
  watcher().catch_up();
  EXPECT_EQ(calls, (std::vector<int>{1, 2}));
}

TEST_F(WatcherTest, ActionThatFailsIsCalledAgainAndThoseAfterItAreKept) {
  const SchedulerLock lock;
  bool fails = true;
  timeline->signal(1);
  watcher().when_reached(point(1), [&] {
    if (std::exchange(fails, false)) throw std::runtime_error("The test fails the action.");
    calls.push_back(1);
  });
  watcher().when_reached(point(1), logs(2));
  EXPECT_THROW(watcher().catch_up(), std::runtime_error);
  EXPECT_TRUE(calls.empty());
  watcher().catch_up();
  EXPECT_EQ(calls, (std::vector<int>{1, 2}));
}

TEST_F(WatcherTest, OpenBatchIsSubmittedOnceTheDeviceIsIdle) {
  {
    const SchedulerLock lock;
    fill(*first);
    fill(*first);
    ASSERT_TRUE(first->batch().is_open());
    ASSERT_EQ(first->batch().submitted().value, 1u);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  {
    const SchedulerLock lock;
    EXPECT_TRUE(first->batch().is_open()) << "the device has the batch before it";
  }
  EXPECT_TRUE(advance(0));
  EXPECT_TRUE(comes_true([&] { return !first->batch().is_open(); }));
  const SchedulerLock lock;
  EXPECT_EQ(first->batch().submitted().value, 2u);
}

TEST_F(WatcherTest, BlockedStreamIsRetriedAfterPollWords) {
  std::shared_ptr<Gate> gate;
  {
    const SchedulerLock lock;
    gate = block(*first);
    gate->open = true;  // no change that the scheduler learns of
    watcher().poll_words();
  }
  EXPECT_TRUE(comes_true([&] { return first->pending().empty(); }));
}

TEST_F(WatcherTest, LostDeviceDropsTheTasksOfABlockedStream) {
  std::shared_ptr<Gate> gate;
  {
    const SchedulerLock lock;
    gate = block(*first);
  }
  null->lose();
  EXPECT_TRUE(comes_true([&] { return first->pending().empty(); }));
  const SchedulerLock lock;
  EXPECT_TRUE(gate->abandoned);
  EXPECT_EQ(first->errors().peek(std::nullopt)->code(), Code::kDriverError);
  EXPECT_FALSE(second->errors().peek(std::nullopt)) << "it never had work";
}

TEST_F(WatcherTest, OverdueSubmissionIsReportedAndStuckUntilItEnds) {
  const SchedulerLock lock;
  fill(*first);
  EXPECT_FALSE(watcher().stuck());
  watcher().on_timeout({first->batch().submitted(), std::chrono::seconds(1)});
  EXPECT_TRUE(watcher().stuck());
  EXPECT_EQ(first->take_error()->code(), Code::kAicoreTimeout);
  EXPECT_FALSE(second->take_error());
  EXPECT_TRUE(advance(0));
  EXPECT_FALSE(watcher().stuck());
}

TEST_F(WatcherTest, OverdueSubmissionOfADestroyedStreamIsStuckToo) {
  const SchedulerLock lock;
  fill(*first);
  const vk::TimelinePoint end = first->batch().submitted();
  second.reset();
  first.reset();
  watcher().on_timeout({end, std::chrono::seconds(1)});
  EXPECT_TRUE(watcher().stuck());
  EXPECT_TRUE(advance(0));
  EXPECT_FALSE(watcher().stuck());
}

TEST_F(WatcherTest, CallbackRunsWithoutTheLockAndItsEndWithIt) {
  bool ran = false;
  bool ended = false;
  {
    const SchedulerLock lock;
    watcher().run_callback(
        [&] {
          const SchedulerLock callback_lock;
          ran = true;
        },
        [&] { ended = ran; });
    EXPECT_FALSE(ran);
  }
  EXPECT_TRUE(comes_true([&] { return ended; }));
}

TEST_F(WatcherTest, SlowCallbackDelaysNoOther) {
  std::promise<void> go;
  {
    const SchedulerLock lock;
    watcher().run_callback([&] { go.get_future().wait(); }, logs(1));
    watcher().run_callback([] {}, logs(2));
  }
  EXPECT_TRUE(comes_true([&] { return !calls.empty(); }));
  go.set_value();
  EXPECT_TRUE(comes_true([&] { return calls.size() == 2; }));
  const SchedulerLock lock;
  EXPECT_EQ(calls, (std::vector<int>{2, 1}));
}

TEST_F(WatcherTest, WaitForCallbackThreadsEndsAtItsGrace) {
  std::promise<void> begun;
  std::promise<void> go;
  {
    const SchedulerLock lock;
    watcher().run_callback(
        [&] {
          begun.set_value();
          go.get_future().wait();
        },
        logs(1));
  }
  begun.get_future().wait();  // one that has not begun is dropped
  watcher().stop();
  EXPECT_FALSE(watcher().wait_for_callback_threads(std::chrono::milliseconds(1)));
  go.set_value();
  EXPECT_TRUE(watcher().wait_for_callback_threads(std::chrono::seconds(10)));
  const SchedulerLock lock;
  EXPECT_EQ(calls, std::vector<int>{1});
}

TEST_F(WatcherTest, WaitForWorkReturnsOnceTheDeviceIsIdle) {
  {
    const SchedulerLock lock;
    fill(*first);
  }
  auto waiting = std::async(std::launch::async, [&] { return wait_for_work(*device, std::chrono::milliseconds(1)); });
  EXPECT_EQ(waiting.wait_for(std::chrono::milliseconds(5)), std::future_status::timeout);
  EXPECT_TRUE(advance(0));
  EXPECT_TRUE(waiting.get());
}

TEST_F(WatcherTest, WaitForWorkGivesUpAnOverdueSubmission) {
  {
    const SchedulerLock lock;
    fill(*first);
    watcher().on_timeout({first->batch().submitted(), std::chrono::seconds(1)});
  }
  EXPECT_FALSE(wait_for_work(*device, std::chrono::milliseconds(1)));
}

}  // namespace
}  // namespace aclvk::runtime
