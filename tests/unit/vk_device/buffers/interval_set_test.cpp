#include "vk_device/buffers/interval_set.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace aclvk::vk {
namespace {

TEST(IntervalSet, MergesWhatOverlapsOrTouches) {
  IntervalSet set(16);
  set.add({10, 20});
  set.add({40, 50});
  set.add({20, 40});
  ASSERT_EQ(set.intervals().size(), 1U);
  EXPECT_EQ(set.intervals()[0].begin, 10U);
  EXPECT_EQ(set.intervals()[0].end, 50U);
}

TEST(IntervalSet, TouchingIsNotOverlapping) {
  IntervalSet set(16);
  set.add({10, 20});
  EXPECT_FALSE(set.overlaps({0, 10}));
  EXPECT_FALSE(set.overlaps({20, 30}));
  EXPECT_TRUE(set.overlaps({19, 20}));
  EXPECT_FALSE(set.overlaps({15, 15}));
}

TEST(IntervalSet, GrowsAtItsEnd) {
  IntervalSet set(16);
  set.add({10, 20});
  set.add({30, 40});
  set.add({35, 50});  // overlaps the last one
  set.add({50, 60});  // touches it
  set.add({32, 34});  // lies inside it
  ASSERT_EQ(set.intervals().size(), 2U);
  EXPECT_EQ(set.intervals()[1].begin, 30U);
  EXPECT_EQ(set.intervals()[1].end, 60U);
  set.add({15, 30});  // joins both
  ASSERT_EQ(set.intervals().size(), 1U);
  EXPECT_FALSE(set.overlaps({60, 70}));
  EXPECT_FALSE(set.overlaps({0, 10}));
  EXPECT_TRUE(set.overlaps({0, 100}));
}

TEST(IntervalSet, AgreesWithAPlainBitmap) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    IntervalSet set(1000);
    std::vector<bool> bitmap(300);
    for (int i = 0; i < 40; ++i) {
      const std::uint64_t begin = random() % 280;
      const std::uint64_t end = begin + random() % 20;
      bool any = false;
      for (std::uint64_t at = begin; at < end; ++at) any = any || bitmap[at];
      ASSERT_EQ(set.overlaps({begin, end}), any);
      set.add({begin, end});
      for (std::uint64_t at = begin; at < end; ++at) bitmap[at] = true;
    }
  }
}

TEST(IntervalSet, CoarsensPastTheLimitAndForgetsNothing) {
  IntervalSet set(8);
  for (std::uint64_t i = 0; i < 100; ++i) set.add({i * 100, i * 100 + 1 + i % 50});
  EXPECT_LE(set.intervals().size(), 8U);
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_TRUE(set.overlaps({i * 100, i * 100 + 1}));
}

}  // namespace
}  // namespace aclvk::vk
