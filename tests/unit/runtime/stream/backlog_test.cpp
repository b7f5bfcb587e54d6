// Tests the limit for a stream's tasks on the device (docs/adr/0014).
#include "runtime/stream/backlog.hpp"

#include <gtest/gtest.h>

namespace aclvk::runtime {
namespace {

/// A timeline that the test advances.
class FakeTimeline final : public vk::Timeline {
 public:
  std::uint64_t completed() const override { return value; }
  bool wait(std::uint64_t, std::optional<std::chrono::nanoseconds>) const override { return false; }
  void signal(std::uint64_t reached) override { value = reached; }

  std::uint64_t value = 0;
};

class BacklogTest : public testing::Test {
 protected:
  /// Adds `count` submissions of `tasks` tasks each.
  void submit(int count, std::size_t tasks) {
    for (int i = 0; i < count; ++i) backlog.add(++last, tasks);
  }
  bool full() { return backlog.full(timeline); }

  Backlog backlog{100};
  FakeTimeline timeline;
  std::uint64_t last = 0;
};

TEST_F(BacklogTest, IsFullOfTasks) {
  submit(9, 11);
  EXPECT_FALSE(full());
  submit(1, 1);
  EXPECT_TRUE(full());
}

TEST_F(BacklogTest, HasRoomAgainWhenTheOldestIsDone) {
  submit(10, 10);
  EXPECT_TRUE(full());
  timeline.value = 1;
  EXPECT_FALSE(full());
  submit(1, 10);
  EXPECT_TRUE(full());
}

TEST_F(BacklogTest, IsNotFullOfWhatHasBeenDoneLongAgo) {
  for (int round = 0; round < 1000; ++round) {
    submit(1, 50);
    timeline.value = last;
    ASSERT_FALSE(full());
  }
}

TEST_F(BacklogTest, DoesNotCountWhatWasRefused) {
  submit(9, 11);
  backlog.add(last + 1, 1);
  backlog.remove_last();
  EXPECT_FALSE(full());
  submit(1, 1);
  EXPECT_TRUE(full());
}

TEST_F(BacklogTest, TakesFourLargeSubmissions) {
  submit(3, 1000);
  EXPECT_FALSE(full());
  submit(1, 1000);
  EXPECT_TRUE(full());
}

TEST_F(BacklogTest, CountsSubmissionsThatOnlyWait) {
  submit(99, 0);
  EXPECT_FALSE(full());
  submit(1, 0);
  EXPECT_TRUE(full());
}

TEST_F(BacklogTest, KnowsWhenHalfOfItIsDone) {
  submit(10, 10);
  EXPECT_EQ(backlog.half_done_value(), 5u);
  timeline.value = 2;
  submit(2, 10);
  EXPECT_TRUE(full());
  EXPECT_EQ(backlog.half_done_value(), 7u) << "of the ten from the third to the twelfth";
}

TEST_F(BacklogTest, HalfOfAnUnevenBacklogMayBeItsLastSubmission) {
  submit(3, 1);
  submit(1, 200);
  EXPECT_TRUE(full());
  EXPECT_EQ(backlog.half_done_value(), 4u);
}

}  // namespace
}  // namespace aclvk::runtime
