#include "runtime/failure/timeout_detector.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <future>
#include <string>

#include "base/error.hpp"
#include "runtime/context/current.hpp"
#include "runtime/context/stream_use.hpp"
#include "runtime/failure/op_timeout.hpp"
#include "runtime/profile/range.hpp"
#include "runtime/profile/session.hpp"
#include "runtime/profile/task_times.hpp"
#include "runtime/signal/event_use.hpp"
#include "runtime/stream/scheduler.hpp"

namespace aclvk::runtime {
namespace {

using std::chrono_literals::operator""s;

class IdleTimeline : public vk::Timeline {
 public:
  std::uint64_t completed() const override { return 0; }
  bool wait(std::uint64_t, std::optional<std::chrono::nanoseconds>) const override { return false; }
  void signal(std::uint64_t) override {}
};

class TimeoutDetectorTest : public testing::Test {
 protected:
  TimeoutDetectorTest() { set_task_limit(std::chrono::seconds(4)); }
  ~TimeoutDetectorTest() override { set_task_limit(std::chrono::seconds(0)); }

  std::size_t count_overdue(vk::PendingSubmission running, std::chrono::seconds after) {
    running.end = {timeline, value};
    return detector.find_overdue({running}, start + after).size();
  }

  TimeoutDetector detector;
  const TimeoutDetector::Time start{1000s};
  std::shared_ptr<vk::Timeline> timeline = std::make_shared<IdleTimeline>();
  std::uint64_t value = 1;
};

TEST_F(TimeoutDetectorTest, FindsWhatRunsForTooLong) {
  EXPECT_EQ(count_overdue({{}, 1, false}, 0s), 0u);
  EXPECT_EQ(count_overdue({{}, 1, false}, 4s), 0u);
  EXPECT_EQ(count_overdue({{}, 1, false}, 5s), 1u);
}

TEST_F(TimeoutDetectorTest, CountsForEachSubmission) {
  EXPECT_EQ(count_overdue({{}, 1, false}, 0s), 0u);
  value = 2;
  EXPECT_EQ(count_overdue({{}, 1, false}, 4s), 0u);
  EXPECT_EQ(count_overdue({{}, 1, false}, 8s), 0u);
  EXPECT_EQ(count_overdue({{}, 1, false}, 9s), 1u);
}

TEST_F(TimeoutDetectorTest, DoesNotCountWaiting) {
  EXPECT_EQ(count_overdue({{}, 1, true}, 0s), 0u);
  EXPECT_EQ(count_overdue({{}, 1, true}, 100s), 0u);
  EXPECT_EQ(count_overdue({{}, 1, false}, 200s), 0u);
  EXPECT_EQ(count_overdue({{}, 1, false}, 205s), 1u);
}

TEST_F(TimeoutDetectorTest, GivesEachTaskOfABatchItsTime) {
  EXPECT_EQ(count_overdue({{}, 10, false}, 0s), 0u);
  EXPECT_EQ(count_overdue({{}, 10, false}, 42s), 0u);
  EXPECT_EQ(count_overdue({{}, 10, false}, 44s), 1u);
}

Code code_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  return Code::kSuccess;
}

/// A stream whose submission, like an endless kernel, does not complete: it waits for a timeline value that finish()
/// signals.
class StuckStream : public TimeoutDetectorTest {
 protected:
  void SetUp() override {
    set_device(0);
    stream = create_stream(0, 0);
    gate = stream->device().gpu().create_timeline();
    const SchedulerLock lock;
    stream->queue().batch().wait_for({gate, 1});
    submitted = stream->queue().batch().flush().value;
  }
  void TearDown() override {
    stream.reset();
    reset_device(0, true);
  }

  void on_timeout() {
    const SchedulerLock lock;
    EXPECT_EQ(Scheduler::instance().find_queue(*stream->queue().batch().submitted().timeline), &stream->queue());
    stream->queue().on_timeout(submitted, std::chrono::seconds(4));
  }
  /// Completes the submission, which counts as overdue until then.
  void finish() {
    gate->signal(1);
    vk::TimelinePoint end;
    {
      const SchedulerLock lock;
      end = stream->queue().batch().submitted();
    }
    end.timeline->wait(end.value);
  }

  StreamPtr stream;
  std::shared_ptr<vk::Timeline> gate;
  std::uint64_t submitted = 0;
};

TEST_F(StuckStream, IsNotWaitedForAsLongAsItsTaskLasts) {
  auto waiting = std::async(std::launch::async, [&] { return code_of([&] { stream->synchronize(); }); });
  EXPECT_EQ(waiting.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  on_timeout();
  EXPECT_EQ(waiting.get(), Code::kAicoreTimeout);
  EXPECT_EQ(code_of([&] { stream->synchronize(); }), Code::kAicoreTimeout);
  finish();
  EXPECT_EQ(code_of([&] { stream->synchronize(); }), Code::kSuccess);
}

TEST_F(StuckStream, NorAreItsEvents) {
  const auto event = std::make_shared<Event>(EventMaker::kExWithFlag, kEventSync);
  stream->record(event);
  const auto wait = [&] { synchronize_event(event, std::nullopt); };
  auto waiting = std::async(std::launch::async, [&] { return code_of(wait); });
  EXPECT_EQ(waiting.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  on_timeout();
  EXPECT_EQ(waiting.get(), Code::kAicoreTimeout);
  finish();
  EXPECT_EQ(code_of(wait), Code::kSuccess);
}

TEST_F(StuckStream, NorAreThoseThatWaitForIt) {
  const StreamPtr other = create_stream(0, 0);
  const auto event = std::make_shared<Event>(EventMaker::kExWithFlag, kEventSync);
  const auto after = std::make_shared<Event>(EventMaker::kExWithFlag, kEventSync);
  stream->record(event);
  other->wait(event);
  other->record(after);
  const auto wait = [&] { other->synchronize(); };
  auto waiting = std::async(std::launch::async, [&] { return code_of(wait); });
  EXPECT_EQ(waiting.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  on_timeout();
  EXPECT_EQ(waiting.get(), Code::kAicoreTimeout);
  EXPECT_EQ(code_of([&] { synchronize_event(after, std::nullopt); }), Code::kAicoreTimeout);
  finish();
  EXPECT_EQ(code_of(wait), Code::kSuccess) << "the other stream has not failed";
  EXPECT_EQ(code_of([&] { synchronize_event(after, std::nullopt); }), Code::kSuccess);
}

TEST_F(StuckStream, NorAreItsPendingRecords) {
  const auto event = std::make_shared<Event>(EventMaker::kExWithFlag, kEventSync);
  stream->host_function([] {});
  stream->record(event);
  const auto wait = [&] { synchronize_event(event, std::nullopt); };
  auto waiting = std::async(std::launch::async, [&] { return code_of(wait); });
  EXPECT_EQ(waiting.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  on_timeout();
  EXPECT_EQ(waiting.get(), Code::kAicoreTimeout);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(code_of([&] { stream->synchronize(); }), Code::kAicoreTimeout);
  finish();
  EXPECT_EQ(code_of([&] { stream->synchronize(); }), Code::kSuccess);
  EXPECT_EQ(code_of(wait), Code::kSuccess);
}

TEST_F(StuckStream, HoldsNoProfileThatEnds) {
  if (!stream->device().gpu().has_timestamps()) {
    finish();
    GTEST_SKIP() << "The device tells no times.";
  }
  const std::string path = testing::TempDir() + "aclvk_stuck_" + std::to_string(getpid()) + ".json";
  const auto session = profile::Session::open(path);
  session->select(this, {profile::kTasks});
  profile::mark_stream(*stream, "after the task");
  {
    const SchedulerLock lock;
    stream->queue().batch().flush();
  }
  auto closing = std::async(std::launch::async, [&] { session->close(); });
  EXPECT_EQ(closing.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  on_timeout();
  EXPECT_EQ(closing.wait_for(std::chrono::seconds(60)), std::future_status::ready);
  finish();
  profile::collect();
  std::remove(path.c_str());
}

}  // namespace
}  // namespace aclvk::runtime
