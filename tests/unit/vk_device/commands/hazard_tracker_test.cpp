#include "vk_device/commands/hazard_tracker.hpp"

#include <gtest/gtest.h>

namespace aclvk::vk {
namespace {

constexpr Interval kHere{100, 200};
constexpr Interval kPart{150, 160};
constexpr Interval kDisjoint{200, 300};

TEST(HazardTracker, TwoReadsNeedNoBarrier) {
  HazardTracker tracker(16);
  tracker.add({kHere, Access::kRead});
  EXPECT_FALSE(tracker.conflicts({kPart, Access::kRead}));
}

TEST(HazardTracker, ReadAfterWriteWriteAfterReadAndWriteAfterWriteNeedOne) {
  HazardTracker reads(16);
  reads.add({kHere, Access::kRead});
  EXPECT_TRUE(reads.conflicts({kPart, Access::kWrite}));
  EXPECT_TRUE(reads.conflicts({kPart, Access::kReadWrite}));
  HazardTracker writes(16);
  writes.add({kHere, Access::kWrite});
  EXPECT_TRUE(writes.conflicts({kPart, Access::kRead}));
  EXPECT_TRUE(writes.conflicts({kPart, Access::kWrite}));
}

TEST(HazardTracker, OtherBytesNeedNone) {
  HazardTracker tracker(16);
  tracker.add({kHere, Access::kReadWrite});
  EXPECT_FALSE(tracker.conflicts({kDisjoint, Access::kReadWrite}));
}

TEST(HazardTracker, ABarrierClearsIt) {
  HazardTracker tracker(16);
  tracker.add({kHere, Access::kReadWrite});
  tracker.clear();
  EXPECT_FALSE(tracker.conflicts({kHere, Access::kReadWrite}));
}

}  // namespace
}  // namespace aclvk::vk
