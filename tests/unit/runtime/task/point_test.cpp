#include "runtime/task/point.hpp"

#include <gtest/gtest.h>

#include "support/fake_gpu.hpp"

namespace aclvk::runtime {
namespace {

/// Work of another process.
class OtherWork final : public RemoteWork {
 public:
  bool reached() const override { return is_reached; }
  bool lost() const override { return false; }

  bool is_reached = false;
};

class PointTest : public testing::Test {
 protected:
  /// Returns a point of the timeline; each has a greater value.
  Point::Submitted submission() { return {{timeline, ++newest}, device}; }
  void complete() { timeline->signal(newest); }

  const std::shared_ptr<FakeTimeline> timeline = std::make_shared<FakeTimeline>();
  const Device* const device = reinterpret_cast<const Device*>(&newest);  // only compared
  std::uint64_t newest = 0;
  Point point;
};

TEST_F(PointTest, IsExpectedUntilItsRecordIsIssued) {
  EXPECT_FALSE(point.issued());
  EXPECT_FALSE(point.settled());
  EXPECT_FALSE(point.reached());
  EXPECT_EQ(point.submitted(), nullptr);
  EXPECT_EQ(point.device(), nullptr);
  EXPECT_FALSE(point.pending_in(0));
}

TEST_F(PointTest, IsPendingInItsEpochOnly) {
  point.state = Point::Queued{3, 1};
  EXPECT_TRUE(point.issued());
  EXPECT_FALSE(point.settled());
  EXPECT_FALSE(point.reached());
  EXPECT_EQ(point.submitted(), nullptr);
  EXPECT_TRUE(point.pending_in(3));
  EXPECT_FALSE(point.pending_in(0));
}

TEST_F(PointTest, WithoutANumberIsPendingInNoEpoch) {
  point.state = Point::Queued{};
  EXPECT_TRUE(point.issued());
  EXPECT_FALSE(point.pending_in(0));
}

TEST_F(PointTest, SubmittedIsReachedWithItsTimeline) {
  point.state = submission();
  EXPECT_TRUE(point.issued());
  EXPECT_TRUE(point.settled());
  EXPECT_FALSE(point.cancelled());
  EXPECT_FALSE(point.pending_in(0));
  ASSERT_NE(point.submitted(), nullptr);
  EXPECT_EQ(point.submitted()->value, newest);
  EXPECT_EQ(point.device(), device);
  EXPECT_FALSE(point.reached());
  complete();
  EXPECT_TRUE(point.reached());
}

TEST_F(PointTest, CancelledWithoutAnyWorkIsReached) {
  point.state = Point::Cancelled{};
  EXPECT_TRUE(point.issued());
  EXPECT_TRUE(point.settled());
  EXPECT_TRUE(point.cancelled());
  EXPECT_TRUE(point.reached());
  EXPECT_EQ(point.submitted(), nullptr);
  EXPECT_EQ(point.device(), nullptr);
}

TEST_F(PointTest, CancelledIsReachedWithItsWorkAndAllThatSupersedesIt) {
  const auto first = std::make_shared<Point>(Point{submission()});
  const auto second = std::make_shared<Point>(Point{Point::Queued{1, 1}});
  Point::Cancelled& cancelled = point.cancel(submission().end, device);
  cancelled.superseded_by = {first, second};
  EXPECT_EQ(point.device(), device);
  complete();
  EXPECT_FALSE(point.reached()) << "the second has not been submitted";
  second->state = submission();
  EXPECT_FALSE(point.reached());
  complete();
  EXPECT_TRUE(point.reached());
  cancelled.end = submission().end;
  EXPECT_FALSE(point.reached());
}

TEST_F(PointTest, CancelledTwiceKeepsWhatSupersedesIt) {
  point.cancel(submission().end, device).superseded_by.push_back(std::make_shared<Point>());
  EXPECT_EQ(point.cancel(submission().end, device).superseded_by.size(), 1u);
  EXPECT_EQ(point.submitted()->value, newest);
}

TEST_F(PointTest, CancelledIsNoLongerPending) {
  point.state = Point::Queued{3, 1};
  point.cancel(submission().end, device);
  EXPECT_FALSE(point.pending_in(3));
}

TEST_F(PointTest, RemoteIsReachedWithItsWork) {
  const auto work = std::make_shared<OtherWork>();
  point.state = Point::Remote{work};
  EXPECT_TRUE(point.issued());
  EXPECT_FALSE(point.settled());
  EXPECT_EQ(point.submitted(), nullptr);
  EXPECT_EQ(point.device(), nullptr);
  EXPECT_FALSE(point.reached());
  work->is_reached = true;
  EXPECT_TRUE(point.reached());
}

TEST_F(PointTest, TimeIsSetOnce) {
  EXPECT_FALSE(point.has_time());
  point.set_time_if_unknown(7);
  EXPECT_TRUE(point.has_time());
  point.set_time_if_unknown(8);
  EXPECT_EQ(std::get<std::int64_t>(point.time), 7);
}

TEST_F(PointTest, CancelledLosesTheTimestampThatNothingWillWrite) {
  point.time = std::shared_ptr<vk::Timestamps>();
  EXPECT_TRUE(point.has_time());
  point.cancel(submission().end, device);
  EXPECT_FALSE(point.has_time());
  point.set_time_if_unknown(7);
  point.cancel(submission().end, device);
  EXPECT_EQ(std::get<std::int64_t>(point.time), 7) << "which the host has seen";
}

}  // namespace
}  // namespace aclvk::runtime
