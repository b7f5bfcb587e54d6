#include "vk_device/memory/address_map.hpp"

#include <gtest/gtest.h>

namespace aclvk::vk {
namespace {

TEST(AddressMap, FindsFirstAndLastByteAndNotTheNext) {
  AddressMap<int> map;
  EXPECT_TRUE(map.insert(100, 10, 1));
  ASSERT_NE(map.find(100), nullptr);
  ASSERT_NE(map.find(109), nullptr);
  EXPECT_EQ(map.find(109)->value, 1);
  EXPECT_EQ(map.find(99), nullptr);
  EXPECT_EQ(map.find(110), nullptr);
}

TEST(AddressMap, RefusesOverlaps) {
  AddressMap<int> map;
  ASSERT_TRUE(map.insert(100, 10, 1));
  EXPECT_FALSE(map.insert(109, 1, 2));
  EXPECT_FALSE(map.insert(95, 6, 2));
  EXPECT_FALSE(map.insert(90, 100, 2));
  EXPECT_TRUE(map.insert(95, 5, 2));
  EXPECT_TRUE(map.insert(110, 5, 3));
}

TEST(AddressMap, RemovesByStartOnly) {
  AddressMap<int> map;
  ASSERT_TRUE(map.insert(100, 10, 1));
  EXPECT_FALSE(map.remove(101).has_value());
  EXPECT_EQ(map.remove(100), 1);
  EXPECT_EQ(map.find(100), nullptr);
}

}  // namespace
}  // namespace aclvk::vk
