#include "vk_device/buffers/block_allocator.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace aclvk::vk {
namespace {

TEST(BlockAllocator, RoundsToItsGranularity) {
  BlockAllocator block(4096);
  EXPECT_EQ(block.allocate(1), 0U);
  EXPECT_EQ(block.allocate(513), 512U);
  EXPECT_EQ(block.allocate(512), 1536U);
}

TEST(BlockAllocator, SaysWhenItIsFull) {
  BlockAllocator block(1024);
  EXPECT_TRUE(block.allocate(1024).has_value());
  EXPECT_FALSE(block.allocate(1).has_value());
}

TEST(BlockAllocator, JoinsNeighboursInAnyOrder) {
  const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (const auto& order : orders) {
    BlockAllocator block(1536);
    for (int i = 0; i < 3; ++i) ASSERT_EQ(block.allocate(512), i * 512U);
    for (const int i : order) block.release(i * 512U);
    EXPECT_TRUE(block.empty());
    EXPECT_EQ(block.allocate(1536), 0U);
  }
}

TEST(BlockAllocator, NeverHandsOutBytesTwice) {
  std::mt19937 random(1);
  constexpr std::uint64_t kCapacity = 1 << 20;
  BlockAllocator block(kCapacity);
  std::vector<bool> used(kCapacity / 512);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> live;
  const auto mark = [&](std::uint64_t offset, std::uint64_t bytes, bool value) {
    for (std::uint64_t at = offset / 512; at < (offset + bytes + 511) / 512; ++at) {
      ASSERT_NE(used[at], value);
      used[at] = value;
    }
  };
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t bytes = 1 + random() % 20000;
    if (const auto offset = random() % 2 ? block.allocate(bytes) : std::nullopt) {
      mark(*offset, bytes, true);
      live.emplace_back(*offset, bytes);
    } else if (!live.empty()) {
      std::swap(live[random() % live.size()], live.back());
      mark(live.back().first, live.back().second, false);
      block.release(live.back().first);
      live.pop_back();
    }
  }
  for (const auto& piece : live) block.release(piece.first);
  EXPECT_TRUE(block.empty());
}

}  // namespace
}  // namespace aclvk::vk
